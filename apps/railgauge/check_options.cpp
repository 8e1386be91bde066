#include "apps/railgauge/check_options.h"

#include <fmt/format.h>

#include <filesystem>

#include "apps/railgauge/check_config.h"
#include "apps/railgauge/identities.h"
#include "apps/railgauge/look.h"
#include "apps/railgauge/rule_texts.h"
#include "base/clock.h"
#include "base/files.h"
#include "base/strings.h"

namespace railgauge::app {
namespace {

constexpr std::uint64_t config_bytes_most = 1 << 20;
constexpr int nodes_most = 1'000'000;

std::vector<std::string> words_of(const Arguments& arguments, const char* option) {
  std::vector<std::string> out;
  for (const std::string& list : arguments.values(option))
    for (const std::string_view word : split(list, ','))
      if (!trim(word).empty()) out.emplace_back(trim(word));
  return out;
}

// "8x400G": how many, and how fast each is.
bool is_nics(const std::string& text) {
  const auto parts = split(text, 'x');
  if (parts.size() != 2 || parts[1].size() < 2 || parts[1].back() != 'G') return false;
  const auto count = parse_int(parts[0]);
  const auto rate = parse_int(parts[1].substr(0, parts[1].size() - 1));
  return count && *count >= 1 && *count <= 1024 && rate && *rate >= 1 && *rate <= 100'000;
}

Result<std::vector<judge::Suppression>> suppressions(const Arguments& arguments) {
  const std::string file = arguments.value("config", default_config);
  std::error_code error;
  if (!arguments.has("config") && !std::filesystem::exists(file, error))
    return std::vector<judge::Suppression>{};
  const auto text = read_file(file, config_bytes_most);
  if (!text) return tl::unexpected(text.error());
  return parse_config(*text, file);
}

Level parse_level(const std::string& word) {
  if (word == "quick") return Level::quick;
  return word == "long" ? Level::long_ : Level::medium;
}

Result<judge::Selection> selection(const Arguments& arguments) {
  judge::Selection out;
  out.only = words_of(arguments, "only");
  out.skip = words_of(arguments, "skip");
  out.today = utc_now().substr(0, 10);
  const auto unknown = judge::unknown_rules(out);
  if (!unknown.empty()) return tl::unexpected(unknown_rule(unknown.front()));
  auto accepted = suppressions(arguments);
  if (!accepted) return tl::unexpected(std::move(accepted.error()));
  out.suppressions = std::move(*accepted);
  return out;
}

}  // namespace

Result<CheckOptions> check_options(const Arguments& arguments) {
  CheckOptions out;
  out.inputs = arguments.values("INPUT");
  const auto& from = arguments.values("from");
  out.inputs.insert(out.inputs.end(), from.begin(), from.end());
  out.format = arguments.has("json") ? "json" : arguments.value("format", "text");
  auto selected = selection(arguments);
  if (!selected) return tl::unexpected(std::move(selected.error()));
  out.selection = std::move(*selected);
  out.fail_on_word = arguments.value("fail-on", "error");
  out.fail_on = model::parse_severity(out.fail_on_word);
  out.level = parse_level(arguments.value("level", "medium"));
  out.earlier = arguments.value("earlier");
  out.machine = arguments.value("machine");
  out.trust_virtual_links = arguments.has("trust-virtual-links");
  const auto nodes = parse_int(arguments.value("nodes", "1"));
  if (!nodes || *nodes < 1 || *nodes > nodes_most)
    return fail(ErrorKind::usage, fmt::format("--nodes takes a number from 1 to {}", nodes_most));
  out.nodes = static_cast<int>(*nodes);
  out.nics = arguments.value("nic");
  if (!out.nics.empty() && !is_nics(out.nics))
    return fail(ErrorKind::usage, "--nic takes a count and a rate in Gbit/s, such as 8x400G, not " +
                                      railgauge::quoted(out.nics));
  return out;
}

std::vector<OptionSpec> check_option_specs() {
  const std::string rules = "RULES";
  return {
      {"--from", "INPUT", "The same as INPUT", {}, -1, Completes::files},
      {"--only",
       rules,
       "Only these rules: ids, names or categories, separated by commas",
       {},
       1,
       Completes::nothing,
       true},
      {"--skip", rules, "Not these rules", {}, 1, Completes::nothing, true},
      {"--fail-on",
       "SEVERITY",
       "Exit 1 when a finding is at or above it (default error)",
       {"error", "warning", "note", "never"},
       1,
       Completes::choices},
      {"--format",
       "FORMAT",
       "How to show it",
       {"text", "json", "sarif", "junit", "html"},
       1,
       Completes::choices},
      {"--level",
       "LEVEL",
       "Of this machine: quick runs no programs, medium reads counters again after a second "
       "(default), long after a minute",
       {"quick", "medium", "long"},
       1,
       Completes::choices},
      {"--earlier",
       "FILE",
       "An older recording of the machine, to see what grew",
       {},
       1,
       Completes::files},
      {"--machine", "NAME", "The known machine it should be like, such as dgx-h100", {}},
      {"--nodes", "N", "Machines in the job, for what a benchmark should reach (default 1)", {}},
      {"--nic", "COUNTxRATE", "Network adapters where nothing tells, such as 8x400G", {}},
      {"--trust-virtual-links", "", "In a guest, judge PCIe links as if they were the host's", {}},
      {"--config",
       "FILE",
       "Findings that are accepted until a date (default ./railgauge.yaml)",
       {},
       1,
       Completes::files},
      pci_ids_option(),
      {"--replace-identities",
       "",
       "Replace host names, addresses, GUIDs, serial and user names, as record does",
       {}},
      identity_key_option(),
      {"--json", "", "One JSON document, also on failure", {}},
  };
}

}  // namespace railgauge::app
