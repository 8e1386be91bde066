#include "observe/observe.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"
#include "base/units.h"
#include "model/settle.h"
#include "observe/archive/plain_text.h"
#include "observe/inputs.h"
#include "observe/join/join.h"
#include "observe/live_parts.h"
#include "observe/names.h"
#include "observe/read_text.h"
#include "observe/record/capture.h"

namespace railgauge::observe {
namespace {

using Clock = std::chrono::steady_clock;

class Stopwatch {
 public:
  std::chrono::microseconds lap() {
    const auto now = Clock::now();
    return std::chrono::duration_cast<std::chrono::microseconds>(now - std::exchange(start_, now));
  }

 private:
  Clock::time_point start_ = Clock::now();
};

model::Machine settled(std::vector<model::Machine> parts, const std::string& name,
                       const Knowledge& knowledge, AskedNames& asked) {
  model::Machine machine = join(std::move(parts));
  machine.name = name;
  name_devices(machine, knowledge.catalogue, asked);
  model::settle(machine, knowledge.catalogue);
  return machine;
}

std::string name_of(const std::vector<std::string>& names) {
  return names.size() <= 2 ? names.size() == 1 ? names[0] : names[0] + " + " + names[1]
                           : fmt::format("{} and {} more", names[0], names.size() - 1);
}

std::string not_a_file(const Entry* entry) {
  if (entry == nullptr) return "a directory: passed over";
  return entry->kind == Entry::Kind::link
             ? "a link to " + railgauge::quoted(entry->bytes) + ": passed over"
             : "not readable: " + std::string(entry->bytes);
}

// What lies in a directory or an archive is not what the user asked for by name, and may be
// anything.
bool named_by_user(const Input& text, const std::vector<std::string>& inputs) {
  return text.name == "standard input" ||
         std::find(inputs.begin(), inputs.end(), text.name) != inputs.end();
}

Result<Observed> read_machine(const Recording& recording, const Knowledge& knowledge,
                              AskedNames& asked) {
  Observed observed;
  std::vector<model::Machine> parts;
  std::vector<Error> errors;
  Stopwatch watch;
  const auto take = [&](Result<model::Machine> part, const std::string& source) {
    if (part) {
      if (part->name.empty()) part->name = source;
      parts.push_back(std::move(*part));
    } else {
      errors.push_back(
          std::move(part.error()).because("reading " + source + " of " + recording.name));
    }
  };
  for (LivePart& part : read_live_parts(recording)) {
    observed.times.push_back({part.source, part.time});
    take(std::move(part.machine), part.source);
  }
  watch.lap();
  for (const std::string& name : recording.list("inputs")) {
    const Entry* entry = recording.find("inputs/" + name);
    if (entry == nullptr || entry->kind != Entry::Kind::file) {
      errors.push_back({ErrorKind::input,
                        "inputs/" + name + " of " + recording.name + " is " + not_a_file(entry),
                        {}});
      continue;
    }
    auto texts = read_text({"inputs/" + name, std::string(entry->bytes)});
    observed.times.push_back({name, watch.lap()});
    if (texts)
      std::move(texts->parts.begin(), texts->parts.end(), std::back_inserter(parts));
    else
      errors.push_back(std::move(texts.error()));
  }
  if (parts.empty() && errors.empty())
    return fail(ErrorKind::input,
                recording.name +
                    " is a recording without anything about devices: it has no sys/, "
                    "nvml.json, hwloc.xml or inputs/");
  if (parts.empty()) return tl::unexpected(std::move(errors.front()));
  const std::string name =
      recording.manifest.hostname.empty() ? recording.name : recording.manifest.hostname;
  for (const Error& error : errors) {
    const auto here = parts.front().sources.add(recording.name, model::Trust::tool);
    parts.front().remark(model::RemarkLevel::error, error.text(), here);
  }
  observed.machines.push_back(settled(std::move(parts), name, knowledge, asked));
  observed.machines.back().taken = taken_of(recording);
  observed.times.push_back({"join", watch.lap()});
  return observed;
}

Result<Observed> machine(const Recording& recording, const Knowledge& knowledge,
                         AskedNames& asked) {
  if (knowledge.prepare) return read_machine(knowledge.prepare(recording), knowledge, asked);
  return read_machine(recording, knowledge, asked);
}

// Loose texts go through the same preparation as if they lay in one recording.
void prepare_texts(std::vector<Input>& texts, const Knowledge& knowledge) {
  if (!knowledge.prepare || texts.empty()) return;
  Recording together;
  const auto path = [](std::size_t i) { return fmt::format("inputs/{:06}.txt", i); };
  for (std::size_t i = 0; i < texts.size(); ++i) together.add_file(path(i), texts[i].bytes);
  const Recording prepared = knowledge.prepare(together);
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (const Entry* entry = prepared.find(path(i))) texts[i].bytes = entry->bytes;
}

// The texts together, and what was read of long ones already, are one machine.
Result<void> visit_texts(std::vector<Input>& texts, std::vector<model::Machine> parts,
                         const std::vector<std::string>& inputs, const Knowledge& knowledge,
                         const MachineVisitor& visitor, bool alone, AskedNames& asked,
                         Visited& visited) {
  Stopwatch watch;
  std::vector<Error> passed_over;
  std::vector<std::string> names;
  for (const model::Machine& part : parts)
    if (names.empty() || names.back() != part.name) names.push_back(part.name);
  for (const Input& text : texts) names.push_back(text.name);
  prepare_texts(texts, knowledge);
  for (const Input& text : texts) {
    auto read = read_text(text);
    if (!read) {
      if (named_by_user(text, inputs)) return tl::unexpected(std::move(read.error()));
      passed_over.push_back(std::move(read.error()));
      continue;
    }
    std::move(read->parts.begin(), read->parts.end(), std::back_inserter(parts));
    std::move(read->kinds.begin(), read->kinds.end(), std::back_inserter(visited.text_kinds));
    visited.times.push_back({text.name, watch.lap()});
  }
  if (parts.empty() && alone && !passed_over.empty())
    return tl::unexpected(std::move(passed_over.front()));
  for (const Error& error : passed_over) visited.passed_over.push_back(error.text());
  if (parts.empty()) return {};
  visitor.take(settled(std::move(parts), name_of(names), knowledge, asked), "");
  visited.times.push_back({"join", watch.lap()});
  return {};
}

// One line per source, however many machines there were.
void add_times(std::vector<SourceTime>& sum, const std::vector<SourceTime>& more) {
  for (const SourceTime& one : more) {
    const auto same = std::find_if(sum.begin(), sum.end(),
                                   [&](const SourceTime& s) { return s.source == one.source; });
    if (same == sum.end())
      sum.push_back(one);
    else
      same->time += one.time;
  }
}

}  // namespace

Result<Observed> machine(const Recording& recording, const Knowledge& knowledge) {
  AskedNames asked(knowledge.pci_ids);
  return machine(recording, knowledge, asked);
}

Result<Visited> visit_machines(const std::vector<std::string>& inputs, const Knowledge& knowledge,
                               const MachineVisitor& visitor) {
  Stopwatch watch;
  Visited visited;
  std::vector<Error> errors;
  AskedNames asked(knowledge.pci_ids);
  std::size_t recordings = 0;
  std::chrono::microseconds reading{};
  const auto take = [&](const Recording& recording, const std::string& input) {
    Stopwatch one_watch;
    auto one = machine(recording, knowledge, asked);
    if (one) {
      ++recordings;
      add_times(visited.times, one->times);
      visitor.take(std::move(one->machines.front()), input);
    } else {
      errors.push_back(std::move(one.error()));
    }
    reading += one_watch.lap();
  };
  // What is prepared, its identities replaced for one, has to be held.
  const InputBounds bounds{.long_logs = !knowledge.prepare};
  auto loaded = visit_inputs(inputs, 0, {take, visitor.progress}, bounds);
  if (!loaded) return tl::unexpected(std::move(loaded.error()));
  visited.times.insert(visited.times.begin(), {"load", watch.lap() - reading});
  const bool alone = recordings == 0 && errors.empty();
  if (auto read = visit_texts(loaded->texts, std::move(loaded->parts), inputs, knowledge, visitor,
                              alone, asked, visited);
      !read)
    return tl::unexpected(std::move(read.error()));
  if (recordings == 0 && !errors.empty()) return tl::unexpected(std::move(errors.front()));
  for (const Error& error : errors) visited.passed_over.push_back(error.text());
  std::move(loaded->passed_over.begin(), loaded->passed_over.end(),
            std::back_inserter(visited.passed_over));
  return visited;
}

Result<Observed> machines(const std::vector<std::string>& inputs, const Knowledge& knowledge) {
  Observed observed;
  const MachineVisitor keep{[&](model::Machine machine, const std::string&) {
                              observed.machines.push_back(std::move(machine));
                            },
                            {}};
  auto visited = visit_machines(inputs, knowledge, keep);
  if (!visited) return tl::unexpected(std::move(visited.error()));
  observed.passed_over = std::move(visited->passed_over);
  observed.times = std::move(visited->times);
  observed.text_kinds = std::move(visited->text_kinds);
  return observed;
}

Result<Observed> live_machine(const Root& root, const Knowledge& knowledge) {
  const Captured captured = capture(root, {});
  auto observed = machine(captured.recording, knowledge);
  if (!observed) return observed;
  std::vector<SourceTime> times;
  for (const SourceFigures& source : captured.sources)
    times.push_back({"capture " + source.source, source.time});
  observed->times.insert(observed->times.begin(), times.begin(), times.end());
  return observed;
}

}  // namespace railgauge::observe
