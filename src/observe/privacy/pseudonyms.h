// What stands for a name: "host-1a2b3c". The same name of one kind always gets the same; two
// names of one recording never share one.
//   Pseudonyms pseudonyms(keyed);
//   pseudonyms.of(NameKind::host, "node07")
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "observe/privacy/keyed.h"

namespace railgauge::observe::privacy {

// In the order in which a name that could be of two kinds is taken to be one.
enum class NameKind : std::uint8_t {
  host,
  domain,
  user,
  netdev,
  rdma_device,
  serial,
  process,
  path
};

class Pseudonyms {
 public:
  explicit Pseudonyms(const Keyed& keyed) : keyed_(keyed) {}

  // A host with its domain becomes "host-1a2b3c.domain-4d5e", a netdev keeps its VLAN, a path
  // component its extension, a serial number the kind of each character.
  std::string of(NameKind kind, std::string_view name);

 private:
  std::string word(const char* prefix, int bits, std::string_view name);

  const Keyed& keyed_;
  std::map<std::pair<std::string, std::string>, std::string> words_;  // by prefix and name
  std::set<std::string> taken_;
};

}  // namespace railgauge::observe::privacy
