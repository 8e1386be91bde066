// Which sources each side read, and whether two facts can be compared at all.
//   Verdict<int> v = evidence.judge(before.numa_node, after.numa_node);
//   if (v.differs()) …
// Sources are taken together in families ("sysfs", "NVML", "nvidia-smi-q"): a fact that one side
// has from a family that the other side did not read is not a difference; it is counted and
// reported.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/compare/compare.h"
#include "model/compare/value_words.h"

namespace railgauge::model::comparing {

template <class T>
struct Verdict {
  const Claim<T>* before = nullptr;  // set when that side has a value and the two differ
  const Claim<T>* after = nullptr;
  bool differs() const { return before != nullptr || after != nullptr; }
};

class Evidence {
 public:
  Evidence(const Machine& before, const Machine& after, const CompareOptions& options);

  // Stated by somebody, and no rule or table of ours.
  bool stated(bool on_after, SourceRef source) const;
  int family(bool on_after, SourceRef source) const;
  bool read(bool on_after, int family) const;
  const std::string& name(int family) const { return names_[static_cast<std::size_t>(family)]; }

  // Whether something with this source that the other side lacks is missing there: the family was
  // read there too, by the same version and with the same rights. Otherwise it is counted.
  bool lacking(bool on_after, SourceRef source);
  // Same question for lists that leave no source when they are empty (modules, variables, events).
  bool lacking_in_list(bool on_after, SourceRef source);

  template <class T>
  Verdict<T> judge(const Fact<T>& before, const Fact<T>& after, std::string_view key = {});

  std::vector<NotCompared> not_compared() const;
  // Facts that both sides have and that were compared, whether alike or not, and which:
  // "NUMA node (8) and CPU affinity (8)". What each side read: "sysfs and NVML".
  std::size_t compared_facts() const;
  std::string compared_words() const;
  bool share_a_source() const;
  std::string holds(bool on_after) const;

 private:
  struct Side {
    std::vector<int> family_of;  // by source; -1: a rule or table of ours
    std::set<int> read;
    std::optional<Taken> taken;
  };
  int intern(const std::string& family);
  void survey(Side& side, const Machine& machine, const std::string& one_text);
  const Side& side(bool on_after) const { return on_after ? after_ : before_; }
  bool needs_root(int family) const;

  std::vector<std::string> names_;
  Side before_;
  Side after_;
  std::map<std::pair<bool, int>, std::size_t> only_;             // facts that only one side has
  std::map<std::pair<bool, std::string>, std::size_t> refused_;  // one side was refused, and why
  std::map<std::pair<int, int>, std::size_t> other_words_;       // texts from different families
  std::map<std::string, std::size_t, std::less<>> compared_;     // by the fact's name
  std::set<int> hidden_;                                         // readable as root only
};

template <class T>
Verdict<T> Evidence::judge(const Fact<T>& before, const Fact<T>& after, std::string_view key) {
  const std::string name = key.empty() ? std::string("other facts") : fact_name(key);
  const Claim<T>* first_before = nullptr;
  const Claim<T>* first_after = nullptr;
  for (const Claim<T>& claim : after.claims())
    if (first_after == nullptr && stated(true, claim.source)) first_after = &claim;
  for (const Claim<T>& claim : before.claims()) {
    if (!stated(false, claim.source)) continue;
    if (first_before == nullptr) first_before = &claim;
    for (const Claim<T>& other : after.claims())
      if (stated(true, other.source) && family(true, other.source) == family(false, claim.source)) {
        ++compared_[name];
        if (claim.value == other.value) return {};
        return {&claim, &other};
      }
  }
  if (first_before != nullptr && first_after != nullptr) {
    if (first_before->value == first_after->value) {
      ++compared_[name];
      return {};
    }
    if constexpr (std::is_same_v<T, std::string>) {
      ++other_words_[{family(false, first_before->source), family(true, first_after->source)}];
      return {};
    }
    ++compared_[name];
    return {first_before, first_after};
  }
  if (first_before != nullptr) {
    if (!after.refusals().empty())
      ++refused_[{true, after.refusals().front().why}];
    else if (lacking(false, first_before->source))
      return {first_before, nullptr};
  } else if (first_after != nullptr) {
    if (!before.refusals().empty())
      ++refused_[{false, before.refusals().front().why}];
    else if (lacking(true, first_after->source))
      return {nullptr, first_after};
  }
  return {};
}

}  // namespace railgauge::model::comparing
