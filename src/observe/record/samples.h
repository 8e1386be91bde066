// Counters read again: what becomes of samples/N of a recording. Each sample is laid over the first
// reading and read by the same readers; from the result only counters are taken.
//   take_sample(root, 1, milliseconds(10000), recording);              // when recording
//   for (const SampleAt& at : samples_of(recording, remarks))          // when reading
//     add_later(part, *source.read(overlaid(recording, at)), at.after_seconds);
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "model/machine.h"
#include "observe/recording.h"
#include "observe/sources.h"

namespace railgauge::observe {

// One later reading of every source that counts, stored under samples/`number`.
void take_sample(const Root& root, int number, std::chrono::milliseconds after,
                 Recording& recording);

struct SampleAt {
  double after_seconds = 0;
  std::string prefix;  // "samples/1/"
};
// In the order of time, at most 100. What is not well-formed is said in `remarks`; so are times
// that do not rise with the numbers, and then there are no samples: which of them is wrong is not
// known, and a rate over a wrong time would look like any other.
std::vector<SampleAt> samples_of(const Recording& recording, std::vector<std::string>& remarks);

// The whole recording with the files of one sample in place of those of the first reading.
Recording overlaid(const Recording& recording, const SampleAt& sample);

// Gives every counter of `first` its later reading. Both were read by the same source, and devices
// meet by their address or their name.
void add_later(model::Machine& first, const model::Machine& later, double after_seconds);

}  // namespace railgauge::observe
