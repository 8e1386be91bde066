#include "observe/nccl_log/run_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/characters.h"
#include "base/strings.h"
#include "observe/kernel_log/scan.h"

namespace railgauge::observe {
namespace {

// Of each kind of fact: sixteen thousand ranks with some connections each. More is counted.
constexpr std::size_t entries_max = 200'000;
constexpr std::size_t plugins_max = 64;

// Numbers after these tell what happened, and are kept apart.
constexpr std::array<std::string_view, 6> telling{"error ",   "status=", "status ",
                                                  "failure ", "ERR(",    "failure: "};

bool is_telling(std::string_view before) {
  return std::any_of(telling.begin(), telling.end(),
                     [&](std::string_view word) { return before.ends_with(word); });
}

// The same warning with other numbers is the same: addresses, sizes, ranks, pointers, names that
// were made up. A word that holds a digit is a number.
std::string without_numbers(std::string_view text) {
  text = text.substr(0, 1024);
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    bool digit = false;
    while (end < text.size() && (is_digit(text[end]) || is_letter(text[end])))
      digit = is_digit(text[end++]) || digit;
    if (end == i) {
      out += text[i++];
      continue;
    }
    if (digit && !is_telling(text.substr(0, i)))
      out += '#';
    else
      out += text.substr(i, end - i);
    i = end;
  }
  return out;
}

std::uint64_t step_key(int channel, int rank) {
  return std::uint64_t{static_cast<std::uint32_t>(channel)} << 32 |
         static_cast<std::uint32_t>(rank);
}

}  // namespace

RunBuilder::RunBuilder(const std::string& source_name) {
  source_ = machine.sources.add(source_name, model::Trust::tool);
  run.name = source_name;
  run.source = source_;
}

bool RunBuilder::room(std::size_t entries) {
  if (entries < entries_max) return true;
  ++dropped_;
  return false;
}

model::NcclRank& RunBuilder::rank(const NcclLine& line, int device) {
  const auto [place, added] = ranks_.try_emplace(
      {std::string(line.host), line.process_id.value_or(-1), device}, run.ranks.size());
  if (!added) return run.ranks[place->second];
  if (!room(run.ranks.size())) {
    ranks_.erase(place);
    return run.ranks.back();
  }
  model::NcclRank& out = run.ranks.emplace_back();
  out.host = valid_utf8(line.host);
  out.process_id = line.process_id;
  out.device = device;
  out.source = here(line);
  return out;
}

void RunBuilder::nic(model::NcclNic nic) {
  if (!room(run.nics.size())) return;
  if (nics_.insert({nic.host, nic.network, nic.index}).second) run.nics.push_back(std::move(nic));
}

void RunBuilder::gdr(model::NcclGdr gdr) {
  if (!room(run.gdr.size())) return;
  const auto [place, added] = gdr_.try_emplace(
      {gdr.network, gdr.nic, gdr.gpu, gdr.enabled, gdr.distance.value_or(-1)}, run.gdr.size());
  if (added)
    run.gdr.push_back(std::move(gdr));
  else
    ++run.gdr[place->second].count;
}

// Where the words of a way are kept; a log has few, and lines next to each other the same.
std::optional<std::size_t> RunBuilder::place_of(std::string_view via) {
  constexpr std::size_t vias_max = 4096;
  if (last_via_ < vias_.size() && vias_[last_via_] == via) return last_via_;
  const auto found = std::find(vias_.begin(), vias_.end(), via);
  last_via_ = static_cast<std::size_t>(found - vias_.begin());
  if (found != vias_.end()) return last_via_;
  if (vias_.size() >= vias_max) {
    ++dropped_;
    return std::nullopt;
  }
  vias_.emplace_back(via);
  return last_via_;
}

void RunBuilder::connection(const NcclLine& line, const Way& way) {
  const auto via = place_of(way.via);
  if (!via) return;
  constexpr unsigned rank_bits = 22;  // ranks are at most 2^20; the key is not 0
  const std::uint64_t key = std::uint64_t{static_cast<std::uint32_t>(way.from + 1)} |
                            std::uint64_t{static_cast<std::uint32_t>(way.to + 1)} << rank_bits |
                            (std::uint64_t{*via} * 3 + (way.direction == 's'   ? 1u
                                                        : way.direction == 'r' ? 2u
                                                                               : 0u))
                                << 2 * rank_bits;
  if (std::uint64_t* count = connections_.find(key)) {
    ++*count;
    return;
  }
  if (!room(run.connections.size())) return;
  connections_.add(key, 1);
  connection_keys_.push_back(key);
  const char* direction = way.direction == 's' ? "send" : way.direction == 'r' ? "receive" : "";
  run.connections.push_back({way.from, way.to, event_text(way.via), direction, 0, here(line)});
}

