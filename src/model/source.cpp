#include "model/source.h"

#include <functional>

namespace railgauge::model {
namespace {

constexpr std::size_t first_table_size = 64;

}  // namespace

SourceRef Sources::add(std::string_view name, Trust trust) {
  if (2 * (ends_.size() + 1) > table_.size()) grow_table();
  const auto hash = static_cast<std::uint32_t>(std::hash<std::string_view>{}(name));
  const std::size_t mask = table_.size() - 1;
  std::size_t at = hash & mask;
  for (; table_[at].index != 0; at = (at + 1) & mask)
    if (table_[at].hash == hash && name_at(table_[at].index) == name)
      return {table_[at].index, 0, trust};
  table_[at] = {hash, static_cast<std::uint32_t>(ends_.size())};
  names_.append(name);
  ends_.push_back(names_.size());
  return {table_[at].index, 0, trust};
}

void Sources::grow_table() {
  std::vector<Slot> larger(table_.empty() ? first_table_size : 2 * table_.size());
  const std::size_t mask = larger.size() - 1;
  for (const Slot& slot : table_) {
    if (slot.index == 0) continue;
    std::size_t at = slot.hash & mask;
    while (larger[at].index != 0) at = (at + 1) & mask;
    larger[at] = slot;
  }
  table_ = std::move(larger);
}

std::string_view Sources::name_at(std::size_t index) const {
  const std::size_t start = index == 0 ? 0 : ends_[index - 1];
  return std::string_view(names_).substr(start, ends_[index] - start);
}

std::string_view Sources::name(SourceRef ref) const {
  return name_at(ref.index < ends_.size() ? ref.index : 0);
}

std::string Sources::text(SourceRef ref) const {
  std::string out(name(ref));
  if (ref.line != 0) out += ":" + std::to_string(ref.line);
  return out;
}

}  // namespace railgauge::model
