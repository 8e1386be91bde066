// Every line of the table, in every spelling: a wrong path in one column would go unnoticed
// otherwise.
#include "observe/nvidia_smi/keys.h"

#include <gtest/gtest.h>

#include <set>

#include "model/field_lists.h"
#include "observe/nvidia_smi/csv.h"
#include "observe/nvidia_smi/query.h"
#include "observe/nvidia_smi/query_xml.h"

namespace railgauge::observe::nvidia_smi {
namespace {

// What was learnt of the GPU beyond its address: the names of the facts, without their values.
std::string learnt(const Result<model::Machine>& machine) {
  if (!machine || machine->devices.empty() || !machine->remarks.empty()) return {};
  const model::Device& gpu = machine->devices.front();
  std::string out;
  const auto add = [&](const auto& owner) {
    return [&](const auto& field) {
      if ((owner.*field.member).known()) out += std::string(" ") + field.key;
    };
  };
  model::each_field<model::Device>([&](const auto& field) {
    if (field.key != std::string("pci_address")) add(gpu)(field);
  });
  model::each_field<model::GpuFacts>(add(*gpu.gpu));
  model::each_field<model::PciFacts>(add(*gpu.pci));
  model::each_field<model::LinkEnd>(add(gpu.pci->link));
  for (const auto& [name, counter] : gpu.gpu->ecc_errors) out += " ecc." + name;
  for (const auto& [name, counter] : gpu.gpu->pcie_errors) out += " pcie." + name;
  for (const auto& attribute : gpu.attributes) out += " " + attribute.key;
  for (const auto& mig : gpu.gpu->mig_devices) out += " mig " + mig;
  if (machine->host.driver.known()) out += " driver";
  return out;
}

// Whichever of these the key takes.
constexpr const char* values[] = {"7",   "Enabled",          "16x",  "P0",         "Default",
                                  "1 W", "81920 MiB",        "25 C", "0x233010DE", "None",
                                  "9.0", "00000000:18:00.0", "0x4"};

std::string as_query(std::string_view path, const char* value) {
  std::string text = "GPU 00000000:18:00.0\n    MIG Mode\n";
  std::string indent = "    ";
  const auto parts = split(path, '/');
  for (std::size_t i = 0; i < parts.size(); ++i, indent += "    ")
    text += indent + std::string(parts[i]) + (i + 1 == parts.size() ? " : " : "") +
            (i + 1 == parts.size() ? value : "") + "\n";
  return learnt(read_smi_query({"q", text}));
}

std::string as_xml(std::string_view path, const char* value) {
  std::string open, close;
  for (const auto part : split(path, '/')) {
    open += "<" + std::string(part) + ">";
    close = "</" + std::string(part) + ">" + close;
  }
  return learnt(read_smi_xml({"q", "<nvidia_smi_log><gpu id=\"00000000:18:00.0\">" + open + value +
                                       close + "</gpu></nvidia_smi_log>"}));
}

std::string as_csv(std::string_view name, const char* value) {
  const bool address = name == "pci.bus_id";
  const std::string head = address ? "vbios_version, " : "gpu_bus_id, ";
  const std::string row = address ? "[N/A], " : "00000000:18:00.0, ";
  return learnt(read_smi_csv({"q", head + std::string(name) + "\n" + row + value + "\n"}));
}

// Values that stand alone mean nothing for these: both halves are needed, or something before.
bool needs_another(std::string_view word) {
  return word == "GPU instance" || word == "compute instance";
}
bool needs_another_path(std::string_view path) {
  return contains(path, "CliqueId") || contains(path, "ClusterUUID") || path == "Remapped Rows";
}

TEST(SmiKeys, EveryKeyIsReadInEverySpellingAndMeansTheSame) {
  for (const SmiKey& key : smi_keys()) {
    if (needs_another(key.word) || needs_another_path(key.text)) continue;
    std::set<std::string> meanings;
    const auto spelled = [&](const char* paths, auto&& read) {
      for (const auto path : split(paths, '|')) {
        if (path.empty()) continue;
        std::string got;
        for (const char* value : values)
          if (got.empty()) got = read(path, value);
        EXPECT_FALSE(got.empty() && path != "pci.bus_id" && path != "gpu_bus_id") << path;
        if (!got.empty()) meanings.insert(got);
      }
    };
    spelled(key.text, as_query);
    spelled(key.xml, as_xml);
    spelled(key.csv, as_csv);
    EXPECT_LE(meanings.size(), 1u)
        << key.text << " " << *meanings.begin() << " and " << *meanings.rbegin();
  }
}

TEST(SmiKeys, NoSpellingIsThereTwice) {
  for (const char* SmiKey::*spelling : {&SmiKey::text, &SmiKey::xml, &SmiKey::csv}) {
    std::set<std::string> seen;
    for (const SmiKey& key : smi_keys())
      for (const auto path : split(key.*spelling, '|'))
        EXPECT_TRUE(path.empty() || seen.insert(lower(path)).second) << path;
  }
}

}  // namespace
}  // namespace railgauge::observe::nvidia_smi
