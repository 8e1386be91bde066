// What has a name of its own on the host: kernel modules, libraries, services, sysctls, variables.
#include <map>

#include "model/compare/sides.h"

namespace railgauge::model::comparing {
namespace {

// What a kind of named thing is called, and what its coming and going is called.
struct Words {
  const char* prefix;  // "kernel module "
  const char* gone;
  const char* added;
  const char* key;
};

Difference named(const Words& words, Topic topic, const std::string& name) {
  Difference out;
  out.topic = topic;
  out.subject = "host";
  out.key = std::string(words.key) + "." + name;
  out.weight = weight_setting;
  return out;
}

void compare_named(Sides& sides, const NamedFacts& before, const NamedFacts& after, Topic topic,
                   const Words& words) {
  static const Fact<std::string> nothing;
  const auto one = [&](const std::string& name, const Fact<std::string>& was,
                       const Fact<std::string>& is) {
    const auto verdict = sides.evidence.judge(was, is);
    if (!verdict.differs()) return;
    Difference out = fact_difference("host", name, topic, verdict);
    out.key = std::string(words.key) + "." + name;
    const std::string what = words.prefix + name;
    if (out.kind == Change::changed)
      out.text = what + " changed from " + out.before + " to " + out.after;
    else
      out.text = what + " " + (out.kind == Change::gone ? words.gone : words.added) +
                 (out.kind == Change::gone ? "; it was " + out.before : ": " + out.after);
    sides.say(std::move(out));
  };
  for (const auto& [name, was] : before) {
    const auto found = after.find(name);
    one(name, was, found == after.end() ? nothing : found->second);
  }
  for (const auto& [name, is] : after)
    if (!before.contains(name)) one(name, nothing, is);
}

using Modules = std::map<std::string, const KernelModule*>;

Modules by_name(const std::vector<KernelModule>& modules) {
  Modules out;
  for (const KernelModule& module : modules) out.emplace(module.name, &module);
  return out;
}

void say_module(Sides& sides, const KernelModule& module, Change change) {
  if (!sides.evidence.lacking_in_list(change == Change::added, module.source)) return;
  Difference out = named({"", "", "", "modules"}, Topic::driver, module.name);
  out.kind = change;
  const std::string version = module.version ? "loaded, " + *module.version : "loaded";
  (change == Change::gone ? out.before : out.after) = version;
  (change == Change::gone ? out.before_source : out.after_source) = module.source;
  out.text = "kernel module " + module.name +
             (change == Change::gone ? " is not loaded any more" : " is loaded now");
  sides.say(std::move(out));
}

void compare_modules(Sides& sides) {
  const Modules was = by_name(sides.before.modules);
  const Modules is = by_name(sides.after.modules);
  for (const auto& [name, before] : was) {
    const auto found = is.find(name);
    if (found == is.end()) {
      say_module(sides, *before, Change::gone);
      continue;
    }
    const KernelModule& after = *found->second;
    const auto version = sides.evidence.judge(before->version, after.version);
    if (version.differs()) {
      Difference out = fact_difference("kernel module " + name, "version", Topic::driver, version);
      out.subject = "host";
      out.key = "modules." + name + ".version";
      sides.say(std::move(out));
    }
    const std::string prefix = "parameter of " + name + " ";
    const std::string key = "modules." + name + ".parameters";
    compare_named(sides, before->parameters, after.parameters, Topic::settings,
                  {prefix.c_str(), "is not there any more", "is there now", key.c_str()});
  }
  for (const auto& [name, after] : is)
    if (!was.contains(name)) say_module(sides, *after, Change::added);
}

// The environment and each file are lists of their own: the same name in both is two settings.
std::string list_of(const Machine& machine, const Variable& variable) {
  const std::string_view name = machine.sources.name(variable.source);
  return std::string(name.substr(name.rfind('/') + 1));
}

using Variables = std::map<std::pair<std::string, std::string>, const Variable*>;

Variables by_list(const Machine& machine, bool one_machine) {
  Variables out;
  for (const Variable& one : machine.variables)
    if (one_machine || !is_of_one_rank(one.name))
      out.insert_or_assign({one.name, list_of(machine, one)}, &one);
  return out;
}

// Names of hosts, interfaces and users, and addresses; lists of devices hold none.
bool may_hold_identity(std::string_view name, const std::string& value) {
  for (const std::string_view part : {"HOST", "NODE", "ADDR", "IFNAME", "COMM_ID", "PATH", "FILE",
                                      "DIR", "USER", "NAME", "ROOT", "HOME"})
    if (name.find(part) != std::string_view::npos) return true;
  return value.find_first_of("/.:@") != std::string::npos && !value.starts_with("mlx5");
}

void say_variable(Sides& sides, const std::string& name, const std::string& list,
                  const Variable* was, const Variable* is) {
  if (was == nullptr && !sides.evidence.lacking_in_list(true, is->source)) return;
  if (is == nullptr && !sides.evidence.lacking_in_list(false, was->source)) return;
  Difference out = named({"", "", "", "variables"}, Topic::settings, name);
  out.kind = was == nullptr ? Change::added : is == nullptr ? Change::gone : Change::changed;
  const std::string what = name + " (" + list + ")";
  if (was != nullptr) out.before = was->value, out.before_source = was->source;
  if (is != nullptr) out.after = is->value, out.after_source = is->source;
  if (was == nullptr)
    out.text = what + " is set now: " + out.after;
  else if (is == nullptr)
    out.text = what + " is not set any more; it was " + out.before;
  else
    out.text = what + " changed from " + out.before + " to " + out.after;
  sides.say(std::move(out));
}

void compare_variables(Sides& sides) {
  const Variables was = by_list(sides.before, sides.options.identities);
  const Variables is = by_list(sides.after, sides.options.identities);
  for (const auto& [key, before] : was) {
    const auto found = is.find(key);
    const Variable* after = found == is.end() ? nullptr : found->second;
    const bool hidden =
        after != nullptr && !sides.variables && may_hold_identity(key.first, before->value);
    if (after == nullptr || (after->value != before->value && !hidden))
      say_variable(sides, key.first, key.second, before, after);
  }
  for (const auto& [key, after] : is)
    if (!was.contains(key)) say_variable(sides, key.first, key.second, nullptr, after);
}

}  // namespace

void compare_software(Sides& sides) {
  const HostFacts& was = sides.before.host;
  const HostFacts& is = sides.after.host;
  compare_named(sides, was.libraries, is.libraries, Topic::driver,
                {"", "is not found any more", "is found now", "libraries"});
  compare_named(sides, was.services, is.services, Topic::driver,
                {"service ", "is not there any more", "is there now", "services"});
  compare_named(sides, was.sysctls, is.sysctls, Topic::settings,
                {"", "is not there any more", "is there now", "sysctls"});
  compare_modules(sides);
  compare_variables(sides);
}

}  // namespace railgauge::model::comparing
