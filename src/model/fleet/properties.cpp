#include "model/fleet/properties.h"

#include <algorithm>

namespace railgauge::model {

std::uint32_t Properties::number(const Property& property) {
  if (property.key == "device") {
    auto found = labels_.find(property.subject);
    if (found == labels_.end()) found = labels_.try_emplace(std::string(property.subject)).first;
    const auto label = found->second.find(property.label);
    if (label == found->second.end())
      found->second.emplace(property.label, 1);
    else
      ++label->second;
  }
  // Machines mostly say the same in the same order: then it is the number after the last one.
  if (++last_ < values_.size() && values_[last_] == property.value) {
    const Place& place = places_[place_of_[last_]];
    if (place.key == property.key && place.subject == property.subject) return last_;
  }
  return last_ = looked_up(property);
}

std::uint32_t Properties::looked_up(const Property& property) {
  buffer_.assign(property.subject);
  buffer_ += '\x1f';
  buffer_ += property.key;
  const std::size_t place_size = buffer_.size();
  buffer_ += '\x1f';
  buffer_ += property.value;
  if (const auto found = numbers_.find(buffer_); found != numbers_.end()) return found->second;
  const std::string place_text = buffer_.substr(0, place_size);
  const auto [place, fresh] =
      place_numbers_.try_emplace(place_text, static_cast<std::uint32_t>(places_.size()));
  if (fresh)
    places_.push_back({property.topic, std::string(property.subject), std::string(property.key)});
  const auto number = static_cast<std::uint32_t>(values_.size());
  values_.emplace_back(property.value);
  place_of_.push_back(place->second);
  numbers_.emplace(buffer_, number);
  return number;
}

std::string Properties::device_of(const std::string& subject) {
  return subject.substr(0, subject.find(" port "));
}

std::string Properties::label(const std::string& subject) const {
  const std::string device = device_of(subject);
  const auto found = labels_.find(device);
  if (found == labels_.end()) return subject;
  const auto most =
      std::max_element(found->second.begin(), found->second.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  return most->first + subject.substr(device.size());
}

}  // namespace railgauge::model
