// Settings that take each other's effect away.
#include <fmt/format.h>

#include <array>

#include "base/strings.h"
#include "judge/rules/variables_environment.h"
#include "judge/rules/variables_looks.h"

namespace railgauge::judge {
namespace {

using namespace model;

class Contradictions {
 public:
  Contradictions(const Patient& patient, Verdicts& out)
      : patient_(patient), out_(out), environment_(patient) {}

  void look() {
    peer_access();
    network();
    channels();
    algorithms();
    gids();
    sockets();
    if (!environment_.all().empty()) out_.pass();
  }

 private:
  Finding* both(std::string_view a, std::string_view b, std::string text) {
    const EnvironmentSetting* first = environment_.find(a);
    const EnvironmentSetting* second = environment_.find(b);
    if (first == nullptr || second == nullptr) return nullptr;
    Finding& finding = fail(out_, patient_, *first, std::move(text));
    finding.subject = fmt::format("{} and {}", a, b);
    finding.evidence.push_back(
        evidence(patient_.machine, second->name, second->value, {}, second->sources.front()));
    finding.impact.text = "one of them has no effect";
    finding.remedy = {take_away(patient_, *first), take_away(patient_, *second)};
    finding.remedy[0].text += ", or";
    return &finding;
  }

  void peer_access() {
    if (environment_.is_on("NCCL_P2P_DISABLE")) {
      both("NCCL_P2P_DISABLE", "NCCL_P2P_LEVEL", "peer access is off, so its level says nothing");
      if (environment_.is_on("NCCL_SHM_DISABLE"))
        if (Finding* finding =
                both("NCCL_P2P_DISABLE", "NCCL_SHM_DISABLE",
                     "neither peer access nor shared memory: GPUs of a node talk over the network"))
          finding->impact.text = "traffic inside a node takes the adapter, or fails without one";
    }
    if (environment_.is("NCCL_CUMEM_ENABLE", 0) && environment_.is("NCCL_MNNVL_ENABLE", 1))
      both("NCCL_CUMEM_ENABLE", "NCCL_MNNVL_ENABLE",
           "NVLink between nodes needs cuMem, which is off");
  }

  void network() {
    static constexpr std::array settings{
        "NCCL_IB_HCA",     "NCCL_IB_GID_INDEX", "NCCL_IB_TC",        "NCCL_IB_QPS_PER_CONNECTION",
        "NCCL_IB_TIMEOUT", "NCCL_IB_SL",        "NCCL_NET_GDR_LEVEL"};
    if (environment_.is_on("NCCL_IB_DISABLE")) {
      const EnvironmentSetting* net = environment_.find("NCCL_NET");
      if (net != nullptr && equal_nocase(trim(net->value), "IB"))
        if (Finding* finding = both("NCCL_IB_DISABLE", "NCCL_NET",
                                    "RDMA is off, and the only network allowed is RDMA")) {
          finding->severity = Severity::error;
          finding->weight = 90;
          finding->impact.text = "initialisation fails: no network is left";
        }
      for (const char* name : settings)
        if (both("NCCL_IB_DISABLE", name, fmt::format("RDMA is off, so {} says nothing", name)) !=
            nullptr)
          break;
    }
    if (environment_.is_on("NCCL_NET_GDR_READ"))
      if (const auto* level = environment_.find("NCCL_NET_GDR_LEVEL");
          level != nullptr && (level->value == "LOC" || level->value == "0"))
        both("NCCL_NET_GDR_READ", "NCCL_NET_GDR_LEVEL",
             "GPUDirect reads are asked for and GPUDirect RDMA is off");
  }

  void channels() {
    static constexpr std::array<std::pair<const char*, const char*>, 4> pairs{
        {{"NCCL_MIN_NCHANNELS", "NCCL_MAX_NCHANNELS"},
         {"NCCL_MIN_CTAS", "NCCL_MAX_CTAS"},
         {"NCCL_MIN_NRINGS", "NCCL_MAX_NRINGS"},
         {"NCCL_MIN_P2P_NCHANNELS", "NCCL_MAX_P2P_NCHANNELS"}}};
    for (const auto& pair : pairs) {
      const auto least = environment_.number(pair.first);
      const auto most = environment_.number(pair.second);
      if (least && most && *least > *most)
        both(pair.first, pair.second,
             fmt::format("at least {} channels and at most {}", *least, *most));
    }
    const auto old = environment_.number("NCCL_MAX_NCHANNELS");
    const auto now = environment_.number("NCCL_MAX_CTAS");
    if (old && now && *old != *now)
      both("NCCL_MAX_NCHANNELS", "NCCL_MAX_CTAS",
           fmt::format("two names of one limit, {} and {}", *old, *now));
  }

  // The only algorithm that is allowed is one that is switched off.
  void algorithms() {
    const EnvironmentSetting* algo = environment_.find("NCCL_ALGO");
    if (algo == nullptr || algo->value.starts_with('^')) return;
    const std::string words = lower(algo->value);
    const bool others = contains(words, "ring") || contains(words, ",") ||
                        (contains(words, "tree") && !contains(words, "nvlstree"));
    if (others) return;
    const auto fatal = [](Finding* finding) {
      if (finding == nullptr) return;
      finding->severity = Severity::error;
      finding->weight = 90;
      finding->impact.text = "no algorithm is left: collectives fail";
    };
    if (contains(words, "nvls") && environment_.is("NCCL_NVLS_ENABLE", 0))
      fatal(both("NCCL_ALGO", "NCCL_NVLS_ENABLE", "only NVLS is allowed, and NVLS is off"));
    if (contains(words, "collnet") && environment_.is("NCCL_COLLNET_ENABLE", 0))
      fatal(
          both("NCCL_ALGO", "NCCL_COLLNET_ENABLE", "only CollNet is allowed, and CollNet is off"));
  }

  void gids() {
    if (environment_.number("NCCL_IB_GID_INDEX").value_or(-1) < 0) return;
    for (const char* name :
         {"NCCL_IB_ADDR_RANGE", "NCCL_IB_ROCE_VERSION_NUM", "NCCL_IB_ADDR_FAMILY"})
      if (both("NCCL_IB_GID_INDEX", name,
               fmt::format("the index is fixed, so {} chooses nothing", name)) != nullptr)
        return;
  }

  void sockets() {
    constexpr std::int64_t most = 64;  // MAX_SOCKETS of NCCL's transport/net_socket.cc
    const auto threads = environment_.number("NCCL_SOCKET_NTHREADS");
    const auto each = environment_.number("NCCL_NSOCKS_PERTHREAD");
    if (threads && each && *threads > 0 && *each > 0 && *threads < 1000 && *each > most / *threads)
      both("NCCL_SOCKET_NTHREADS", "NCCL_NSOCKS_PERTHREAD",
           fmt::format("{} threads of {} sockets are more than the {} that NCCL opens", *threads,
                       *each, most));
  }

  const Patient& patient_;
  Verdicts& out_;
  Environment environment_;
};

}  // namespace

void look_variables_contradict(const Patient& patient, Verdicts& out) {
  Contradictions(patient, out).look();
}

}  // namespace railgauge::judge
