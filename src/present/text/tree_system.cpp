// The software around the hardware: settings, limits, modules, variables. Shown when asked for, or
// when there is nothing to draw.
#include <fmt/format.h>

#include <array>

#include "base/strings.h"
#include "model/compare/value_words.h"
#include "model/field_lists.h"
#include "present/text/tree_parts.h"

namespace railgauge::present {
namespace {

using model::comparing::fact_name;
using model::comparing::value_words;

constexpr std::size_t heading_columns = 12;
// The header names these already.
constexpr std::array<std::string_view, 6> in_header{"hostname", "product", "kernel",
                                                    "driver",   "cuda",    "hypervisor"};

Line heading(std::string_view word) {
  return {{padded(std::string(word), heading_columns), Ink::bold}};
}

void write_phrases(TreeContext& tree, std::string_view word, const std::vector<Span>& phrases) {
  if (phrases.empty()) return;
  tree.page.flow(heading(word), {{std::string(heading_columns, ' ')}}, phrases);
}

std::vector<Span> host_phrases(const model::HostFacts& host) {
  std::vector<Span> out;
  model::each_field<model::HostFacts>([&](const auto& field) {
    for (const auto known : in_header)
      if (known == field.key) return;
    const auto& fact = host.*field.member;
    if (fact.known())
      out.push_back({fact_name(field.key) + " " + clean(value_words(field.key, *fact))});
  });
  return out;
}

std::vector<Span> named_phrases(const model::NamedFacts& named) {
  std::vector<Span> out;
  for (const auto& [name, fact] : named)
    if (fact.known()) out.push_back({clean(name) + " " + clean(*fact)});
  return out;
}

std::vector<Span> module_phrases(const model::Machine& machine) {
  std::vector<Span> out;
  for (const auto& module : machine.modules)
    out.push_back({clean(module.name) +
                   (module.version.known() ? " " + clean(*module.version) : std::string())});
  return out;
}

std::vector<Span> variable_phrases(const model::Machine& machine) {
  std::vector<Span> out;
  for (const auto& variable : machine.variables)
    out.push_back({clean(variable.name) + "=" + clean(variable.value)});
  return out;
}

}  // namespace

void write_system(TreeContext& tree) {
  const model::Machine& machine = tree.machine;
  if (!tree.page.style().verbose && !machine.devices.empty()) return;
  tree.page.blank();
  write_phrases(tree, "host", host_phrases(machine.host));
  write_phrases(tree, "modules", module_phrases(machine));
  write_phrases(tree, "libraries", named_phrases(machine.host.libraries));
  write_phrases(tree, "services", named_phrases(machine.host.services));
  write_phrases(tree, "sysctls", named_phrases(machine.host.sysctls));
  write_phrases(tree, "variables", variable_phrases(machine));
  if (!machine.interrupts.empty())
    write_phrases(
        tree, "interrupts",
        {{plural(machine.interrupts.size(), "interrupt of a device", "interrupts of devices") +
          "; --json has where they go"}});
}

}  // namespace railgauge::present
