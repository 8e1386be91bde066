#include "observe/ethtool/counter_lines.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/strings.h"
#include "observe/ethtool/counter_names.h"

namespace railgauge::observe {
namespace {

constexpr std::size_t longest_name = 64;
constexpr std::size_t most_lists = 1024;  // a large host has some tens of network devices
constexpr std::size_t most_broken = 20;   // said one by one

bool is_name(std::string_view name) {
  return !name.empty() && name.size() <= longest_name &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '_' || c == '.' || c == '-' || c == '[' || c == ']';
         });
}

// "[0]: rx_discards: 7" has a colon in the name.
std::optional<CounterLine> counter_line(std::string_view line) {
  const std::size_t colon = line.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const std::string_view digits = trim(line.substr(colon + 1));
  CounterLine out;
  out.name = trim(line.substr(0, colon));
  std::string_view bare = out.name;
  if (bare.starts_with('[') && bare.find("]: ") != std::string_view::npos)
    bare = bare.substr(bare.find("]: ") + 3);
  if (!is_name(bare)) return std::nullopt;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), out.value);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return out;
}

struct Names {
  CounterNames ethtool = CounterNames::of_any_driver();
  CounterNames rdma = CounterNames::of_rdma();
};

class Lists {
 public:
  std::vector<CounterList> read(std::string_view plain) {
    for (LineCursor lines(plain); lines.next() && out_.size() < most_lists;)
      line(lines.line(), lines.number());
    close();
    return std::move(out_);
  }

 private:
  void line(std::string_view line, std::uint32_t number) {
    if (const auto device = ethtool_call(line, "-S", "--statistics"); !device.empty()) {
      close();
      device_ = device;
      return;
    }
    if (trim(line) == "NIC statistics:") {
      close();
      list_.headed = true;
      list_.number = number;
      return;
    }
    if (trim(line).empty()) return;  // pastes get empty lines between theirs
    auto counter = counter_line(line);
    if (counter) {
      counter->number = number;
      if (list_.lines.empty() && !list_.headed) list_.number = number;
      list_.lines.push_back(*counter);
    } else if (list_.headed && line.starts_with("     ")) {
      if (list_.broken.size() < most_broken) list_.broken.push_back(number);
    } else {
      close();
    }
  }

  void close() {
    if (!list_.lines.empty() || list_.headed) {
      classify();
      if (list_.kind != CounterList::Kind::unknown) {
        list_.command_device = device_;
        out_.push_back(std::move(list_));
      }
      device_ = {};
    }
    list_ = {};
  }

  void classify() {
    if (list_.headed) {
      list_.kind = CounterList::Kind::ethtool;
      return;
    }
    if (!names_) names_.emplace();
    std::size_t ethtool = 0;
    std::size_t rdma = 0;
    for (const CounterLine& line : list_.lines) {
      const bool by_ethtool = names_->ethtool.find(line.name).has_value();
      ethtool += by_ethtool;
      rdma += !by_ethtool && names_->rdma.find(line.name).has_value();
    }
    if (ethtool > rdma)
      list_.kind = CounterList::Kind::ethtool;
    else if (rdma > 0)
      list_.kind = CounterList::Kind::rdma;
  }

  std::optional<Names> names_;  // made when a list without header needs them
  CounterList list_;
  std::string_view device_;
  std::vector<CounterList> out_;
};

}  // namespace

std::vector<CounterList> counter_lists(std::string_view plain) { return Lists().read(plain); }

std::string_view ethtool_call(std::string_view line, std::string_view option,
                              std::string_view long_option) {
  const std::size_t at = line.find("ethtool ");
  if (at == std::string_view::npos || line.size() > 512) return {};
  const auto words = split_blank(line.substr(at));
  if (words.size() < 3 || (words[1] != option && words[1] != long_option)) return {};
  return is_name(words[2]) ? words[2] : std::string_view();
}

}  // namespace railgauge::observe
