#include "observe/text/topo_legend.h"

#include "base/strings.h"
#include "observe/text/tokens.h"

namespace railgauge::observe {

TopoLegend read_legend(std::string_view plain) {
  TopoLegend legend;
  for (LineCursor lines(plain); lines.next();) {
    const std::string_view line = trim(lines.line());
    if (contains(line, "topo -p2p")) legend.command_asks_p2p = true;
    if (contains(line, "topo -mp")) legend.command_hides_nvlink = true;
    if (line.size() > 400) continue;
    const auto words = split_blank(line);
    if (words.size() >= 3 && words[1] == "=") {
      if (words[0] == "PIX") legend.names_pix = true;
      if (words[0] == "NV#") legend.names_nvlink = true;
      if (words[0] == "OK" || words[0] == "CNS" || words[0] == "GNS") legend.names_p2p = true;
    }
    if (words.size() == 2 && words[0].size() > 1 && words[0].back() == ':') {
      const auto label = parse_label(words[0].substr(0, words[0].size() - 1));
      if (label && label->kind == LabelKind::nic_number)
        legend.nics.push_back({label->text, std::string(words[1]), lines.number()});
    }
  }
  return legend;
}

}  // namespace railgauge::observe
