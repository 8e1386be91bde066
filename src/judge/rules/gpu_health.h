// Parts of the family gpu_health, which gpu_health.cpp puts together.
#pragma once

#include <string>
#include <vector>

#include "judge/rule.h"

namespace railgauge::judge {

std::vector<Rule> gpu_missing_rules();  // GPUs that are not there, or not alike
std::vector<Rule> gpu_memory_rules();   // ECC
std::vector<Rule> gpu_clock_rules();    // throttling, caps, heat

// Graphics and workstation products, whose defaults differ: ECC off, small BAR1.
bool is_workstation(const Patient& patient, const model::Device& gpu);

// Of AMD: what only NVIDIA's tools answer is not asked.
bool is_amd(const model::Device& gpu);

// What tells a fleet of equal GPUs apart: the address or the id as a command line takes it.
std::string smi_id(const model::Device& gpu);

}  // namespace railgauge::judge
