// Whether adapters reach GPU memory by themselves:
//   NET/IB : GPU Direct RDMA Enabled for HCA 0 'mlx5_0'
//   GPU Direct RDMA Disabled for GPU ca000 / HCA 0 (distance 7 > 4)
//   NET/Socket : GPU Direct RDMA Disabled for HCA 0 'eth0'
#include <array>

#include "base/strings.h"
#include "observe/kernel_log/scan.h"
#include "observe/nccl_log/statements.h"

namespace railgauge::observe {
namespace {

constexpr std::array<std::string_view, 1> words{"GPU Direct RDMA "};

bool take(const NcclLine& line, RunBuilder& run) {
  const auto said = after(line.text, "GPU Direct RDMA ");
  if (!said) return false;
  model::NcclGdr gdr;
  gdr.enabled = contains(*said, "Enabled");
  if (!gdr.enabled && !contains(*said, "Disabled")) {
    run.cut(line);
    return false;
  }
  if (line.text.substr(0, 4) == "NET/") gdr.network = valid_utf8(until(line.text.substr(4), " :"));
  if (const auto gpu = after(*said, "for GPU ")) gdr.gpu = event_text(until(*gpu, " "));
  if (const auto hca = after(*said, "HCA ")) {
    const auto name = after(*hca, "'");
    gdr.nic =
        event_text(name ? std::string(until(*name, "'")) : "HCA " + std::string(until(*hca, " ")));
  }
  if (const auto distance = after(*said, "(distance ")) {
    gdr.distance = leading_int(*distance);
    const auto at = distance->find_first_of("<>");
    if (at != std::string_view::npos) {
      const auto digits = distance->find_first_of("0123456789", at);
      if (digits != std::string_view::npos)
        gdr.distance_allowed = leading_int(distance->substr(digits));
    }
  }
  gdr.source = run.here(line);
  run.gdr(std::move(gdr));
  return true;
}

}  // namespace

Statement gdr_statement() { return {words, take}; }

}  // namespace railgauge::observe
