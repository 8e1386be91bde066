#include "model/source.h"

#include <algorithm>

namespace railgauge::model {

SourceRef Sources::add(const std::string& name, Trust trust) {
  // Sources are added in runs of the same name, so looking from the end is short.
  const auto first = names_.rbegin();
  const auto last = names_.rend() - 1;
  const auto found = std::find(first, last, name);
  if (found != last) {
    const auto index = static_cast<std::uint32_t>(std::distance(found, names_.rend()) - 1);
    return {index, 0, trust};
  }
  names_.push_back(name);
  return {static_cast<std::uint32_t>(names_.size() - 1), 0, trust};
}

const std::string& Sources::name(SourceRef ref) const {
  return names_[ref.index < names_.size() ? ref.index : 0];
}

std::string Sources::text(SourceRef ref) const {
  return ref.line == 0 ? name(ref) : name(ref) + ":" + std::to_string(ref.line);
}

}  // namespace railgauge::model
