#include "apps/railgauge/each_machine.h"

#include <unistd.h>

#include <filesystem>

#include "apps/railgauge/look.h"
#include "apps/railgauge/progress.h"

namespace railgauge::app {
namespace {

// "node07.tar.zst" and "node07/" → "node07".
std::string name_of_input(const std::string& input) {
  std::filesystem::path path(input);
  if (!path.has_filename()) path = path.parent_path();
  std::string name = path.filename().string();
  for (const std::string_view ending : {".tar.zst", ".tar.gz", ".tar.xz", ".tgz", ".tar"})
    if (name.size() > ending.size() && name.ends_with(ending))
      return name.substr(0, name.size() - ending.size());
  return name;
}

// Replaced host names lead nobody to a machine: there the file's name does.
std::string name_of(const model::Machine& machine, const std::string& input) {
  if (input.empty() || !machine.taken || !machine.taken->identities_replaced) return machine.name;
  const std::string name = name_of_input(input);
  return name.empty() ? machine.name : name;
}

}  // namespace

Patience::Patience() : seconds_(::alarm(0)) { renew(); }

void Patience::renew() const { ::alarm(seconds_); }

Result<observe::Visited> each_machine(const std::vector<std::string>& inputs,
                                      const observe::Knowledge& knowledge, bool quiet,
                                      const TakeMachine& take) {
  const Patience patience;
  const auto named = [&](model::Machine machine, const std::string& input) {
    patience.renew();
    machine.name = name_of(machine, input);
    take(std::move(machine), input);
  };
  std::vector<std::string> files;
  for (const std::string& input : inputs) {
    if (!is_synthetic(input)) {
      files.push_back(input);
      continue;
    }
    auto machine = synthetic_machine(input, knowledge);
    if (!machine) return tl::unexpected(std::move(machine.error()));
    named(std::move(*machine), "");
  }
  if (files.empty()) return observe::Visited{};
  Progress progress("reading", quiet);
  return observe::visit_machines(
      files, knowledge,
      {named, [&](std::size_t done, std::size_t total) { progress.at(done, total); }});
}

}  // namespace railgauge::app
