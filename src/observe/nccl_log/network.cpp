// Networks and adapters:
//   NET/IB : Using [0]mlx5_0:1/IB/SHARP [1]mlx5_1:1/RoCE [RO]; OOB eth0:10.0.0.1<0>
//   NET/Socket : Using [0]eth0:10.0.0.1<0> [1]tunl0:10.0.1.0<0>
//   Using network IB
//   Bootstrap : Using eth0:10.0.0.1<0>          ([0]eth0:… before 2.12)
// Addresses of hosts are not kept.
#include <array>

#include "base/strings.h"
#include "observe/kernel_log/scan.h"
#include "observe/nccl_log/statements.h"

namespace railgauge::observe {
namespace {

constexpr std::array<std::string_view, 5> words{"Using [", "Using network ", "Bootstrap", "; OOB ",
                                                "in topo with pciPath="};
constexpr std::size_t nics_max = 1024;  // of one line

// "[3]mlx5_3:1/RoCE" or "[0]eth0:10.0.0.1<0>"; the number and what follows it.
std::optional<model::NcclNic> parse_nic(std::string_view word) {
  if (word.size() < 4 || word[0] != '[') return std::nullopt;
  const auto close = word.find(']');
  if (close == std::string_view::npos) return std::nullopt;
  const auto index = parse_int(word.substr(1, close - 1));
  const std::string_view rest = word.substr(close + 1);
  const auto colon = rest.find(':');
  if (!index || *index < 0 || *index > 65535 || colon == std::string_view::npos || colon == 0)
    return std::nullopt;
  model::NcclNic nic;
  nic.index = static_cast<int>(*index);
  nic.name = valid_utf8(rest.substr(0, colon));
  const std::string_view place = rest.substr(colon + 1);
  const auto slash = place.find('/');
  if (slash != std::string_view::npos && parse_int(place.substr(0, slash))) {
    nic.port = leading_int(place);
    nic.layer = valid_utf8(place.substr(slash + 1, 40));
  }
  return nic;
}

bool take_using(const NcclLine& line, RunBuilder& run) {
  const auto net = after(line.text, "NET/");
  const auto list = after(line.text, "Using ");
  if (!net || !list || line.text.substr(0, 4) != "NET/") return false;
  const std::string_view network = until(*net, " :");
  const std::string_view nics = list->substr(0, list->find(';'));
  std::size_t count = 0;
  for (const std::string_view word : split_blank(nics.substr(0, 65536))) {
    if (++count > nics_max) break;
    auto nic = parse_nic(word);
    if (!nic) continue;  // "[RO]", and a list that was cut
    nic->network = valid_utf8(network);
    nic->host = valid_utf8(line.host);
    nic->source = run.here(line);
    run.nic(std::move(*nic));
  }
  if (const auto oob = after(line.text, "OOB "))
    run.say(line, run.run.oob, event_text(until(*oob, ":")));
  return true;
}

// "ncclTopoPopulateNics : Filled mlx5_0 in topo with pciPath=/sys/devices/…/0000:22:00.0 keep=1"
bool take_path(const NcclLine& line, RunBuilder& run) {
  const auto name = after(line.text, "Filled ");
  const auto path = after(line.text, "pciPath=");
  if (!name || !path) return false;
  const std::string_view whole = until(*path, " ");
  const auto slash = whole.rfind('/');
  if (slash == std::string_view::npos) return true;  // "(null)": a virtual interface
  if (const auto address = leading_address(whole.substr(slash + 1)))
    run.nic_address(line, until(*name, " "), *address);
  return true;
}

bool take(const NcclLine& line, RunBuilder& run) {
  if (const auto network = after(line.text, "Using network ")) {
    run.say(line, run.run.network, event_text(*network));
    return true;
  }
  if (line.text.substr(0, 9) == "Bootstrap") {
    auto used = after(line.text, "Using ");
    if (!used) return false;
    if (const auto index = after(*used, "]"); index && used->front() == '[') used = index;
    run.say(line, run.run.oob, event_text(trim(until(*used, ":"))));
    return true;
  }
  return take_using(line, run) || take_path(line, run);
}

}  // namespace

Statement network_statement() { return {words, take}; }

}  // namespace railgauge::observe
