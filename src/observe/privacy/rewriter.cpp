#include "observe/privacy/rewriter.h"

#include "observe/privacy/characters.h"
#include "observe/privacy/vocabulary.h"

namespace railgauge::observe::privacy {
namespace {

constexpr std::size_t longest_identifier = 128;

// The bytes of an escape: "\n" of JSON would else read as the beginning of the next word; the
// kernel's log and systemd write \x0a.
std::size_t escape_length(std::string_view text, std::size_t at, bool json) {
  const char next = at_or_zero(text, at + 1);
  if (next == 'x' && is_hex(at_or_zero(text, at + 2)) && is_hex(at_or_zero(text, at + 3))) return 4;
  if (!json || next == '\0') return 1;
  return next == 'u' && at + 6 <= text.size() ? 6 : 2;
}

bool is_letters_only(std::string_view name) {
  for (const char c : name)
    if (is_digit(c) || !in_segment(c)) return false;
  return true;
}

}  // namespace

// A name of letters alone may be a part of some attribute's name: "mark" in "rx_ecn_mark".
bool Rewriter::stands_alone(const KnownWord& word, std::string_view text, std::size_t start) const {
  const std::size_t past = start + word.text.size();
  const bool joined = (start > 0 && text[start - 1] == '_') || at_or_zero(text, past) == '_';
  if (!joined || !is_letters_only(word.text)) return true;
  const auto in_identifier = [](char c) { return in_segment(c) || c == '_'; };
  std::size_t begin = start;
  while (begin > 0 && start - begin < longest_identifier && in_identifier(text[begin - 1])) --begin;
  std::size_t end = past;
  while (end < text.size() && end - past < longest_identifier && in_identifier(text[end])) ++end;
  return !part_of_format_word(text.substr(begin, end - begin), word.text);
}

Rewriter::Replacement Rewriter::at(std::string_view path, std::string_view text,
                                   AddressForms& forms, std::size_t start, std::size_t end) {
  const auto form = forms.at(start, end);
  const KnownWord* word = start == end ? nullptr : words_.longest(text, start, end);
  if (word != nullptr && !stands_alone(*word, text, start)) word = nullptr;
  if (form && (word == nullptr || form->length > word->text.size())) {
    auto replaced = writer_.replacement(
        *form, text.substr(start, form->length),
        is_bare(*form) ? speaks_of(form->kind, path, text, start) : Speaks::nothing);
    if (replaced) return {form->length, std::move(*replaced)};
  }
  if (word == nullptr) return {};
  return {word->text.size(), pseudonyms_.of(word->kind, word->text)};
}

std::string Rewriter::text(std::string_view path, std::string_view text, const Fields& fields) {
  const bool json = path.ends_with(".json");
  std::string out;
  out.reserve(text.size() + text.size() / 16);
  AddressForms forms(text);
  std::size_t copied = 0;
  const auto replace = [&](std::size_t start, std::size_t length, std::string_view by) {
    out.append(text, copied, start - copied).append(by);
    copied = start + length;
  };
  auto field = fields.begin();
  for (std::size_t i = 0; i < text.size();) {
    if (field != fields.end() && i >= field->offset) {
      const std::string_view name = text.substr(field->offset, field->length);
      if (i == field->offset) {
        replace(i, name.size(), pseudonyms_.of(field->kind, name));
        i += name.size();
      }
      ++field;
      continue;
    }
    const std::size_t stop = field == fields.end() ? text.size() : field->offset;
    i = next_of(text, i, stop, segment_character | special_character);
    if (i == stop) continue;
    const bool gap = text[i] == ':' && at_or_zero(text, i + 1) == ':' &&
                     (i == 0 || (!in_segment(text[i - 1]) && text[i - 1] != ':'));
    if (!in_segment(text[i]) && !gap) {
      i += text[i] == '\\' ? escape_length(text, i, json) : 1;
      continue;
    }
    const std::size_t end = segment_end(text, i);
    const Replacement found = at(path, text, forms, i, end);
    if (found.length > 0) replace(i, found.length, found.text);
    i = found.length > 0 ? i + found.length : std::max(end, i + 1);
  }
  out.append(text, copied);
  return out;
}

}  // namespace railgauge::observe::privacy
