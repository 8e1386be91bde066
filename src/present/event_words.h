// What a group of kernel events is called: "Xid 79", "AER corrected RxErr, Physical Layer".
#pragma once

#include <string>

#include "model/machine.h"

namespace railgauge::present {

std::string event_words(const model::Event& event);

// "×5", "×2,313", with ", 12/h" or ", 0.5/day" where a rate is known, "×3 within 2 s" for a burst;
// empty for one without a rate.
std::string often_words(const model::EventGroup& group);

// "gpu3 (0000:5d:00.0)", the address alone when no device has it, or empty.
std::string event_device(const model::Machine& machine, const model::Event& event);

// When it was said, in the log's own terms: "2025-02-23T16:24:18Z", "74785.7 s after boot"; or
// empty.
std::string when_words(const model::Event& event);

// The worst first, then the most frequent; healthy statements last.
std::vector<model::EventGroup> ordered_events(const model::Machine& machine);

}  // namespace railgauge::present
