#include "judge/rules/variables_environment.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/characters.h"
#include "base/strings.h"

namespace railgauge::judge {
namespace {

using namespace model;

constexpr std::size_t most_evidence = 4;

bool is_configuration_file(const Machine& machine, SourceRef source) {
  return machine.sources.name(source).ends_with("nccl.conf");
}

// name -> source -> the last variable there
using BySource = std::map<std::uint32_t, const Variable*>;
std::map<std::string_view, BySource> last_ones(const Machine& machine) {
  std::map<std::string_view, BySource> out;
  for (const Variable& one : machine.variables) out[one.name][one.source.index] = &one;
  return out;
}

void add(std::vector<EnvironmentSetting>& list, std::size_t begin, const Variable& one) {
  for (std::size_t i = begin; i < list.size(); ++i)
    if (list[i].value == one.value) return list[i].sources.push_back(one.source);
  list.push_back({one.name, one.value, {one.source}});
}

}  // namespace

bool EnvironmentSetting::judged() const {
  return !trim(value).empty() && value.find('$') == std::string::npos;
}

std::int64_t EnvironmentSetting::number() const {
  std::string_view text = trim(value);
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  int base = 10;
  if (text.size() > 2 && starts_with_nocase(text, "0x") && is_hex_digit(text[2])) {
    base = 16;
    text.remove_prefix(2);
  } else if (text.starts_with('0')) {
    base = 8;
  }
  std::int64_t out = 0;
  for (const char c : text) {
    const int digit = is_digit(c)                     ? c - '0'
                      : base == 16 && is_hex_digit(c) ? (c | 0x20) - 'a' + 10
                                                      : base;
    if (digit >= base || out > (std::int64_t{1} << 56)) break;
    out = out * base + digit;
  }
  return negative ? -out : out;
}

Environment::Environment(const Patient& patient) {
  const Machine& machine = patient.machine;
  for (const auto& [name, sources] : last_ones(machine)) {
    const bool only_files = std::all_of(sources.begin(), sources.end(), [&](const auto& one) {
      return is_configuration_file(machine, one.second->source);
    });
    const std::size_t begin = all_.size();
    const std::size_t begin_overridden = overridden_.size();
    for (const auto& [index, variable] : sources) {
      if (only_files || !is_configuration_file(machine, variable->source))
        add(all_, begin, *variable);
      else
        add(overridden_, begin_overridden, *variable);
    }
  }
  read_version(patient);
}

void Environment::read_version(const Patient& patient) {
  for (const NcclRun& run : patient.machine.nccl_runs)
    if (run.version && !nccl_) {
      nccl_words_ = *run.version;
      nccl_ = NcclVersion::parse(*run.version);
    }
  const auto& libraries = patient.machine.host.libraries;
  if (const auto found = libraries.find("libnccl"); !nccl_ && found != libraries.end())
    if (found->second) {
      nccl_words_ = *found->second;
      nccl_ = NcclVersion::parse(nccl_words_);
    }
  if (!nccl_) nccl_words_.clear();
}

const EnvironmentSetting* Environment::find(std::string_view name) const {
  const EnvironmentSetting* out = nullptr;
  for (const EnvironmentSetting& one : all_)
    if (one.name == name && one.judged()) out = &one;
  return out;
}

std::optional<std::int64_t> Environment::number(std::string_view name) const {
  const EnvironmentSetting* one = find(name);
  return one == nullptr ? std::nullopt : std::optional(one->number());
}

bool Environment::is(std::string_view name, std::int64_t wanted) const {
  return number(name) == wanted;
}

bool Environment::is_on(std::string_view name) const { return number(name).value_or(0) != 0; }

Finding& fail(Verdicts& out, const Patient& patient, const EnvironmentSetting& setting,
              std::string text) {
  Finding& finding = out.fail(setting.name, std::move(text));
  for (std::size_t i = 0; i < setting.sources.size() && i < most_evidence; ++i)
    finding.evidence.push_back(
        evidence(patient.machine, setting.name, setting.value, {}, setting.sources[i]));
  return finding;
}

RemedyStep take_away(const Patient& patient, const EnvironmentSetting& setting) {
  const SourceRef where = setting.sources.empty() ? SourceRef{} : setting.sources.front();
  const bool file = is_configuration_file(patient.machine, where);
  return {
      .text = fmt::format("remove {} from {}", setting.name, patient.machine.sources.text(where)),
      .command = file ? fmt::format("sudo sed -i '/^{}=/d' /etc/nccl.conf", setting.name)
                      : fmt::format("unset {}", setting.name),
      .needs_root = file};
}

RemedyStep set_to(const std::string& name, const std::string& value, std::string why) {
  return {.text = std::move(why), .command = fmt::format("export {}={}", name, value)};
}

}  // namespace railgauge::judge
