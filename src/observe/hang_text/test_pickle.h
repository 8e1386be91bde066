// Writes pickles as PyTorch's C++ code does: protocol 2, texts put into the memo once. Only tests
// include this.
//   pickled(Dict{{"version", "2.4"}, {"entries", List{Dict{{"record_id", 0}}}}})
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace railgauge::observe {

struct PickleValue;
using List = std::vector<PickleValue>;
using Dict = std::vector<std::pair<std::string, PickleValue>>;

struct PickleValue {
  std::variant<std::monostate, bool, std::int64_t, std::string, List, Dict> value;
  PickleValue() = default;
  PickleValue(bool b) : value(b) {}
  PickleValue(int i) : value(std::int64_t{i}) {}
  PickleValue(std::int64_t i) : value(i) {}
  PickleValue(const char* text) : value(std::string(text)) {}
  PickleValue(std::string text) : value(std::move(text)) {}
  PickleValue(List list) : value(std::move(list)) {}
  PickleValue(Dict dict) : value(std::move(dict)) {}
};

class PickleWriter {
 public:
  std::string bytes{"\x80\x02", 2};

  void write(const PickleValue& value) { std::visit(*this, value.value); }

  void operator()(std::monostate) { bytes += 'N'; }
  void operator()(bool b) { bytes += static_cast<char>(b ? 0x88 : 0x89); }
  void operator()(std::int64_t i) {
    if (i >= 0 && i < 256) {
      bytes += 'K';
      little(static_cast<std::uint64_t>(i), 1);
    } else {
      bytes += "\x8a\x08";
      little(static_cast<std::uint64_t>(i), 8);
    }
  }
  void operator()(const std::string& text) {
    const auto [place, added] = memo_.try_emplace(text, memo_.size());
    bytes += added ? 'X' : 'j';
    if (!added) return little(place->second, 4);
    little(text.size(), 4);
    bytes += text;
    bytes += 'r';
    little(place->second, 4);
  }
  void operator()(const List& list) {
    bytes += "](";
    for (const PickleValue& item : list) write(item);
    bytes += 'e';
  }
  void operator()(const Dict& dict) {
    bytes += "}(";
    for (const auto& [key, item] : dict) {
      (*this)(key);
      write(item);
    }
    bytes += 'u';
  }

 private:
  void little(std::uint64_t number, int count) {
    for (int i = 0; i < count; ++i) bytes += static_cast<char>(number >> (8 * i) & 0xff);
  }
  std::map<std::string, std::size_t> memo_;
};

inline std::string pickled(const PickleValue& value) {
  PickleWriter writer;
  writer.write(value);
  return writer.bytes + '.';
}

}  // namespace railgauge::observe
