// GPUDirect RDMA: how far apart GPU and adapter may be, and what turns it off.
#include <fmt/format.h>

#include "base/characters.h"
#include "base/strings.h"
#include "judge/rules/variables_environment.h"
#include "judge/rules/variables_hardware.h"
#include "judge/rules/variables_harmful.h"

namespace railgauge::judge {
namespace {

using namespace model;

// What a level means: the word, or that of the old number (levelsOldToNew in NCCL's
// graph/paths.cc).
std::string level_word(const EnvironmentSetting& setting) {
  static constexpr std::string_view old[]{"LOC", "PIX", "PXB", "PHB", "SYS"};
  const std::string_view value = trim(setting.value);
  if (!is_digit(value.front())) return std::string(value);
  const std::int64_t number = setting.number();
  return std::string(old[number < 0 ? 0 : number > 4 ? 4 : number]);
}

bool is_number(const EnvironmentSetting& setting) { return is_digit(trim(setting.value).front()); }

void look_level_wide(const Patient& patient, Verdicts& out) {
  const Environment environment(patient);
  const EnvironmentSetting* setting = environment.find("NCCL_NET_GDR_LEVEL");
  if (setting == nullptr) return;
  const std::string word = level_word(*setting);
  const GpuPicture gpus = gpu_picture(patient.machine);
  const bool wide = word == "SYS" || word == "PHB";
  if (gpus.coherent || (!wide && !is_number(*setting)) || word == "LOC") return out.pass();
  Finding& finding = fail(
      out, patient, *setting,
      word == "SYS"
          ? fmt::format("NCCL_NET_GDR_LEVEL={}{} allows GPUDirect RDMA between sockets",
                        setting->value, is_number(*setting) ? " is the distance SYS, and" : "")
      : word == "PHB"
          ? fmt::format("NCCL_NET_GDR_LEVEL={}{} allows GPUDirect RDMA through the CPU's host "
                        "bridge",
                        setting->value, is_number(*setting) ? " is the distance PHB, and" : "")
          : fmt::format("NCCL_NET_GDR_LEVEL={} is a distance, {}, and not how much of GPUDirect "
                        "RDMA is on",
                        setting->value, word));
  // In a virtual machine the distances are the hypervisor's, and SYS may be right.
  const bool costs = word == "SYS" && !in_virtual_machine(patient) && gpus.count > 0;
  finding.severity = costs ? Severity::warning : Severity::note;
  finding.weight = costs ? 40 : 12;
  finding.impact.text = wide ? "an adapter on the other socket reads GPU memory slowly; the host's "
                               "memory may be faster"
                             : "none by itself";
  finding.remedy = {take_away(patient, *setting)};
  if (is_number(*setting))
    finding.remedy.push_back(set_to(setting->name, word, "or write the word that it means"));
}

void gpudirect_is_off(const Patient& patient, Verdicts& out, const EnvironmentSetting& setting) {
  Finding& finding = fail(out, patient, setting,
                          fmt::format("{}={} turns GPUDirect RDMA off: data for the network goes "
                                      "through host memory",
                                      setting.name, setting.value));
  finding.impact.text = "the copy to the host costs PCIe and memory bandwidth on both nodes";
  finding.remedy = {take_away(patient, setting)};
}

void look_gdr_disabled(const Patient& patient, Verdicts& out) {
  const Environment environment(patient);
  if (const auto* level = environment.find("NCCL_NET_GDR_LEVEL")) {
    if (level_word(*level) == "LOC")
      gpudirect_is_off(patient, out, *level);
    else
      out.pass();
  }
  const auto note = [&](const char* name, std::string_view text) {
    const EnvironmentSetting* setting = environment.find(name);
    if (setting == nullptr) return;
    if (setting->number() != 0) return out.pass();
    Finding& finding = fail(out, patient, *setting, fmt::format("{}=0: {}", name, text));
    finding.severity = Severity::note;
    finding.weight = 18;
    finding.impact.text = "where that was the only way, data goes through host memory";
    finding.remedy = {take_away(patient, *setting)};
  };
  note("NCCL_NET_GDR_READ", "adapters do not read GPU memory when they send");
  note("NCCL_DMABUF_ENABLE", "GPUDirect RDMA needs nvidia-peermem, as DMA-BUF is off");
  note("NCCL_IB_PCI_RELAXED_ORDERING",
       "adapters write in strict order, which costs bandwidth on AMD hosts and in virtual "
       "machines");
}

}  // namespace

std::vector<Rule> harmful_gpudirect_rules() {
  return {
      {.id = "ENV020",
       .name = "gdr-level-wide",
       .severity = Severity::warning,
       .weight = 40,
       .needs = {Need::environment},
       .look = look_level_wide,
       .page =
           {.what = "NCCL_NET_GDR_LEVEL allows GPUDirect RDMA over large distances, or is a "
                    "number.",
            .why = "The value is the largest distance between GPU and adapter that still uses "
                   "GPUDirect RDMA: 0 LOC, 1 PIX, 2 PXB, 3 PHB, 4 SYS. \"2\" is PXB, the default, "
                   "and not \"fully on\". Across sockets reads of GPU memory are slow on most "
                   "hosts.",
            .by_hand = "nvidia-smi topo -m: GPU and adapter at SYS or NODE. NCCL_DEBUG=INFO prints "
                       "\"GPU Direct RDMA Enabled for GPU … (distance 7 <= 8)\".",
            .remedy = "unset NCCL_NET_GDR_LEVEL; use adapters near the GPUs.",
            .benign_if = "In a virtual machine, whose distances are made up, SYS may be right. On "
                         "Grace the CPU is joined by NVLink-C2C.",
            .references = {nccl_guide}}},
      {.id = "ENV026",
       .name = "gdr-disabled",
       .severity = Severity::warning,
       .weight = 60,
       .needs = {Need::environment},
       .explains = {{"NCC002"}, {"NCC003"}, {"NCC204"}},
       .look = look_gdr_disabled,
       .page = {.what = "A variable turns GPUDirect RDMA off, or one of its ways.",
                .why = "Without it each byte is copied to the host first: PCIe is crossed twice, "
                       "and the CPU's memory carries all of it.",
                .by_hand = "NCCL_DEBUG=INFO: channels say NET/IB/0 without /GDRDMA.",
                .remedy = "Unset the variable.",
                .benign_if = "It works round a driver that cannot register GPU memory, until that "
                             "is mended. Reads (NCCL_NET_GDR_READ=0), DMA-BUF and relaxed ordering "
                             "alone are notes.",
                .references = {nccl_guide}}}};
}

}  // namespace railgauge::judge
