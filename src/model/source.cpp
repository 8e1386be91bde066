#include "model/source.h"

namespace railgauge::model {

SourceRef Sources::add(const std::string& name, Trust trust) {
  const auto [at, added] = index_.try_emplace(name, static_cast<std::uint32_t>(names_.size()));
  if (added) names_.push_back(name);
  return {at->second, 0, trust};
}

const std::string& Sources::name(SourceRef ref) const {
  return names_[ref.index < names_.size() ? ref.index : 0];
}

std::string Sources::text(SourceRef ref) const {
  return ref.line == 0 ? name(ref) : name(ref) + ":" + std::to_string(ref.line);
}

}  // namespace railgauge::model
