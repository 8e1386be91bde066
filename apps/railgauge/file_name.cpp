#include "apps/railgauge/file_name.h"

#include <filesystem>

#include "base/strings.h"

namespace railgauge::app {
namespace {

constexpr const char* default_name = "%h-%t.tar.zst";

// A name from outside must not lead out of the directory the user chose.
std::string as_file_name(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       c == '-' || c == '_' || (c == '.' && !out.empty());
    out += plain ? c : '_';
  }
  return out.empty() ? "machine" : out;
}

std::string compact_time(std::string_view made_at) {
  std::string out;
  for (const char c : made_at)
    if (c != '-' && c != ':') out += c;
  return out;
}

Result<std::string> rank(const NameParts& parts) {
  for (const char* name : {"SLURM_PROCID", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "RANK"})
    if (const std::string value = parts.environment(name); !value.empty())
      return as_file_name(value);
  return fail(ErrorKind::usage,
              "--output: %r is the rank a launcher gives, and none of SLURM_PROCID, "
              "OMPI_COMM_WORLD_RANK, PMIX_RANK, PMI_RANK and RANK is set");
}

Result<std::string> expand(char letter, const NameParts& parts) {
  switch (letter) {
    case 'h': return as_file_name(parts.host);
    case 't': return as_file_name(compact_time(parts.made_at));
    case 'r': return rank(parts);
    case '%': return std::string("%");
    default: break;
  }
  return fail(ErrorKind::usage, "--output: %" + railgauge::quoted(std::string_view(&letter, 1)) +
                                    " stands for nothing; there are %h host, %r rank, %t time and "
                                    "%% for a percent sign");
}

}  // namespace

Result<std::string> recording_path(const std::string& pattern, const NameParts& parts) {
  std::string wanted = pattern;
  std::error_code ignored;
  if (wanted.empty())
    wanted = default_name;
  else if (wanted.ends_with('/') || std::filesystem::is_directory(wanted, ignored))
    wanted = (std::filesystem::path(wanted) / default_name).string();
  std::string out;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] != '%') {
      out += wanted[i];
      continue;
    }
    const auto text = expand(i + 1 < wanted.size() ? wanted[++i] : '\0', parts);
    if (!text) return text;
    out += *text;
  }
  return out;
}

}  // namespace railgauge::app
