// Ways between GPUs that a variable closes: peer access, shared memory, RDMA.
#include <fmt/format.h>

#include "base/strings.h"
#include "judge/rules/variables_environment.h"
#include "judge/rules/variables_hardware.h"
#include "judge/rules/variables_harmful.h"

namespace railgauge::judge {
namespace {

using namespace model;

// NCCL_P2P_DISABLE=1, or a level that nothing is near enough for.
const EnvironmentSetting* peer_access_off(const Environment& environment) {
  if (environment.is_on("NCCL_P2P_DISABLE")) return environment.find("NCCL_P2P_DISABLE");
  const EnvironmentSetting* level = environment.find("NCCL_P2P_LEVEL");
  if (level == nullptr) return nullptr;
  return trim(level->value) == "LOC" || trim(level->value) == "0" ? level : nullptr;
}

std::string p2p_words(const EnvironmentSetting& setting, const GpuPicture& gpus) {
  const std::string what = setting.name + "=" + setting.value;
  if (gpus.nvlink)
    return what +
           " turns off peer access over NVLink as well: GPUs of this node talk through "
           "host memory";
  return what +
         " turns off all peer access between GPUs, NVLink included: it does not force NVLink";
}

void look_p2p(const Patient& patient, Verdicts& out) {
  const Environment environment(patient);
  const EnvironmentSetting* off = peer_access_off(environment);
  if (off == nullptr) {
    if (environment.find("NCCL_P2P_DISABLE") != nullptr ||
        environment.find("NCCL_P2P_LEVEL") != nullptr)
      out.pass();
    return;
  }
  const GpuPicture gpus = gpu_picture(patient.machine);
  if (gpus.count == 1 || (!gpus.nvlink && (gpus.geforce || gpus.refused))) return out.pass();
  Finding& finding = fail(out, patient, *off, p2p_words(*off, gpus));
  if (gpus.nvlink) {
    finding.severity = Severity::error;
    finding.weight = 88;
  }
  finding.evidence.front().expected = "unset";
  finding.impact.text = gpus.nvlink
                            ? "host memory carries 10 to 30 GB/s where NVLink carries hundreds"
                            : "pairs of GPUs that could copy directly go through host memory";
  finding.remedy = {
      take_away(patient, *off),
      set_to("NCCL_P2P_LEVEL", "NVL", "to keep peer access to NVLink, and only to it, write")};
}

void look_shm(const Patient& patient, Verdicts& out) {
  const Environment environment(patient);
  const EnvironmentSetting* off = environment.find("NCCL_SHM_DISABLE");
  if (off == nullptr) return;
  const GpuPicture gpus = gpu_picture(patient.machine);
  // Where NVLink joins every pair, shared memory is not used anyway.
  if (off->number() == 0 || gpus.count == 1 ||
      (gpus.whole_nvlink && peer_access_off(environment) == nullptr))
    return out.pass();
  Finding& finding =
      fail(out, patient, *off,
           "NCCL_SHM_DISABLE=1: GPUs of one node without peer access talk over the network, or "
           "not at all");
  finding.impact.text = "traffic inside the node loads the adapter, or falls to TCP";
  finding.remedy = {take_away(patient, *off),
                    {.text = "if /dev/shm was too small, enlarge it instead: --shm-size, or an "
                             "emptyDir of medium Memory"}};
}

const EnvironmentSetting* rdma_off(const Environment& environment) {
  if (environment.is_on("NCCL_IB_DISABLE")) return environment.find("NCCL_IB_DISABLE");
  const EnvironmentSetting* net = environment.find("NCCL_NET");
  return net != nullptr && equal_nocase(trim(net->value), "Socket") ? net : nullptr;
}

void look_ib(const Patient& patient, Verdicts& out) {
  const Environment environment(patient);
  const EnvironmentSetting* off = rdma_off(environment);
  if (off == nullptr) {
    if (environment.find("NCCL_IB_DISABLE") != nullptr) out.pass();
    return;
  }
  const AdapterPicture adapters = adapter_picture(patient.machine);
  if (adapters.told && adapters.rdma.empty() && !adapters.unnamed) return out.pass();
  const std::string what = off->name + "=" + off->value;
  Finding& finding =
      fail(out, patient, *off,
           adapters.rdma.empty()
               ? what + " sends traffic between nodes over TCP, adapters for RDMA or not"
               : fmt::format("{} sends traffic between nodes over TCP, past {} RDMA device{}", what,
                             adapters.rdma.size(), adapters.rdma.size() == 1 ? "" : "s"));
  if (!adapters.rdma.empty()) {
    finding.severity = Severity::error;
    finding.weight = 86;
  }
  finding.evidence.front().expected = "unset";
  finding.impact.text = "TCP carries a few GB/s a node, and takes CPU; GPUDirect RDMA is off";
  finding.remedy = {take_away(patient, *off)};
}

void look_ignored_p2p(const Patient& patient, Verdicts& out) {
  const Environment environment(patient);
  const EnvironmentSetting* setting = environment.find("NCCL_IGNORE_DISABLED_P2P");
  if (setting == nullptr) return;
  if (setting->number() == 0) return out.pass();
  const GpuPicture gpus = gpu_picture(patient.machine);
  Finding& finding =
      fail(out, patient, *setting,
           fmt::format("NCCL_IGNORE_DISABLED_P2P={} hides that the driver refuses peer access "
                       "between GPUs that NVLink joins",
                       setting->value));
  if (gpus.geforce) {
    finding.severity = Severity::note;
    finding.weight = 10;
  }
  finding.impact.text = "those pairs go through host memory without a warning";
  finding.remedy = {take_away(patient, *setting),
                    {.text = "ask the driver why", .command = "nvidia-smi topo -p2p r"}};
}

void look_pxn(const Patient& patient, Verdicts& out) {
  const Environment environment(patient);
  const EnvironmentSetting* setting = environment.find("NCCL_PXN_DISABLE");
  if (setting == nullptr) return;
  const GpuPicture gpus = gpu_picture(patient.machine);
  if (setting->number() == 0 || gpus.no_nvlink || gpus.count == 1) return out.pass();
  Finding& finding = fail(out, patient, *setting,
                          "NCCL_PXN_DISABLE=1: a GPU no longer reaches another rail through its "
                          "neighbour over NVLink");
  finding.impact.text =
      "all-to-all traffic crosses rails in the fabric; fabrics whose rails are "
      "apart cannot carry it";
  finding.remedy = {take_away(patient, *setting)};
}

Rule p2p_rule() {
  return {.id = "ENV006",
          .name = "p2p-disabled",
          .severity = Severity::warning,
          .weight = 70,
          .needs = {Need::environment},
          .explains =
              {{"NCC004"}, {"NCC005"}, {"NCC019"}, {"NCC204"}, {"NCC205"}, {"NCC201"}, {"OSL001"}},
          .look = look_p2p,
          .page = {
              .what = "NCCL_P2P_DISABLE=1, or NCCL_P2P_LEVEL=LOC or 0: direct access between GPUs "
                      "is off.",
              .why = "A widespread recipe says that NCCL_P2P_DISABLE=1 forces NVLink by turning "
                     "off peer access over PCIe. It does the opposite: NVLink is peer access, too, "
                     "and is turned off with it. What is left is shared memory in the host, at 10 "
                     "to 30 GB/s, and /dev/shm fills up.",
              .by_hand = "NCCL_DEBUG=INFO: channels say \"via SHM\" where they should say \"via "
                         "P2P/CUMEM\" or \"via P2P/IPC\".",
              .remedy = "unset NCCL_P2P_DISABLE NCCL_P2P_LEVEL. To restrict peer access to NVLink: "
                        "NCCL_P2P_LEVEL=NVL.",
              .benign_if = "There is one GPU, or the driver refuses peer access anyway (GeForce "
                           "boards without NVLink), or it works round an IOMMU that redirects.",
              .references = {nccl_guide, "NCCL User Guide, Troubleshooting: GPU Direct"}}};
}

Rule shm_rule() {
  return {
      .id = "ENV007",
      .name = "shm-disabled",
      .severity = Severity::warning,
      .weight = 55,
      .needs = {Need::environment},
      .explains = {{"NCC005"}},
      .look = look_shm,
      .page = {.what = "NCCL_SHM_DISABLE=1: shared memory is off.",
               .why = "Shared memory carries pairs of GPUs of one node that have no peer access. "
                      "Without it they use the network adapter, or TCP to the node itself.",
               .by_hand = "NCCL_DEBUG=INFO: channels between ranks of one node say \"via NET\".",
               .remedy = "unset NCCL_SHM_DISABLE; enlarge /dev/shm if that was the reason.",
               .benign_if = "NVLink joins all pairs of GPUs, so that shared memory is not used.",
               .references = {nccl_guide, "NCCL User Guide, Troubleshooting: Shared memory"}}};
}

Rule ib_rule() {
  return {
      .id = "ENV008",
      .name = "ib-disabled",
      .severity = Severity::warning,
      .weight = 60,
      .needs = {Need::environment},
      .explains = {{"NCC001"}, {"NCC202"}, {"NCC204"}, {"NCC201"}},
      .look = look_ib,
      .page = {.what = "NCCL_IB_DISABLE=1 or NCCL_NET=Socket: InfiniBand and RoCE are not used.",
               .why = "It is a common leftover of images and tutorials. A job over several nodes "
                      "then runs over TCP: a tenth of the bandwidth, more latency, no GPUDirect "
                      "RDMA.",
               .by_hand = "NCCL_DEBUG=INFO says \"Using network Socket\".",
               .remedy = "unset NCCL_IB_DISABLE NCCL_NET",
               .benign_if = "There is no RDMA adapter, the job stays in one node, or a plugin for "
                            "another network is used (EFA, TCPX).",
               .references = {nccl_guide}}};
}

Rule ignored_rule() {
  return {.id = "ENV019",
          .name = "disabled-p2p-ignored",
          .severity = Severity::warning,
          .weight = 40,
          .needs = {Need::environment},
          .look = look_ignored_p2p,
          .page = {
              .what = "NCCL_IGNORE_DISABLED_P2P is set: NCCL does not stop when the driver refuses "
                      "peer access between GPUs joined by NVLink.",
              .why = "NCCL stops there because NVLink that is there and cannot be used is a fault: "
                     "of the fabric manager, of a container, of the driver. The variable hides it.",
              .by_hand = "nvidia-smi topo -p2p r shows something else than OK for pairs that "
                         "nvidia-smi topo -m shows as NV#.",
              .remedy = "Mend the cause, then unset the variable.",
              .benign_if = "The boards are of the GeForce line, whose driver refuses on purpose.",
              .references = {"NCCL source, src/graph/paths.cc"}}};
}

Rule pxn_rule() {
  return {
      .id = "ENV034",
      .name = "pxn-disabled",
      .severity = Severity::note,
      .weight = 20,
      .needs = {Need::environment},
      .look = look_pxn,
      .page = {.what = "NCCL_PXN_DISABLE=1: sending through a neighbouring GPU is off.",
               .why = "With PXN a GPU hands data over NVLink to the one whose adapter is on the "
                      "receiver's rail. Without it traffic between rails crosses the spine.",
               .by_hand = "NCCL_DEBUG=INFO: \"via NET/IB/3(1)/GDRDMA\" names the GPU in brackets "
                          "where PXN is used.",
               .remedy = "unset NCCL_PXN_DISABLE",
               .benign_if = "GPUs have no NVLink, or the fabric joins all rails at full rate.",
               .references = {nccl_guide}}};
}

}  // namespace

std::vector<Rule> harmful_transport_rules() {
  return {p2p_rule(), shm_rule(), ib_rule(), ignored_rule(), pxn_rule()};
}

}  // namespace railgauge::judge
