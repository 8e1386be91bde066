// While one of these lives, this thread's characters are UTF-8, whatever the locale of the program:
// libarchive turns names of zip and pax archives into the locale's characters, and in the C locale
// loses them. The other threads and the program's locale are untouched.
#pragma once

#include <locale.h>

namespace railgauge::observe {

class Utf8Locale {
 public:
  Utf8Locale() : ours_(::newlocale(LC_CTYPE_MASK, "C.UTF-8", locale_t{})) {
    if (ours_ != locale_t{}) before_ = ::uselocale(ours_);
  }
  Utf8Locale(const Utf8Locale&) = delete;
  Utf8Locale& operator=(const Utf8Locale&) = delete;
  ~Utf8Locale() {
    if (ours_ == locale_t{}) return;
    ::uselocale(before_);
    ::freelocale(ours_);
  }

 private:
  locale_t ours_{};
  locale_t before_{};
};

}  // namespace railgauge::observe
