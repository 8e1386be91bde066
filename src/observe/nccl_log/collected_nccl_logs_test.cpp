// Collected logs, when RAILGAUGE_COLLECTION names a folder of them: each is read and states
// something.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "base/files.h"
#include "observe/nccl_log/nccl_log.h"

namespace railgauge::observe {
namespace {

TEST(CollectedNcclLogs, EachStatesSomething) {
  const char* folder = std::getenv("RAILGAUGE_COLLECTION");
  if (!folder) GTEST_SKIP() << "skipped: RAILGAUGE_COLLECTION names no folder";
  std::size_t files = 0;
  for (const auto& file :
       std::filesystem::directory_iterator(std::filesystem::path(folder) / "nccl_log")) {
    const auto bytes = read_file(file.path(), 1 << 24);
    ASSERT_TRUE(bytes.has_value());
    const std::string name = file.path().filename().string();
    EXPECT_TRUE(looks_like_nccl_log(*bytes)) << name;
    const auto machine = read_nccl_log({name, *bytes});
    ASSERT_TRUE(machine.has_value()) << name;
    const model::NcclRun& run = machine->nccl_runs.at(0);
    std::printf(
        "%-40s %4llu lines %zu ranks %zu nics %zu gdr %zu ways %zu warnings %zu variables"
        " %zu devices %s %s\n",
        name.c_str(), static_cast<unsigned long long>(run.lines), run.ranks.size(), run.nics.size(),
        run.gdr.size(), run.connections.size(), run.warnings.size(), machine->variables.size(),
        machine->devices.size(), run.version.value_or("-").c_str(),
        run.network.value_or("-").c_str());
    for (const auto& remark : machine->remarks) std::printf("    %s\n", remark.text.c_str());
    ++files;
  }
  EXPECT_GT(files, 0u);
}

}  // namespace
}  // namespace railgauge::observe
