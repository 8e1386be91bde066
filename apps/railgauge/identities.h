// Whose secret replaces identities, and which names of this machine and its user are known.
#pragma once

#include "apps/railgauge/verb.h"
#include "base/result.h"
#include "observe/recording.h"

namespace railgauge::app {

// By the options --keep-identities and --identity-key: the recording as it is, or with its
// identities replaced and the manifest saying so. The default key comes from /etc/machine-id, so
// that recordings of one machine can be compared over time.
Result<observe::Recording> treat_identities(const Arguments& arguments,
                                            observe::Recording recording);

std::vector<OptionSpec> identity_options();

}  // namespace railgauge::app
