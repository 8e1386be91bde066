#include "model/fleet/odd.h"

#include <algorithm>
#include <map>
#include <set>

#include "model/compare/value_words.h"

namespace railgauge::model {
namespace {

using Members = std::vector<std::size_t>;  // machine numbers, sorted

constexpr const char* not_there = "not there";
constexpr const char* not_reported = "not reported";

struct Row {
  std::uint32_t place = 0;
  std::map<std::string, Members> values;
};

// Rows of properties that not all machines share.
class Table {
 public:
  Table(const Properties& properties, std::span<const ShapeMembers> shapes, const Members& machines)
      : properties_(properties), machines_(machines) {
    const auto counts = property_counts(properties, shapes);
    for (const ShapeMembers& one : shapes)
      for (const std::uint32_t property : *one.shape) {
        if (counts[property] == machines.size()) continue;
        Row& row = rows_[properties.place_number(property)];
        row.place = properties.place_number(property);
        Members& members = row.values[properties.value(property)];
        members.insert(members.end(), one.members->begin(), one.members->end());
      }
    for (auto& [place, row] : rows_) {
      for (auto& [value, members] : row.values) std::sort(members.begin(), members.end());
      if (properties.place(place).key == "device")
        present_[properties.place(place).subject] = all(row);
    }
    for (auto& [place, row] : rows_) add_missing(row);
  }

  const std::map<std::uint32_t, Row>& rows() const { return rows_; }

 private:
  static Members all(const Row& row) {
    Members out;
    for (const auto& [value, members] : row.values)
      out.insert(out.end(), members.begin(), members.end());
    std::sort(out.begin(), out.end());
    return out;
  }

  // Machines that have the device and not the property; for the device itself, all that lack it.
  void add_missing(Row& row) {
    const auto& place = properties_.place(row.place);
    const bool device = place.key == "device";
    Members expected;
    const auto found = present_.find(Properties::device_of(place.subject));
    if (device || found == present_.end()) {
      expected = machines_;
    } else {
      expected = found->second;
    }
    const Members have = all(row);
    Members missing;
    std::set_difference(expected.begin(), expected.end(), have.begin(), have.end(),
                        std::back_inserter(missing));
    if (!missing.empty()) row.values[device ? not_there : not_reported] = std::move(missing);
  }

  const Properties& properties_;
  const Members& machines_;
  std::map<std::uint32_t, Row> rows_;
  std::map<std::string, Members> present_;  // of devices that not all machines have
};

struct Folded {
  Topic topic;
  std::string key;
  std::map<std::string, Members> values;
  std::vector<std::string> subjects;
  std::set<std::string> keys;
};

bool only_silence(const Row& row) {
  return row.values.size() == 2 && row.values.contains(not_reported);
}

// Rows that tell the same of several devices become one; facts that the same machines do not report
// of a device are counted together.
std::vector<Folded> fold(const Properties& properties, const Table& table) {
  std::map<std::pair<std::string, std::map<std::string, Members>>, std::size_t> places;
  std::vector<Folded> out;
  for (const auto& [number, row] : table.rows()) {
    if (row.values.size() < 2) continue;
    const auto& place = properties.place(number);
    auto values = row.values;
    std::string key = place.key;
    if (only_silence(row)) {
      const Members silent = values[not_reported];
      Members others;
      for (auto& [value, members] : values)
        if (value != not_reported) others = members;
      // A setting that only few have is said with its value.
      if (others.size() >= silent.size()) {
        values = {{not_reported, silent}, {"reported", others}};
        key = "";
      }
    }
    const auto [at, fresh] = places.try_emplace({key, values}, out.size());
    if (fresh) out.push_back({place.topic, place.key, values, {}, {}});
    Folded& folded = out[at->second];
    const std::string label = properties.label(place.subject);
    if (std::find(folded.subjects.begin(), folded.subjects.end(), label) == folded.subjects.end())
      folded.subjects.push_back(label);
    folded.keys.insert(place.key);
  }
  return out;
}

std::vector<std::string> names_of(const Members& members, const std::vector<std::string>& names) {
  std::vector<std::string> out;
  for (const std::size_t number : members) out.push_back(names[number]);
  return out;
}

OddProperty worded(const Folded& folded, const std::vector<std::string>& names) {
  OddProperty out;
  out.topic = folded.topic;
  out.subject = comparing::list_words(folded.subjects, 4);
  out.key = folded.keys.size() == 1 ? *folded.keys.begin()
                                    : std::to_string(folded.keys.size()) + " facts";
  const auto most = std::max_element(
      folded.values.begin(), folded.values.end(),
      [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  out.usual = most->first;
  out.usual_count = most->second.size();
  for (const auto& [value, members] : folded.values)
    if (value != most->first) out.odd.push_back({value, names_of(members, names)});
  std::stable_sort(out.odd.begin(), out.odd.end(), [](const OddValue& a, const OddValue& b) {
    return a.machines.size() > b.machines.size();
  });
  return out;
}

std::size_t odd_count(const OddProperty& property) {
  std::size_t out = 0;
  for (const OddValue& value : property.odd) out += value.machines.size();
  return out;
}

}  // namespace

std::vector<std::size_t> property_counts(const Properties& properties,
                                         std::span<const ShapeMembers> shapes) {
  std::vector<std::size_t> out(properties.size());
  for (const ShapeMembers& one : shapes)
    for (const std::uint32_t property : *one.shape) out[property] += one.members->size();
  return out;
}

std::vector<OddProperty> odd_properties(const Properties& properties,
                                        const std::vector<std::string>& names,
                                        const std::vector<std::size_t>& members,
                                        std::span<const ShapeMembers> shapes) {
  const Table table(properties, shapes, members);
  std::vector<OddProperty> out;
  for (const Folded& one : fold(properties, table)) out.push_back(worded(one, names));
  std::stable_sort(out.begin(), out.end(), [](const OddProperty& a, const OddProperty& b) {
    return std::pair(odd_count(a), a.topic) < std::pair(odd_count(b), b.topic);
  });
  return out;
}

}  // namespace railgauge::model
