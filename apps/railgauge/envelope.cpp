#include "apps/railgauge/envelope.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "apps/railgauge/version.h"
#include "base/clock.h"
#include "base/strings.h"

namespace railgauge::app {
namespace {

using Json = nlohmann::ordered_json;

// Environment that changes what a GPU program does. Nothing outside this list is ever written out.
constexpr std::array<const char*, 8> recorded_environment{
    "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "NVIDIA_VISIBLE_DEVICES", "NCCL_TOPO_FILE",
    "NCCL_P2P_DISABLE",     "NCCL_P2P_LEVEL",    "NCCL_IB_DISABLE",        "NCCL_SHM_DISABLE"};

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
  Json document;
  document["schema"] = schema;
  document["tool"] = {{"name", "railgauge"}, {"version", version}, {"commit", commit}};
  document["made_at"] = utc_now();
  document["host"] = std::string(system.nodename);
  Json command = Json::array();
  for (const std::string& word : arguments.command) command.push_back(valid_utf8(word));
  document["command"] = command;
  Json environment = Json::object();
  for (const char* name : recorded_environment)
    if (const char* value = std::getenv(name)) environment[name] = valid_utf8(value);
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
