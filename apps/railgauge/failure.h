// How a verb that shows a document says that it could not.
#pragma once

#include <string>

#include "apps/railgauge/exit.h"
#include "apps/railgauge/verb.h"
#include "base/error.h"

namespace railgauge::app {

// --json or --format json.
bool wants_json(const Arguments& arguments);

// The error on standard error, and as the one document where JSON is wanted. Exit::could_not.
Exit report_error(const std::string& schema, const Arguments& arguments, const Error& error);

}  // namespace railgauge::app
