// Settings of UCX that break GPU buffers, hide adapters or cost latency.
#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"
#include "judge/rules/families.h"
#include "judge/rules/variables_environment.h"
#include "judge/rules/variables_hardware.h"

namespace railgauge::judge {
namespace {

using namespace model;

// UCX_TLS: which transports are left.
struct Transports {
  bool excludes = false;
  std::vector<std::string> words;

  bool allows(std::initializer_list<std::string_view> starts) const {
    const bool named = std::any_of(words.begin(), words.end(), [&](const std::string& word) {
      return word == "all" || std::any_of(starts.begin(), starts.end(), [&](std::string_view one) {
               return word == one || (word.starts_with(one) && word.size() > one.size() &&
                                      word[one.size()] == '_');
             });
    });
    return named != excludes;
  }
};

Transports transports_of(std::string_view value) {
  Transports out;
  value = trim(value);
  if (value.starts_with('^')) {
    out.excludes = true;
    value.remove_prefix(1);
  }
  for (const std::string_view part : split(value, ',')) {
    std::string_view word = trim(part);
    if (word.starts_with('\\')) word.remove_prefix(1);
    if (!word.empty() && out.words.size() < 64)
      out.words.push_back(lower(word.substr(0, word.find(':'))));
  }
  return out;
}

// With NCCL in the same job UCX usually carries MPI's start only, where no GPU buffer comes by.
bool nccl_carries_data(const Patient& patient) {
  return !patient.machine.nccl_runs.empty() ||
         std::any_of(patient.machine.variables.begin(), patient.machine.variables.end(),
                     [](const Variable& one) { return one.name.starts_with("NCCL_"); });
}

void look_cuda(const Patient& patient, Verdicts& out) {
  const Environment environment(patient);
  const EnvironmentSetting* setting = environment.find("UCX_TLS");
  if (setting == nullptr) return;
  const GpuPicture gpus = gpu_picture(patient.machine);
  const Transports left = transports_of(setting->value);
  const bool cuda = left.allows({"cuda"});
  const bool rocm = left.allows({"rocm"});
  if (gpus.amd && !gpus.nvidia ? rocm : cuda || (gpus.count == 0 && rocm)) return out.pass();
  const std::string wanted = gpus.amd && !gpus.nvidia ? "rocm" : "cuda";
  Finding& finding =
      fail(out, patient, *setting,
           fmt::format("UCX_TLS={} leaves no {} transport: buffers of GPUs cannot be sent",
                       setting->value, wanted));
  if (nccl_carries_data(patient)) {
    finding.severity = Severity::note;
    finding.weight = 12;
    finding.impact.text = "none while NCCL carries the data and UCX only MPI's own messages";
  } else {
    finding.impact.text =
        "a job that passes GPU buffers to MPI crashes, or copies through the host";
  }
  if (!left.excludes)
    finding.remedy = {set_to("UCX_TLS", fmt::format("{},{}", trim(setting->value), wanted),
                             "add the transports of the GPU")};
  finding.remedy.push_back(take_away(patient, *setting));
}

// Names of RDMA devices, as drivers and udev give them.
bool is_rdma_name(std::string_view name) {
  for (const char* start : {"mlx4_", "mlx5_", "bnxt_re", "irdma", "efa_", "hfi1_", "rocep", "ibp",
                            "rxe", "erdma_", "ionic_"})
    if (name.starts_with(start)) return true;
  return false;
}

void look_port(const Patient& patient, Verdicts& out) {
  const Environment environment(patient);
  const EnvironmentSetting* setting = environment.find("UCX_NET_DEVICES");
  if (setting == nullptr) return;
  std::vector<std::string> without;
  std::string whole;
  for (const std::string_view part : split(setting->value, ',')) {
    const std::string_view name = trim(part);
    const bool bare = is_rdma_name(name) && !contains(name, ":");
    if (bare) without.emplace_back(name);
    whole += (whole.empty() ? "" : ",") + std::string(name) + (bare ? ":1" : "");
    if (without.size() > 32) break;
  }
  if (without.empty()) return out.pass();
  Finding& finding =
      fail(out, patient, *setting,
           fmt::format("{} without a port fits no device of UCX", fmt::join(without, ", ")));
  finding.impact.text = "UCX passes the adapter over, and takes another one or TCP";
  finding.remedy = {set_to("UCX_NET_DEVICES", whole, "name the port")};
}

void look_cache(const Patient& patient, Verdicts& out) {
  const Environment environment(patient);
  const EnvironmentSetting* setting = environment.find("UCX_MEMTYPE_CACHE");
  if (setting == nullptr) return;
  const std::string value = lower(trim(setting->value));
  if (value != "n" && value != "no" && value != "0" && value != "off") return out.pass();
  Finding& finding = fail(out, patient, *setting,
                          "UCX_MEMTYPE_CACHE=n asks the driver about every buffer; from 1.12 on it "
                          "is needed no longer");
  finding.impact.text = "some microseconds for each message";
  finding.remedy = {take_away(patient, *setting)};
}

void look_protocol(const Patient& patient, Verdicts& out) {
  const Environment environment(patient);
  const auto judge = [&](const char* name, auto bad, const char* what) {
    const EnvironmentSetting* setting = environment.find(name);
    if (setting == nullptr) return;
    const std::string value = lower(trim(setting->value));
    if (!bad(value)) return out.pass();
    Finding& finding =
        fail(out, patient, *setting, fmt::format("{}={}: {}", name, setting->value, what));
    finding.impact.text = "right for the machine it was measured on, if for any";
    finding.remedy = {take_away(patient, *setting),
                      {.text = "see what UCX chooses by itself", .command = "UCX_PROTO_INFO=y"}};
  };
  judge(
      "UCX_RNDV_SCHEME", [](const std::string& v) { return v != "auto"; },
      "one way for every rendezvous");
  judge(
      "UCX_RNDV_THRESH", [](const std::string& v) { return v == "0" || v == "inf"; },
      "a rendezvous for every message, or for none");
  judge(
      "UCX_ZCOPY_THRESH", [](const std::string& v) { return v == "0" || v == "inf"; },
      "no copying for any message, or for every one");
  judge(
      "UCX_BCOPY_THRESH", [](const std::string& v) { return v == "0"; },
      "this does not turn copying off; it copies from the first byte on");
  judge(
      "UCX_PROTO_ENABLE",
      [](const std::string& v) { return v == "n" || v == "no" || v == "0" || v == "off"; },
      "the older choice of protocols");
}

void look_rdma(const Patient& patient, Verdicts& out) {
  const Environment environment(patient);
  const EnvironmentSetting* setting = environment.find("UCX_TLS");
  if (setting == nullptr) return;
  const Transports left = transports_of(setting->value);
  const AdapterPicture adapters = adapter_picture(patient.machine);
  if (left.allows({"ib", "rc", "ud", "dc", "srd"}) || adapters.rdma.empty()) {
    if (left.excludes || !left.words.empty()) out.pass();
    return;
  }
  Finding& finding = fail(out, patient, *setting,
                          fmt::format("UCX_TLS={} leaves out RDMA on a machine with {}",
                                      setting->value, fmt::join(adapters.rdma, ", ")));
  if (nccl_carries_data(patient)) {
    finding.severity = Severity::note;
    finding.weight = 10;
  }
  finding.impact.text = nccl_carries_data(patient)
                            ? "none while NCCL carries the data and UCX only MPI's own messages"
                            : "messages between nodes go over TCP, or find no way at all";
  finding.remedy = {take_away(patient, *setting)};
}

constexpr std::string_view ucx_guide = "UCX documentation, Frequently Asked Questions";

Rule cuda_rule() {
  return {.id = "ENV021",
          .name = "ucx-without-cuda",
          .severity = Severity::warning,
          .weight = 70,
          .needs = {Need::environment},
          .look = look_cuda,
          .page = {
              .what = "UCX_TLS lists transports, and none of them can handle memory of GPUs.",
              .why = "UCX uses what is listed and nothing else. Without cuda (or cuda_copy and "
                     "cuda_ipc) a GPU buffer given to MPI crashes, or is copied by hand. The order "
                     "of the list means nothing.",
              .by_hand = "ucx_info -d | grep Transport; env | grep UCX_TLS",
              .remedy = "Add cuda (rocm for AMD), or unset UCX_TLS.",
              .benign_if = "NCCL carries the data, and UCX only starts MPI: then it is a note.",
              .references = {ucx_guide}}};
}

Rule port_rule() {
  return {.id = "ENV022",
          .name = "ucx-device-without-port",
          .severity = Severity::warning,
          .weight = 55,
          .needs = {Need::environment},
          .look = look_port,
          .page = {
              .what = "UCX_NET_DEVICES names an RDMA device without its port.",
              .why = "Devices of UCX are called mlx5_0:1. A name without a port fits none, and UCX "
                     "takes what else is allowed, which may be TCP.",
              .by_hand = "ucx_info -d | grep Device",
              .remedy = "UCX_NET_DEVICES=mlx5_0:1",
              .benign_if = "The name is that of a network interface (eth0), which has no port.",
              .references = {ucx_guide}}};
}

Rule cache_rule() {
  return {
      .id = "ENV023",
      .name = "ucx-memtype-cache",
      .severity = Severity::note,
      .weight = 15,
      .needs = {Need::environment},
      .look = look_cache,
      .page = {.what = "UCX_MEMTYPE_CACHE=n turns off UCX's memory of what kind a buffer is.",
               .why = "It was needed with programs that link the CUDA runtime statically, before "
                      "UCX 1.12. Now it only costs time.",
               .by_hand = "env | grep UCX_MEMTYPE_CACHE",
               .remedy = "unset UCX_MEMTYPE_CACHE",
               .benign_if = "UCX is older than 1.12.",
               .references = {ucx_guide}}};
}

Rule protocol_rule() {
  return {
      .id = "ENV024",
      .name = "ucx-protocol-forced",
      .severity = Severity::note,
      .weight = 18,
      .needs = {Need::environment},
      .look = look_protocol,
      .page = {.what = "A variable fixes how UCX moves messages, or from which size on.",
               .why = "UCX chooses by the transports it finds. UCX_RNDV_SCHEME=get_zcopy for GPU "
                      "memory without GPUDirect RDMA, or a threshold of 0, is slow or does not "
                      "work elsewhere.",
               .by_hand = "UCX_PROTO_INFO=y prints what is chosen for each size.",
               .remedy = "Unset it, or measure it again on this machine.",
               .benign_if = "It was measured here.",
               .references = {ucx_guide}}};
}

Rule rdma_rule() {
  return {
      .id = "ENV031",
      .name = "ucx-without-rdma",
      .severity = Severity::warning,
      .weight = 50,
      .needs = {Need::environment},
      .look = look_rdma,
      .page = {.what = "UCX_TLS leaves out RDMA on a machine that has RDMA adapters.",
               .why = "UCX then uses TCP between nodes, or has no way between them at all "
                      "(UCX_TLS=cuda_ipc).",
               .by_hand = "ucx_info -d | grep -E 'rc|dc|ud'; env | grep UCX_TLS",
               .remedy = "unset UCX_TLS, or add rc",
               .benign_if = "NCCL carries the data, and UCX only starts MPI: then it is a note.",
               .references = {ucx_guide}}};
}

}  // namespace

Family variables_ucx_rules() {
  static const std::vector<Rule> list{cuda_rule(), port_rule(), cache_rule(), protocol_rule(),
                                      rdma_rule()};
  return list;
}

}  // namespace railgauge::judge
