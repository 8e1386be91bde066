#include "observe/nccl_log/nccl_log.h"

#include <algorithm>
#include <array>

#include "observe/kernel_log/keywords.h"
#include "observe/nccl_log/statements.h"

namespace railgauge::observe {
namespace {

constexpr std::size_t longest_line = 1u << 20;

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
    std::uint32_t tried = 0;
    for (auto hit = words_.next(line.text, 0); hit; hit = words_.next(line.text, hit->at + 1)) {
      const std::uint32_t bit = 1u << hit->group;
      if ((tried & bit) != 0) continue;
      tried |= bit;
      if (all_[static_cast<std::size_t>(hit->group)].take(line, run)) return;
    }
  }

 private:
  std::array<Statement, 7> all_{version_statement(), init_statement(),     network_statement(),
                                gdr_statement(),     variable_statement(), connection_statement(),
                                failure_statement()};
  Keywords words_;
};

// Calls `use(line)` for each line of NCCL's until it says false.
template <class Use>
void each_line(std::string_view text, Use&& use) {
  const Keywords marks({{"NCCL INFO ", 0}, {"NCCL WARN ", 0}, {"CCL version ", 0}});
  std::uint32_t number = 1;
  std::size_t counted = 0;
  for (auto hit = marks.next(text, 0); hit;) {
    const auto before = text.rfind('\n', hit->at);
    const std::size_t start = before == std::string_view::npos ? 0 : before + 1;
    const std::size_t end = std::min(text.find('\n', hit->at), text.size());
    number += static_cast<std::uint32_t>(
        std::count(text.begin() + static_cast<std::ptrdiff_t>(counted),
                   text.begin() + static_cast<std::ptrdiff_t>(start), '\n'));
    counted = start;
    if (end - start <= longest_line) {
      auto line = split_nccl_line(text.substr(start, end - start));
      if (line) {
        line->number = number;
        if (!use(*line)) return;
      }
    }
    hit = marks.next(text, end);
  }
}

}  // namespace

bool looks_like_nccl_log(std::string_view bytes) {
  bool found = false;
  each_line(bytes, [&](const NcclLine&) { return !(found = true); });
  return found;
}

Result<model::Machine> read_nccl_log(const Input& input) {
  RunBuilder run(input.name);
  const Statements statements;
  each_line(input.bytes, [&](const NcclLine& line) {
    ++run.run.lines;
    if (line.mixed) run.count_mixed();
    if (line.warning) run.warning(line);
    statements.take(line, run);
    return true;
  });
  if (run.run.lines == 0)
    return fail(ErrorKind::input,
                input.name +
                    ": nothing of NCCL's log: expected lines such as \"node01:77:131 [0] NCCL INFO "
                    "…\", which NCCL_DEBUG=INFO makes");
  return run.finish();
}

}  // namespace railgauge::observe
