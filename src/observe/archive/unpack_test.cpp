#include <gtest/gtest.h>

#include "observe/archive/archive.h"
#include "observe/archive/test_archives.h"

namespace railgauge::observe {
namespace {

using testing::archive_of;
using testing::compressed;
using testing::failure;
using testing::manifest_text;
using testing::tar_block;
using testing::tar_of;
using testing::TarItem;

std::vector<TarItem> small_machine(const std::string& top = "") {
  return {{top + "manifest.json", manifest_text},
          {top + "sys/class/net/eth0/mtu", "1500\n"},
          {top + "sys/class/net/eth0/device", "", '2', "../../../0000:01:00.0"}};
}

void expect_small_machine(const Result<Recording>& recording) {
  ASSERT_TRUE(recording) << recording.error().text();
  EXPECT_EQ(recording->manifest.hostname, "node07");
  EXPECT_EQ(*recording->text("sys/class/net/eth0/mtu"), "1500");
  EXPECT_EQ(*recording->link_name("sys/class/net/eth0/device"), "0000:01:00.0");
  EXPECT_EQ(recording->entries.size(), 2u);
}

std::string unpack_failure(const std::vector<TarItem>& items) {
  return failure(unpack(tar_of(items), "host.tar"));
}

#define EXPECT_SAYS(text, part) \
  EXPECT_NE((text).find(part), std::string::npos) << "in: " << (text) << "\nwanted: " << (part)

TEST(Unpack, ReadsTarPlainAndCompressed) {
  const std::string tar = tar_of(small_machine());
  expect_small_machine(unpack(tar, "host.tar"));
  for (const char* filter : {"gzip", "zstd", "xz"}) {
    SCOPED_TRACE(filter);
    const std::string bytes = compressed(tar, filter);
    EXPECT_TRUE(looks_like_archive(bytes));
    expect_small_machine(unpack(bytes, "host.tar.packed"));
  }
}

TEST(Unpack, ReadsPaxGnuAndZip) {
  for (const char* format : {"pax", "gnutar", "zip", "v7tar"}) {
    SCOPED_TRACE(format);
    const std::string bytes = archive_of(small_machine(), format);
    EXPECT_TRUE(looks_like_archive(bytes));
    expect_small_machine(unpack(bytes, "host"));
  }
}

TEST(Unpack, TakesTheCommonDirectoryAway) {
  expect_small_machine(unpack(tar_of(small_machine("myhost/")), "host.tar"));
  expect_small_machine(unpack(tar_of(small_machine("./myhost/")), "host.tar"));
  expect_small_machine(unpack(tar_of(small_machine("./")), "host.tar"));
}

TEST(Unpack, KeepsNamesOutsideAscii) {
  for (const char* format : {"pax", "gnutar", "zip"}) {
    SCOPED_TRACE(format);
    const auto items =
        std::vector<TarItem>{{"sys/gr\xc3\xb6\xc3\x9f"
                              "e",
                              "1"}};
    const auto recording = unpack(archive_of(items, format), "host");
    ASSERT_TRUE(recording) << recording.error().text();
    EXPECT_NE(recording->find("sys/gr\xc3\xb6\xc3\x9f"
                              "e"),
              nullptr);
  }
}

TEST(Unpack, RefusedPathsComeBackWithTheirReason) {
  const auto recording =
      unpack(tar_of({{"manifest.json", manifest_text},
                     {"refused.json", R"({"sys/a/config": "Permission denied"})"}}),
             "host.tar");
  ASSERT_TRUE(recording) << recording.error().text();
  EXPECT_EQ(recording->text("sys/a/config").why(), "Permission denied");
  EXPECT_SAYS(unpack_failure({{"manifest.json", manifest_text},
                              {"sys/a", "1"},
                              {"refused.json", R"({"sys/a": "Permission denied"})"}}),
              "refused.json names \"sys/a\", which is there");
}

TEST(Unpack, PathsThatLeaveTheArchiveAreErrors) {
  for (const char* path : {"../x", "a/../../b", "sys/.."}) {
    const std::string text = unpack_failure({{path, "1"}});
    EXPECT_SAYS(text, std::string("host.tar: entry \"") + path + "\" has \"..\"");
  }
  EXPECT_SAYS(unpack_failure({{"/etc/passwd", "1"}}), "\"/etc/passwd\" is an absolute path");
  EXPECT_SAYS(unpack_failure({{"sys\\class", "1"}}), "has a backslash in its name; pack it again");
  EXPECT_SAYS(unpack_failure({{"sys/\x1b[2Jx", "1"}}), "has a control byte in its name");
  EXPECT_SAYS(unpack_failure({{"sys/\xff", "1"}}), "has a name that is not UTF-8");
}

// libarchive hands names over as C strings: what follows a NUL never reaches us.
TEST(Unpack, NamesEndAtANulByte) {
  const std::string record = std::string("14 path=a\0../b\n", 15);
  const auto recording =
      unpack(tar_of({{"PaxHeader", "15" + record.substr(2), 'x'}, {"short", "1"}}), "host.tar");
  if (!recording) return;  // a later libarchive may call it damaged, which is as good
  for (const auto& [path, entry] : recording->entries)
    EXPECT_EQ(path.find('\0'), std::string::npos);
}

TEST(Unpack, NamesTooLongOrTooDeepAreErrors) {
  const auto named = [](const std::string& name) {
    return unpack_failure({{"././@LongLink", name + '\0', 'L'}, {"cut", "1"}});
  };
  EXPECT_SAYS(named(std::string(5000, 'x')), "has a name longer than 4096 bytes");
  std::string deep;
  for (int i = 0; i < 65; ++i) deep += "d/";
  EXPECT_SAYS(named(deep + "x"), "lies deeper than 64 directories");
}

TEST(Unpack, HardLinksDevicesAndPipesAreErrors) {
  EXPECT_SAYS(unpack_failure({{"sys/a", "1"}, {"sys/b", "", '1', "sys/a"}}),
              "entry \"sys/b\" is a hard link; pack it again with tar --hard-dereference");
  EXPECT_SAYS(unpack_failure({{"dev/null", "", '3'}}), "\"dev/null\" is a character device; leave");
  EXPECT_SAYS(unpack_failure({{"dev/sda", "", '4'}}),
              "\"dev/sda\" is a block device; leave it out");
  EXPECT_SAYS(unpack_failure({{"sys/pipe", "", '6'}}), "\"sys/pipe\" is a FIFO; leave it out");
  EXPECT_SAYS(unpack_failure({{"sys/l", "", '2', ""}}), "\"sys/l\" is a link to nothing");
}

TEST(Unpack, LinksAreOnlyText) {
  const auto recording = unpack(tar_of({{"sys/l", "", '2', "../../../../etc/passwd"}}), "host.tar");
  ASSERT_TRUE(recording);
  EXPECT_EQ(recording->find("sys/l")->kind, Entry::Kind::link);
  EXPECT_EQ(recording->find("sys/l")->bytes, "../../../../etc/passwd");
}

TEST(Unpack, PathsThatCollideAreErrors) {
  EXPECT_SAYS(unpack_failure({{"sys/a", "1"}, {"sys/./a", "2"}}), "\"sys/a\" is there twice");
  EXPECT_SAYS(unpack_failure({{"sys/a", "", '2', "/tmp"}, {"sys/a/b", "2"}}),
              "\"sys/a\" is both a file and a directory");
  EXPECT_SAYS(unpack_failure({{"sys/a/b", "2"}, {"sys/a", "1"}}),
              "\"sys/a\" is both a file and a directory");
}

TEST(Unpack, CutArchivesAreErrors) {
  const std::string tar =
      tar_of({{"manifest.json", manifest_text}, {"sys/a", std::string(20'000, 'x')}});
  EXPECT_SAYS(failure(unpack(tar.substr(0, 5000), "host.tar")), "\"sys/a\" cannot be read");
  EXPECT_SAYS(failure(unpack(tar.substr(0, 5000), "host.tar")), "copy it again");
  EXPECT_SAYS(failure(unpack(tar.substr(0, 1200), "host.tar")), "cut or damaged");
  EXPECT_SAYS(failure(unpack(tar.substr(0, 1024), "host.tar")), "ends without its end mark");
  for (const char* filter : {"gzip", "zstd", "xz"}) {
    SCOPED_TRACE(filter);
    std::string noise(40'000, '\0');
    std::uint32_t state = 1;
    for (char& c : noise) c = static_cast<char>((state = state * 1664525u + 1013904223u) >> 24);
    const std::string whole = compressed(tar_of({{"sys/a", noise}}), filter);
    EXPECT_SAYS(failure(unpack(whole.substr(0, whole.size() / 2), "host.tar")), "copy it again");
  }
}

TEST(Unpack, DamagedCompressionIsAnError) {
  std::string bytes = compressed(tar_of(small_machine()), "zstd");
  for (std::size_t i = 8; i < 40; ++i) bytes[i] = '\xff';
  EXPECT_SAYS(failure(unpack(bytes, "host.tar.zst")), "cut or damaged");
  EXPECT_SAYS(failure(unpack(bytes.substr(0, 4), "host.tar.zst")), "cut or damaged");
}

TEST(Unpack, WhatIsNoArchiveSaysSo) {
  EXPECT_SAYS(failure(unpack("\tGPU0\tGPU1\n", "topo.txt")), "topo.txt is not an archive we read");
  EXPECT_SAYS(failure(unpack("", "none.tar")), "none.tar is empty");
  EXPECT_FALSE(looks_like_archive("\tGPU0\tGPU1\n"));
  EXPECT_FALSE(looks_like_archive(std::string(2000, ' ')));
  EXPECT_FALSE(looks_like_archive(std::string(2000, '\0')));
  EXPECT_FALSE(looks_like_archive(compressed("\tGPU0\tGPU1\n", "gzip")));
}

TEST(Unpack, ArchivesInsideAreNotOpened) {
  const std::string inner = tar_of({{"sys/../../x", "1"}});
  const auto recording = unpack(tar_of({{"sys/a", "1"}, {"inner.tar", inner}}), "host.tar");
  ASSERT_TRUE(recording);
  EXPECT_EQ(recording->find("inner.tar")->bytes, inner);
  const std::string twice = compressed(compressed(tar_of(small_machine()), "gzip"), "gzip");
  EXPECT_FALSE(looks_like_archive(twice));
  EXPECT_FALSE(unpack(twice, "host.tar.gz.gz"));
}

TEST(Unpack, StopsAtTheBoundOfOneEntry) {
  const std::string bomb = compressed(tar_of({{"sys/zeros", std::string(9 << 20, '\0')}}), "zstd");
  ASSERT_LT(bomb.size(), 20'000u);
  ArchiveBounds bounds;
  bounds.entry_bytes = 1 << 20;
  const auto stopped = unpack(bomb, "bomb.tar.zst", bounds);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().kind, ErrorKind::limit);
  EXPECT_SAYS(failure(stopped), "entry \"sys/zeros\" is larger than 1 MiB");
}

TEST(Unpack, StopsAtTheBoundOfAllEntries) {
  std::vector<TarItem> items;
  for (int i = 0; i < 9; ++i) items.push_back({"sys/f" + std::to_string(i), std::string(1000, 0)});
  ArchiveBounds bounds;
  bounds.total_bytes = 5000;
  EXPECT_SAYS(failure(unpack(tar_of(items), "big.tar", bounds)), "big.tar holds more than");
  bounds = {};
  bounds.entries = 5;
  EXPECT_SAYS(failure(unpack(tar_of(items), "many.tar", bounds)), "holds more than 5 entries");
  EXPECT_EQ(unpack(tar_of(items), "big.tar", bounds).error().kind, ErrorKind::limit);
}

TEST(Unpack, AStatedSizeIsNotBelieved) {
  TarItem liar{"sys/a", "1"};
  liar.stated_size = 60ull << 30;
  EXPECT_SAYS(unpack_failure({liar}), "entry \"sys/a\" is larger than 64 MiB");
}

// 1 GiB of hole in a file of 1 kB: GNU tar's old sparse header.
TEST(Unpack, SparseFilesCountTheirHoles) {
  std::string block = tar_block({"sys/hole", "", 'S'});
  block.replace(257, 8, "ustar  ", 8);
  block.replace(386, 12, testing::octal((1ull << 30) - 1, 11) + '\0');  // offset of the last byte
  block.replace(398, 12, testing::octal(0, 11) + '\0');
  block.replace(483, 12, testing::octal(1ull << 30, 11) + '\0');  // real size
  block.replace(148, 8, "        ");
  unsigned sum = 0;
  for (const char c : block) sum += static_cast<unsigned char>(c);
  block.replace(148, 8, testing::octal(sum, 6) + std::string("\0 ", 2));
  EXPECT_SAYS(failure(unpack(block + std::string(1024, '\0'), "hole.tar")), "larger than 64 MiB");
}

}  // namespace
}  // namespace railgauge::observe
