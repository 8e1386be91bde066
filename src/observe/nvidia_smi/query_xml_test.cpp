#include "observe/nvidia_smi/query_xml.h"

#include <gtest/gtest.h>

#include "base/strings.h"
#include "observe/nccl_xml/other_xml.h"

namespace railgauge::observe {
namespace {

using model::Device;
using model::Machine;

Machine read(const std::string& text) {
  EXPECT_TRUE(looks_like_smi_xml(text));
  EXPECT_FALSE(looks_like_other_xml(text));
  auto machine = read_smi_xml({"q.xml", text});
  EXPECT_TRUE(machine) << machine.error().text();
  return machine ? *machine : Machine{};
}

constexpr const char* document = R"(<?xml version="1.0" ?>
<!DOCTYPE nvidia_smi_log SYSTEM "nvsmi_device_v12.dtd">
<nvidia_smi_log>
	<driver_version>580.95.05</driver_version>
	<cuda_version>13.0</cuda_version>
	<attached_gpus>2</attached_gpus>
	<gpu id="00000000:18:00.0">
		<product_name>NVIDIA H200</product_name>
		<mig_devices>
			<mig_device><index>0</index><gpu_instance_id>1</gpu_instance_id></mig_device>
		</mig_devices>
		<gpu_recovery_action>None</gpu_recovery_action>
		<pci>
			<pci_device_id>233510DE</pci_device_id>
			<pci_gpu_link_info>
				<pcie_gen><current_link_gen>5</current_link_gen></pcie_gen>
				<link_widths><current_link_width>16x</current_link_width></link_widths>
			</pci_gpu_link_info>
			<replay_counter>3</replay_counter>
		</pci>
		<clocks_event_reasons>
			<clocks_event_reason_gpu_idle>Active</clocks_event_reason_gpu_idle>
			<clocks_event_reason_hw_thermal_slowdown>Active</clocks_event_reason_hw_thermal_slowdown>
		</clocks_event_reasons>
		<ecc_errors>
			<volatile><sram_uncorrectable_secded>2</sram_uncorrectable_secded></volatile>
			<aggregate><dram_correctable>[Unknown Error]</dram_correctable></aggregate>
		</ecc_errors>
		<remapped_rows>N/A</remapped_rows>
		<gpu_power_readings><instant_power_draw>78.21 W</instant_power_draw></gpu_power_readings>
		<fabric><cliqueId>3</cliqueId><clusterUuid>AB000000-0000-0000-0000-0000000000CD</clusterUuid></fabric>
		<processes>
			<process_info><pid>4242</pid><process_name>/home/someone/secret</process_name></process_info>
		</processes>
	</gpu>
	<gpu id="00000000:2A:00.0"/>
</nvidia_smi_log>
)";

TEST(SmiXml, SameFactsAsTheText) {
  const Machine machine = read(document);
  ASSERT_EQ(machine.devices.size(), 2u);
  const Device& gpu = machine.devices[0];
  EXPECT_EQ(*machine.host.driver, "580.95.05");
  EXPECT_EQ(*machine.host.cuda, "13.0");
  EXPECT_EQ(gpu.address->text(), "0000:18:00.0");
  EXPECT_EQ(*machine.devices[1].index, 1);
  EXPECT_EQ(*gpu.name, "NVIDIA H200");
  EXPECT_EQ(machine.sources.text(gpu.name.source()), "q.xml:8");
  EXPECT_EQ(gpu.gpu->mig_devices, (std::vector<std::string>{"MIG device 0, GPU instance 1"}));
  EXPECT_EQ(*gpu.gpu->recovery_action, "none");
  EXPECT_EQ(*gpu.pci->id, (model::PciId{0x10de, 0x2335}));
  EXPECT_EQ(gpu.pci->link.current_speed->generation(), 5);
  EXPECT_EQ(*gpu.pci->link.current_width, 16);
  EXPECT_EQ(*gpu.gpu->pcie_errors.at("replays").value, 3u);
  EXPECT_EQ(*gpu.gpu->throttle_reasons,
            (std::vector<std::string>{"gpu_idle", "hw_thermal_slowdown"}));
  EXPECT_EQ(*gpu.gpu->ecc_errors.at("volatile_sram_uncorrectable_secded").value, 2u);
  EXPECT_EQ(gpu.gpu->ecc_errors.at("aggregate_dram_correctable").value.reading().why(),
            "nvidia-smi says \"Unknown Error\"");
  EXPECT_TRUE(gpu.gpu->remapping_pending.reading().is_failed());
  EXPECT_DOUBLE_EQ(*gpu.gpu->power_watts, 78.21);
  EXPECT_EQ(*gpu.gpu->fabric_cluster, "ab0000000000000000000000000000cd clique 3");
  EXPECT_TRUE(gpu.attributes.empty());
  EXPECT_TRUE(machine.remarks.empty()) << machine.remarks.front().text;
}

TEST(SmiXml, GpuWithoutAnAddressIsKeptAndSaid) {
  const Machine machine =
      read("<nvidia_smi_log><gpu id=\"1\"><uuid>GPU-1</uuid></gpu></nvidia_smi_log>");
  ASSERT_EQ(machine.devices.size(), 1u);
  EXPECT_EQ(*machine.devices[0].gpu->uuid, "GPU-1");
  ASSERT_EQ(machine.remarks.size(), 1u);
  EXPECT_EQ(machine.remarks[0].text, "the id of this <gpu> is no PCI address: \"1\"");
}

TEST(SmiXml, DocumentWithoutGpusIsSaid) {
  EXPECT_EQ(read("<nvidia_smi_log/>").remarks[0].text, "the document holds no <gpu>");
}

TEST(SmiXml, DamageAndEntitiesAreErrors) {
  for (const char* text : {"<nvidia_smi_log><gpu>", "<nvidia_smi_log><gpu></nvidia_smi_log>",
                           "<!DOCTYPE a [<!ENTITY b \"c\">]><nvidia_smi_log/>", "<system/>", ""})
    EXPECT_FALSE(read_smi_xml({"x", text})) << text;
}

}  // namespace
}  // namespace railgauge::observe