void RunBuilder::ring(int channel, std::vector<int> ranks) {
  if (!rings_.insert(channel).second || !room(run.rings.size())) return;
  if (static_cast<std::size_t>(channel) == run.rings.size()) run.rings.push_back(std::move(ranks));
}

void RunBuilder::ring_step(const model::NcclRingStep& step) {
  if (ring_steps_.size() < entries_max &&
      !ring_steps_.insert(step_key(step.channel, step.rank)).second)
    return;
  if (room(run.ring_steps.size())) run.ring_steps.push_back(step);
}

void RunBuilder::tree_step(model::NcclTreeStep step) {
  if (tree_steps_.size() < entries_max &&
      !tree_steps_.insert(step_key(step.channel, step.rank)).second)
    return;
  if (room(run.tree_steps.size())) run.tree_steps.push_back(std::move(step));
}

void RunBuilder::warning(const NcclLine& line) {
  std::string key = std::string(line.file) + "\n" + without_numbers(line.text);
  const auto found = warnings_.find(key);
  if (found != warnings_.end()) {
    ++run.warnings[found->second].count;
    return;
  }
  if (!room(run.warnings.size() * 20)) return;
  warnings_.emplace(std::move(key), run.warnings.size());
  run.warnings.push_back({valid_utf8(line.file), line.file_line, event_text(line.text), 1,
                          here(line), !line.warning, valid_utf8(line.host), line.device});
}

void RunBuilder::variable(const NcclLine& line, std::string_view name, std::string_view value) {
  if (!room(machine.variables.size())) return;
  const std::string text = event_text(value);
  if (variables_.insert({std::string(name), text}).second)
    machine.variables.push_back({std::string(name), text, here(line)});
}

void RunBuilder::plugin(std::string_view name) {
  const std::string text = event_text(name.substr(0, 80));
  if (!text.empty() && run.plugins.size() < plugins_max &&
      std::find(run.plugins.begin(), run.plugins.end(), text) == run.plugins.end())
    run.plugins.push_back(text);
}

void RunBuilder::plugin_missing(std::string_view name) {
  const std::string text = event_text(name.substr(0, 80));
  if (!text.empty() && run.plugins_missing.size() < plugins_max &&
      std::find(run.plugins_missing.begin(), run.plugins_missing.end(), text) ==
          run.plugins_missing.end())
    run.plugins_missing.push_back(text);
}

void RunBuilder::path(model::NcclTopologyPath path) {
  if (!room(run.paths.size())) return;
  if (paths_.insert({path.a, path.b}).second) run.paths.push_back(std::move(path));
}

void RunBuilder::nic_address(const NcclLine& line, std::string_view name,
                             const model::PciAddress& address) {
  if (room(nic_addresses_.size()))
    nic_addresses_.try_emplace({valid_utf8(line.host), std::string(name)}, address);
}

void RunBuilder::two_masks(const NcclLine& line, const std::string& first,
                           const std::string& second) {
  constexpr std::uint64_t told_max = 16;
  if (++two_masks_ > told_max) return;
  machine.remark(
      model::RemarkLevel::note,
      fmt::format("one GPU has the CPU masks {} and {}, of two runs perhaps", first, second),
      here(line));
}

void RunBuilder::gpu_attribute(const model::PciAddress& address, model::Attribute attribute) {
  constexpr std::size_t attributes_max = 8;
  if (!room(gpu_attributes_.size())) return;
  auto& all = gpu_attributes_[address];
  if (all.size() < attributes_max &&
      std::none_of(all.begin(), all.end(), [&](const model::Attribute& known) {
        return known.key == attribute.key && known.value == attribute.value;
      }))
    all.push_back(std::move(attribute));
}

