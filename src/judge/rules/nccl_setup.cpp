// How the ranks of a job were set up.
#include "judge/rules/nccl_setup.h"

#include "judge/rules/families.h"

namespace railgauge::judge {
namespace {

std::vector<Rule> made() {
  std::vector<Rule> out;
  add_rank_rules(out);
  add_mask_rules(out);
  add_interface_rules(out);
  return out;
}

}  // namespace

Family nccl_setup_rules() {
  static const std::vector<Rule> list = made();
  return list;
}

}  // namespace railgauge::judge
