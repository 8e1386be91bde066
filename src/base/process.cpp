#include "base/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/descriptor.h"

namespace railgauge {
namespace {

using Clock = std::chrono::steady_clock;

struct Pipe {
  Descriptor read;
  Descriptor write;
};

Result<Pipe> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    return fail(ErrorKind::device, std::string("cannot make a pipe: ") + std::strerror(errno));
  return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

// posix_spawn's two structures, freed together.
class SpawnSetup {
 public:
  SpawnSetup(const Pipe& out, const Pipe& err) {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions_, out.write.value(), STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions_, err.write.value(), STDERR_FILENO);
    ::posix_spawnattr_init(&attributes_);
    ::posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    ::posix_spawnattr_setpgroup(&attributes_, 0);
    sigset_t none;
    sigemptyset(&none);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    sigaddset(&defaults, SIGALRM);
    ::posix_spawnattr_setsigdefault(&attributes_, &defaults);
  }
  SpawnSetup(const SpawnSetup&) = delete;
  SpawnSetup& operator=(const SpawnSetup&) = delete;
  ~SpawnSetup() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }

  int spawn(const std::vector<std::string>& argv, pid_t& child) const {
    std::vector<char*> words;
    for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    return ::posix_spawnp(&child, words[0], &actions_, &attributes_, words.data(), environ);
  }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

// A child that is ended and waited for, whatever happens to its owner.
class Child {
 public:
  explicit Child(pid_t pid) : pid_(pid) {}
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (pid_ > 0) end();
  }

  void end() {
    ::kill(-pid_, SIGKILL);
    wait(0);
  }
  // Nothing when it has not ended yet (WNOHANG).
  bool wait(int flags) {
    pid_t got = 0;
    do got = ::waitpid(pid_, &status_, flags);
    while (got < 0 && errno == EINTR);
    if (got == 0) return false;
    pid_ = -1;
    return true;
  }
  int exit_status() const {
    return WIFSIGNALED(status_) ? 128 + WTERMSIG(status_) : WEXITSTATUS(status_);
  }

 private:
  pid_t pid_;
  int status_ = 0;
};

// Appends what is there; closes at the end of the stream. False when the limit is passed.
bool drain(Descriptor& from, std::string& into, std::size_t most_bytes) {
  std::array<char, 65536> chunk;
  const ssize_t got = ::read(from.value(), chunk.data(), chunk.size());
  if (got < 0 && errno == EINTR) return true;
  if (got <= 0) {
    from = Descriptor();
    return true;
  }
  into.append(chunk.data(), static_cast<std::size_t>(got));
  return into.size() <= most_bytes;
}

int left_until(Clock::time_point end) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 1 << 30));
}

// Both streams until their ends, the deadline or the limit; a word for what went wrong.
const char* read_streams(Pipe& out, Pipe& err, ProcessOutput& result, Clock::time_point end,
                         std::size_t most_bytes) {
  while (out.read.open() || err.read.open()) {
    std::array<pollfd, 2> ready{
        {{out.read.value(), POLLIN, 0}, {err.read.value(), POLLIN, 0}}};  // -1 is passed over
    const int left = left_until(end);
    if (left == 0) return "did not end in time";
    if (::poll(ready.data(), ready.size(), left) < 0 && errno != EINTR) return "cannot be read";
    if (ready[0].revents != 0 && !drain(out.read, result.out, most_bytes))
      return "printed too much";
    if (ready[1].revents != 0 && !drain(err.read, result.err, most_bytes))
      return "printed too much";
  }
  return nullptr;
}

}  // namespace

Result<ProcessOutput> run_program(const std::vector<std::string>& argv,
                                  std::chrono::milliseconds deadline, std::size_t most_bytes) {
  if (argv.empty()) return fail(ErrorKind::internal, "no program to run");
  auto out = make_pipe();
  if (!out) return tl::unexpected(std::move(out.error()));
  auto err = make_pipe();
  if (!err) return tl::unexpected(std::move(err.error()));
  const auto end = Clock::now() + deadline;
  pid_t pid = -1;
  if (const int code = SpawnSetup(*out, *err).spawn(argv, pid); code != 0) {
    const ErrorKind kind = code == ENOENT || code == ENOTDIR ? ErrorKind::not_found
                           : code == EACCES                  ? ErrorKind::permission
                                                             : ErrorKind::device;
    return fail(kind,
                argv[0] + ": " +
                    (kind == ErrorKind::not_found ? "not found in PATH" : std::strerror(code)));
  }
  Child child(pid);
  out->write = Descriptor();
  err->write = Descriptor();
  ProcessOutput result;
  const char* wrong = read_streams(*out, *err, result, end, most_bytes);
  // Whoever closed both streams may still run; a process that only daemonised is not waited for.
  while (wrong == nullptr && !child.wait(WNOHANG)) {
    const int left = left_until(end);
    if (left == 0)
      wrong = "did not end in time";
    else
      ::poll(nullptr, 0, std::min(left, 2));
  }
  if (wrong != nullptr) return fail(ErrorKind::limit, argv[0] + " " + wrong + " and was ended");
  result.exit_status = child.exit_status();
  return result;
}

}  // namespace railgauge
