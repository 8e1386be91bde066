#include "observe/nccl_xml/other_xml.h"

#include <fmt/format.h>

#include "base/strings.h"
#include "observe/hwloc/hwloc_xml.h"
#include "observe/nccl_xml/bounded_xml.h"
#include "observe/nccl_xml/nccl_graph_xml.h"
#include "observe/nccl_xml/nccl_topo_xml.h"
#include "observe/nvidia_smi/query_xml.h"

namespace railgauge::observe {
namespace {

std::string what_it_is(std::string_view root) {
  if (root == "html") return "this is an HTML page, not a topology";
  return fmt::format("XML with the root <{}>, which no reader knows",
                     valid_utf8(root.substr(0, 60)));
}

}  // namespace

bool looks_like_other_xml(std::string_view bytes) {
  return root_name(bytes) && !looks_like_nccl_topo_xml(bytes) &&
         !looks_like_nccl_graph_xml(bytes) && !looks_like_hwloc_xml(bytes) &&
         !looks_like_smi_xml(bytes);
}

Result<model::Machine> read_other_xml(const Input& input) {
  const auto root = root_name(input.bytes);
  if (!root) return fail(ErrorKind::input, input.name + ": no XML element found");
  if (contains(std::string_view(input.bytes), "<!ENTITY"))
    return fail(ErrorKind::input, input.name + " declares XML entities: refused");
  return fail(ErrorKind::input,
              input.name + ": " + what_it_is(*root) +
                  "; readable are NCCL topology files, hwloc's XML and nvidia-smi -q -x");
}

}  // namespace railgauge::observe
