// The properties of many machines, each kept once under a number, so that a machine's shape is a
// short list of numbers.
//   std::uint32_t n = properties.number(property);
//   properties.place(n).key, properties.value(n)
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/fleet/shape.h"

namespace railgauge::model {

class Properties {
 public:
  struct Place {
    Topic topic;
    std::string subject;
    std::string key;
  };

  std::uint32_t number(const Property& property);
  std::size_t size() const { return values_.size(); }
  std::size_t place_count() const { return places_.size(); }
  std::uint32_t place_number(std::uint32_t property) const { return place_of_[property]; }
  const Place& place(std::uint32_t place_number) const { return places_[place_number]; }
  const std::string& value(std::uint32_t property) const { return values_[property]; }

  // What most machines call it; the device of a port: "0000:17:00.0 port 1" → "0000:17:00.0".
  std::string label(const std::string& subject) const;
  static std::string device_of(const std::string& subject);

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };
  std::uint32_t looked_up(const Property& property);

  template <class T>
  using ByText = std::unordered_map<std::string, T, Hash, std::equal_to<>>;

  ByText<std::uint32_t> numbers_;  // of "subject, key, value"
  ByText<std::uint32_t> place_numbers_;
  std::vector<Place> places_;
  std::vector<std::uint32_t> place_of_;
  std::vector<std::string> values_;
  ByText<std::map<std::string, std::size_t, std::less<>>> labels_;
  std::string buffer_;
  std::uint32_t last_ = 0;  // the number given last
};

}  // namespace railgauge::model
