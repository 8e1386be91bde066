#include "apps/railgauge/failure.h"

#include "apps/railgauge/envelope.h"
#include "apps/railgauge/output.h"

namespace railgauge::app {

bool wants_json(const Arguments& arguments) {
  return arguments.has("json") || arguments.value("format") == "json";
}

Exit report_error(const std::string& schema, const Arguments& arguments, const Error& error) {
  if (wants_json(arguments)) write_result(arguments, error_envelope(schema, arguments, error));
  say_error(error.text());
  return Exit::could_not;
}

}  // namespace railgauge::app
