// Which value of nvidia-smi is which fact. One table for the three ways it spells a key:
//   nvidia-smi -q                  "PCI/GPU Link Info/Link Width/Current", any case
//   nvidia-smi -q -x               "pci/pci_gpu_link_info/link_widths/current_link_width"
//   --query-gpu=… --format=csv     "pcie.link.width.current"
// Alternatives, from older and newer drivers, stand in one cell with '|' between them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "observe/nvidia_smi/smi_machine.h"

namespace railgauge::observe::nvidia_smi {

struct SmiKey {
  const char* text;
  const char* xml;
  const char* csv;
  void (*apply)(SmiMachine&, model::Device&, const SmiValue&);
  const char* word = "";  // what the setter needs to know of the key
  bool repeats = false;   // each occurrence counts: MIG devices
};

std::span<const SmiKey> smi_keys();
std::uint32_t key_number(const SmiKey& key);  // its place in the table

// The table by one of its spellings, in lower case.
class KeyIndex {
 public:
  explicit KeyIndex(const char* SmiKey::*spelling);
  const SmiKey* find(const std::string& path) const;

 private:
  std::unordered_map<std::string, const SmiKey*> keys_;
};

// Facts of the host, from the head of the text or of the document.
bool take_host(SmiMachine& machine, std::string_view key, std::string_view value,
               std::uint32_t line);

}  // namespace railgauge::observe::nvidia_smi
