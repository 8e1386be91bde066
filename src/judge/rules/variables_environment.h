// The settings of a patient as the rules of variables see them.
//   const Environment environment(patient);
//   environment.number("NCCL_P2P_DISABLE")   // as NCCL reads it: "true" is 0, "4M" is 4
//   for (const EnvironmentSetting& one : environment.all()) …
// Of one file the last line holds; the environment holds against nccl.conf. A value that only the
// machine knows ("$HOSTNAME") is there, but is not judged.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "judge/rule.h"
#include "model/path_class.h"

namespace railgauge::judge {

struct EnvironmentSetting {
  std::string name;
  std::string value;
  std::vector<model::SourceRef> sources;  // everywhere that says so

  // False for a value with a dollar sign in it, and for an empty one, which counts as unset.
  bool judged() const;
  // What strtoll(value, nullptr, 0) gives, which is how NCCL reads every number.
  std::int64_t number() const;
};

class Environment {
 public:
  explicit Environment(const Patient& patient);

  // By name; the same name twice where sources differ.
  const std::vector<EnvironmentSetting>& all() const { return all_; }
  // What was set and does not hold, since something stronger sets the name as well.
  const std::vector<EnvironmentSetting>& overridden() const { return overridden_; }

  const EnvironmentSetting* find(std::string_view name) const;  // the judged one
  std::optional<std::int64_t> number(std::string_view name) const;
  bool is(std::string_view name, std::int64_t number) const;  // set, and to this number
  bool is_on(std::string_view name) const;                    // set, and not to 0

  // From a log, or from the library that was found.
  const std::optional<model::NcclVersion>& nccl() const { return nccl_; }
  const std::string& nccl_words() const { return nccl_words_; }  // "2.18.1"; empty when unknown

 private:
  void read_version(const Patient& patient);

  std::vector<EnvironmentSetting> all_;
  std::vector<EnvironmentSetting> overridden_;
  std::optional<model::NcclVersion> nccl_;
  std::string nccl_words_;
};

// A finding about one setting: subject and evidence are filled in.
model::Finding& fail(Verdicts& out, const Patient& patient, const EnvironmentSetting& setting,
                     std::string text);

// "unset NCCL_P2P_DISABLE", or the line of nccl.conf that must go.
model::RemedyStep take_away(const Patient& patient, const EnvironmentSetting& setting);
model::RemedyStep set_to(const std::string& name, const std::string& value, std::string why);

}  // namespace railgauge::judge
