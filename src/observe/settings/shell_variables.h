// The variables of a script while it is read, and words with them filled in.
//   ShellVariables variables;
//   variables.set("IFACE", "eth0");
//   variables.expand("=$IFACE")            // "=eth0"
//   variables.expand("${LEVEL:-INFO}")     // "INFO": what holds when nobody set it before
//   variables.expand("$HOSTNAME")          // "$HOSTNAME": only the machine knows
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace railgauge::observe {

class ShellVariables {
 public:
  void set(std::string_view name, std::string value);  // a value that is not whole is forgotten
  void forget(std::string_view name);
  std::string expand(std::string_view word) const;  // a dollar sign is left where it is unknown

 private:
  const std::string* find(std::string_view name) const;
  std::string braced(std::string_view inside) const;

  std::map<std::string, std::string, std::less<>> values_;
};

}  // namespace railgauge::observe
