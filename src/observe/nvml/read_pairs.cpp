// Answers about two GPUs, and what the links of both say about the pair.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "observe/nvml/reading_state.h"

namespace railgauge::observe::nvml {
namespace {

using model::DeviceId;
using model::DeviceKind;
using model::NvLinkPort;
using model::P2pStatus;
using model::PathClass;
using model::SmiClass;

// The words of nvidia-smi for NVML's levels. "internal" is two GPUs of one board behind that
// board's switch.
std::optional<PathClass> class_of(const std::string& level) {
  constexpr std::array<std::pair<std::string_view, SmiClass>, 6> levels{{
      {"internal", SmiClass::pix},
      {"single", SmiClass::pix},
      {"multiple", SmiClass::pxb},
      {"hostbridge", SmiClass::phb},
      {"node", SmiClass::node},
      {"system", SmiClass::sys},
  }};
  for (const auto& [word, kind] : levels)
    if (word == level) return PathClass{kind, 0};
  return std::nullopt;
}

model::Fact<P2pStatus>* p2p_fact(model::Pair& pair, const std::string& capability) {
  if (capability == "read") return &pair.p2p_read;
  if (capability == "write") return &pair.p2p_write;
  if (capability == "nvlink") return &pair.p2p_nvlink;
  if (capability == "atomics") return &pair.p2p_atomics;
  if (capability == "pcie") return &pair.p2p_pcie;
  return nullptr;
}

// The pair of args[0] and args[1]; both GPUs must have been spoken of.
model::Pair* pair_of(ReadingState& state, const Answer& answer) {
  const auto first = answer.arg_number(0);
  const auto second = answer.arg_number(1);
  if (!first || !second) return nullptr;
  const auto a = state.gpu_id(*first);
  const auto b = state.gpu_id(*second);
  if (!a || !b || *a == *b) return nullptr;
  return &state.machine.pair(*a, *b);
}

int links_to(const model::Device& gpu, const model::Device& peer) {
  const auto& ports = gpu.gpu->nvlinks;
  return static_cast<int>(std::count_if(ports.begin(), ports.end(), [&](const NvLinkPort& port) {
    return port.active.value_or(false) && port.remote && peer.address &&
           *port.remote == *peer.address;
  }));
}

int links_to_switches(const model::Device& gpu) {
  const auto& ports = gpu.gpu->nvlinks;
  return static_cast<int>(std::count_if(ports.begin(), ports.end(), [](const NvLinkPort& port) {
    return port.active.value_or(false) &&
           port.remote_kind.value_or(DeviceKind::other) == DeviceKind::nvswitch;
  }));
}

// Any active link is a witness of a count; the first is named.
model::SourceRef first_active(const model::Device& gpu) {
  for (const NvLinkPort& port : gpu.gpu->nvlinks)
    if (port.active.value_or(false)) return port.active.source();
  return {};
}

// How many NVLinks join the two, as `nvidia-smi topo -m` counts them; 0 for none.
int nvlinks_between(const model::Machine& machine, const model::Pair& pair) {
  const model::Device& a = machine[pair.a];
  const model::Device& b = machine[pair.b];
  if (const int direct = std::min(links_to(a, b), links_to(b, a)); direct > 0) return direct;
  // Switches join GPUs of one fabric; the driver's word for this pair decides.
  if (pair.p2p_nvlink.value_or(P2pStatus::unknown) != P2pStatus::ok) return 0;
  return std::min(links_to_switches(a), links_to_switches(b));
}

// The class of a pair on PCIe is kept beside; smi is what topo -m prints, where NVLink comes first.
void name_nvlink_pairs(model::Machine& machine) {
  for (model::Pair& pair : machine.pairs) {
    const int count = nvlinks_between(machine, pair);
    if (count == 0) continue;
    const auto pcie = pair.smi;
    pair.smi = {};
    pair.smi.claim(PathClass{SmiClass::nv, count}, first_active(machine[pair.a]));
    if (!pcie) continue;
    const auto other = machine[pair.b].index.value_or(0);
    machine[pair.a].attributes.push_back(
        {fmt::format("pcie_class_to_gpu{}", other), pcie->text(), pcie.source()});
  }
}

// The switches that links end at, in the order of their addresses.
void add_switches(model::Machine& machine) {
  std::map<model::PciAddress, model::SourceRef> switches;
  for (const DeviceId id : machine.of_kind(DeviceKind::gpu))
    for (const NvLinkPort& port : machine[id].gpu->nvlinks)
      if (port.remote && port.remote_kind.value_or(DeviceKind::other) == DeviceKind::nvswitch)
        switches.emplace(*port.remote, port.remote.source());
  for (const auto& [address, source] : switches) {
    if (machine.at(address)) continue;
    const DeviceId id = machine.add(DeviceKind::nvswitch, source);
    machine[id].address.claim(address, source);
  }
}

}  // namespace

bool read_pair_answer(ReadingState& state, const Answer& answer) {
  const bool status = answer.call == "nvmlDeviceGetP2PStatus";
  if (!status && answer.call != "nvmlDeviceGetTopologyCommonAncestor") return false;
  model::Pair* pair = pair_of(state, answer);
  if (pair == nullptr) return false;
  const auto word = answer.word();
  if (!status) {
    state.put(pair->smi, answer, word ? class_of(*word) : std::nullopt);
    return true;
  }
  auto* fact = p2p_fact(*pair, answer.arg_word(2).value_or(""));
  if (fact == nullptr) return false;
  state.put(*fact, answer, word ? model::parse_p2p_status(*word) : std::nullopt);
  return true;
}

void finish_links(ReadingState& state) {
  name_nvlink_pairs(state.machine);
  add_switches(state.machine);
}

}  // namespace railgauge::observe::nvml
