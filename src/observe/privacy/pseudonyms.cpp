#include "observe/privacy/pseudonyms.h"

#include <fmt/format.h>

#include "base/strings.h"
#include "observe/privacy/characters.h"
#include "observe/privacy/permutation.h"
#include "observe/privacy/vocabulary.h"

namespace railgauge::observe::privacy {
namespace {

bool has_upper_only(std::string_view text) {
  bool upper = false;
  for (const char c : text) {
    if (c >= 'a' && c <= 'z') return false;
    upper = upper || (c >= 'A' && c <= 'Z');
  }
  return upper;
}

std::string upper(std::string text) {
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return text;
}

}  // namespace

// Of 2^24 words two are rarely the same; then the later name takes its next one.
std::string Pseudonyms::word(const char* prefix, int bits, std::string_view name) {
  const auto [at, fresh] = words_.try_emplace({prefix, std::string(name)});
  if (!fresh) return at->second;
  for (int attempt = 0;; ++attempt) {
    const std::string seed = fmt::format("{} {}", attempt, name);
    const int wider = bits + 4 * (attempt / 16);  // when the short words run out
    const int used = wider > 64 ? 64 : wider;
    at->second = fmt::format("{}-{:0{}x}", prefix, keyed_.number(prefix, seed, used), used / 4);
    if (taken_.insert(at->second).second) return at->second;
  }
}

std::string Pseudonyms::of(NameKind kind, std::string_view name) {
  switch (kind) {
    case NameKind::host: {
      const auto dot = name.find('.');
      const bool whole = dot == std::string_view::npos || dot == 0 || dot + 1 == name.size();
      const std::string_view host = whole ? name : name.substr(0, dot);
      std::string out = word("host", 24, lower(host));
      if (has_upper_only(host)) out = upper(out);
      return whole ? out : out + "." + of(NameKind::domain, name.substr(dot + 1));
    }
    case NameKind::domain: {
      const std::string out = word("domain", 16, lower(name));
      return has_upper_only(name) ? upper(out) : out;
    }
    case NameKind::user: return word("user", 24, name);
    case NameKind::netdev: {
      const auto dot = name.rfind('.');
      const bool vlan = dot != std::string_view::npos && dot > 0 && name.size() - dot <= 5 &&
                        dot + 1 < name.size() && all_of_kind(name.substr(dot + 1), digit_character);
      if (!vlan) return word("net", 24, name);
      return word("net", 24, name.substr(0, dot)) + std::string(name.substr(dot));
    }
    case NameKind::rdma_device: return word("rdma", 24, name);
    case NameKind::serial: {
      const auto [at, fresh] = words_.try_emplace({"serial", std::string(name)});
      if (fresh) at->second = permute_characters(keyed_, "serial", name);
      return at->second;
    }
    case NameKind::process: return word("proc", 24, name);
    case NameKind::path: {
      const auto extension = known_extension(name);
      return word("dir", 24, name.substr(0, name.size() - extension.size())) +
             std::string(extension);
    }
  }
  return std::string(name);
}

}  // namespace railgauge::observe::privacy
