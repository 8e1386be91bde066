// The first pass: every name and address of a recording that is to be replaced.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "observe/privacy/address_writer.h"
#include "observe/privacy/fields.h"
#include "observe/privacy/identities.h"
#include "observe/privacy/word_table.h"

namespace railgauge::observe::privacy {

// A path as a text that fields are sought in: with the '/' that a recording leaves out.
std::string path_text(std::string_view path);

// Whether an entry is a text; others stay byte for byte.
bool is_text(const Entry& entry);

struct Collected {
  WordTable words;
  std::map<std::string_view, Fields> fields;  // by path of the entry, where there are any
};

// Addresses are learnt by the writer. The result refers to the recording's paths.
Collected collect(const Recording& recording, const KnownIdentities& known, AddressWriter& writer);

}  // namespace railgauge::observe::privacy
