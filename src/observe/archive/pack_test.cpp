#include <gtest/gtest.h>

#include <random>

#include "observe/archive/archive.h"
#include "observe/archive/test_archives.h"

namespace railgauge::observe {
namespace {

using testing::failure;

Recording small() {
  Recording recording;
  recording.name = "host";
  recording.manifest = {1, "0.1.0", "2026-11-29T13:00:00Z", "node07", false};
  recording.add_file("sys/b", "2\n");
  recording.add_file("sys/a", std::string("\0\xff", 2));
  recording.add_link("sys/l", "../a");
  recording.add_refused("sys/no", "Permission denied");
  return recording;
}

// Any recording whose paths do not collide: files in "fN", deeper ones below "dN".
Recording random_recording(std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto below = [&](std::uint32_t limit) {
    return static_cast<std::uint32_t>(random() % limit);
  };
  const auto text = [&](std::uint32_t longest, const char* letters, std::uint32_t count) {
    std::string out;
    for (std::uint32_t i = below(longest) + 1; i > 0; --i) out += letters[below(count)];
    return out;
  };
  Recording recording;
  recording.name = "random";
  recording.manifest = {1, text(8, "0123.", 5), text(20, "2026-T:Z", 8), text(30, "node07\"\\", 8),
                        below(2) == 0};
  for (std::uint32_t i = below(60); i > 0; --i) {
    std::string path;
    for (std::uint32_t depth = below(6); depth > 0; --depth)
      path += "d" + text(60, "0123456789:.-_ ", 15) + "x/";
    path += "f" + text(below(20) == 0 ? 300 : 12, "abc:.#\"'{}~%", 12);
    switch (below(4)) {
      case 0: recording.add_link(path, text(300, "./ab", 4)); break;
      case 1: recording.add_refused(path, text(40, "Permission denied\n\"\\", 20)); break;
      default: {
        std::string bytes(below(3) == 0 ? 0 : below(5000), '\0');
        for (char& c : bytes) c = static_cast<char>(below(256));
        recording.add_file(path, std::move(bytes));
      }
    }
  }
  return recording;
}

TEST(Pack, RandomRecordingsComeBackEqual) {
  for (std::uint32_t seed = 1; seed <= 200; ++seed) {
    const Recording recording = random_recording(seed);
    const auto packed = pack(recording);
    ASSERT_TRUE(packed) << "seed " << seed << ": " << packed.error().text();
    ASSERT_TRUE(looks_like_archive(*packed));
    const auto back = unpack(*packed, "random");
    ASSERT_TRUE(back) << "seed " << seed << ": " << back.error().text();
    EXPECT_EQ(back->name, recording.name);
    EXPECT_EQ(back->manifest, recording.manifest) << "seed " << seed;
    EXPECT_EQ(back->entries, recording.entries) << "seed " << seed;
  }
}

TEST(Pack, EqualRecordingsGiveEqualBytes) {
  Recording other_order;
  other_order.name = "another name";
  other_order.manifest = small().manifest;
  other_order.add_refused("sys/no", "Permission denied");
  other_order.add_link("sys/l", "../a");
  other_order.add_file("sys/a", std::string("\0\xff", 2));
  other_order.add_file("sys/b", "2\n");
  EXPECT_EQ(*pack(small()), *pack(other_order));
}

TEST(Pack, ManifestComesFirstThenSortedWithoutTimeAndOwner) {
  const std::string bytes = *pack(small());
  ::archive* reader = ::archive_read_new();
  ::archive_read_support_format_all(reader);
  ::archive_read_support_filter_all(reader);
  ASSERT_EQ(::archive_read_open_memory(reader, bytes.data(), bytes.size()), ARCHIVE_OK);
  std::vector<std::string> paths;
  ::archive_entry* entry = nullptr;
  while (::archive_read_next_header(reader, &entry) == ARCHIVE_OK) {
    paths.emplace_back(::archive_entry_pathname(entry));
    EXPECT_EQ(::archive_entry_mtime(entry), 0);
    EXPECT_EQ(::archive_entry_uid(entry), 0);
    EXPECT_EQ(::archive_entry_gid(entry), 0);
  }
  ::archive_read_free(reader);
  EXPECT_EQ(paths,
            (std::vector<std::string>{"manifest.json", "refused.json", "sys/a", "sys/b", "sys/l"}));
}

TEST(Pack, WhatCouldNotBeReadBackIsAnError) {
  const auto with = [](const std::string& path, Entry entry) {
    Recording recording;
    recording.name = "host";
    recording.entries.set(path, entry.kind, std::string(entry.bytes));
    return failure(pack(recording));
  };
  const Entry file{Entry::Kind::file, "1"};
  EXPECT_EQ(with("../x", file),
            "packing host: entry \"../x\" has \"..\" in its path; pack it again with plain paths");
  EXPECT_EQ(with("a//b", file), "packing host: entry \"a//b\" is not a plain relative path");
  EXPECT_EQ(with("refused.json", file),
            "packing host: entry \"refused.json\" has a name that the recording itself needs");
  EXPECT_EQ(with("l", {Entry::Kind::link, ""}),
            "packing host: entry \"l\" is a link to nothing; leave it out");
}

}  // namespace
}  // namespace railgauge::observe
