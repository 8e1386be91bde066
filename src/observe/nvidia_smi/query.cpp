#include "observe/nvidia_smi/query.h"

#include <fmt/format.h>

#include <vector>

#include "observe/nvidia_smi/keys.h"
#include "observe/nvidia_smi/sections.h"
#include "observe/text/tokens.h"

namespace railgauge::observe {
namespace nvidia_smi {
namespace {

using Place = SmiSections::Place;

class QueryReading {
 public:
  explicit QueryReading(const Input& input) : machine_(input) {}

  void read(std::string_view text) {
    for (SmiSections lines(text); lines.next();) {
      if (lines.opens_gpu()) {
        gpu_ = machine_.at_address(lines.gpu(), lines.line());
        if (gpu_ && machine_.first_time(*gpu_, block_seen)) order_.push_back(*gpu_);
      } else if (lines.place() == Place::gpu) {
        value_of_gpu(lines);
      } else {
        other_value(lines);
      }
    }
  }

  bool found() const { return taken_ > 0; }

  model::Machine finish() {
    number_gpus();
    if (stray_ > 0)
      machine_.warn(first_stray_line_,
                    fmt::format("{} before any line \"GPU <address>\": {} is not known",
                                counted(stray_, "value stands", "values stand"),
                                stray_ == 1 ? "whose it is" : "whose they are"));
    return machine_.finish();
  }

 private:
  static constexpr std::uint32_t block_seen = 0xffff;  // beyond any key's number

  void value_of_gpu(const SmiSections& lines) {
    if (lines.path().starts_with("processes")) return;
    const SmiKey* key = keys_.find(lines.path());
    if (key == nullptr) return;
    ++taken_;
    if (gpu_) machine_.take(*gpu_, *key, lines.value(), lines.line());
  }

  void other_value(const SmiSections& lines) {
    if (lines.place() == Place::head) {
      if (take_host(machine_, lines.key(), lines.value(), lines.line())) return;
      if (equal_nocase(lines.key(), "Attached GPUs")) attached_ = as_int(lines.value());
    }
    // Indented, and a key that the blocks of GPUs have: a block whose first line was cut off.
    if (lines.indent() < 4 || keys_.find(lines.path()) == nullptr) return;
    if (stray_++ == 0) first_stray_line_ = lines.line();
  }

  // Blocks come in the order of the driver's indexes; only a whole list says which index each has.
  void number_gpus() {
    if (!attached_ || *attached_ < 0 || static_cast<std::size_t>(*attached_) != order_.size())
      return;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const std::uint32_t line = machine_.machine[order_[i]].seen_in.line;
      machine_.machine[order_[i]].index.claim(static_cast<int>(i),
                                              machine_.at(line, model::Trust::inferred));
    }
  }

  KeyIndex keys_{&SmiKey::text};
  SmiMachine machine_;
  std::optional<model::DeviceId> gpu_;
  std::vector<model::DeviceId> order_;
  std::optional<int> attached_;
  std::size_t taken_ = 0;
  std::size_t stray_ = 0;
  std::uint32_t first_stray_line_ = 0;
};

}  // namespace
}  // namespace nvidia_smi

bool looks_like_smi_query(std::string_view bytes) {
  if (!contains(bytes, "GPU ")) return false;  // cheap, before the text is copied
  const nvidia_smi::KeyIndex keys(&nvidia_smi::SmiKey::text);
  const std::string text = pasted_text(bytes);
  for (nvidia_smi::SmiSections lines(text); lines.next();)
    if (!lines.opens_gpu() && lines.place() == nvidia_smi::SmiSections::Place::gpu &&
        !lines.path().starts_with("processes") && keys.find(lines.path()) != nullptr)
      return true;
  return false;
}

Result<model::Machine> read_smi_query(const Input& input) {
  const std::string text = pasted_text(input.bytes);
  nvidia_smi::QueryReading reading(input);
  reading.read(text);
  if (!reading.found())
    return fail(ErrorKind::input, input.name +
                                      ": no output of nvidia-smi -q: expected a line such as "
                                      "\"GPU 00000000:18:00.0\" and values below it");
  return reading.finish();
}

}  // namespace railgauge::observe
