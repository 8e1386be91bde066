#include "apps/railgauge/envelope.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "apps/railgauge/identities.h"
#include "apps/railgauge/version.h"
#include "base/clock.h"
#include "base/strings.h"
#include "observe/system/environment.h"

namespace railgauge::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* environment_file = "environment.txt";
constexpr const char* command_file = "commands/railgauge.json";

// What an envelope says of this machine, in the form of a recording, so that what may be written
// out and what stands for identities is decided where it is for recordings.
observe::Recording this_process(const Arguments& arguments) {
  observe::Recording out;
  utsname system{};
  ::uname(&system);
  out.manifest.hostname = system.nodename;
  std::string variables;
  for (char** variable = ::environ; variable != nullptr && *variable != nullptr; ++variable) {
    const auto found = observe::setting(*variable);
    if (!found || observe::admit(found->name, found->value).admission != observe::Admission::taken)
      continue;
    variables += valid_utf8(*variable) + "\n";
  }
  out.add_file(environment_file, variables);
  Json command = Json::array();
  for (const std::string& word : arguments.command) command.push_back(valid_utf8(word));
  out.add_file(command_file, Json{{"argv", command}}.dump());
  if (!arguments.has("replace-identities")) return out;
  const auto replacer = identity_replacer(arguments);
  return replacer ? (*replacer)(out) : observe::Recording();
}

std::string_view kind_word(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage: return "usage";
    case ErrorKind::input: return "input";
    case ErrorKind::permission: return "permission";
    case ErrorKind::not_found: return "not_found";
    case ErrorKind::limit: return "limit";
    case ErrorKind::device: return "device";
    case ErrorKind::internal: return "internal";
  }
  return "internal";
}

Json base(const std::string& schema, const Arguments& arguments) {
  utsname system{};
  ::uname(&system);
  const observe::Recording here = this_process(arguments);
  Json document;
  document["schema"] = schema;
  document["tool"] = {{"name", "railgauge"}, {"version", version}, {"commit", commit}};
  document["made_at"] = utc_now();
  document["host"] = valid_utf8(here.manifest.hostname);
  const observe::Entry* command = here.find(command_file);
  const Json parsed = Json::parse(command == nullptr ? "{}" : command->bytes, nullptr, false);
  document["command"] =
      parsed.is_object() && parsed.contains("argv") ? parsed["argv"] : Json::array();
  Json environment = Json::object();
  if (const observe::Entry* variables = here.find(environment_file); variables != nullptr)
    for (LineCursor lines(variables->bytes); lines.next();)
      if (const auto found = observe::setting(lines.line()))
        environment[std::string(found->name)] = std::string(found->value);
  document["context"] = {{"kernel", std::string(system.release)}, {"environment", environment}};
  return document;
}

std::string dump(const Json& document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string envelope(const std::string& schema, const Arguments& arguments,
                     const std::vector<std::string>& warnings, const std::string& result_json) {
  Json document = base(schema, arguments);
  document["warnings"] = warnings;
  // The result may be megabytes and is rendered already: it is put in as text, not parsed and
  // printed again.
  std::string text = dump(document);
  text.resize(text.rfind('}'));
  while (text.back() == '\n' || text.back() == ' ') text.pop_back();
  return text + ",\n  \"result\": " + result_json + "\n}\n";
}

std::string error_envelope(const std::string& schema, const Arguments& arguments,
                           const Error& error) {
  Json document = base(schema, arguments);
  document["warnings"] = Json::array();
  document["result"] = nullptr;
  document["error"] = {{"kind", kind_word(error.kind)}, {"message", valid_utf8(error.text())}};
  return dump(document);
}

}  // namespace railgauge::app
