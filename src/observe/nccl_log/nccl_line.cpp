#include "observe/nccl_log/nccl_line.h"

#include <cstring>

#include "base/characters.h"
#include "base/strings.h"
#include "observe/kernel_log/scan.h"

namespace railgauge::observe {
namespace {

constexpr std::string_view info = "NCCL INFO ";
constexpr std::string_view warn = "NCCL WARN ";

std::string_view last_word(std::string_view& text) {
  text = trim(text);
  const auto blank = text.find_last_of(" \t");
  const std::string_view word = blank == std::string_view::npos ? text : text.substr(blank + 1);
  text = text.substr(0, text.size() - word.size());
  return word;
}

// "misc/ibvwrap.cc:268", "nccl_net_ofi_create_plugin:210"
bool take_place(std::string_view word, NcclLine& line) {
  const auto colon = word.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return false;
  const auto number = parse_int(word.substr(colon + 1));
  if (!number || *number < 0 || *number > 1'000'000) return false;
  line.file = word.substr(0, colon);
  line.file_line = static_cast<int>(*number);
  return true;
}

bool take_device(std::string_view word, NcclLine& line) {
  if (word.size() < 3 || word.front() != '[' || word.back() != ']') return false;
  const auto number = parse_int(word.substr(1, word.size() - 2));
  if (!number || *number < -1 || *number > 4096) return false;
  if (*number >= 0) line.device = static_cast<int>(*number);
  return true;
}

// "node01:97095:97196"; what a launcher glued before it ends in '>:' or stands in its own word.
bool take_host(std::string_view word, NcclLine& line) {
  const auto thread = word.rfind(':');
  if (thread == std::string_view::npos || !leading_int(word.substr(thread + 1))) return false;
  std::string_view rest = word.substr(0, thread);
  const auto pid = rest.rfind(':');
  if (pid == std::string_view::npos) return false;
  const auto number = parse_int(rest.substr(pid + 1));
  if (!number || *number < 0 || *number > 0x7fffffff) return false;
  std::string_view host = rest.substr(0, pid);
  if (const auto launcher = host.rfind(">:"); launcher != std::string_view::npos)
    host = host.substr(launcher + 2);
  if (const auto label = host.rfind(':'); label != std::string_view::npos)
    host = host.substr(label + 1);
  line.host = host;
  line.process_id = static_cast<int>(*number);
  return true;
}

std::optional<NcclLine> bare_version(std::string_view raw) {
  for (const std::string_view word : {"NCCL version ", "RCCL version "}) {
    const auto rest = after(raw, word);
    if (!rest) continue;
    const std::string_view number = trim(rest->substr(0, 1) == ":" ? rest->substr(1) : *rest);
    if (!leading_number(number)) return std::nullopt;
    NcclLine line;
    line.bare_version = true;
    line.text = raw.substr(raw.find(word));
    return line;
  }
  return std::nullopt;
}

// "node01:97095:97196 [3] " and nothing before it, or a blank: nearly all lines of a long log.
bool take_usual_prefix(std::string_view before, NcclLine& line) {
  std::size_t at = before.size();
  const auto number_before = [&](char stop) -> std::optional<int> {
    int value = 0;
    int scale = 1;
    std::size_t digits = 0;
    while (at > 0 && is_digit(before[at - 1]) && digits++ < 8) {
      value += (before[--at] - '0') * scale;
      scale *= 10;
    }
    if (digits == 0 || digits > 8 || at == 0 || before[--at] != stop) return std::nullopt;
    return value;
  };
  if (at < 4 || before[at - 1] != ' ' || before[at - 2] != ']') return false;
  at -= 2;
  const auto device = number_before('[');
  if (!device || *device > 4096 || at == 0 || before[--at] != ' ') return false;
  if (!number_before(':')) return false;
  const auto process = number_before(':');
  if (!process) return false;
  const std::size_t end = at;
  while (at > 0 && before[at - 1] != ' ' && before[at - 1] != ':') --at;
  if (at == end || (at > 0 && before[at - 1] == ':')) return false;
  line.device = device;
  line.process_id = process;
  line.host = before.substr(at, end - at);
  return true;
}

// What stands before the mark at `at`; false when that is not NCCL's.
bool take_prefix(std::string_view before, NcclLine& line) {
  if (take_usual_prefix(before, line)) return true;
  std::string_view word = last_word(before);
  bool known = false;
  if (take_place(word, line) && !take_host(word, line)) {
    known = true;
    word = last_word(before);
  } else if (line.host.data() != nullptr) {  // "node01:77:131 NCCL INFO": no device
    line.file = {};
    line.file_line.reset();
    return true;
  }
  if (take_device(word, line)) {
    known = true;
    word = last_word(before);
  }
  return take_host(word, line) || known;
}

// "[2026-03-02 10:11:12] " at the end belongs to the message that follows.
std::string_view without_time(std::string_view text) {
  text = trim(text);
  constexpr std::size_t time_bytes = sizeof("[2026-03-02 10:11:12]") - 1;
  if (text.size() < time_bytes || text.back() != ']') return text;
  const std::string_view time = text.substr(text.size() - time_bytes);
  if (time[0] != '[' || time[5] != '-' || time[14] != ':') return text;
  return trim(text.substr(0, text.size() - time_bytes));
}

// Where the mark that follows `from` is.
std::size_t next_mark(std::string_view raw, std::size_t from) {
  constexpr std::string_view common = "NCCL ";
  while (from < raw.size()) {
    const void* hit = ::memmem(raw.data() + from, raw.size() - from, common.data(), common.size());
    if (hit == nullptr) break;
    const auto at = static_cast<std::size_t>(static_cast<const char*>(hit) - raw.data());
    const std::string_view mark = raw.substr(at, info.size());
    if (mark == info || mark == warn) return at;
    from = at + common.size();
  }
  return std::string_view::npos;
}

}  // namespace

NcclMessages split_nccl_line(std::string_view raw, std::string_view known_host) {
  NcclMessages out;
  split_nccl_line(raw, known_host, 0, out);
  return out;
}

void split_nccl_line(std::string_view raw, std::string_view known_host, std::size_t from,
                     NcclMessages& out) {
  out.count = 0;
  std::size_t at = next_mark(raw, from);
  if (at == std::string_view::npos) {
    if (const auto line = bare_version(raw)) out.all[out.count++] = *line;
    return;
  }
  std::size_t start = 0;  // of what belongs to this message
  while (at != std::string_view::npos && out.count < out.all.size()) {
    NcclLine line;
    line.warning = raw[at + 5] == 'W';
    line.text = trim(raw.substr(at + info.size()));
    const bool known = take_prefix(raw.substr(start, at - start), line);
    if (out.count > 0) {
      if (!known_host.empty() && line.host.size() > known_host.size() &&
          line.host.ends_with(known_host))
        line.host.remove_prefix(line.host.size() - known_host.size());
      NcclLine& before = out.all[out.count - 1];
      const char* end = line.host.data() != nullptr ? line.host.data() : raw.data() + at;
      const char* begin = before.text.data();
      before.text =
          without_time(begin < end ? std::string_view(begin, static_cast<std::size_t>(end - begin))
                                   : std::string_view{});
    }
    if (known) out.all[out.count++] = line;
    start = at + info.size();
    at = next_mark(raw, start);
  }
}

}  // namespace railgauge::observe
