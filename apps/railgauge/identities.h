// Whose secret replaces identities, and which names of this machine and its user are known.
#pragma once

#include <functional>

#include "apps/railgauge/verb.h"
#include "base/result.h"
#include "observe/recording.h"

namespace railgauge::app {

using Replacer = std::function<observe::Recording(const observe::Recording&)>;

// By --identity-key, or the key of this machine. Recordings that are replaced already stay as they
// are.
Result<Replacer> identity_replacer(const Arguments& arguments);

// By the options --keep-identities and --identity-key: the recording as it is, or with its
// identities replaced and the manifest saying so. The default key comes from /etc/machine-id, so
// that recordings of one machine can be compared over time.
Result<observe::Recording> treat_identities(const Arguments& arguments,
                                            observe::Recording recording);

// This machine has no id of its own: what is replaced now will be replaced otherwise next time.
bool key_is_for_once(const Arguments& arguments);

OptionSpec identity_key_option();

}  // namespace railgauge::app
