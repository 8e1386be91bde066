#include "present/path_facts.h"

#include "model/path_finder.h"
#include "present/words.h"

namespace railgauge::present {

using model::DeviceId;
using model::DeviceKind;

std::vector<PathFacts> path_facts(const model::Machine& machine) {
  std::vector<DeviceId> ids = endpoints(machine, DeviceKind::gpu);
  const auto nics = endpoints(machine, DeviceKind::nic);
  ids.insert(ids.end(), nics.begin(), nics.end());
  std::vector<PathFacts> out;
  const model::PathFinder finder(machine);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    for (std::size_t k = i + 1; k < ids.size(); ++k) {
      PathFacts facts;
      facts.a = ids[i];
      facts.b = ids[k];
      facts.smi = finder.smi_class(facts.a, facts.b);
      if (machine[facts.a].kind == DeviceKind::gpu)
        facts.nccl = finder.nccl_path(facts.a, facts.b, shown_nccl);
      const auto path = finder.best_path(facts.a, facts.b);
      if (path) {
        facts.as_found = path->as_found;
        facts.nominal = path->nominal;
      } else {
        facts.as_found = facts.nominal = Reading<BytesPerSecond>::not_reported(path.error().text());
      }
      out.push_back(std::move(facts));
    }
  }
  return out;
}

}  // namespace railgauge::present
