// The second pass over a text: one way from left to right, the longest of what is known at each
// place, so what was replaced is not replaced again.
//   Rewriter rewriter(words, writer, pseudonyms);
//   rewriter.text("commands/dmesg.txt", text, fields)
#pragma once

#include <string>
#include <string_view>

#include "observe/privacy/address_writer.h"
#include "observe/privacy/fields.h"
#include "observe/privacy/word_table.h"

namespace railgauge::observe::privacy {

class Rewriter {
 public:
  Rewriter(const WordTable& words, AddressWriter& writer, Pseudonyms& pseudonyms)
      : words_(words), writer_(writer), pseudonyms_(pseudonyms) {}

  std::string text(std::string_view path, std::string_view text, const Fields& fields);

 private:
  struct Replacement {
    std::size_t length = 0;  // of what is replaced; 0: nothing
    std::string text;
  };
  Replacement at(std::string_view path, std::string_view text, AddressForms& forms,
                 std::size_t start, std::size_t end);
  bool stands_alone(const KnownWord& word, std::string_view text, std::size_t start) const;

  const WordTable& words_;
  AddressWriter& writer_;
  Pseudonyms& pseudonyms_;
};

}  // namespace railgauge::observe::privacy
