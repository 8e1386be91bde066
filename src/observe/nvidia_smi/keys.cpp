#include "observe/nvidia_smi/keys.h"

#include <algorithm>

#include "observe/nvidia_smi/setters.h"

namespace railgauge::observe::nvidia_smi {
namespace {

using model::GpuFacts;
using model::LinkEnd;
using model::PciFacts;

constexpr SmiKey keys[] = {
    // What it is.
    {"", "", "index", set_index},
    {"", "", "pci.bus_id|gpu_bus_id", set_address},
    {"Product Name", "product_name", "name|gpu_name", set_name},
    {"", "", "driver_version", set_driver},
    {"GPU UUID", "uuid", "uuid|gpu_uuid", set_uuid},
    {"Serial Number", "serial", "serial|gpu_serial", gpu_fact<&GpuFacts::serial, as_text>},
    {"Board Part Number", "board_part_number", "", gpu_fact<&GpuFacts::board_part_number, as_text>},
    {"GPU Part Number", "gpu_part_number", "", attribute_as_text, "gpu_part_number"},
    {"Minor Number", "minor_number", "", attribute_as_text, "nvidia_minor"},
    {"VBIOS Version", "vbios_version", "vbios_version", gpu_fact<&GpuFacts::vbios, as_text>},
    {"GSP Firmware Version", "gsp_firmware_version", "",
     gpu_fact<&GpuFacts::gsp_firmware, as_text>},
    {"", "", "compute_cap", set_compute_capability},
    {"PCI/Device Id", "pci/pci_device_id", "pci.device_id", pci_fact<&PciFacts::id, as_pci_id>},
    {"PCI/Sub System Id", "pci/pci_sub_system_id", "pci.sub_device_id",
     pci_fact<&PciFacts::subsystem, as_pci_id>},
    // How it is set.
    {"Persistence Mode", "persistence_mode", "persistence_mode",
     gpu_fact<&GpuFacts::persistence_mode, as_flag>},
    {"Compute Mode", "compute_mode", "compute_mode",
     gpu_fact<&GpuFacts::compute_mode, as_compute_mode>},
    {"Addressing Mode", "addressing_mode", "addressing_mode",
     gpu_fact<&GpuFacts::addressing_mode, as_word>},
    {"MIG Mode/Current", "mig_mode/current_mig", "mig.mode.current",
     gpu_fact<&GpuFacts::mig_enabled, as_flag>},
    {"MIG Mode/Pending", "mig_mode/pending_mig", "mig.mode.pending", set_mig_pending,
     "mig_pending"},
    {"MIG Device/Index", "mig_devices/mig_device/index", "", set_mig_index, "", true},
    {"MIG Device/GPU Instance ID", "mig_devices/mig_device/gpu_instance_id", "", set_mig_instance,
     "GPU instance", true},
    {"MIG Device/Compute Instance ID", "mig_devices/mig_device/compute_instance_id", "",
     set_mig_instance, "compute instance", true},
    {"GPU C2C Mode", "c2c_mode", "c2c.mode", attribute_as_text, "c2c_mode"},
    {"GPU Virtualization Mode/Virtualization Mode", "gpu_virtualization_mode/virtualization_mode",
     "", attribute_as_text, "virtualization_mode"},
    // Its PCIe link. "Max" is what GPU and slot can do together.
    {"PCI/GPU Link Info/PCIe Generation/Current", "pci/pci_gpu_link_info/pcie_gen/current_link_gen",
     "pcie.link.gen.current", link_fact<&LinkEnd::current_speed, as_generation>},
    {"PCI/GPU Link Info/PCIe Generation/Max", "pci/pci_gpu_link_info/pcie_gen/max_link_gen",
     "pcie.link.gen.max", attribute_as_generation, "pcie_max_with_slot"},
    {"PCI/GPU Link Info/PCIe Generation/Device Max",
     "pci/pci_gpu_link_info/pcie_gen/max_device_link_gen", "pcie.link.gen.gpumax",
     link_fact<&LinkEnd::max_speed, as_generation>},
    {"PCI/GPU Link Info/PCIe Generation/Host Max",
     "pci/pci_gpu_link_info/pcie_gen/max_host_link_gen", "pcie.link.gen.hostmax",
     attribute_as_generation, "pcie_max_of_slot"},
    {"PCI/GPU Link Info/Link Width/Current", "pci/pci_gpu_link_info/link_widths/current_link_width",
     "pcie.link.width.current", link_fact<&LinkEnd::current_width, as_lanes>},
    {"PCI/GPU Link Info/Link Width/Max", "pci/pci_gpu_link_info/link_widths/max_link_width",
     "pcie.link.width.max", set_max_width},
    {"PCI/Replays Since Reset", "pci/replay_counter", "", counter<&GpuFacts::pcie_errors>,
     "replays"},
    {"PCI/Replay Number Rollovers", "pci/replay_rollover_counter", "",
     counter<&GpuFacts::pcie_errors>, "replay_rollovers"},
    // What it is doing.
    {"Performance State", "performance_state", "pstate", gpu_fact<&GpuFacts::p_state, as_p_state>},
    {"FB Memory Usage/Total", "fb_memory_usage/total", "memory.total",
     gpu_fact<&GpuFacts::memory_bytes, as_mebibytes>},
    {"FB Memory Usage/Used", "fb_memory_usage/used", "memory.used",
     gpu_fact<&GpuFacts::memory_used_bytes, as_mebibytes>},
    {"BAR1 Memory Usage/Total", "bar1_memory_usage/total", "",
     gpu_fact<&GpuFacts::bar1_bytes, as_mebibytes>},
    {"Utilization/GPU", "utilization/gpu_util", "utilization.gpu",
     gpu_fact<&GpuFacts::utilization_percent, as_int>},
    {"Temperature/GPU Current Temp", "temperature/gpu_temp", "temperature.gpu",
     gpu_fact<&GpuFacts::temperature_celsius, as_int>},
    {"Temperature/Memory Current Temp", "temperature/memory_temp", "temperature.memory",
     gpu_fact<&GpuFacts::memory_temperature_celsius, as_int>},
    {"Power Readings/Power Draw|GPU Power Readings/Power Draw|GPU Power Readings/Instantaneous "
     "Power Draw",
     "power_readings/power_draw|gpu_power_readings/power_draw|gpu_power_readings/"
     "instant_power_draw",
     "power.draw|power.draw.instant|gpu.power.draw.instant",
     gpu_fact<&GpuFacts::power_watts, as_watts>},
    {"GPU Power Readings/Average Power Draw", "gpu_power_readings/average_power_draw",
     "power.draw.average|gpu.power.draw.average", set_average_power},
    {"Power Readings/Enforced Power Limit|GPU Power Readings/Current Power Limit",
     "power_readings/enforced_power_limit|gpu_power_readings/current_power_limit",
     "enforced.power.limit|gpu.power.current_limit",
     gpu_fact<&GpuFacts::power_limit_watts, as_watts>},
    {"", "", "power.limit|gpu.power.requested_limit", set_requested_limit},
    {"Clocks/SM", "clocks/sm_clock", "clocks.sm|clocks.current.sm",
     gpu_fact<&GpuFacts::sm_clock_mhz, as_int>},
    {"Max Clocks/SM", "max_clocks/sm_clock", "clocks.max.sm",
     gpu_fact<&GpuFacts::sm_clock_max_mhz, as_int>},
    {"Clocks/Memory", "clocks/mem_clock", "clocks.mem|clocks.current.memory",
     gpu_fact<&GpuFacts::memory_clock_mhz, as_int>},
    {"Max Clocks/Memory", "max_clocks/mem_clock", "clocks.max.mem|clocks.max.memory",
     gpu_fact<&GpuFacts::memory_clock_max_mhz, as_int>},
    // Why its clocks are low.
    {"Clocks Throttle Reasons/Idle|Clocks Event Reasons/Idle",
     "clocks_throttle_reasons/clocks_throttle_reason_gpu_idle|clocks_event_reasons/"
     "clocks_event_reason_gpu_idle",
     "clocks_throttle_reasons.gpu_idle|clocks_event_reasons.gpu_idle", set_throttle_reason,
     "gpu_idle"},
    {"Clocks Throttle Reasons/Applications Clocks Setting|Clocks Event Reasons/Applications Clocks "
     "Setting",
     "clocks_throttle_reasons/"
     "clocks_throttle_reason_applications_clocks_setting|clocks_event_reasons/"
     "clocks_event_reason_applications_clocks_setting",
     "clocks_throttle_reasons.applications_clocks_setting|clocks_event_reasons.applications_clocks_"
     "setting",
     set_throttle_reason, "applications_clocks_setting"},
    {"Clocks Throttle Reasons/SW Power Cap|Clocks Event Reasons/SW Power Cap",
     "clocks_throttle_reasons/clocks_throttle_reason_sw_power_cap|clocks_event_reasons/"
     "clocks_event_reason_sw_power_cap",
     "clocks_throttle_reasons.sw_power_cap|clocks_event_reasons.sw_power_cap", set_throttle_reason,
     "sw_power_cap"},
    {"Clocks Throttle Reasons/HW Slowdown|Clocks Event Reasons/HW Slowdown",
     "clocks_throttle_reasons/clocks_throttle_reason_hw_slowdown|clocks_event_reasons/"
     "clocks_event_reason_hw_slowdown",
     "clocks_throttle_reasons.hw_slowdown|clocks_event_reasons.hw_slowdown", set_throttle_reason,
     "hw_slowdown"},
    {"Clocks Throttle Reasons/HW Slowdown/HW Thermal Slowdown|Clocks Event Reasons/HW Slowdown/HW "
     "Thermal Slowdown",
     "clocks_throttle_reasons/clocks_throttle_reason_hw_thermal_slowdown|clocks_event_reasons/"
     "clocks_event_reason_hw_thermal_slowdown",
     "clocks_throttle_reasons.hw_thermal_slowdown|clocks_event_reasons.hw_thermal_slowdown",
     set_throttle_reason, "hw_thermal_slowdown"},
    {"Clocks Throttle Reasons/HW Slowdown/HW Power Brake Slowdown|Clocks Event Reasons/HW "
     "Slowdown/HW Power Brake Slowdown",
     "clocks_throttle_reasons/clocks_throttle_reason_hw_power_brake_slowdown|clocks_event_reasons/"
     "clocks_event_reason_hw_power_brake_slowdown",
     "clocks_throttle_reasons.hw_power_brake_slowdown|clocks_event_reasons.hw_power_brake_slowdown",
     set_throttle_reason, "hw_power_brake_slowdown"},
    {"Clocks Throttle Reasons/Sync Boost|Clocks Event Reasons/Sync Boost",
     "clocks_throttle_reasons/clocks_throttle_reason_sync_boost|clocks_event_reasons/"
     "clocks_event_reason_sync_boost",
     "clocks_throttle_reasons.sync_boost|clocks_event_reasons.sync_boost", set_throttle_reason,
     "sync_boost"},
    {"Clocks Throttle Reasons/SW Thermal Slowdown|Clocks Event Reasons/SW Thermal Slowdown",
     "clocks_throttle_reasons/clocks_throttle_reason_sw_thermal_slowdown|clocks_event_reasons/"
     "clocks_event_reason_sw_thermal_slowdown",
     "clocks_throttle_reasons.sw_thermal_slowdown|clocks_event_reasons.sw_thermal_slowdown",
     set_throttle_reason, "sw_thermal_slowdown"},
    {"Clocks Throttle Reasons/Display Clock Setting|Clocks Event Reasons/Display Clock Setting",
     "clocks_throttle_reasons/clocks_throttle_reason_display_clocks_setting|clocks_event_reasons/"
     "clocks_event_reason_display_clocks_setting",
     "", set_throttle_reason, "display_clock_setting"},
    {"", "", "clocks_throttle_reasons.active|clocks_event_reasons.active", set_throttle_mask},
    // Whether it is well.
    {"GPU Reset Status/Reset Required", "gpu_reset_status/reset_required",
     "reset_status.reset_required", gpu_fact<&GpuFacts::reset_required, as_flag>},
    {"GPU Reset Status/Drain and Reset Recommended", "gpu_reset_status/drain_and_reset_recommended",
     "reset_status.drain_and_reset_recommended", attribute_as_text, "drain_and_reset_recommended"},
    {"GPU Recovery Action", "gpu_recovery_action", "gpu_recovery_action",
     gpu_fact<&GpuFacts::recovery_action, as_recovery_action>},
    {"Fabric/State", "fabric/state", "fabric.state", gpu_fact<&GpuFacts::fabric_state, as_word>},
    {"Fabric/Status", "fabric/status", "fabric.status", set_fabric_status},
    {"Fabric/CliqueId", "fabric/cliqueId", "fabric.cliqueId", set_clique},
    {"Fabric/ClusterUUID", "fabric/clusterUuid", "fabric.clusterUuid", set_cluster},
    {"Fabric/Health/Summary", "fabric/health/summary", "fabric.health.summary", attribute_as_text,
     "fabric_health"},
    {"Fabric/Health/Bandwidth", "fabric/health/bandwidth", "fabric.health.bandwidth",
     attribute_as_text, "fabric_bandwidth"},
    {"Remapped Rows", "remapped_rows", "", set_remapped_rows},
    {"Remapped Rows/Correctable Error", "remapped_rows/remapped_row_corr",
     "remapped_rows.correctable|remapped_rows.sbe",
     gpu_fact<&GpuFacts::remapped_rows_correctable, as_int>},
    {"Remapped Rows/Uncorrectable Error", "remapped_rows/remapped_row_unc",
     "remapped_rows.uncorrectable|remapped_rows.dbe",
     gpu_fact<&GpuFacts::remapped_rows_uncorrectable, as_int>},
    {"Remapped Rows/Pending", "remapped_rows/remapped_row_pending", "remapped_rows.pending",
     gpu_fact<&GpuFacts::remapping_pending, as_flag>},
    {"Remapped Rows/Remapping Failure Occurred", "remapped_rows/remapped_row_failure",
     "remapped_rows.failure", gpu_fact<&GpuFacts::remapping_failed, as_flag>},
    {"Remapped Rows/Bank Remap Availability Histogram/Max",
     "remapped_rows/row_remapper_histogram/row_remapper_histogram_max",
     "remapped_rows.histogram.max", attribute_as_text, "remap_banks_max"},
    {"Remapped Rows/Bank Remap Availability Histogram/High",
     "remapped_rows/row_remapper_histogram/row_remapper_histogram_high",
     "remapped_rows.histogram.high", attribute_as_text, "remap_banks_high"},
    {"Remapped Rows/Bank Remap Availability Histogram/Partial",
     "remapped_rows/row_remapper_histogram/row_remapper_histogram_partial",
     "remapped_rows.histogram.partial", attribute_as_text, "remap_banks_partial"},
    {"Remapped Rows/Bank Remap Availability Histogram/Low",
     "remapped_rows/row_remapper_histogram/row_remapper_histogram_low",
     "remapped_rows.histogram.low", attribute_as_text, "remap_banks_low"},
    {"Remapped Rows/Bank Remap Availability Histogram/None",
     "remapped_rows/row_remapper_histogram/row_remapper_histogram_none",
     "remapped_rows.histogram.none", attribute_as_text, "remap_banks_none"},
    {"Retired Pages/Single Bit ECC", "retired_pages/multiple_single_bit_retirement/retired_count",
     "retired_pages.single_bit_ecc.count|retired_pages.sbe", attribute_as_text,
     "retired_pages_single_bit"},
    {"Retired Pages/Double Bit ECC", "retired_pages/double_bit_retirement/retired_count",
     "retired_pages.double_bit.count|retired_pages.dbe", attribute_as_text,
     "retired_pages_double_bit"},
    {"Retired Pages/Pending|Retired Pages/Pending Page Blacklist",
     "retired_pages/pending_retirement", "retired_pages.pending", attribute_as_text,
     "retired_pages_pending"},
    // ECC. Until 2020 by single and double bit, then by memory; the SRAM count is in two parts
    // since 550.
    {"ECC Mode/Current", "ecc_mode/current_ecc", "ecc.mode.current",
     gpu_fact<&GpuFacts::ecc_enabled, as_flag>},
    {"ECC Mode/Pending", "ecc_mode/pending_ecc", "ecc.mode.pending", set_ecc_pending,
     "ecc_pending"},
    {"ECC Errors/Volatile/SRAM Correctable", "ecc_errors/volatile/sram_correctable",
     "ecc.errors.corrected.volatile.sram", counter<&GpuFacts::ecc_errors>,
     "volatile_sram_correctable"},
    {"ECC Errors/Volatile/SRAM Uncorrectable", "ecc_errors/volatile/sram_uncorrectable",
     "ecc.errors.uncorrected.volatile.sram", counter<&GpuFacts::ecc_errors>,
     "volatile_sram_uncorrectable"},
    {"ECC Errors/Volatile/SRAM Uncorrectable Parity",
     "ecc_errors/volatile/sram_uncorrectable_parity", "ecc.errors.uncorrected.volatile.sram.parity",
     counter<&GpuFacts::ecc_errors>, "volatile_sram_uncorrectable_parity"},
    {"ECC Errors/Volatile/SRAM Uncorrectable SEC-DED",
     "ecc_errors/volatile/sram_uncorrectable_secded", "ecc.errors.uncorrected.volatile.sram.secded",
     counter<&GpuFacts::ecc_errors>, "volatile_sram_uncorrectable_secded"},
    {"ECC Errors/Volatile/DRAM Correctable|ECC Errors/Volatile/Single Bit/Device Memory",
     "ecc_errors/volatile/dram_correctable|ecc_errors/volatile/single_bit/device_memory",
     "ecc.errors.corrected.volatile.dram|ecc.errors.corrected.volatile.device_memory",
     counter<&GpuFacts::ecc_errors>, "volatile_dram_correctable"},
    {"ECC Errors/Volatile/Single Bit/Register File", "ecc_errors/volatile/single_bit/register_file",
     "ecc.errors.corrected.volatile.register_file", counter<&GpuFacts::ecc_errors>,
     "volatile_register_file_correctable"},
    {"ECC Errors/Volatile/Single Bit/L1 Cache", "ecc_errors/volatile/single_bit/l1_cache",
     "ecc.errors.corrected.volatile.l1_cache", counter<&GpuFacts::ecc_errors>,
     "volatile_l1_cache_correctable"},
    {"ECC Errors/Volatile/Single Bit/L2 Cache", "ecc_errors/volatile/single_bit/l2_cache",
     "ecc.errors.corrected.volatile.l2_cache", counter<&GpuFacts::ecc_errors>,
     "volatile_l2_cache_correctable"},
    {"ECC Errors/Volatile/Single Bit/Total", "ecc_errors/volatile/single_bit/total",
     "ecc.errors.corrected.volatile.total", counter<&GpuFacts::ecc_errors>,
     "volatile_total_correctable"},
    {"ECC Errors/Volatile/DRAM Uncorrectable|ECC Errors/Volatile/Double Bit/Device Memory",
     "ecc_errors/volatile/dram_uncorrectable|ecc_errors/volatile/double_bit/device_memory",
     "ecc.errors.uncorrected.volatile.dram|ecc.errors.uncorrected.volatile.device_memory",
     counter<&GpuFacts::ecc_errors>, "volatile_dram_uncorrectable"},
    {"ECC Errors/Volatile/Double Bit/Register File", "ecc_errors/volatile/double_bit/register_file",
     "ecc.errors.uncorrected.volatile.register_file", counter<&GpuFacts::ecc_errors>,
     "volatile_register_file_uncorrectable"},
    {"ECC Errors/Volatile/Double Bit/L1 Cache", "ecc_errors/volatile/double_bit/l1_cache",
     "ecc.errors.uncorrected.volatile.l1_cache", counter<&GpuFacts::ecc_errors>,
     "volatile_l1_cache_uncorrectable"},
    {"ECC Errors/Volatile/Double Bit/L2 Cache", "ecc_errors/volatile/double_bit/l2_cache",
     "ecc.errors.uncorrected.volatile.l2_cache", counter<&GpuFacts::ecc_errors>,
     "volatile_l2_cache_uncorrectable"},
    {"ECC Errors/Volatile/Double Bit/Total", "ecc_errors/volatile/double_bit/total",
     "ecc.errors.uncorrected.volatile.total", counter<&GpuFacts::ecc_errors>,
     "volatile_total_uncorrectable"},
    {"ECC Errors/Aggregate/SRAM Correctable", "ecc_errors/aggregate/sram_correctable",
     "ecc.errors.corrected.aggregate.sram", counter<&GpuFacts::ecc_errors>,
     "aggregate_sram_correctable"},
    {"ECC Errors/Aggregate/SRAM Uncorrectable", "ecc_errors/aggregate/sram_uncorrectable",
     "ecc.errors.uncorrected.aggregate.sram", counter<&GpuFacts::ecc_errors>,
     "aggregate_sram_uncorrectable"},
    {"ECC Errors/Aggregate/SRAM Uncorrectable Parity",
     "ecc_errors/aggregate/sram_uncorrectable_parity",
     "ecc.errors.uncorrected.aggregate.sram.parity", counter<&GpuFacts::ecc_errors>,
     "aggregate_sram_uncorrectable_parity"},
    {"ECC Errors/Aggregate/SRAM Uncorrectable SEC-DED",
     "ecc_errors/aggregate/sram_uncorrectable_secded",
     "ecc.errors.uncorrected.aggregate.sram.secded", counter<&GpuFacts::ecc_errors>,
     "aggregate_sram_uncorrectable_secded"},
    {"ECC Errors/Aggregate/DRAM Correctable|ECC Errors/Aggregate/Single Bit/Device Memory",
     "ecc_errors/aggregate/dram_correctable|ecc_errors/aggregate/single_bit/device_memory",
     "ecc.errors.corrected.aggregate.dram|ecc.errors.corrected.aggregate.device_memory",
     counter<&GpuFacts::ecc_errors>, "aggregate_dram_correctable"},
    {"ECC Errors/Aggregate/Single Bit/Register File",
     "ecc_errors/aggregate/single_bit/register_file",
     "ecc.errors.corrected.aggregate.register_file", counter<&GpuFacts::ecc_errors>,
     "aggregate_register_file_correctable"},
    {"ECC Errors/Aggregate/Single Bit/L1 Cache", "ecc_errors/aggregate/single_bit/l1_cache",
     "ecc.errors.corrected.aggregate.l1_cache", counter<&GpuFacts::ecc_errors>,
     "aggregate_l1_cache_correctable"},
    {"ECC Errors/Aggregate/Single Bit/L2 Cache", "ecc_errors/aggregate/single_bit/l2_cache",
     "ecc.errors.corrected.aggregate.l2_cache", counter<&GpuFacts::ecc_errors>,
     "aggregate_l2_cache_correctable"},
    {"ECC Errors/Aggregate/Single Bit/Total", "ecc_errors/aggregate/single_bit/total",
     "ecc.errors.corrected.aggregate.total", counter<&GpuFacts::ecc_errors>,
     "aggregate_total_correctable"},
    {"ECC Errors/Aggregate/DRAM Uncorrectable|ECC Errors/Aggregate/Double Bit/Device Memory",
     "ecc_errors/aggregate/dram_uncorrectable|ecc_errors/aggregate/double_bit/device_memory",
     "ecc.errors.uncorrected.aggregate.dram|ecc.errors.uncorrected.aggregate.device_memory",
     counter<&GpuFacts::ecc_errors>, "aggregate_dram_uncorrectable"},
    {"ECC Errors/Aggregate/Double Bit/Register File",
     "ecc_errors/aggregate/double_bit/register_file",
     "ecc.errors.uncorrected.aggregate.register_file", counter<&GpuFacts::ecc_errors>,
     "aggregate_register_file_uncorrectable"},
    {"ECC Errors/Aggregate/Double Bit/L1 Cache", "ecc_errors/aggregate/double_bit/l1_cache",
     "ecc.errors.uncorrected.aggregate.l1_cache", counter<&GpuFacts::ecc_errors>,
     "aggregate_l1_cache_uncorrectable"},
    {"ECC Errors/Aggregate/Double Bit/L2 Cache", "ecc_errors/aggregate/double_bit/l2_cache",
     "ecc.errors.uncorrected.aggregate.l2_cache", counter<&GpuFacts::ecc_errors>,
     "aggregate_l2_cache_uncorrectable"},
    {"ECC Errors/Aggregate/Double Bit/Total", "ecc_errors/aggregate/double_bit/total",
     "ecc.errors.uncorrected.aggregate.total", counter<&GpuFacts::ecc_errors>,
     "aggregate_total_uncorrectable"},
    {"ECC Errors/Aggregate/SRAM Threshold Exceeded", "ecc_errors/aggregate/sram_threshold_exceeded",
     "ecc.errors.uncorrected.aggregate.sram.thresholdExceeded", attribute_as_text,
     "sram_threshold_exceeded"},
    {"ECC Errors/Channel Repair Pending", "ecc_errors/channel_repair_pending", "",
     attribute_as_text, "channel_repair_pending"},
    {"ECC Errors/TPC Repair Pending", "ecc_errors/tpc_repair_pending", "", attribute_as_text,
     "tpc_repair_pending"},
    {"ECC Errors/Unrepairable Memory", "ecc_errors/unrepairable_memory", "", attribute_as_text,
     "unrepairable_memory"},
};

struct HostKey {
  const char* names;  // as in -q and in -q -x
  model::Fact<std::string> model::HostFacts::*member;
};
// Driver 590 and newer say apart what the kernel has and what the libraries have.
constexpr HostKey host_keys[] = {
    {"driver version|driver_version|kmd version|kmd_version", &model::HostFacts::driver},
    {"cuda version|cuda_version|cuda umd version|cuda_umd_version", &model::HostFacts::cuda},
};

}  // namespace

std::span<const SmiKey> smi_keys() { return keys; }

std::uint32_t key_number(const SmiKey& key) { return static_cast<std::uint32_t>(&key - keys); }

KeyIndex::KeyIndex(const char* SmiKey::*spelling) {
  for (const SmiKey& key : keys)
    for (const auto path : split(key.*spelling, '|'))
      if (!path.empty()) keys_.emplace(lower(path), &key);
}

const SmiKey* KeyIndex::find(const std::string& path) const {
  const auto found = keys_.find(path);
  return found == keys_.end() ? nullptr : found->second;
}

bool take_host(SmiMachine& machine, std::string_view key, std::string_view value,
               std::uint32_t line) {
  for (const HostKey& host : host_keys)
    for (const auto name : split(host.names, '|'))
      if (equal_nocase(name, key)) {
        auto& fact = machine.machine.host.*host.member;
        if (!fact.known()) machine.put(fact, {value, line}, as_text(value));
        return true;
      }
  return false;
}

}  // namespace railgauge::observe::nvidia_smi
