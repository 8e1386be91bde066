// Questions about the NVLinks of one GPU, and about two GPUs.
#include <algorithm>

#include "observe/nvml/capture.h"
#include "observe/nvml/words.h"

namespace railgauge::observe::nvml {
namespace {

using dynlib::Nvml;
using dynlib::nvml_success;
using dynlib::NvmlReturn;

// The field's value where it was given.
std::optional<std::uint64_t> ask_field(Questions& questions, const Nvml& nvml, const Gpu& gpu,
                                       std::vector<Scalar> args, unsigned id, unsigned scope) {
  std::optional<std::uint64_t> out;
  questions.ask("nvmlDeviceGetFieldValues", std::move(args), nvml.field_values != nullptr,
                [&](Value& value) {
                  dynlib::NvmlFieldValue field{};
                  field.field = id;
                  field.scope = scope;
                  const auto code = nvml.field_values(gpu.device, 1, &field);
                  if (code != nvml_success) return code;
                  if (field.result == nvml_success) out = number_of(field);
                  value.emplace("", out.value_or(0));
                  return field.result;
                });
  return out;
}

void ask_remote(Questions& questions, const Nvml& nvml, const Gpu& gpu, unsigned link) {
  const std::vector<Scalar> args{std::uint64_t{gpu.index}, std::uint64_t{link}};
  questions.ask("nvmlDeviceGetNvLinkRemotePciInfo_v2", args, nvml.nvlink_remote_pci != nullptr,
                [&](Value& value) {
                  dynlib::NvmlPciInfo info{};
                  const auto code = nvml.nvlink_remote_pci(gpu.device, link, &info);
                  value.emplace("", bus_id(info));
                  return code;
                });
  questions.ask("nvmlDeviceGetNvLinkRemoteDeviceType", args, nvml.nvlink_remote_type != nullptr,
                [&](Value& value) {
                  int type = 0;
                  const auto code = nvml.nvlink_remote_type(gpu.device, link, &type);
                  value.emplace("", remote_type_word(type));
                  return code;
                });
}

NvmlReturn ask_link_state(Questions& questions, const Nvml& nvml, const Gpu& gpu, unsigned link,
                          int& active) {
  return questions.ask("nvmlDeviceGetNvLinkState", {std::uint64_t{gpu.index}, std::uint64_t{link}},
                       nvml.nvlink_state != nullptr, [&](Value& value) {
                         const auto code = nvml.nvlink_state(gpu.device, link, &active);
                         value.emplace("", active == 1);
                         return code;
                       });
}

}  // namespace

// A field's value as a number; negative and fractional ones do not occur in the fields asked.
std::uint64_t number_of(const dynlib::NvmlFieldValue& field) {
  switch (field.type) {
    case 0: return static_cast<std::uint64_t>(field.value.real > 0 ? field.value.real : 0);
    case 1: return field.value.uint32;
    case 2: return field.value.ulong;
    case 3: return field.value.uint64;
    case 4: return static_cast<std::uint64_t>(std::max(field.value.int64, 0LL));
    case 5: return static_cast<std::uint64_t>(std::max(field.value.int32, 0));
    case 6: return field.value.uint16;
    default: return 0;
  }
}

void ask_links(Questions& questions, const Nvml& nvml, Gpu& gpu) {
  const std::uint64_t index = gpu.index;
  const auto count =
      ask_field(questions, nvml, gpu, {index, std::string("NVML_FI_DEV_NVLINK_LINK_COUNT")},
                dynlib::nvml_field_nvlink_count, 0);
  const unsigned limit =
      count ? static_cast<unsigned>(std::min<std::uint64_t>(*count, most_links)) : guess_links;
  bool rate_of_each = true;
  for (unsigned link = 0; link < limit; ++link) {
    int active = 0;
    const auto state = ask_link_state(questions, nvml, gpu, link, active);
    if (state != nvml_success) {
      // Without a count the first link that does not exist ends the row.
      if (!count || questions.lost(index)) break;
      continue;
    }
    gpu.links = link + 1;
    questions.number("nvmlDeviceGetNvLinkVersion", {index, std::uint64_t{link}},
                     nvml.nvlink_version, gpu.device, link);
    ask_remote(questions, nvml, gpu, link);
    if (rate_of_each && active == 1)
      rate_of_each =
          ask_field(questions, nvml, gpu,
                    {index, std::string("NVML_FI_DEV_NVLINK_GET_SPEED"), std::uint64_t{link}},
                    dynlib::nvml_field_nvlink_speed, link)
              .has_value();
  }
  if (gpu.links > 0)
    ask_field(questions, nvml, gpu, {index, std::string("NVML_FI_DEV_NVLINK_SPEED_MBPS_COMMON")},
              dynlib::nvml_field_nvlink_speed_common, 0);
}

void ask_link_health(Questions& questions, const Nvml& nvml, const Gpu& gpu) {
  const std::uint64_t index = gpu.index;
  for (unsigned link = 0; link < gpu.links; ++link) {
    for (int i = 0; const char* counter : error_counters)
      questions.number("nvmlDeviceGetNvLinkErrorCounter",
                       {index, std::uint64_t{link}, std::string(counter)},
                       nvml.nvlink_error_counter, gpu.device, link, i++);
    for (int i = 0; const char* capability : capabilities)
      questions.ask("nvmlDeviceGetNvLinkCapability",
                    {index, std::uint64_t{link}, std::string(capability)},
                    nvml.nvlink_capability != nullptr, [&](Value& value) {
                      unsigned has = 0;
                      const auto code = nvml.nvlink_capability(gpu.device, link, i++, &has);
                      value.emplace("", has == 1);
                      return code;
                    });
  }
}

void ask_pair(Questions& questions, const Nvml& nvml, const Gpu& a, const Gpu& b) {
  const std::uint64_t first = a.index;
  const std::uint64_t second = b.index;
  if (questions.lost(second)) return;
  for (int i = 0; const char* capability : p2p_capabilities)
    questions.ask("nvmlDeviceGetP2PStatus", {first, second, std::string(capability)},
                  nvml.p2p_status != nullptr, [&](Value& value) {
                    int status = 0;
                    const auto code = nvml.p2p_status(a.device, b.device, i++, &status);
                    value.emplace("", p2p_status_word(status));
                    return code;
                  });
  if (first > second) return;  // the ancestor is the same in both orders
  questions.ask("nvmlDeviceGetTopologyCommonAncestor", {first, second},
                nvml.common_ancestor != nullptr, [&](Value& value) {
                  int level = 0;
                  const auto code = nvml.common_ancestor(a.device, b.device, &level);
                  value.emplace("", common_ancestor_word(level));
                  return code;
                });
}

}  // namespace railgauge::observe::nvml
