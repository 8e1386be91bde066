// What the user named, turned into things to read: loose texts and recordings.
//   Result<Loaded> loaded = load_inputs({"topo.txt", "node07.tar.zst", "-"}, STDIN_FILENO);
// A name is a file, a directory, an archive, or "-" (standard input, which may be any of these).
//   manifest.json or sys/ inside      one recording
//   directories or archives like that inside   many recordings, one or two levels down
//   anything else                     every regular file inside is a loose text, one level down
// A compressed text (topo.txt.gz) is unpacked, UTF-16 becomes UTF-8. What a text means is not
// decided here: see sniff().
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "observe/archive/archive.h"
#include "observe/archive/named_file.h"
#include "observe/archive/plain_text.h"
#include "observe/reader.h"
#include "observe/recording.h"

namespace railgauge::observe {

using LooseText = Input;

struct Loaded {
  std::vector<LooseText> texts;  // from an archive: "archive.tar!inner.txt"
  std::vector<Recording> recordings;
  std::vector<model::Machine> parts;  // of logs too long to hold, read already
  // What was inside a directory or an archive and is not above, and why. What the user named
  // himself and cannot be read is an error instead.
  std::vector<std::string> passed_over;
};

struct InputBounds {
  bool long_logs = true;  // a long NCCL log is read piece by piece, whatever its size
  StreamBounds stream;
  ArchiveBounds archive;
  std::uint64_t total_bytes = 2ull << 30;  // everything that is held together
  std::size_t directory_names = 10'000;
  std::size_t directory_texts = 1'000;
};

// Takes recordings one at a time, so that only one is held.
struct RecordingVisitor {
  // `input` names the recording alone, for reading it again; empty where nothing does (inside an
  // archive, standard input).
  std::function<void(Recording recording, const std::string& input)> take;
  std::function<void(std::size_t done, std::size_t total)> progress;  // may be empty
};

// `recordings` of what comes back is empty. A recording that cannot be read is passed over when
// there are others: one broken file does not hide a thousand good ones.
Result<Loaded> visit_inputs(const std::vector<std::string>& names, int standard_input,
                            const RecordingVisitor& visitor, const InputBounds& bounds = {});

// All at once.
Result<Loaded> load_inputs(const std::vector<std::string>& names, int standard_input,
                           const InputBounds& bounds = {});

}  // namespace railgauge::observe
