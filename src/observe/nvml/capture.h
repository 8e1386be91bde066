// The questions put to NVML, in order of worth: which GPUs there are, then what connects them, then
// what state they are in. Identity and connections are always asked; the rest stops when the time
// budget is spent. The budget starts once the GPUs are known, because a GPU whose driver state is
// not kept (persistence mode off) takes seconds to answer its first question.
#pragma once

#include "observe/nvml/questions.h"

namespace railgauge::observe::nvml {

inline constexpr unsigned most_gpus = 64;
inline constexpr unsigned most_links = 72;   // NVML of driver 610; 36 before, 18 on Hopper
inline constexpr unsigned guess_links = 36;  // tried where the driver does not give the count
inline constexpr std::chrono::milliseconds optional_budget{5000};

struct Gpu {
  unsigned index = 0;
  dynlib::NvmlDevice device = nullptr;
  unsigned links = 0;  // that answered for their state
};

Document ask_everything(const dynlib::Nvml& nvml, const Clock& now,
                        std::chrono::milliseconds budget = optional_budget);

void ask_identity(Questions& questions, const dynlib::Nvml& nvml, const Gpu& gpu);
void ask_place(Questions& questions, const dynlib::Nvml& nvml, const Gpu& gpu);
void ask_state(Questions& questions, const dynlib::Nvml& nvml, const Gpu& gpu);
void ask_health(Questions& questions, const dynlib::Nvml& nvml, const Gpu& gpu);
void ask_product(Questions& questions, const dynlib::Nvml& nvml, const Gpu& gpu);
void ask_fabric(Questions& questions, const dynlib::Nvml& nvml, const Gpu& gpu);
void ask_links(Questions& questions, const dynlib::Nvml& nvml, Gpu& gpu);
void ask_link_health(Questions& questions, const dynlib::Nvml& nvml, const Gpu& gpu);
void ask_pair(Questions& questions, const dynlib::Nvml& nvml, const Gpu& a, const Gpu& b);

// A field's value, whatever its type.
std::uint64_t number_of(const dynlib::NvmlFieldValue& field);

// "0000:5d:00.0" as NVML spells it: "00000000:5D:00.0".
std::string bus_id(const dynlib::NvmlPciInfo& info);

}  // namespace railgauge::observe::nvml
