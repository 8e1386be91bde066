#include "observe/system/host_text.h"

#include "observe/text/tokens.h"

namespace railgauge::observe {

bool holds_host_text(HostText text, std::string_view bytes) {
  model::Machine scratch;
  return text(pasted_text(bytes), {}, scratch);
}

Result<model::Machine> read_host_text(HostText text, const Input& input) {
  model::Machine machine;
  machine.name = input.name;
  const auto source = machine.sources.add(input.name, model::Trust::tool);
  if (!text(pasted_text(input.bytes), source, machine))
    return fail(ErrorKind::input, input.name + ": no line of this kind");
  return machine;
}

}  // namespace railgauge::observe
