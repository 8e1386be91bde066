// Any bytes as a text, as a path, a link's target and a refusal: no crash, bounded growth, and the
// same result from the same key.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/strings.h"
#include "observe/privacy/identities.h"

namespace {

using railgauge::observe::Recording;

// Entries are separated by the byte 0x1e; each is a path up to the end of the line, and a text.
Recording recording_of(std::string_view bytes) {
  Recording recording;
  recording.manifest.hostname = std::string(bytes.substr(0, bytes.find('\n')));
  for (const auto part : railgauge::split(bytes, '\x1e')) {
    const auto end = part.find('\n');
    if (end == std::string_view::npos) continue;
    const std::string path(part.substr(0, end));
    const std::string text(part.substr(end + 1));
    recording.add_file(path, text);
    recording.add_link("link/" + path, text);
    recording.add_refused("refused/" + path, text);
  }
  recording.add_file("commands/all.json", std::string(bytes));
  return recording;
}

std::size_t size_of(const Recording& recording) {
  std::size_t size = 0;
  for (const auto& [path, entry] : recording.entries) size += path.size() + entry.bytes.size();
  return size;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Recording recording = recording_of({reinterpret_cast<const char*>(data), size});
  const auto key = railgauge::observe::identity_key("fuzz");
  const railgauge::observe::KnownIdentities known = {{"node07.site.example"}, {"alice"}};
  const Recording once = railgauge::observe::replace_identities(recording, key, known);
  if (once.entries.size() != recording.entries.size()) std::abort();
  // The most that a byte grows to: "::1" has four bytes less than what may stand for "1::2".
  if (size_of(once) > 64 + 16 * size_of(recording)) std::abort();
  const Recording twice = railgauge::observe::replace_identities(recording, key, known);
  if (once.entries != twice.entries || once.manifest.hostname != twice.manifest.hostname)
    std::abort();
  return 0;
}
