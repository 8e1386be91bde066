// The family of links between GPUs.
#include "judge/rules/nvlink.h"

#include "judge/rules/families.h"

namespace railgauge::judge {

using namespace model;

std::vector<RemedyStep> bring_up_nvlink() {
  return {{.text = "see what the driver says of each link and of the fabric",
           .command = "nvidia-smi nvlink -s; nvidia-smi -q | grep -A 4 Fabric; systemctl status "
                      "nvidia-fabricmanager",
           .needs_root = false},
          {.text = "on boards with NVSwitch: start the fabric manager of the driver's version, "
                   "then reset the GPUs",
           .command = "sudo systemctl restart nvidia-fabricmanager && sudo nvidia-smi --gpu-reset",
           .needs_root = true,
           .risk = Risk::interrupts,
           .risk_text = "all jobs on these GPUs end"}};
}

Family nvlink_rules() {
  static const std::vector<Rule> list = [] {
    std::vector<Rule> out = nvlink_missing_rules();
    for (Rule& rule : nvlink_narrow_rules()) out.push_back(std::move(rule));
    for (Rule& rule : nvlink_port_rules()) out.push_back(std::move(rule));
    for (Rule& rule : nvlink_pair_rules()) out.push_back(std::move(rule));
    return out;
  }();
  return list;
}

}  // namespace railgauge::judge
