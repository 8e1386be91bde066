// Where results go: standard output or --output FILE, whole or with an error that says why not.
#pragma once

#include <string>
#include <string_view>

#include "apps/railgauge/exit.h"
#include "apps/railgauge/verb.h"
#include "base/result.h"
#include "present/present.h"

namespace railgauge::app {

// Exit::done, or Exit::could_not after saying why on standard error (disk full, closed pipe, no
// permission).
Exit write_result(const Arguments& arguments, std::string_view text);

// Standard output for "-" and "", a device or pipe as it is, a file whole or not at all.
Result<void> write_to(const std::string& path, std::string_view bytes);

// A result on standard output, whatever --output means to the verb.
Exit print_result(std::string_view text);

// Colour, character set and width for this standard output.
present::Style style_for(const Arguments& arguments);

// One line on standard error, unless --quiet.
void hint(const Arguments& arguments, std::string_view text);
// One word for a shell, quoted where it needs to be.
std::string shell_word(const std::string& text);
void say_error(std::string_view text);

}  // namespace railgauge::app
