// Two ways through one archive: what the short one gives is what libarchive gives, and what it does
// not give is what it does not know.
#include "observe/archive/quick_tar.h"

#include <gtest/gtest.h>

#include "observe/archive/test_archives.h"

namespace railgauge::observe {
namespace {

using testing::archive_of;
using testing::compressed;
using testing::put_checksum;
using testing::tar_block;
using testing::tar_of;
using testing::TarItem;

std::optional<Entries> quick(const std::string& bytes, const ArchiveBounds& bounds = {}) {
  UnpackRoom room;
  return quick_tar_entries(bytes, "host.tar", bounds, room);
}

// Both ways give `count` entries, and the same ones.
void expect_both(const std::string& bytes, std::size_t count) {
  const auto short_way = quick(bytes);
  const auto long_way = library_entries(bytes, "host.tar", {});
  ASSERT_TRUE(long_way) << long_way.error().text();
  ASSERT_TRUE(short_way);
  EXPECT_EQ(*short_way, *long_way);
  EXPECT_EQ(short_way->size(), count);
}

// Whether the short way dares; where it does, libarchive agrees.
bool dares(const std::string& bytes) {
  const auto short_way = quick(bytes);
  if (!short_way) return false;
  const auto long_way = library_entries(bytes, "host.tar", {});
  EXPECT_TRUE(long_way && *long_way == *short_way);
  return true;
}

std::string long_path(std::size_t size) {
  std::string path = "sys";
  while (path.size() + 10 < size) path += "/devices0";
  return path + "/" + std::string(size - path.size() - 1, 'x');
}

TEST(QuickTar, EqualsLibarchiveOnWhatWePack) {
  Recording recording;
  for (const std::size_t size : {0u, 1u, 511u, 512u, 513u, 4096u, 70'000u, 400'000u})
    recording.add_file("sys/size" + std::to_string(size), std::string(size, 'x'));
  for (const std::size_t size : {99u, 100u, 101u, 155u, 256u, 511u, 512u, 513u, 550u}) {
    recording.add_file(long_path(size), "1\n");
    recording.add_link(long_path(size) + "l", "../" + std::string(size, 'y'));
    recording.add_link("links/to" + std::to_string(size), std::string(size, 'z'));
  }
  recording.add_file("sys/gr\xc3\xb6\xc3\x9f", "1");
  recording.add_refused("sys/secret", "Permission denied");
  const auto packed = pack(recording);
  ASSERT_TRUE(packed) << packed.error().text();
  expect_both(*packed, recording.entries.size() + 1);  // refused.json, manifest.json
}

TEST(QuickTar, EqualsLibarchiveOnPlainUstarWithDirectories) {
  const std::string tar = tar_of({{"./", "", '5'},
                                  {"./sys/", "", '5'},
                                  {"./sys/a", "1"},
                                  {"sys/b", "", '2', "../a"},
                                  {"sys/empty", "", '5'}});
  expect_both(tar, 2);
  expect_both(compressed(tar, "zstd"), 2);
  expect_both(archive_of({{"sys/a", "1"}, {long_path(300), "2"}}, "gnutar"), 2);
}

TEST(QuickTar, LeavesOtherDialectsToLibarchive) {
  for (const char* format : {"pax", "zip", "v7tar"})
    EXPECT_FALSE(dares(archive_of({{long_path(99), "1"}, {"\xc3\xb6", "2"}}, format))) << format;
  const std::string tar = tar_of({{"sys/a", "1"}});
  for (const char* filter : {"gzip", "xz"}) EXPECT_FALSE(dares(compressed(tar, filter))) << filter;
  for (const char type : {'1', '3', '4', '6', '7', 'S', 'x', 'g', 'V', 'M', 'N', '\0'})
    EXPECT_FALSE(dares(tar_of({{"sys/a", "", type, "sys/b"}}))) << type;
  EXPECT_FALSE(dares(tar_of({{"sys/a/", ""}})));  // a directory by its name alone
  EXPECT_FALSE(dares(tar_of({{"././@LongLink", "sys/long", 'L'}, {"cut", "1"}})));  // not GNU's
}

TEST(QuickTar, LeavesEverythingWrongToLibarchive) {
  const std::string good = tar_of({{"sys/a", std::string(3000, 'a')}, {"sys/b", "2"}});
  ASSERT_TRUE(dares(good));
  EXPECT_FALSE(dares(""));
  EXPECT_FALSE(dares(good.substr(0, good.size() - 1024)));  // no end mark
  EXPECT_FALSE(dares(good.substr(0, 2000)));
  EXPECT_FALSE(dares(good + std::string(512, 'x')));
  EXPECT_FALSE(dares(tar_of({{"../x", "1"}})));
  EXPECT_FALSE(dares(tar_of({{"/x", "1"}})));
  EXPECT_FALSE(dares(tar_of({{"a", "1"}, {"a", "2"}})));
  EXPECT_FALSE(dares(tar_of({{"l", "", '2', ""}})));
  const std::string packed = compressed(good, "zstd");
  ASSERT_TRUE(dares(packed));
  EXPECT_FALSE(dares(packed.substr(0, packed.size() - 1)));
  EXPECT_FALSE(dares(packed + "x"));
  EXPECT_FALSE(dares(packed + packed));
}

TEST(QuickTar, StopsAtEveryBound) {
  const std::string tar = tar_of({{"sys/a", std::string(3000, 'a')}, {"sys/b", "2"}});
  ArchiveBounds bounds;
  bounds.entry_bytes = 2999;
  EXPECT_FALSE(quick(tar, bounds));
  bounds = {};
  bounds.entries = 2;  // sys, sys/a
  EXPECT_FALSE(quick(tar, bounds));
  bounds = {};
  bounds.total_bytes = 3100;
  EXPECT_FALSE(quick(tar, bounds));
  EXPECT_TRUE(quick(tar));
}

// Every byte of the headers, changed in turn, with the checksum put right again and without.
TEST(QuickTar, AgreesWithLibarchiveOnEveryChangedByte) {
  const std::string rest = tar_block({"sys/b", "2"}) + std::string(1024, '\0');
  std::string gnu = tar_block({"sys/a", "", '2', "b"});
  gnu.replace(257, 8, std::string("ustar  \0", 8));
  put_checksum(gnu);
  for (const std::string& first : {tar_block({"sys/a", "1"}), gnu}) {
    std::size_t dared = 0;
    for (std::size_t at = 0; at < 512; ++at)
      for (const char byte : {'\0', '/', '1', '7', ' ', 'L', '\xff'}) {
        std::string changed = first;
        changed[at] = byte;
        SCOPED_TRACE(at);
        dares(changed + rest);
        put_checksum(changed);
        dared += dares(changed + rest);
      }
    EXPECT_GT(dared, 500u);
  }
}

}  // namespace
}  // namespace railgauge::observe
