// Text as programs and shells save it, made UTF-8: PowerShell's ">" writes UTF-16.
#pragma once

#include <string>
#include <string_view>

namespace railgauge::observe {

// UTF-16 with a byte order mark becomes UTF-8 (what is not valid becomes U+FFFD); the mark of UTF-8
// goes away; everything else stays as it is.
std::string plain_text(std::string bytes);

// Many NULs and control bytes at the start: a program, a picture, a core dump. For a helpful
// message when nobody recognises an input; never a reason to refuse one.
bool looks_binary(std::string_view bytes);

// "looks binary (first bytes 7f 45 4c 46 …)"
std::string binary_words(std::string_view bytes);

}  // namespace railgauge::observe
