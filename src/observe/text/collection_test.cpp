// Goes over a folder of collected outputs, when RAILGAUGE_COLLECTION names one: index.tsv has a
// line per file (file, kind, source, diagnosis, authenticity, truncated). Outputs marked real must
// be read without a warning and with every cell; others must be read or say what is missing.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "base/files.h"
#include "base/strings.h"
#include "observe/lspci/lspci.h"
#include "observe/lspci/lspci_hex.h"
#include "observe/text/numa_sysfs.h"
#include "observe/text/rocm_showtopo.h"
#include "observe/text/topo_matrix.h"
#include "observe/text/topo_p2p.h"

namespace railgauge::observe {
namespace {

struct Kind {
  const char* prefix;
  bool (*looks_like)(std::string_view);
  Result<model::Machine> (*read)(const Input&);
};

constexpr Kind kinds[] = {
    {"nvidia_smi_topo_m", looks_like_topo_matrix, read_topo_matrix},
    {"nvidia_smi_topo_p2p", looks_like_topo_p2p, read_topo_p2p},
    {"rocm_smi_showtopo", looks_like_rocm_showtopo, read_rocm_showtopo},
    {"lspci_xxxx", looks_like_lspci_hex, read_lspci_hex},
    {"lspci", looks_like_lspci, read_lspci},
    {"numa", looks_like_numa_sysfs, read_numa_sysfs},
};

// The obvious count: words between blanks that are class or status words, X left out.
std::size_t cells_in(std::string_view text) {
  std::size_t cells = 0;
  for (LineCursor lines(text); lines.next();) {
    const auto words = split_blank(lines.line());
    if (words.size() < 2 || words[1] == "=" || words[1].substr(0, 3) == "GPU") continue;
    if (words[0].substr(0, 3) != "GPU" && words[0].substr(0, 3) != "NIC" &&
        words[0].substr(0, 4) != "mlx5")
      continue;
    for (std::size_t i = 1; i < words.size(); ++i)
      if (words[i].substr(0, 2) == "NV" || words[i] == "PIX" || words[i] == "PXB" ||
          words[i] == "PHB" || words[i] == "NODE" || words[i] == "SYS" || words[i] == "OK" ||
          words[i] == "GNS")
        ++cells;
  }
  return cells;
}

std::size_t claimed_cells(const model::Machine& machine) {
  std::size_t cells = 0;
  for (const auto& pair : machine.pairs)
    cells += pair.smi.claims().size() + pair.p2p_read.claims().size();
  return cells;
}

void check(const Kind& kind, const std::string& file, const std::string& bytes, bool real) {
  EXPECT_TRUE(kind.looks_like(bytes)) << file;
  const auto machine = kind.read({file, bytes});
  if (!machine) {
    std::printf("%-36s ERROR %s\n", file.c_str(), machine.error().text().c_str());
    EXPECT_FALSE(real) << file;
    EXPECT_FALSE(machine.error().message.empty());
    return;
  }
  const bool matrix = starts_with_nocase(kind.prefix, "nvidia_smi");
  std::printf("%-36s %3zu devices %4zu of %4zu cells %2zu remarks%s\n", file.c_str(),
              machine->devices.size(), claimed_cells(*machine), matrix ? cells_in(bytes) : 0,
              machine->remarks.size(), real ? " (real)" : "");
  for (const auto& remark : machine->remarks) {
    std::printf("    %s: %s\n", machine->sources.text(remark.source).c_str(), remark.text.c_str());
    EXPECT_TRUE(!real || remark.level == model::RemarkLevel::note) << file << ": " << remark.text;
  }
  const bool whole = !matrix || claimed_cells(*machine) == cells_in(bytes);
  EXPECT_TRUE(whole || !real) << file;
  EXPECT_TRUE(whole || !machine->remarks.empty()) << file;
}

TEST(CollectedOutputs, RealOnesAreReadWholeAndOthersSayWhatIsMissing) {
  const char* folder = std::getenv("RAILGAUGE_COLLECTION");
  if (!folder) GTEST_SKIP() << "skipped: RAILGAUGE_COLLECTION names no folder";
  const std::filesystem::path root = folder;
  const auto index = read_file(root / "index.tsv", 1 << 20);
  ASSERT_TRUE(index.has_value()) << index.error().text();
  std::size_t files = 0;
  for (LineCursor lines(*index); lines.next();) {
    const auto fields = split(lines.line(), '\t');
    if (fields.size() < 5) continue;
    for (const Kind& kind : kinds) {
      if (!starts_with_nocase(fields[1], kind.prefix)) continue;
      // A test pattern for pciutils has text and hex; the hex must be there to be read.
      const auto bytes = read_file(root / fields[0], 1 << 24);
      ASSERT_TRUE(bytes.has_value()) << bytes.error().text();
      check(kind, std::string(fields[0]), *bytes, fields[4] == "real");
      ++files;
      break;
    }
  }
  EXPECT_GT(files, 0u);
}

}  // namespace
}  // namespace railgauge::observe
