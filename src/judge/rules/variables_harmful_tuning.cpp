// Settings that take choices away from NCCL's cost model.
#include <fmt/format.h>

#include "base/strings.h"
#include "judge/rules/variables_environment.h"
#include "judge/rules/variables_hardware.h"
#include "judge/rules/variables_harmful.h"

namespace railgauge::judge {
namespace {

using namespace model;

void look_pinned(const Patient& patient, Verdicts& out) {
  const Environment environment(patient);
  for (const char* name : {"NCCL_ALGO", "NCCL_PROTO"}) {
    const EnvironmentSetting* setting = environment.find(name);
    if (setting == nullptr) continue;
    const std::string_view value = trim(setting->value);
    const bool one = !contains(value, ",") && !contains(value, ";") && !contains(value, "^") &&
                     !contains(value, ":");
    Finding& finding =
        fail(out, patient, *setting,
             one ? fmt::format("{}={} for every collective and every size", name, value)
                 : fmt::format("{} restricts what NCCL chooses from: {}", name, quoted(value)));
    finding.severity = one ? Severity::warning : Severity::note;
    finding.weight = one ? 38 : 15;
    finding.impact.text =
        "what is best for small messages is slow for large ones, and the other "
        "way round";
    finding.remedy = {take_away(patient, *setting),
                      {.text = "measure both", .command = "all_reduce_perf -b 8 -e 8G -f 2 -g 8"}};
  }
}

bool forces_ll128(std::string_view value) {
  return contains(lower(value), "ll128") && !contains(value, "^");
}

void look_ll128(const Patient& patient, Verdicts& out) {
  const Environment environment(patient);
  const EnvironmentSetting* setting = environment.find("NCCL_PROTO");
  if (setting == nullptr || !forces_ll128(setting->value)) return;
  const GpuPicture gpus = gpu_picture(patient.machine);
  // Where NVLink joins GPUs from Volta on, NCCL uses LL128 by itself.
  if (gpus.nvlink && gpus.least_capability.value_or(0) >= 70) return out.pass();
  Finding& finding =
      fail(out, patient, *setting,
           gpus.no_nvlink ? "LL128 is forced on GPUs without NVLink, where 128-byte stores may "
                            "arrive in parts: results may be wrong"
                          : "LL128 is forced, whether the hardware keeps 128-byte stores whole or "
                            "not: where it does not, results are wrong");
  if (gpus.no_nvlink) {
    finding.severity = Severity::error;
    finding.weight = 92;
  }
  finding.impact.text = "silent corruption of data";
  finding.remedy = {take_away(patient, *setting)};
}

void look_channels(const Patient& patient, Verdicts& out) {
  constexpr std::int64_t few = 4;  // a guess: one NVLink of H100 needs two channels to be filled
  constexpr std::int64_t some = 8;
  const Environment environment(patient);
  for (const char* name : {"NCCL_MAX_NCHANNELS", "NCCL_MAX_CTAS", "NCCL_MAX_NRINGS"}) {
    const EnvironmentSetting* setting = environment.find(name);
    if (setting == nullptr) continue;
    const std::int64_t most = setting->number();
    const GpuPicture gpus = gpu_picture(patient.machine);
    if (most <= 0 || most > some || (most > few && !gpus.whole_nvlink) || gpus.no_nvlink ||
        gpus.count == 1) {
      out.pass();
      continue;
    }
    Finding& finding =
        fail(out, patient, *setting,
             fmt::format("at most {} channel{} for every collective", most, most == 1 ? "" : "s"));
    finding.severity = most <= few ? Severity::warning : Severity::note;
    finding.weight = most <= few ? 58 : 15;
    finding.evidence.front().expected = "unset; NCCL takes 16 to 32 with NVSwitch";
    finding.impact.text = "each channel is one block of a GPU: few of them cannot fill NVLink";
    finding.remedy = {take_away(patient, *setting)};
  }
}

void look_nvls(const Patient& patient, Verdicts& out) {
  const Environment environment(patient);
  const EnvironmentSetting* setting = environment.find("NCCL_NVLS_ENABLE");
  if (setting == nullptr) return;
  const GpuPicture gpus = gpu_picture(patient.machine);
  const bool has_it =
      gpus.count == 0 || (gpus.nvlink && gpus.least_capability.value_or(90) >= 90 && !gpus.amd);
  if (setting->number() != 0 || !has_it) return out.pass();
  Finding& finding = fail(out, patient, *setting,
                          "NCCL_NVLS_ENABLE=0: reductions in the NVSwitch are off, and buffers are "
                          "not registered for them");
  finding.impact.text = "all-reduce inside a node loses up to a third of its bandwidth on H100";
  finding.remedy = {take_away(patient, *setting),
                    {.text = "if NVLS failed, mend the fabric: fabric manager, then reset the GPUs",
                     .command = "nvidia-smi -q | grep -A 4 Fabric"}};
}

void look_buffers(const Patient& patient, Verdicts& out) {
  constexpr std::int64_t small = 1 << 18;
  const Environment environment(patient);
  const EnvironmentSetting* setting = environment.find("NCCL_BUFFSIZE");
  if (setting == nullptr) return;
  const std::int64_t bytes = setting->number();
  if (bytes <= 0 || bytes >= 1 << 20) return out.pass();
  Finding& finding = fail(out, patient, *setting,
                          fmt::format("buffers of {} bytes, a {}th of the default 4 MiB", bytes,
                                      (std::int64_t{4} << 20) / bytes));
  finding.severity = bytes < small ? Severity::warning : Severity::note;
  finding.weight = bytes < small ? 50 : 15;
  finding.evidence.front().expected = "4194304";
  finding.impact.text = "chunks are small, so latency is paid more often";
  finding.remedy = {take_away(patient, *setting)};
}

void look_timeouts(const Patient& patient, Verdicts& out) {
  const Environment environment(patient);
  const auto judge = [&](const char* name, bool bad, const std::string& text, const char* impact) {
    const EnvironmentSetting* setting = environment.find(name);
    if (setting == nullptr) return;
    if (!bad) return out.pass();
    Finding& finding = fail(out, patient, *setting, text);
    finding.impact.text = impact;
    finding.remedy = {take_away(patient, *setting)};
  };
  const std::int64_t timeout = environment.number("NCCL_IB_TIMEOUT").value_or(20);
  const std::int64_t retries = environment.number("NCCL_IB_RETRY_CNT").value_or(7);
  const double seconds =
      timeout > 0 && timeout < 32 ? 4.096e-6 * static_cast<double>(std::int64_t{1} << timeout) : 0;
  judge("NCCL_IB_TIMEOUT", timeout == 0 || timeout >= 26 || (timeout > 0 && timeout <= 12),
        timeout == 0 ? std::string("a timeout of 0 waits forever: a dead link hangs the job")
                     : fmt::format("an unanswered packet is sent again after {:.3g} s, {} times",
                                   seconds, retries),
        timeout > 0 && timeout <= 12 ? "any pause of the fabric ends the job with error 12"
                                     : "a dead link is noticed after minutes, or never");
  judge("NCCL_IB_RETRY_CNT", retries >= 0 && retries <= 2,
        fmt::format("packets are sent again {} times only", retries),
        "a few lost packets end the job with error 12");
}

void look_mnnvl(const Patient& patient, Verdicts& out) {
  const Environment environment(patient);
  const EnvironmentSetting* setting = environment.find("NCCL_MNNVL_ENABLE");
  if (setting == nullptr) return;
  bool domain = false;
  for (const Device& device : patient.machine.devices)
    domain = domain || (device.gpu && device.gpu->fabric_cluster);
  const GpuPicture gpus = gpu_picture(patient.machine);
  // Racks joined by NVLink are built of Grace boards.
  const bool rack = domain && gpus.coherent;
  if (setting->number() != 0 || (gpus.count > 0 && !domain && !gpus.coherent)) return out.pass();
  Finding& finding = fail(out, patient, *setting,
                          "NCCL_MNNVL_ENABLE=0: NVLink between nodes of a rack is not used");
  finding.severity = rack ? Severity::warning : Severity::note;
  finding.weight = rack ? 65 : 15;
  finding.impact.text =
      "traffic between nodes of the rack takes the network, at a tenth of the rate";
  finding.remedy = {
      {.text = "mend IMEX, which is why it is usually off", .command = "nvidia-imex-ctl -N"},
      take_away(patient, *setting)};
}

Rule pinned_rule() {
  return {
      .id = "ENV013",
      .name = "algorithm-pinned",
      .severity = Severity::warning,
      .weight = 38,
      .needs = {Need::environment},
      .explains = {{"NCC210"}},
      .look = look_pinned,
      .page = {.what = "NCCL_ALGO or NCCL_PROTO fixes one algorithm or protocol.",
               .why = "Tree and LL win for small messages, rings, NVLS and Simple for large ones. "
                      "NCCL's cost model chooses per size; a pinned choice is right for one part "
                      "of them.",
               .by_hand = "all_reduce_perf -b 8 -e 8G -f 2 with the variable and without it.",
               .remedy = "unset NCCL_ALGO NCCL_PROTO; for one collective: "
                         "NCCL_ALGO=allreduce:ring (from 2.24).",
               .benign_if =
                   "It was measured on this machine and release; exclusions (\"^NVLS\") and "
                   "lists are notes.",
               .references = {nccl_guide}}};
}

Rule ll128_rule() {
  return {
      .id = "ENV018",
      .name = "ll128-forced",
      .severity = Severity::warning,
      .weight = 60,
      .needs = {Need::environment},
      .explains = {{"ENV013"}, {"NCC206"}},
      .look = look_ll128,
      .page = {.what = "NCCL_PROTO allows LL128 where NCCL would not use it.",
               .why = "LL128 relies on 128-byte stores arriving whole. NVLink keeps them whole; "
                      "other ways may not, and then the flag arrives before the data. The User "
                      "Guide warns of corruption.",
               .by_hand = "all_reduce_perf -c 1 checks results.",
               .remedy = "unset NCCL_PROTO",
               .benign_if = "NVLink joins the GPUs and they are of Volta or later: there NCCL uses "
                            "LL128 by itself.",
               .references = {nccl_guide}}};
}

Rule channels_rule() {
  return {
      .id = "ENV016",
      .name = "channels-limited",
      .severity = Severity::warning,
      .weight = 58,
      .needs = {Need::environment},
      .explains = {{"NCC024"}, {"NCC201"}},
      .look = look_channels,
      .page = {.what = "NCCL_MAX_NCHANNELS, NCCL_MAX_CTAS or NCCL_MAX_NRINGS is small.",
               .why = "A channel is one block of a GPU that moves data. NCCL takes as many as the "
                      "links need; values copied from papers about older machines take bandwidth "
                      "away.",
               .by_hand = "NCCL_DEBUG=INFO prints \"16 coll channels\".",
               .remedy = "Unset it, and let NCCL choose the channels that fill its links.",
               .benign_if = "Compute must keep the GPU's blocks, and that was measured; or GPUs "
                            "have PCIe only, which few channels fill.",
               .references = {nccl_guide}}};
}

Rule nvls_rule() {
  return {
      .id = "ENV017",
      .name = "nvls-disabled",
      .severity = Severity::note,
      .weight = 25,
      .needs = {Need::environment},
      .look = look_nvls,
      .page = {.what = "NCCL_NVLS_ENABLE=0: NVLink SHARP is off.",
               .why = "From Hopper on NVSwitches add up what GPUs send, so each GPU sends its data "
                      "once instead of twice. The variable is often a leftover from a day when the "
                      "fabric manager was down.",
               .by_hand = "NCCL_DEBUG=INFO prints \"NVLS multicast support is available\".",
               .remedy = "unset NCCL_NVLS_ENABLE; mend the fabric if NVLS failed.",
               .benign_if = "The GPUs have no NVSwitch of the third generation or later.",
               .references = {nccl_guide}}};
}

Rule buffers_rule() {
  return {.id = "ENV028",
          .name = "buffers-small",
          .severity = Severity::warning,
          .weight = 50,
          .needs = {Need::environment},
          .look = look_buffers,
          .page = {
              .what = "NCCL_BUFFSIZE is far below its default of 4 MiB.",
              .why = "Data moves in pieces of the buffer; small pieces pay latency more often. The "
                     "value is in bytes: \"4\" or \"4M\" is four bytes.",
              .by_hand = "env | grep NCCL_BUFFSIZE",
              .remedy = "unset NCCL_BUFFSIZE",
              .benign_if = "GPU memory is short and many communicators exist.",
              .references = {nccl_guide}}};
}

Rule timeout_rule() {
  return {.id = "ENV029",
          .name = "timeout-extreme",
          .severity = Severity::warning,
          .weight = 40,
          .needs = {Need::environment},
          .explains = {{"NCC008"}},
          .look = look_timeouts,
          .page = {
              .what = "NCCL_IB_TIMEOUT or NCCL_IB_RETRY_CNT is far from its default.",
              .why = "A packet without an answer is sent again after 4.096 us * 2^timeout: 4.3 s "
                     "for 20, 275 s for 26, 17 ms for 12. Times the retries it must be longer than "
                     "the fabric needs to route round a fault, and not hours.",
              .by_hand = "env | grep -E 'NCCL_IB_(TIMEOUT|RETRY_CNT)'",
              .remedy = "unset them; 22 is a common choice for large fabrics.",
              .benign_if = "A test of failures.",
              .references = {nccl_guide}}};
}

Rule mnnvl_rule() {
  return {
      .id = "ENV030",
      .name = "mnnvl-disabled",
      .severity = Severity::note,
      .weight = 15,
      .needs = {Need::environment},
      .look = look_mnnvl,
      .page = {.what = "NCCL_MNNVL_ENABLE=0: NVLink between nodes is off.",
               .why = "In a rack such as GB200 NVL72 every GPU reaches every other over NVLink. "
                      "Without it nodes of one rack talk over their adapters.",
               .by_hand = "NCCL_DEBUG=INFO prints \"MNNVL 1 cliqueId …\".",
               .remedy = "Mend IMEX (nvidia-imex-ctl -N), then unset the variable.",
               .benign_if = "The machine is not part of such a rack.",
               .references = {nccl_guide}}};
}

}  // namespace

std::vector<Rule> harmful_tuning_rules() {
  return {pinned_rule(),  ll128_rule(),   channels_rule(), nvls_rule(),
          buffers_rule(), timeout_rule(), mnnvl_rule()};
}

}  // namespace railgauge::judge
