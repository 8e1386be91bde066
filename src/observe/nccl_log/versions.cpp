// "NCCL version 2.28.9+cuda12.4", "cudaDriverVersion 12040", and the plugins that were loaded.
#include <array>

#include "base/strings.h"
#include "observe/kernel_log/scan.h"
#include "observe/nccl_log/statements.h"

namespace railgauge::observe {
namespace {

constexpr std::array<std::string_view, 8> words{
    "CCL version ", "cudaDriverVersion ", "NET/Plugin",        "TUNER/Plugin",
    "P2P plugin ",  "NET/OFI ",           "Loaded net plugin", "Initialized NET plugin "};

bool take_version(const NcclLine& line, RunBuilder& run) {
  auto said = after(line.text, "CCL version ");
  if (!said) return false;
  if (said->substr(0, 1) == ":") said = trim(said->substr(1));
  const std::string_view number = until(*said, "+ ,-");
  if (number.empty() || number.size() > 24 || !leading_number(number)) return false;
  run.say(line, run.run.version, std::string(number));
  if (!line.host.empty() && line.device) run.rank(line, *line.device).version = std::string(number);
  if (const auto cuda = after(until(*said, " "), "+cuda"))
    if (leading_number(*cuda)) run.say(line, run.run.cuda, event_text(cuda->substr(0, 16)));
  return true;
}

// "NET/Plugin: Could not find: libnccl-net.so", "NET/Plugin : No plugin found (libnccl-net.so)."
bool take_missing(const NcclLine& line, RunBuilder& run) {
  for (const std::string_view key : {"Could not find: ", "No plugin found ("})
    if (const auto name = after(line.text, key)) {
      run.plugin_missing(until(*name, " ,)"));
      return true;
    }
  return false;
}

bool take(const NcclLine& line, RunBuilder& run) {
  if (take_version(line, run)) return true;
  if (const auto driver = after(line.text, "cudaDriverVersion ")) {
    if (const auto number = leading_int(*driver)) run.say(line, run.run.cuda_driver, *number);
    return true;
  }
  for (const std::string_view key : {"Loaded net plugin ", "Loaded collnet plugin ",
                                     "Loaded tuner plugin ", "Using tuner plugin ", "P2P plugin ",
                                     "Initialized NET plugin ", "NET/OFI Using aws-ofi-nccl "}) {
    const auto name = after(line.text, key);
    if (!name) continue;
    run.plugin(key.substr(0, 7) == "NET/OFI" ? "aws-ofi-nccl " + std::string(until(*name, " "))
                                             : std::string(until(*name, ";,")));
    return true;
  }
  if (contains(line.text, "/Plugin")) return take_missing(line, run);
  for (const std::string_view key : {"Selected provider is ", "Selected Provider is "})
    if (const auto name = after(line.text, key)) {
      run.plugin("OFI " + std::string(until(*name, " ,(")));
      return true;
    }
  return false;
}

}  // namespace

Statement version_statement() { return {words, take}; }

}  // namespace railgauge::observe
