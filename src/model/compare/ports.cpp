// Ports of network adapters and their GID tables. A GID is the same when its value and type are,
// whichever row it is in: NCCL_IB_GID_INDEX names a row, so a move matters.
#include <algorithm>

#include "model/compare/sides.h"
#include "model/field_lists.h"

namespace railgauge::model::comparing {
namespace {

// What a port that went down or came up takes with it.
bool follows_state(std::string_view key) {
  return key == "physical_state" || key == "rate_bytes_per_second" || key == "rate_words" ||
         key == "active_mtu_bytes" || key == "netdev_state";
}

std::string family_words(const Gid& gid) {
  if (!gid.gid) return "";
  if (gid.gid->starts_with("0000:0000:0000:0000:0000:ffff:")) return "IPv4";
  if (gid.type && gid.type->starts_with("IB")) return "";
  return gid.gid->starts_with("fe80:") ? "link-local" : "IPv6";
}

// "RoCE v2 IPv4 GID"
std::string kind_words(const Gid& gid) {
  std::string out = gid.type.value_or("");
  const std::string family = family_words(gid);
  if (!family.empty()) out += (out.empty() ? "" : " ") + family;
  return out.empty() ? "GID" : out + " GID";
}

class PortComparison {
 public:
  PortComparison(Sides& sides, std::string subject, const NicPort& was, const NicPort& is)
      : sides_(sides), subject_(std::move(subject)), was_(was), is_(is) {}

  void facts() {
    const bool turned = sides_.evidence.judge(was_.state, is_.state).differs();
    const bool other_rate = sides_.evidence.judge(was_.rate, is_.rate).differs();
    each_field<NicPort>([&](const auto& field) {
      const std::string_view key = field.key;
      if (field.topic == Topic::identity || (turned && follows_state(key))) return;
      if (key == "rate_words" && other_rate) return;
      const auto verdict = sides_.evidence.judge(was_.*field.member, is_.*field.member);
      if (!verdict.differs()) return;
      Difference out = fact_difference(subject_, key, field.topic, verdict);
      if (key == "state") out.weight = weight_lost;
      sides_.say(std::move(out));
    });
  }

  void gids() {
    std::vector<const Gid*> was = rows(was_);
    std::vector<const Gid*> is = rows(is_);
    if (was.empty() && is.empty()) return;
    if (was.empty() && !sides_.evidence.lacking(true, is.front()->gid.source())) return;
    if (is.empty() && !sides_.evidence.lacking(false, was.front()->gid.source())) return;
    if (sides_.identities)
      take(was, is, [](const Gid& a, const Gid& b) {
        return a.gid.value_or("") == b.gid.value_or("") &&
               a.type.value_or("") == b.type.value_or("");
      });
    // Another address of the same form in the same row: the row stayed, its identity did not.
    take(was, is, [](const Gid& a, const Gid& b) {
      return a.index == b.index && kind_words(a) == kind_words(b);
    });
    take(was, is, [](const Gid& a, const Gid& b) { return kind_words(a) == kind_words(b); });
    for (const Gid* gid : was) say_row(*gid, Change::gone);
    for (const Gid* gid : is) say_row(*gid, Change::added);
  }

 private:
  static std::vector<const Gid*> rows(const NicPort& port) {
    std::vector<const Gid*> out;
    for (const Gid& gid : port.gids)
      if (gid.gid) out.push_back(&gid);
    return out;
  }

  template <class Same>
  void take(std::vector<const Gid*>& was, std::vector<const Gid*>& is, Same&& same) {
    std::erase_if(was, [&](const Gid* before) {
      const auto found = std::find_if(is.begin(), is.end(),
                                      [&](const Gid* after) { return same(*before, *after); });
      if (found == is.end()) return false;
      say_pair(*before, **found);
      is.erase(found);
      return true;
    });
  }

  void say_pair(const Gid& was, const Gid& is) {
    const std::string what = kind_words(was) + " of " + subject_;
    if (was.index != is.index) {
      Difference out = about(Topic::network, Change::moved, "gid_index");
      out.before = std::to_string(was.index);
      out.after = std::to_string(is.index);
      out.before_source = was.gid.source();
      out.after_source = is.gid.source();
      out.text = what + " moved from index " + out.before + " to " + out.after;
      sides_.say(std::move(out));
    }
    const bool same_address = was.gid.value_or("") == is.gid.value_or("");
    if (sides_.identities && !same_address) {
      Difference out = about(Topic::identity, Change::changed, "gid");
      out.before = was.gid.value_or("");
      out.after = is.gid.value_or("");
      out.before_source = was.gid.source();
      out.after_source = is.gid.source();
      out.text = what + " changed from " + out.before + " to " + out.after;
      sides_.say(std::move(out));
    }
    const auto netdev = sides_.evidence.judge(was.netdev, is.netdev);
    if (netdev.differs() && same_address)
      sides_.say(fact_difference(subject_ + " GID " + std::to_string(is.index), "netdev",
                                 Topic::network, netdev));
  }

  void say_row(const Gid& gid, Change change) {
    Difference out = about(Topic::network, change, "gid");
    const std::string words = kind_words(gid) + " at index " + std::to_string(gid.index);
    (change == Change::gone ? out.before : out.after) = words;
    (change == Change::gone ? out.before_source : out.after_source) = gid.gid.source();
    out.text = words + " of " + subject_ + (change == Change::gone ? " is gone" : " is new");
    sides_.say(std::move(out));
  }

  Difference about(Topic topic, Change change, const char* key) const {
    Difference out;
    out.topic = topic;
    out.kind = change;
    out.subject = subject_;
    out.key = key;
    out.weight = weight_setting;
    return out;
  }

  Sides& sides_;
  std::string subject_;
  const NicPort& was_;
  const NicPort& is_;
};

}  // namespace

void compare_ports(Sides& sides) {
  for (const DeviceId id : sides.before.of_kind(DeviceKind::nic)) {
    const auto same = sides.match.after(id);
    if (!same || !sides.before[id].nic || !sides.after[*same].nic) continue;
    for (const NicPort& was : sides.before[id].nic->ports)
      for (const NicPort& is : sides.after[*same].nic->ports) {
        if (was.number != is.number) continue;
        PortComparison comparison(
            sides, sides.before[id].id + " port " + std::to_string(was.number), was, is);
        comparison.facts();
        comparison.gids();
      }
  }
}

}  // namespace railgauge::model::comparing
