// How the value of one key becomes a fact. Used by the table in keys.cpp only.
#pragma once

#include "observe/nvidia_smi/smi_machine.h"

namespace railgauge::observe::nvidia_smi {

// A fact of the GPU, of its PCI function, or of its PCIe link, by one of the parsers.
template <auto member, auto parse>
void gpu_fact(SmiMachine& m, model::Device& d, const SmiValue& v) {
  m.put((*d.gpu).*member, v, parse(v.text));
}
template <auto member, auto parse>
void pci_fact(SmiMachine& m, model::Device& d, const SmiValue& v) {
  m.put((*d.pci).*member, v, parse(v.text));
}
template <auto member, auto parse>
void link_fact(SmiMachine& m, model::Device& d, const SmiValue& v) {
  m.put(d.pci->link.*member, v, parse(v.text));
}
// A counter whose name is the word of the key.
template <auto counters>
void counter(SmiMachine& m, model::Device& d, const SmiValue& v) {
  m.put(((*d.gpu).*counters)[v.word].value, v, as_count(v.text));
}

void set_name(SmiMachine& m, model::Device& d, const SmiValue& v);
void set_address(SmiMachine& m, model::Device& d, const SmiValue& v);
void set_index(SmiMachine& m, model::Device& d, const SmiValue& v);
void set_uuid(SmiMachine& m, model::Device& d, const SmiValue& v);
void set_driver(SmiMachine& m, model::Device& d, const SmiValue& v);
void set_max_width(SmiMachine& m, model::Device& d, const SmiValue& v);
void set_compute_capability(SmiMachine& m, model::Device& d, const SmiValue& v);
void set_average_power(SmiMachine& m, model::Device& d, const SmiValue& v);
void set_requested_limit(SmiMachine& m, model::Device& d, const SmiValue& v);
void set_throttle_reason(SmiMachine& m, model::Device& d, const SmiValue& v);
void set_throttle_mask(SmiMachine& m, model::Device& d, const SmiValue& v);
void set_fabric_status(SmiMachine& m, model::Device& d, const SmiValue& v);
void set_clique(SmiMachine& m, model::Device& d, const SmiValue& v);
void set_cluster(SmiMachine& m, model::Device& d, const SmiValue& v);
void set_mig_pending(SmiMachine& m, model::Device& d, const SmiValue& v);
void set_ecc_pending(SmiMachine& m, model::Device& d, const SmiValue& v);
void set_mig_index(SmiMachine& m, model::Device& d, const SmiValue& v);
void set_mig_instance(SmiMachine& m, model::Device& d, const SmiValue& v);
void set_remapped_rows(SmiMachine& m, model::Device& d, const SmiValue& v);  // "N/A" for them all
void attribute_as_text(SmiMachine& m, model::Device& d, const SmiValue& v);
void attribute_as_generation(SmiMachine& m, model::Device& d, const SmiValue& v);

}  // namespace railgauge::observe::nvidia_smi
