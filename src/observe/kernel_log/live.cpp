// The live source "kernel_log": the kernel's ring buffer, by the system call that dmesg uses.
#include <sys/klog.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/files.h"
#include "observe/kernel_log/kernel_log.h"
#include "observe/sources.h"

namespace railgauge::observe {
namespace {

constexpr char path[] = "kernel.log";
// The ring buffer is at most 2^25 bytes (CONFIG_LOG_BUF_SHIFT); a boot argument can ask for more.
constexpr std::size_t largest_log_bytes = 64u << 20;

tl::unexpected<Error> system_words(int error) {
  if (error == EPERM || error == EACCES)
    return fail(ErrorKind::permission,
                "Operation not permitted: only root may read the kernel log here "
                "(kernel.dmesg_restrict)");
  return fail(ErrorKind::device, std::strerror(error));
}

Result<std::string> ring_buffer() {
  constexpr int read_all = 3;         // SYSLOG_ACTION_READ_ALL
  constexpr int size_of_buffer = 10;  // SYSLOG_ACTION_SIZE_BUFFER
  const int size = klogctl(size_of_buffer, nullptr, 0);
  if (size < 0) return system_words(errno);
  std::string bytes(std::min(static_cast<std::size_t>(size), largest_log_bytes), '\0');
  const int length = klogctl(read_all, bytes.data(), static_cast<int>(bytes.size()));
  if (length < 0) return system_words(errno);
  bytes.resize(static_cast<std::size_t>(length));
  return bytes;
}

}  // namespace

void record_kernel_log(const Result<std::string>& log, Recording& recording) {
  if (log)
    recording.add_file(path, kept_lines(*log));
  else
    recording.add_refused(path, log.error().message);
}

// Another root than "/" is a test's: its log is a file.
void capture_kernel_log(const Root& root, Recording& recording) {
  if (root.prefix == "/") return record_kernel_log(ring_buffer(), recording);
  const auto file = read_file(root.prefix / "kmsg.txt", largest_log_bytes);
  if (!file && file.error().kind == ErrorKind::not_found) return;
  record_kernel_log(file, recording);
}

bool kernel_log_present(const Recording& recording) {
  const Entry* entry = recording.find(path);
  return entry != nullptr && entry->kind == Entry::Kind::file;
}

Result<model::Machine> read_kernel_log(const Recording& recording) {
  if (!kernel_log_present(recording))
    return fail(ErrorKind::not_found, "the recording holds no kernel.log");
  auto machine = read_kernel_log_text({path, std::string(recording.find(path)->bytes)});
  // Where the kernel lists its devices, one that only the log speaks of is not there (any more).
  if (machine && recording.has_directory("sys/devices")) machine->devices.clear();
  return machine;
}

}  // namespace railgauge::observe
