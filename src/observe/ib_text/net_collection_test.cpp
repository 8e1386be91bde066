// Goes over a folder of collected outputs of network tools, when RAILGAUGE_COLLECTION names one:
// index.tsv has a line per file (file, kind, source, diagnosis, authenticity, truncated). Every
// file must be recognised by its reader, and every number it states must be in the model.
#include <gtest/gtest.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "base/files.h"
#include "base/strings.h"
#include "model/field_lists.h"
#include "observe/ethtool/counter_lines.h"
#include "observe/reader.h"

namespace railgauge::observe {
namespace {

struct Kind {
  const char* name;
  InputKind reader;
};
constexpr Kind kinds[] = {
    {"ethtool_S", InputKind::ethtool_statistics},
    {"ibstat", InputKind::ibstat},
    {"ibstatus", InputKind::ibstatus},
    {"ibv_devinfo", InputKind::ibv_devinfo},
    {"show_gids", InputKind::show_gids},
    {"ibqueryerrors", InputKind::ibqueryerrors},
    {"sysfs_ib_dump", InputKind::sysfs_dump},
    {"rdma_hw_counters", InputKind::rdma_counters},
};

template <class Owner>
std::size_t claims_of(const Owner& owner, std::set<std::uint32_t>& lines) {
  std::size_t claims = 0;
  const auto see = [&](const auto& fact) {
    for (const auto& claim : fact.claims()) lines.insert(claim.source.line), ++claims;
    for (const auto& refusal : fact.refusals()) lines.insert(refusal.source.line), ++claims;
  };
  model::each_field<Owner>([&](const auto& field) { see(owner.*field.member); });
  model::each_counter_field<Owner>([&](const auto& field) {
    for (const auto& [name, counter] : owner.*field.member) see(counter.value);
  });
  return claims;
}

std::size_t claims_of(const model::Machine& machine, std::set<std::uint32_t>& lines) {
  std::size_t claims = 0;
  for (const auto& device : machine.devices) {
    for (const auto& attribute : device.attributes) lines.insert(attribute.source.line);
    if (!device.nic) continue;
    claims += claims_of(*device.nic, lines);
    for (const auto& port : device.nic->ports) {
      claims += claims_of(port, lines);
      for (const auto& gid : port.gids) claims += claims_of(gid, lines);
    }
  }
  return claims;
}

// Lines that state something: a name and a value, or a row.
std::set<std::uint32_t> stating_lines(std::string_view text) {
  std::set<std::uint32_t> out;
  for (LineCursor lines(text); lines.next();) {
    const auto line = trim(lines.line());
    const bool states = contains(line, ":") && !line.ends_with(':') && !line.starts_with("port:");
    if (states) out.insert(lines.number());
  }
  return out;
}

// Sums have one line, the first of their parts; then the sum of everything must be there instead.
std::uint64_t sum_of_statistics(std::string_view text) {
  std::uint64_t sum = 0;
  for (const CounterList& list : counter_lists(text))
    for (const CounterLine& line : list.lines) sum += line.value;
  return sum;
}
std::uint64_t sum_in_model(const model::Machine& machine) {
  std::uint64_t sum = 0;
  for (const auto& device : machine.devices)
    for (const auto& port : device.nic->ports)
      for (const auto* counters : {&port.counters, &port.driver_counters})
        for (const auto& [name, counter] : *counters) sum += *counter.value;
  return sum;
}

void check(const std::string& file, const Kind& kind, const std::string& bytes) {
  const Reader* found = nullptr;
  for (const Reader* reader : sniff(bytes))
    if (reader->kind == kind.reader) found = reader;
  ASSERT_NE(found, nullptr) << file << " is not recognised";
  const auto machine = found->read({file, bytes});
  ASSERT_TRUE(machine.has_value()) << file << ": " << machine.error().text();
  std::set<std::uint32_t> read;
  const std::size_t claims = claims_of(*machine, read);
  std::size_t missing = 0;
  for (const std::uint32_t line : stating_lines(bytes))
    if (!read.contains(line)) ++missing;
  std::printf("%-44s %2zu devices %4zu facts %4zu lines without one, %zu remarks\n", file.c_str(),
              machine->devices.size(), claims, missing, machine->remarks.size());
  for (const auto& remark : machine->remarks)
    EXPECT_EQ(remark.level, model::RemarkLevel::note) << file << ": " << remark.text;
  if (kind.reader == InputKind::ethtool_statistics)
    EXPECT_EQ(sum_in_model(*machine), sum_of_statistics(bytes)) << file;
  else
    EXPECT_EQ(missing, 0u) << file;
}

TEST(CollectedNetworkOutputs, EveryFileIsReadWithAllItsValues) {
  const char* folder = std::getenv("RAILGAUGE_COLLECTION");
  if (!folder) GTEST_SKIP() << "skipped: RAILGAUGE_COLLECTION names no folder";
  const std::filesystem::path root = folder;
  const auto index = read_file(root / "index.tsv", 1 << 20);
  ASSERT_TRUE(index.has_value()) << index.error().text();
  std::size_t files = 0;
  for (LineCursor lines(*index); lines.next();) {
    const auto fields = split(lines.line(), '\t');
    if (fields.size() < 2 || !fields[0].starts_with("net/")) continue;
    const auto bytes = read_file(root / fields[0], 1 << 24);
    ASSERT_TRUE(bytes.has_value()) << bytes.error().text();
    bool known = false;
    for (const Kind& kind : kinds) {
      if (fields[1] != kind.name) continue;
      known = true;
      check(std::string(fields[0]), kind, *bytes);
    }
    EXPECT_TRUE(known) << fields[0] << " is of kind " << fields[1];
    ++files;
  }
  EXPECT_GT(files, 0u);
}

}  // namespace
}  // namespace railgauge::observe
