#include "observe/nvml/document.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "observe/nvml/quick_document.h"

namespace railgauge::observe::nvml {
namespace {

using Json = nlohmann::ordered_json;

// 64 GPUs with 72 links and 18 questions a link is 83,000 answers; above that it is no capture of
// ours.
constexpr std::size_t most_answers = 100'000;
constexpr std::size_t most_bytes = 32u << 20;
constexpr std::size_t most_oddities = 20;

Json json_of(const Scalar& scalar) {
  return std::visit([](const auto& v) { return Json(v); }, scalar);
}

std::optional<Scalar> scalar_of(const Json& json) {
  if (json.is_boolean()) return Scalar(json.get<bool>());
  if (json.is_number_unsigned()) return Scalar(json.get<std::uint64_t>());
  if (json.is_string()) return Scalar(json.get<std::string>());
  return std::nullopt;
}

Json json_of(const Answer& answer) {
  Json out;
  out["call"] = answer.call;
  if (!answer.args.empty()) {
    out["args"] = Json::array();
    for (const Scalar& arg : answer.args) out["args"].push_back(json_of(arg));
  }
  if (!answer.error.empty()) {
    out["error"] = answer.error;
  } else if (answer.value.size() == 1 && answer.value.begin()->first.empty()) {
    out["value"] = json_of(answer.value.begin()->second);
  } else {
    out["value"] = Json::object();
    for (const auto& [name, member] : answer.value) out["value"][name] = json_of(member);
  }
  return out;
}

// Bytes of a driver's strings that are not UTF-8 must not lose the whole capture.
std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool take_value(const Json& json, Answer& answer) {
  if (const auto plain = scalar_of(json)) {
    answer.value.emplace("", *plain);
    return true;
  }
  if (!json.is_object()) return false;
  for (const auto& [name, member] : json.items()) {
    const auto scalar = scalar_of(member);
    if (!scalar) return false;
    answer.value.emplace(name, *scalar);
  }
  return true;
}

// Nothing when the record is not an answer.
std::optional<Answer> answer_of(const Json& json) {
  Answer answer;
  if (!json.is_object() || !json.contains("call") || !json["call"].is_string()) return std::nullopt;
  answer.call = json["call"].get<std::string>();
  if (answer.call.size() > 100) return std::nullopt;
  if (const auto args = json.find("args"); args != json.end()) {
    if (!args->is_array() || args->size() > 4) return std::nullopt;
    for (const Json& arg : *args) {
      const auto scalar = scalar_of(arg);
      if (!scalar) return std::nullopt;
      answer.args.push_back(*scalar);
    }
  }
  if (const auto error = json.find("error"); error != json.end()) {
    if (!error->is_string() || error->get<std::string>().empty()) return std::nullopt;
    answer.error = error->get<std::string>();
    return answer;
  }
  const auto value = json.find("value");
  if (value == json.end() || !take_value(*value, answer)) return std::nullopt;
  return answer;
}

std::string text_member(const Json& json, const char* name) {
  const auto found = json.find(name);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

template <class T>
std::optional<T> as(const Scalar* scalar) {
  const T* value = scalar == nullptr ? nullptr : std::get_if<T>(scalar);
  return value == nullptr ? std::nullopt : std::optional<T>(*value);
}

const Scalar* member_of(const Answer& answer, std::string_view name) {
  const auto found = answer.value.find(std::string(name));
  return found == answer.value.end() ? nullptr : &found->second;
}

const Scalar* arg_of(const Answer& answer, std::size_t position) {
  return position < answer.args.size() ? &answer.args[position] : nullptr;
}

struct AppendText {
  std::string& out;
  void operator()(bool b) const { out += b ? "true" : "false"; }
  void operator()(std::uint64_t n) const { out += std::to_string(n); }
  void operator()(const std::string& s) const { out += s; }
};

}  // namespace

std::string Answer::source() const {
  std::string out;
  out.reserve(call.size() + 16);
  out += call;
  out += '(';
  for (const Scalar& arg : args) {
    if (&arg != &args.front()) out += ", ";
    std::visit(AppendText{out}, arg);
  }
  return out += ')';
}

std::optional<bool> Answer::flag(std::string_view m) const { return as<bool>(member_of(*this, m)); }
std::optional<std::uint64_t> Answer::number(std::string_view m) const {
  return as<std::uint64_t>(member_of(*this, m));
}
std::optional<std::string> Answer::word(std::string_view m) const {
  return as<std::string>(member_of(*this, m));
}
std::optional<std::uint64_t> Answer::arg_number(std::size_t position) const {
  return as<std::uint64_t>(arg_of(*this, position));
}
std::optional<std::string> Answer::arg_word(std::size_t position) const {
  return as<std::string>(arg_of(*this, position));
}

std::string write_document(const Document& document) {
  std::string out = "{\"schema\":1";
  const auto add = [&out](const char* name, const std::string& text) {
    if (!text.empty()) out += fmt::format(",\n\"{}\":{}", name, dump(Json(text)));
  };
  add("library", document.library);
  add("not_loaded", document.not_loaded);
  add("stopped", document.stopped);
  out += ",\n\"calls\":[";
  const char* separator = "\n";
  for (const Answer& answer : document.answers) {
    out += separator + dump(json_of(answer));
    separator = ",\n";
  }
  return out + "\n]}\n";
}

Result<Document> parse_document(std::string_view bytes) {
  if (bytes.size() > most_bytes)
    return fail(ErrorKind::limit, fmt::format("nvml.json has more than {} bytes", most_bytes));
  if (auto quick = quick_document(bytes)) return std::move(*quick);
  return library_document(bytes);
}

Result<Document> library_document(std::string_view bytes) {
  const Json json = Json::parse(bytes.begin(), bytes.end(), nullptr, false);
  if (!json.is_object()) return fail(ErrorKind::input, "nvml.json is not a JSON object");
  Document out;
  out.library = text_member(json, "library");
  out.not_loaded = text_member(json, "not_loaded");
  out.stopped = text_member(json, "stopped");
  const auto calls = json.find("calls");
  if (calls == json.end() || !calls->is_array())
    return fail(ErrorKind::input, "nvml.json has no array \"calls\"");
  if (calls->size() > most_answers)
    return fail(ErrorKind::limit, fmt::format("nvml.json has {} calls; at most {} are read",
                                              calls->size(), most_answers));
  std::size_t number = 0;
  std::size_t odd = 0;
  for (const Json& record : *calls) {
    ++number;
    if (auto answer = answer_of(record)) {
      out.answers.push_back(std::move(*answer));
    } else if (++odd <= most_oddities) {
      out.oddities.push_back(fmt::format("call {} is not {{call, args, value or error}}: {}",
                                         number, railgauge::quoted(dump(record))));
    }
  }
  if (odd > most_oddities)
    out.oddities.push_back(fmt::format("and {} more such calls", odd - most_oddities));
  return out;
}

}  // namespace railgauge::observe::nvml
