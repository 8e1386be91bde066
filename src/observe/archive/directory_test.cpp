#include <gtest/gtest.h>
#include <sys/stat.h>

#include "observe/archive/archive.h"
#include "observe/archive/test_archives.h"

namespace railgauge::observe {
namespace {

using testing::failure;
using testing::Folder;

TEST(ReadDirectory, ReadsFilesAndLinksWithoutFollowing) {
  const Folder folder;
  folder.write("manifest.json", testing::manifest_text);
  folder.write("sys/class/net/eth0/mtu", "1500\n");
  std::filesystem::create_directory_symlink("..", folder / "sys/class/loop");
  std::filesystem::create_symlink("/etc/passwd", folder / "sys/class/out");
  const auto recording = read_directory(folder.path());
  ASSERT_TRUE(recording) << recording.error().text();
  EXPECT_EQ(recording->name, folder.path().filename().string());
  EXPECT_EQ(recording->manifest.hostname, "node07");
  EXPECT_EQ(*recording->text("sys/class/net/eth0/mtu"), "1500");
  EXPECT_EQ(recording->find("sys/class/loop")->kind, Entry::Kind::link);
  EXPECT_EQ(recording->find("sys/class/out")->bytes, "/etc/passwd");
  EXPECT_EQ(recording->entries.size(), 3u);
}

TEST(ReadDirectory, PipesAreRefusedWithoutWaiting) {
  const Folder folder;
  folder.write("sys/a", "1");
  ASSERT_EQ(::mkfifo((folder / "sys/pipe").c_str(), 0600), 0);
  const auto recording = read_directory(folder.path());
  ASSERT_TRUE(recording) << recording.error().text();
  EXPECT_EQ(recording->text("sys/pipe").why(), "a FIFO, which is not read");
}

TEST(ReadDirectory, UnreadableFilesAndDirectoriesAreRefusedWithTheReason) {
  if (::geteuid() == 0) GTEST_SKIP() << "root reads everything";
  const Folder folder;
  ::chmod(folder.write("sys/secret", "1").c_str(), 0);
  folder.write("sys/closed/a", "1");
  ::chmod((folder / "sys/closed").c_str(), 0);
  const auto recording = read_directory(folder.path());
  ::chmod((folder / "sys/closed").c_str(), 0700);
  ASSERT_TRUE(recording) << recording.error().text();
  EXPECT_EQ(recording->text("sys/secret").why(), "Permission denied");
  EXPECT_EQ(recording->text("sys/closed").why(), "Permission denied");
}

TEST(ReadDirectory, OddNamesAreRefusedAndSaidWhy) {
  const Folder folder;
  folder.write("sys/a\\b", "1");
  folder.write("sys/\xff", "1");
  const auto recording = read_directory(folder.path());
  ASSERT_TRUE(recording) << recording.error().text();
  EXPECT_NE(recording->text("sys/a?b").why().find("backslash"), std::string::npos);
  EXPECT_NE(recording->text("sys/\xef\xbf\xbd").why().find("not UTF-8"), std::string::npos);
  EXPECT_TRUE(pack(*recording));
}

TEST(ReadDirectory, DeepTreesEndWithARefusal) {
  const Folder folder;
  std::string path = "sys";
  for (int i = 0; i < 70; ++i) path += "/d";
  folder.write(path + "/f", "1");
  const auto recording = read_directory(folder.path());
  ASSERT_TRUE(recording) << recording.error().text();
  ASSERT_EQ(recording->entries.size(), 1u);
  EXPECT_NE(recording->entries.begin()->second.bytes.find("deeper than 64"), std::string::npos);
  EXPECT_TRUE(pack(*recording));
}

TEST(ReadDirectory, StopsAtItsBounds) {
  const Folder folder;
  folder.write("sys/big", std::string(3000, 'x'));
  folder.write("sys/small", "1");
  ArchiveBounds bounds;
  bounds.entry_bytes = 2999;
  EXPECT_NE(failure(read_directory(folder.path(), bounds)).find("\"sys/big\" is larger than"),
            std::string::npos);
  bounds = {};
  bounds.total_bytes = 2000;
  EXPECT_NE(failure(read_directory(folder.path(), bounds)).find("holds more than"),
            std::string::npos);
  bounds = {};
  bounds.entries = 2;
  const auto many = read_directory(folder.path(), bounds);
  ASSERT_FALSE(many);
  EXPECT_EQ(many.error().kind, ErrorKind::limit);
  EXPECT_EQ(failure(read_directory(folder.path() / "none")).find("cannot open directory"), 0u);
}

TEST(ReadDirectory, TheRootIsNoRecording) {
  EXPECT_NE(failure(read_directory("/")).find("is this machine itself"), std::string::npos);
}

TEST(ReadDirectory, ComesBackEqualThroughAnArchive) {
  const Folder folder;
  folder.write("manifest.json", testing::manifest_text);
  folder.write("refused.json", R"({"sys/config": "Permission denied"})");
  folder.write("sys/a", "1");
  std::filesystem::create_symlink("a", folder / "sys/l");
  ASSERT_EQ(::mkfifo((folder / "sys/pipe").c_str(), 0600), 0);
  const auto recording = read_directory(folder.path());
  ASSERT_TRUE(recording) << recording.error().text();
  EXPECT_EQ(recording->text("sys/config").why(), "Permission denied");
  const auto back = unpack(*pack(*recording), "host.tar.zst");
  ASSERT_TRUE(back) << back.error().text();
  EXPECT_EQ(back->entries, recording->entries);
  EXPECT_EQ(back->manifest, recording->manifest);
}

}  // namespace
}  // namespace railgauge::observe
