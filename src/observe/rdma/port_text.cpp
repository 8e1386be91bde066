#include "observe/rdma/port_text.h"

#include "base/strings.h"

namespace railgauge::observe {

// Above any port that can be bought; a larger number is not a rate.
constexpr double most_gigabits = 100'000;

Reading<std::string> port_state(std::string_view text) {
  const auto colon = text.find(':');
  const auto word = colon == std::string_view::npos ? text : trim(text.substr(colon + 1));
  if (word.empty() || word.size() > 32 || word.find_first_of("\n\r\t") != std::string_view::npos)
    return Reading<std::string>::not_reported("a state like \"4: ACTIVE\"");
  return valid_utf8(word);
}

Reading<BytesPerSecond> port_rate(std::string_view text) {
  const auto words = split_blank(text.substr(0, 128));
  const auto gigabits =
      words.size() >= 2 && words[1] == "Gb/sec" ? parse_double(words[0]) : std::nullopt;
  if (!gigabits || *gigabits < 0 || *gigabits > most_gigabits)
    return Reading<BytesPerSecond>::not_reported("a rate like \"400 Gb/sec (4X NDR)\"");
  if (*gigabits == 0) return Reading<BytesPerSecond>::failed("the kernel says 0: the link is down");
  return gigabits_per_second(*gigabits);
}

Reading<BytesPerSecond> net_speed(std::string_view text) {
  if (text == "-1" || text == "4294967295" || text == "0")
    return Reading<BytesPerSecond>::failed("the kernel says " + std::string(text) +
                                           ": the link is down, or its driver reports no speed");
  const auto megabits = parse_int(text);
  if (!megabits || *megabits < 0 || static_cast<double>(*megabits) > most_gigabits * 1000)
    return Reading<BytesPerSecond>::not_reported("a speed in Mb/s");
  return gigabits_per_second(static_cast<double>(*megabits) / 1000);
}

}  // namespace railgauge::observe
