// What NCCL used against what the topology allows.
#include "judge/rules/nccl_transport.h"

#include "judge/rules/families.h"

namespace railgauge::judge {
namespace {

std::vector<Rule> made() {
  std::vector<Rule> out;
  add_socket_rules(out);
  add_gdr_rules(out);
  add_peer_rules(out);
  add_channel_rules(out);
  return out;
}

}  // namespace

Family nccl_transport_rules() {
  static const std::vector<Rule> list = made();
  return list;
}

}  // namespace railgauge::judge
