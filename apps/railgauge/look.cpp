#include "apps/railgauge/look.h"

#include <filesystem>

#include "apps/railgauge/identities.h"
#include "apps/railgauge/live.h"
#include "base/strings.h"
#include "observe/catalogue/pci_ids.h"

namespace railgauge::app {
namespace {

constexpr std::string_view synthetic_prefix = "synthetic:";

}  // namespace

Result<observe::Knowledge> load_knowledge(const Arguments& arguments) {
  auto catalogue = observe::catalogue();
  if (!catalogue) return tl::unexpected(std::move(catalogue.error()));
  std::filesystem::path pci_ids = observe::system_pci_ids();
  if (arguments.has("pci-ids")) {
    const std::string chosen = arguments.value("pci-ids");
    pci_ids = chosen == "none" ? "" : chosen;
    std::error_code error;
    if (chosen != "none" && !std::filesystem::is_regular_file(chosen, error))
      return fail(ErrorKind::not_found, "--pci-ids: " + railgauge::quoted(chosen) +
                                            " is not a file; give a pci.ids file, or none");
  }
  observe::Knowledge knowledge{std::move(*catalogue), pci_ids, {}};
  if (!arguments.has("replace-identities")) return knowledge;
  auto replacer = identity_replacer(arguments);
  if (!replacer) return tl::unexpected(std::move(replacer.error()));
  knowledge.prepare = std::move(*replacer);
  return knowledge;
}

OptionSpec pci_ids_option() {
  return {"--pci-ids", "FILE", "Names of PCI ids; 'none' uses our own short list only",
          {},          1,      Completes::files};
}

Result<observe::Observed> look_live(const observe::Knowledge& knowledge) {
  const LiveRoot live;
  return observe::live_machine(live.root(), knowledge);
}

bool is_synthetic(const std::string& input) { return input.starts_with(synthetic_prefix); }

Result<model::Machine> synthetic_machine(const std::string& input,
                                         const observe::Knowledge& knowledge) {
  return observe::synthetic(input.substr(synthetic_prefix.size()), knowledge.catalogue);
}

}  // namespace railgauge::app
