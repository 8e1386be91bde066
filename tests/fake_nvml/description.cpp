#include "description.h"

#include <fstream>

namespace fake_nvml {
namespace {

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

}  // namespace

unsigned long long to_number(const std::string& text) { return std::stoull(text, nullptr, 0); }

void Description::load(const std::string& path) {
  lines_.clear();
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    line = line.substr(0, line.find('#'));
    const auto equals = line.find('=');
    if (equals != std::string::npos)
      lines_[trimmed(line.substr(0, equals))] = trimmed(line.substr(equals + 1));
  }
}

std::optional<std::string> Description::text(const std::string& key) const {
  const auto found = lines_.find(key);
  return found == lines_.end() ? std::nullopt : std::optional(found->second);
}

unsigned long long Description::number(const std::string& key, unsigned long long otherwise) const {
  const auto found = text(key);
  return found ? to_number(*found) : otherwise;
}

std::optional<std::string> Description::of_gpu(unsigned gpu, const std::string& key) const {
  if (auto exact = text("gpu" + std::to_string(gpu) + "." + key)) return exact;
  return text("gpu*." + key);
}

std::optional<std::string> Description::of_link(unsigned gpu, unsigned link,
                                                const std::string& key) const {
  for (const std::string& g : {std::to_string(gpu), std::string("*")})
    for (const std::string& l : {std::to_string(link), std::string("*")})
      if (auto found = text("gpu" + g + ".link" + l + "." + key)) return found;
  return std::nullopt;
}

std::optional<std::string> Description::of_pair(unsigned a, unsigned b,
                                                const std::string& key) const {
  if (auto exact = text("pair" + std::to_string(a) + "-" + std::to_string(b) + "." + key))
    return exact;
  return text("pair*." + key);
}

int Description::error(const std::string& call) const {
  return static_cast<int>(number("error." + call, 0));
}

int Description::error(unsigned gpu, const std::string& call) const {
  const std::string own = "gpu" + std::to_string(gpu) + ".error.";
  if (const auto code = number(own + call, number(own + "*", 0)); code != 0)
    return static_cast<int>(code);
  return error(call);
}

}  // namespace fake_nvml
