// Takes the identities out of a recording and keeps its meaning: equal values are replaced by equal
// ones of the same form, and what follows from one another still does (a MAC address and the GUID
// made of it, addresses of one subnet, a name in a path and in a text).
//   const auto key = identity_key(secret);
//   const Recording shared = replace_identities(recording, key, {{"node07"}, {"alice"}});
// One key gives one machine the same replacements each time, so its recordings can be compared; no
// one without the key can take them back. What is replaced: docs/design/0002-recording.md, Privacy.
// Never fails and never prints. Bytes with a NUL (configuration space) stay as they are.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "observe/recording.h"

namespace railgauge::observe {

// Secret: whoever has it can find out by trying what was replaced. Never written anywhere.
struct IdentityKey {
  std::string bytes;
};

// From a secret of any length: the contents of /etc/machine-id, which stay the same and cannot be
// guessed, or of a key file that a whole fleet shares.
IdentityKey identity_key(std::string_view secret);

// Eight hex digits that tell whether two recordings were replaced with the same key.
std::string key_name(const IdentityKey& key);

// What the recorder knows beside the recording's own contents.
struct KnownIdentities {
  std::vector<std::string> hostnames;
  std::vector<std::string> user_names;
};

// Replaces in contents, paths, targets of links, reasons of refusals, the recording's name and
// manifest.hostname.
Recording replace_identities(const Recording& recording, const IdentityKey& key,
                             const KnownIdentities& known);

}  // namespace railgauge::observe
