#include "observe/live_parts.h"

#include "observe/record/samples.h"
#include "observe/sources.h"

namespace railgauge::observe {
namespace {

using Clock = std::chrono::steady_clock;

std::chrono::microseconds since(Clock::time_point start) {
  return std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - start);
}

}  // namespace

std::vector<LivePart> read_live_parts(const Recording& recording) {
  std::vector<LivePart> parts;
  std::vector<std::pair<const LiveSource*, std::size_t>> counting;
  for (const LiveSource& source : live_sources()) {
    if (!source.present(recording)) continue;
    const auto start = Clock::now();
    parts.push_back({source.name, source.read(recording), {}});
    parts.back().time = since(start);
    if (source.sample != nullptr && parts.back().machine)
      counting.emplace_back(&source, parts.size() - 1);
  }
  std::vector<std::string> remarks;
  for (const SampleAt& sample : samples_of(recording, remarks)) {
    const Recording over = overlaid(recording, sample);
    for (const auto& [source, place] : counting) {
      const auto start = Clock::now();
      if (const auto later = source->read(over))
        add_later(*parts[place].machine, *later, sample.after_seconds);
      parts[place].time += since(start);
    }
  }
  for (const std::string& remark : remarks) {
    if (parts.empty() || !parts.front().machine) break;
    model::Machine& machine = *parts.front().machine;
    machine.remark(model::RemarkLevel::warning, remark,
                   machine.sources.add(recording.name, model::Trust::tool));
  }
  return parts;
}

std::optional<model::Taken> taken_of(const Recording& recording) {
  const Manifest& manifest = recording.manifest;
  if (manifest.made_at.empty() && manifest.tool_version.empty()) return std::nullopt;
  model::Taken taken{manifest.made_at,      manifest.tool_version,
                     manifest.as_root,      manifest.identities_replaced,
                     manifest.identity_key, {}};
  std::vector<std::string> remarks;
  for (const SampleAt& sample : samples_of(recording, remarks))
    taken.sample_seconds.push_back(sample.after_seconds);
  return taken;
}

}  // namespace railgauge::observe
