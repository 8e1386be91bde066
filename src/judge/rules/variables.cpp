// Environment variables as such: names nobody reads, values that are none, settings that
// contradict each other. What a known setting costs is in variables_harmful.
#include "judge/rules/families.h"
#include "judge/rules/variables_looks.h"

namespace railgauge::judge {
namespace {

constexpr std::string_view guide = "NCCL User Guide, Environment Variables";

Rule unknown_rule() {
  return {
      .id = "ENV001",
      .name = "variable-unknown",
      .severity = Severity::warning,
      .weight = 40,
      .needs = {Need::environment},
      .look = look_variable_unknown,
      .page = {.what = "A variable is set whose name looks like one of NCCL, UCX or PyTorch, and "
                       "none of them reads it.",
               .why = "NCCL says nothing about a name it does not know, so a slip of the finger "
                      "looks like a setting for months. Some names circulate that never existed: "
                      "NCCL_NVLINK_DISABLE, NCCL_SOCKET_TIMEOUT, NCCL_NET_GDR_FLUSH.",
               .by_hand = "env | grep -E '^(NCCL|UCX)_'\n"
                          "NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=ENV prints what NCCL did read: a name "
                          "that is set and not printed there is not read.",
               .remedy = "Correct the name, or remove the line.",
               .benign_if = "A plugin or a script reads the name; those that are known are left "
                            "out, and a name without a near neighbour is a note only.",
               .references = {guide}}};
}

Rule removed_rule() {
  return {
      .id = "ENV002",
      .name = "variable-removed",
      .severity = Severity::warning,
      .weight = 40,
      .needs = {Need::environment},
      .look = look_variable_removed,
      .page = {.what = "A variable is set that this release of the library does not read any more, "
                       "or under an old name.",
               .why = "The setting has no effect and says nothing. NCCL_TREE_THRESHOLD and "
                      "NCCL_LL_THRESHOLD ended with 2.4: since 2.5 a cost model chooses algorithm "
                      "and protocol, and NCCL_ALGO and NCCL_PROTO restrict it.",
               .by_hand = "NCCL_DEBUG=VERSION prints the release; the User Guide says for each "
                          "variable since when it exists and until when.",
               .remedy = "Remove the line; use the new name where there is one.",
               .benign_if = "The release is older than the removal. An old name that is still read "
                            "is a note.",
               .references = {guide, "NCCL release notes 2.5"}}};
}

Rule dead_rule() {
  return {
      .id = "ENV003",
      .name = "variable-dead",
      .severity = Severity::warning,
      .weight = 30,
      .needs = {Need::environment},
      .look = look_variable_dead,
      .page = {.what = "A variable is set that is documented, and that no source reads.",
               .why = "NCCL_IB_CUDA_SUPPORT is in many recipes; since 2.4 GPUDirect RDMA is used "
                      "wherever NCCL_NET_GDR_LEVEL allows it, whatever that variable says.",
               .by_hand = "strings libnccl.so.2 | grep NAME finds nothing.",
               .remedy = "Remove the line.",
               .benign_if = "It changes nothing, so it harms nothing either: it only misleads.",
               .references = {guide}}};
}

Rule invalid_rule() {
  return {.id = "ENV004",
          .name = "value-invalid",
          .severity = Severity::warning,
          .weight = 45,
          .needs = {Need::environment},
          .look = look_value_invalid,
          .page = {
              .what = "A variable has a value that its reader does not understand.",
              .why = "NCCL reads numbers from the front and stops at the first letter: \"true\" is "
                     "0, \"4M\" is 4 bytes. Path levels are compared letter by letter: \"nvl\" and "
                     "\"NODE\" are passed over without a message. From 2.24 an unknown word in "
                     "NCCL_ALGO or NCCL_PROTO ends initialisation with an error.",
              .by_hand = "NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=ENV prints what each variable became: "
                         "\"NCCL_P2P_DISABLE set by environment to 0.\"",
              .remedy = "Write a value that the variable takes.",
              .benign_if = "The value is filled in elsewhere (\"$NAME\"): then it is not judged. "
                           "\"false\" for 0 is right by luck and passes.",
              .references = {guide, "NCCL source, src/misc/param.cc and src/graph/paths.cc"}}};
}

Rule version_rule() {
  return {
      .id = "ENV005",
      .name = "variable-for-other-version",
      .severity = Severity::warning,
      .weight = 30,
      .needs = {Need::environment},
      .explains = {{"ENV006"}, {"ENV026"}, {"NCC004"}},
      .look = look_variable_for_other_version,
      .page = {.what = "A variable or a value is set that a later release of NCCL understands, and "
                       "this one does not.",
               .why = "The setting has no effect. Worse with path levels: before 2.6 they were "
                      "numbers, and a word such as NVL became 0, which turns peer access off "
                      "altogether.",
               .by_hand = "NCCL_DEBUG=VERSION prints the release; the User Guide says since when a "
                          "variable exists.",
               .remedy = "Use a later release, or remove the line.",
               .benign_if = "The script is shared by several releases on purpose.",
               .references = {guide}}};
}

Rule contradict_rule() {
  return {
      .id = "ENV015",
      .name = "variables-contradict",
      .severity = Severity::warning,
      .weight = 50,
      .needs = {Need::environment},
      .look = look_variables_contradict,
      .page = {.what = "Two variables take each other's effect away.",
               .why = "NCCL_IB_DISABLE=1 beside NCCL_IB_HCA means that somebody believes RDMA is "
                      "used. NCCL_ALGO=NVLS with NCCL_NVLS_ENABLE=0 leaves no algorithm at all.",
               .by_hand = "env | grep ^NCCL_ and read them together.",
               .remedy = "Keep the one that is meant.",
               .benign_if = "One of the two is an override for a test, and will go.",
               .references = {guide}}};
}

Rule twice_rule() {
  return {.id = "ENV025",
          .name = "variable-set-twice",
          .severity = Severity::note,
          .weight = 20,
          .needs = {Need::environment},
          .look = look_variable_set_twice,
          .page = {.what = "One variable is set to two values, in one file or in several.",
                   .why = "What holds depends on the order: in a script the last line, and the "
                          "environment against /etc/nccl.conf and ~/.nccl.conf.",
                   .by_hand = "grep -n NAME job.sh /etc/nccl.conf ~/.nccl.conf",
                   .remedy = "Keep one of them, where the job is started, and remove the other.",
                   .benign_if = "The branches of a script, or several runs in one file, set it on "
                                "purpose.",
                   .references = {guide}}};
}

}  // namespace

Family variables_rules() {
  static const std::vector<Rule> list{unknown_rule(), removed_rule(), dead_rule(),
                                      invalid_rule(), version_rule(), contradict_rule(),
                                      twice_rule()};
  return list;
}

}  // namespace railgauge::judge
