// Counters that grew between the two looks. Errors are differences; traffic is activity. After a
// reboot counters start from nothing, so what they show now is what grew.
#include <array>
#include <cstdio>

#include "model/compare/sides.h"
#include "model/field_lists.h"

namespace railgauge::model::comparing {
namespace {

bool has_any(std::string_view name, std::initializer_list<std::string_view> parts) {
  for (const std::string_view part : parts)
    if (name.find(part) != std::string_view::npos) return true;
  return false;
}

std::string rate_words(std::uint64_t grown, const Reading<double>& seconds) {
  if (!seconds || !(*seconds > 0)) return "";
  double rate = static_cast<double>(grown) * 3600 / *seconds;
  const char* unit = " per hour";
  if (rate < 1) {
    rate *= 24;
    unit = " per day";
  }
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.3g", rate);
  return std::string(", ") + text.data() + unit;
}

class CounterComparison {
 public:
  explicit CounterComparison(Sides& sides) : sides_(sides) {}

  template <class Owner>
  void all(const std::string& subject, const Owner& was, const Owner& is) {
    each_counter_field<Owner>([&](const auto& field) {
      for (const auto& [name, before] : was.*field.member) {
        const auto& there = is.*field.member;
        const auto found = there.find(name);
        if (found != there.end() && !is_sum(name, there.size()))
          one(subject, std::string(field.key) + "." + name, name, before, found->second);
      }
    });
  }

 private:
  // AER's sum repeats what its parts say.
  static bool is_sum(std::string_view name, std::size_t count) {
    return count > 1 && name.starts_with("TOTAL_ERR");
  }

  void one(const std::string& subject, const std::string& key, const std::string& name,
           const Counter& before, const Counter& after) {
    if (!before.value || !after.value) return;
    const std::uint64_t was = before.later.empty() ? *before.value : before.later.back().value;
    const std::uint64_t is = *after.value;
    const std::uint64_t from = sides_.out.rebooted ? 0 : was;
    Difference out;
    out.topic = is_traffic(name) ? Topic::activity : Topic::counters;
    out.subject = subject;
    out.key = key;
    out.before = std::to_string(was);
    out.after = std::to_string(is);
    out.before_source = before.value.source();
    out.after_source = after.value.source();
    if (is > from) {
      out.kind = Change::grew;
      out.weight = weight_setting;
      out.text = name + " of " + subject + " grew by " + std::to_string(is - from) + ", " +
                 (from == was ? "from " + out.before : "from 0 at the reboot") + " to " +
                 out.after + rate_words(is - from, seconds());
    } else if (is < from && !is_same_look()) {
      out.topic = Topic::activity;
      out.weight = weight_detail;
      out.text = name + " of " + subject + " went back from " + out.before + " to " + out.after +
                 ": it was cleared";
    } else {
      return;
    }
    sides_.say(std::move(out));
  }

  // After a reboot they count from there.
  Reading<double> seconds() const {
    const auto& up = sides_.after.host.uptime_seconds;
    if (sides_.out.rebooted && up) return *up;
    return sides_.out.seconds_between;
  }

  // Later samples of a recording may lie after the first one of the same recording.
  bool is_same_look() const {
    return sides_.before.taken && sides_.before.taken == sides_.after.taken;
  }

  Sides& sides_;
};

}  // namespace

bool is_traffic(std::string_view name) {
  if (has_any(name, {"err", "drop", "discard", "out_of", "retr", "timeout", "nak", "lost", "bad",
                     "down", "overrun"}))
    return false;
  return has_any(name, {"bytes", "packets", "octets", "_data", "cast", "requests", "_frames",
                        "_cqes", "_wqe", "_csum", "_tso"}) &&
         !has_any(name, {"pause"});
}

void compare_counters(Sides& sides) {
  CounterComparison counters(sides);
  for (const DeviceId id : sides.before.all()) {
    const auto same = sides.match.after(id);
    if (!same) continue;
    const Device& was = sides.before[id];
    const Device& is = sides.after[*same];
    const std::string label = sides.label(id);
    if (was.pci && is.pci) counters.all(label, *was.pci, *is.pci);
    if (was.gpu && is.gpu) {
      counters.all(label, *was.gpu, *is.gpu);
      for (const NvLinkPort& port : was.gpu->nvlinks)
        for (const NvLinkPort& now : is.gpu->nvlinks)
          if (port.number == now.number)
            counters.all("NVLink " + std::to_string(port.number) + " of " + label, port, now);
    }
    if (was.nic && is.nic)
      for (const NicPort& port : was.nic->ports)
        for (const NicPort& now : is.nic->ports)
          if (port.number == now.number)
            counters.all(was.id + " port " + std::to_string(port.number), port, now);
  }
}

}  // namespace railgauge::model::comparing