void RunBuilder::not_understood(const NcclLine& line) {
  if (not_understood_++ > 0) return;
  not_understood_first_ = here(line);
  not_understood_text_ = railgauge::quoted(line.text, 120);
}

// The adapters of the host whose GPUs are devices. Sockets are no devices: most are virtual.
void RunBuilder::add_nics(const std::string& host) {
  std::map<std::string, model::DeviceId> by_name;
  for (const model::NcclNic& nic : run.nics) {
    if (nic.host != host || nic.layer.empty()) continue;
    const auto [place, added] = by_name.try_emplace(nic.name);
    if (added) {
      place->second = machine.add(model::DeviceKind::nic, nic.source);
      model::Device& device = machine[place->second];
      device.nic->rdma_device.claim(nic.name, nic.source);
      const auto address = nic_addresses_.find({host, nic.name});
      if (address != nic_addresses_.end()) device.address.claim(address->second, nic.source);
    }
    model::NicPort port;
    port.number = nic.port.value_or(1);
    const std::string_view layer = until(nic.layer, "/");
    port.link_layer.claim(layer == "IB" ? "InfiniBand" : "Ethernet", nic.source);
    machine[place->second].nic->ports.push_back(std::move(port));
  }
}

void RunBuilder::add_devices() {
  std::set<std::string> hosts;
  for (const model::NcclRank& rank : run.ranks) hosts.insert(rank.host);
  for (const model::NcclNic& nic : run.nics) hosts.insert(nic.host);
  std::string host;
  if (!run.ranks.empty())
    host = run.ranks.front().host;
  else if (!run.nics.empty())
    host = run.nics.front().host;
  std::set<model::PciAddress> known;
  for (const model::NcclRank& rank : run.ranks) {
    if (rank.host != host || !rank.address || !known.insert(*rank.address).second) continue;
    model::Device& device = machine[machine.add(model::DeviceKind::gpu, rank.source)];
    device.address.claim(*rank.address, rank.source);
    const auto attributes = gpu_attributes_.find(*rank.address);
    if (attributes != gpu_attributes_.end()) device.attributes = attributes->second;
    if (rank.nvml_device) device.index.claim(*rank.nvml_device, rank.source);
    if (rank.rank) device.gpu->rank.claim(*rank.rank, rank.source);
    if (rank.device) device.gpu->nccl_device.claim(*rank.device, rank.source);
  }
  add_nics(host);
  if (!host.empty()) machine.host.hostname.claim(host, source_);
  if (hosts.size() > 1)
    machine.remark(model::RemarkLevel::note,
                   fmt::format("a job on {} hosts; the devices are those of {}", hosts.size(),
                               railgauge::quoted(host)),
                   source_);
}

void RunBuilder::remark_bounds() {
  const auto tell = [&](model::RemarkLevel level, std::uint64_t count, std::string_view words) {
    if (count > 0) machine.remark(level, fmt::format("{}: {}", words, count), source_);
  };
  tell(model::RemarkLevel::note, mixed_,
       "lines that hold several messages, which are read one by one");
  tell(model::RemarkLevel::note, joined_,
       "lines that were cut and are read with the line after them");
  tell(model::RemarkLevel::warning, too_long_, "lines longer than 1 MiB, which are not read");
  if (not_understood_ > 0)
    machine.remark(model::RemarkLevel::warning,
                   fmt::format("{} lines start like ones we read and go on otherwise, such as {}",
                               not_understood_, not_understood_text_),
                   not_understood_first_);
  if (dropped_ > 0)
    machine.remark(model::RemarkLevel::warning,
                   fmt::format("{} lines with facts over the bound of {} of a kind are not kept",
                               dropped_, entries_max),
                   source_);
}

model::Machine RunBuilder::finish() {
  std::stable_sort(run.ranks.begin(), run.ranks.end(),
                   [](const model::NcclRank& a, const model::NcclRank& b) {
                     if (a.rank.has_value() != b.rank.has_value()) return a.rank.has_value();
                     return a.rank && *a.rank < *b.rank;
                   });
  for (std::size_t i = 0; i < run.connections.size(); ++i)
    run.connections[i].channels = *connections_.find(connection_keys_[i]);
  add_devices();
  remark_bounds();
  machine.nccl_runs.push_back(std::move(run));
  return std::move(machine);
}

}  // namespace railgauge::observe
