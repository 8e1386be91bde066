#include "observe/nccl_log/nccl_log.h"

#include <array>

#include "base/strings.h"
#include "observe/kernel_log/keywords.h"
#include "observe/nccl_log/marked_lines.h"
#include "observe/nccl_log/statements.h"

namespace railgauge::observe {
namespace {

// What a terminal or a second writer cut off a line is shorter than this.
constexpr std::size_t longest_continuation = 4096;

constexpr std::size_t connection_place = 0;

std::vector<Keyword> words_of(std::span<const Statement> statements) {
  std::vector<Keyword> out;
  for (std::size_t i = 0; i < statements.size(); ++i)
    for (const std::string_view word : statements[i].words)
      out.push_back({word, static_cast<int>(i)});
  return out;
}

class Statements {
 public:
  Statements() : words_(words_of(all_)) {}

  void take(const NcclLine& line, RunBuilder& run) const {
    // Most lines of a start are of one kind, and begin with it.
    if (line.text.starts_with("Channel ") && all_[connection_place].take(line, run)) return;
    std::uint32_t tried = 0;
    for (auto hit = words_.next(line.text, 0); hit; hit = words_.next(line.text, hit->at + 1)) {
      const std::uint32_t bit = 1u << hit->group;
      if ((tried & bit) != 0) continue;
      tried |= bit;
      if (all_[static_cast<std::size_t>(hit->group)].take(line, run)) return;
    }
  }

 private:
  std::array<Statement, 8> all_{connection_statement(), version_statement(), init_statement(),
                                network_statement(),    gdr_statement(),     variable_statement(),
                                topology_statement(),   failure_statement()};
  Keywords words_;
};

}  // namespace

struct NcclLogReader::State {
  explicit State(const std::string& log_name) : name(log_name), run(log_name) {}

  void take_line(const MarkedLines::Line& marked) {
    split_nccl_line(marked.raw, host, marked.mark, messages);
    if (messages.count > 1) run.count_mixed();
    for (std::size_t i = 0; i < messages.count; ++i) {
      NcclLine& line = messages.all[i];
      line.number = marked.number;
      take_message(line, i + 1 == messages.count ? marked.after : std::string_view{});
    }
    if (messages.count == 1 && !messages.all[0].host.empty() && messages.all[0].host != host)
      host = messages.all[0].host;
  }

  void take_message(const NcclLine& line, std::string_view after) {
    ++run.run.lines;
    if (line.warning) run.warning(line);
    statements.take(line, run);
    const auto cut = run.take_cut();
    if (!cut) return;
    // The rest may stand in a line of its own, which nobody marked.
    if (after.empty() || after.size() > longest_continuation ||
        after.find("NCCL ") != std::string_view::npos) {
      run.not_understood(*cut);
      return;
    }
    for (const char* between : {"", " "}) {
      const std::string joined = std::string(line.text) + between + std::string(after);
      NcclLine whole = line;
      whole.text = joined;
      statements.take(whole, run);
      if (!run.take_cut()) return run.count_joined();
    }
    run.not_understood(line);
  }

  std::string name;
  RunBuilder run;
  std::string host;  // of the last line that named one
  MarkedLines lines;
  NcclMessages messages;
  Statements statements;
  MarkedLines::Use use = [this](const MarkedLines::Line& line) { take_line(line); };
};

NcclLogReader::NcclLogReader(const std::string& name) : state_(std::make_unique<State>(name)) {}
NcclLogReader::~NcclLogReader() = default;
NcclLogReader::NcclLogReader(NcclLogReader&&) noexcept = default;
NcclLogReader& NcclLogReader::operator=(NcclLogReader&&) noexcept = default;

void NcclLogReader::take(std::string_view piece) { state_->lines.take(piece, state_->use); }

Result<model::Machine> NcclLogReader::finish() {
  state_->lines.end(state_->use);
  if (state_->run.run.lines == 0)
    return fail(ErrorKind::input,
                state_->name +
                    ": nothing of NCCL's log: expected lines such as \"node01:77:131 [0] NCCL INFO "
                    "…\", which NCCL_DEBUG=INFO makes");
  state_->run.count_too_long(state_->lines.too_long());
  return state_->run.finish();
}

bool looks_like_nccl_log(std::string_view bytes) {
  bool found = false;
  MarkedLines lines;
  const MarkedLines::Use look = [&](const MarkedLines::Line& line) {
    found = found || split_nccl_line(line.raw).count > 0;
  };
  // By steps, so that a log is told by its start.
  for (std::size_t at = 0; at < bytes.size() && !found; at += 1u << 16)
    lines.take(bytes.substr(at, 1u << 16), look);
  if (!found) lines.end(look);
  return found;
}

Result<model::Machine> read_nccl_log(const Input& input) {
  NcclLogReader reader(input.name);
  reader.take(input.bytes);
  return reader.finish();
}

}  // namespace railgauge::observe
