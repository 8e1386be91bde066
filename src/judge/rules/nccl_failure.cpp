// Errors that NCCL reported itself.
#include "judge/rules/nccl_failure.h"

#include "judge/rules/families.h"

namespace railgauge::judge {
namespace {

std::vector<Rule> made() {
  std::vector<Rule> out;
  add_completion_rules(out);
  add_verbs_rules(out);
  add_fabric_rules(out);
  add_host_failure_rules(out);
  return out;
}

}  // namespace

Family nccl_failure_rules() {
  static const std::vector<Rule> list = made();
  return list;
}

}  // namespace railgauge::judge
