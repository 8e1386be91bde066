// What the rules about NCCL's logs share: which line said it, who said it, which variable, which
// GPUs two ranks are.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "judge/rule.h"
#include "judge/rules/variable.h"

namespace railgauge::judge {

using Lines = std::vector<const model::NcclWarning*>;

// The lines of a run that hold one of the words, in any case.
Lines lines_with(const model::NcclRun& run, std::initializer_list<std::string_view> words);

// "rank 3 (node01)", "device 2 (node01)", "node01", or the log's name.
std::string speaker(const model::NcclRun& run, const model::NcclWarning& line);
// "rank 3 (node01) and 11 more lines"
std::string speakers(const model::NcclRun& run, const Lines& lines);

// The first lines as evidence.
std::vector<model::Evidence> evidence_of(const model::Machine& machine, const Lines& lines);

// The log's file name, which findings about it have as their subject.
std::string log_of(const model::NcclRun& run);

// One finding of a run about lines that say so; its subject is the log.
model::Finding& fail_lines(const Patient& patient, Verdicts& out, const model::NcclRun& run,
                           const Lines& lines, std::string text);

bool variable_is(const model::Machine& machine, std::string_view name,
                 std::initializer_list<std::string_view> values);
model::Evidence evidence_of(const model::Machine& machine, const model::Variable& variable);

// NCCL's own sockets and plugins that are sockets too.
bool is_socket(std::string_view network);
bool uses_sockets(const model::NcclRun& run);
// Whether all ranks that name a host name the same; nothing when none does.
std::optional<bool> on_one_host(const model::NcclRun& run);
const model::NcclRank* rank_of(const model::NcclRun& run, int rank);
// By its address, then by its number; nothing for a rank of another host.
std::optional<model::DeviceId> gpu_of(const model::Machine& machine, const model::NcclRank& rank);
std::optional<model::DeviceId> gpu_of(const model::Machine& machine, const model::NcclRun& run,
                                      int rank);
bool is_geforce(const model::Machine& machine);  // consumer boards, whose driver refuses P2P

std::optional<model::NcclVersion> version_of(const model::NcclRun& run);

// "1, 2, 3 and 5 more"
std::string some_of(const std::vector<std::string>& names, std::size_t shown = 4);

}  // namespace railgauge::judge
