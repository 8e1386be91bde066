#include "base/files.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

namespace railgauge {
namespace {

std::filesystem::path fresh_folder() {
  std::string pattern =
      (std::filesystem::temp_directory_path() / "railgauge-files-XXXXXX").string();
  return ::mkdtemp(pattern.data());
}

TEST(ReadFile, SaysWhichFileAndWhy) {
  const auto missing = read_file("/no/such/file", 10);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, ErrorKind::not_found);
  EXPECT_NE(missing.error().text().find("/no/such/file"), std::string::npos);
}

TEST(ReadFile, RefusesMoreThanTheLimitInsteadOfCutting) {
  const auto folder = fresh_folder();
  std::ofstream(folder / "big") << std::string(100, 'x');
  const auto big = read_file(folder / "big", 99);
  ASSERT_FALSE(big);
  EXPECT_EQ(big.error().kind, ErrorKind::limit);
  EXPECT_EQ(read_file(folder / "big", 100)->size(), 100u);
  std::filesystem::remove_all(folder);
}

TEST(WriteFile, ReplacesWholeAndLeavesNothingBehind) {
  const auto folder = fresh_folder();
  ASSERT_TRUE(write_file_atomically(folder / "out", "one"));
  ASSERT_TRUE(write_file_atomically(folder / "out", "two"));
  EXPECT_EQ(*read_file(folder / "out", 10), "two");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
  EXPECT_FALSE(write_file_atomically(folder / "none" / "out", "x"));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace railgauge
