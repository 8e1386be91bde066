#include "observe/hang_text/stacks.h"

#include "base/characters.h"
#include "base/strings.h"
#include "observe/hang_text/flight_recorder.h"
#include "observe/hang_text/stack_lines.h"
#include "observe/kernel_log/scan.h"

namespace railgauge::observe {
namespace {

using namespace model;

constexpr std::size_t most_processes = 10'000;
constexpr std::size_t most_threads = 200'000;  // of all processes together
constexpr std::size_t most_frames = 300;       // of a thread; the outermost are left out

// "=== rank 3 ===", "# rank3", "Rank: 3": a line that names a rank and little else.
std::optional<int> heading_rank(std::string_view line) {
  const std::string_view text = trim(line);
  if (text.size() > 60 || text.starts_with('[')) return std::nullopt;
  const std::string small = lower(text);
  const auto word = small.find("rank");
  if (word == std::string::npos || word > 20) return std::nullopt;
  std::size_t at = word + 4;
  while (at < small.size() && contains(" :=_-#", small.substr(at, 1))) ++at;
  const std::size_t digits = digits_at(small, at);
  if (digits == 0 || digits > 7) return std::nullopt;
  return leading_int(std::string_view(small).substr(at));
}

// "--local_rank=3": only of one machine, better than nothing.
std::optional<int> rank_of_command(std::string_view command) {
  for (const std::string_view option : {"--rank", "--local_rank", "--local-rank"})
    if (const auto rest = after(command, option);
        rest && !rest->empty() && contains(" =", rest->substr(0, 1)))
      return leading_int(rest->substr(1));
  return std::nullopt;
}

class Dump {
 public:
  Dump(const Input& input) : file_rank_(rank_of_name(input.name)) {
    dump_.kind = "stacks";
    dump_.source = machine_.sources.add(input.name, Trust::tool);
  }

  void line(std::string_view text, std::uint32_t number) {
    here_ = dump_.source.at_line(number);
    if (const auto process = py_spy_process(text)) return begin(*process);
    if (const auto process = gdb_process(text)) return begin(*process);
    if (const auto thread = py_spy_thread(text)) return begin_thread(*thread);
    if (const auto thread = gdb_thread(text)) return begin_gdb_thread(*thread);
    if (in_thread_ && take_frame(text)) return;
    if (trim(text).empty()) return;
    if (const auto rank = heading_rank(text)) {
      heading_ = rank;
      in_thread_ = false;
    }
  }

  bool empty() const { return dump_.ranks.empty(); }

  Machine finish() {
    if (dump_.ranks.size() == 1 && !dump_.ranks[0].rank) dump_.ranks[0].rank = file_rank_;
    machine_.hangs.push_back(std::move(dump_));
    return std::move(machine_);
  }

 private:
  // Only a name that says "rank": any other number is no rank of stacks.
  static std::optional<int> rank_of_name(const std::string& name) {
    const auto last = name.find_last_of("/!");
    return contains(lower(name.substr(last == std::string::npos ? 0 : last)), "rank")
               ? rank_of_file_name(name)
               : std::nullopt;
  }

  void begin(const ProcessLine& process) {
    in_thread_ = false;
    if (dump_.ranks.size() >= most_processes) return;
    HangRank& rank = dump_.ranks.emplace_back();
    rank.process_id = process.process_id;
    rank.rank = heading_ ? heading_ : rank_of_command(process.command);
    rank.source = here_;
    heading_.reset();
    last_number_.reset();
    if (!process.command.empty())
      rank.statements.push_back(valid_utf8(strip_terminal_codes(process.command.substr(0, 200))));
  }

  void begin_thread(const ThreadLine& thread) {
    if (dump_.ranks.empty() || heading_) begin({});
    if (threads_++ >= most_threads) {
      in_thread_ = false;
      return;
    }
    Stack& stack = dump_.ranks.back().stacks.emplace_back();
    stack.thread = thread.name;
    stack.source = here_;
    in_thread_ = true;
  }

  // gdb lists threads from the last to the first: a number that rises begins another process.
  void begin_gdb_thread(const ThreadLine& thread) {
    const bool another = last_number_ && *thread.number >= *last_number_;
    if (dump_.ranks.empty() || heading_ || another) begin({});
    begin_thread(thread);
    last_number_ = thread.number;
    if (*thread.number != 1 || dump_.ranks.empty() || dump_.ranks.back().stacks.empty()) return;
    dump_.ranks.back().stacks.back().thread = "MainThread";
    if (!dump_.ranks.back().process_id) dump_.ranks.back().process_id = thread.light_process;
  }

  bool take_frame(std::string_view text) {
    auto frame = py_spy_frame(text);
    if (!frame) frame = gdb_frame(text);
    if (!frame) return false;
    auto& frames = dump_.ranks.back().stacks.back().frames;
    if (frames.size() < most_frames) frames.push_back(std::move(*frame));
    return true;
  }

  Machine machine_;
  HangDump dump_;
  SourceRef here_;
  std::optional<int> file_rank_;
  std::optional<int> heading_;      // said above the next process
  std::optional<int> last_number_;  // of gdb's threads
  bool in_thread_ = false;
  std::size_t threads_ = 0;
};

}  // namespace

bool looks_like_stacks(std::string_view bytes) {
  if (!contains(bytes, "Thread ")) return false;
  bool thread = false;
  for (LineCursor lines(bytes); lines.next();) {
    if (thread && (py_spy_frame(lines.line()) || gdb_frame(lines.line()))) return true;
    thread = py_spy_thread(lines.line()).has_value() || gdb_thread(lines.line()).has_value();
  }
  return false;
}

Result<Machine> read_stacks(const Input& input) {
  Dump dump(input);
  for (LineCursor lines(input.bytes); lines.next();) dump.line(lines.line(), lines.number());
  if (dump.empty())
    return fail(ErrorKind::input, input.name +
                                      ": no stacks: expected the output of py-spy dump or gdb's "
                                      "\"thread apply all bt\"");
  return dump.finish();
}

}  // namespace railgauge::observe
