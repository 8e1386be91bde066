#include "observe/inputs.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <thread>

#include "observe/archive/descriptor.h"
#include "observe/archive/test_archives.h"

namespace railgauge::observe {
namespace {

using testing::compressed;
using testing::failure;
using testing::Folder;
using testing::manifest_text;
using testing::tar_of;

constexpr const char* matrix = "\tGPU0\tGPU1\nGPU0\t X \tNV18\nGPU1\tNV18\t X \n";

Result<Loaded> load(const std::vector<std::string>& names, const InputBounds& bounds = {}) {
  return load_inputs(names, -1, bounds);
}

Result<Loaded> load_from_pipe(const std::string& bytes) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  const Descriptor reading(ends[0]);
  std::thread writer([&] {
    const Descriptor writing(ends[1]);
    EXPECT_EQ(::write(writing.value(), bytes.data(), bytes.size()), std::ssize(bytes));
  });
  auto loaded = load_inputs({"-"}, reading.value());
  writer.join();
  return loaded;
}

#define EXPECT_SAYS(text, part) \
  EXPECT_NE((text).find(part), std::string::npos) << "in: " << (text) << "\nwanted: " << (part)

TEST(LoadInputs, AFileIsALooseTextUnderTheNameTheUserGave) {
  const Folder folder;
  const std::string path = folder.write("topo.txt", matrix);
  const auto loaded = load({path});
  ASSERT_TRUE(loaded) << loaded.error().text();
  ASSERT_EQ(loaded->texts.size(), 1u);
  EXPECT_EQ(loaded->texts[0].name, path);
  EXPECT_EQ(loaded->texts[0].bytes, matrix);
  EXPECT_TRUE(loaded->recordings.empty());
}

TEST(LoadInputs, StandardInputMayBeTextOrArchive) {
  const auto text = load_from_pipe(matrix);
  ASSERT_TRUE(text) << text.error().text();
  EXPECT_EQ(text->texts.at(0).name, "standard input");
  const auto archive = load_from_pipe(
      compressed(tar_of({{"manifest.json", manifest_text}, {"sys/a", "1"}}), "zstd"));
  ASSERT_TRUE(archive) << archive.error().text();
  EXPECT_EQ(archive->recordings.at(0).manifest.hostname, "node07");
  EXPECT_SAYS(failure(load_from_pipe("")), "standard input is empty");
}

TEST(LoadInputs, EmptyAndBlankTextsSaySo) {
  const Folder folder;
  const std::string path = folder.write("topo.txt", "");
  EXPECT_EQ(failure(load({path})), path + " is empty");
  EXPECT_EQ(failure(load({folder.write("blank.txt", " \n\t\r\n")})),
            folder / "blank.txt" + " is empty: it holds only blanks");
  EXPECT_EQ(failure(load({folder.write("bom.txt", "\xff\xfe")})), folder / "bom.txt" + " is empty");
}

TEST(LoadInputs, WhatIsMissingOrNoFileSaysSo) {
  EXPECT_SAYS(failure(load({"/no/such/topo.txt"})), "cannot open /no/such/topo.txt: No such file");
  EXPECT_EQ(load({"/no/such/topo.txt"}).error().kind, ErrorKind::not_found);
  EXPECT_SAYS(failure(load({"/dev/zero"})), "/dev/zero is a character device; name a file");
  EXPECT_SAYS(failure(load({"/"})), "/ is this machine itself");
}

TEST(LoadInputs, LargeTextsAreRefusedByTheirSize) {
  const Folder folder;
  const std::string path = folder.write("line.txt", std::string(1000, 'x'));
  std::filesystem::resize_file(path, 10ull << 30);  // a hole: no disk is used
  const auto loaded = load({path});
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().kind, ErrorKind::limit);
  EXPECT_SAYS(failure(loaded), "line.txt is larger than 64 MiB");
}

TEST(LoadInputs, EndlessStandardInputStopsAtTheBound) {
  const Descriptor zeros(::open("/dev/zero", O_RDONLY | O_CLOEXEC));
  InputBounds bounds;
  bounds.stream.text_bytes = 1 << 20;
  EXPECT_SAYS(failure(load_inputs({"-"}, zeros.value(), bounds)),
              "standard input is larger than 1 MiB");
}

TEST(LoadInputs, PipesAreReadAndGivenUpWhenNobodyWrites) {
  const Folder folder;
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  InputBounds bounds;
  bounds.stream.pipe_silence = std::chrono::milliseconds(1);
  EXPECT_SAYS(failure(load({pipe}, bounds)), "is a pipe, and nothing came through it");
  std::thread writer([&] {
    const Descriptor writing(::open(pipe.c_str(), O_WRONLY | O_CLOEXEC));
    EXPECT_GT(::write(writing.value(), matrix, std::string_view(matrix).size()), 0);
  });
  const auto loaded = load({pipe});
  writer.join();
  ASSERT_TRUE(loaded) << loaded.error().text();
  EXPECT_EQ(loaded->texts.at(0).bytes, matrix);
}

// "<(command)": the command may have ended before we open its pipe.
TEST(LoadInputs, APipeWhoseWriterIsGoneEndsAtOnce) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const Descriptor reading(ends[0]);
  {
    const Descriptor writing(ends[1]);
    ASSERT_GT(::write(writing.value(), "text\n", 5), 0);
  }
  const auto loaded = load({"/dev/fd/" + std::to_string(reading.value())});
  ASSERT_TRUE(loaded) << loaded.error().text();
  EXPECT_EQ(loaded->texts.at(0).bytes, "text\n");
}

TEST(LoadInputs, CompressedTextsAreUnpackedWithinBounds) {
  const Folder folder;
  for (const char* filter : {"gzip", "zstd", "xz"}) {
    const auto loaded = load({folder.write("topo.txt.packed", compressed(matrix, filter))});
    ASSERT_TRUE(loaded) << filter << ": " << loaded.error().text();
    EXPECT_EQ(loaded->texts.at(0).bytes, matrix);
  }
  InputBounds bounds;
  bounds.stream.text_bytes = 1 << 20;
  const std::string bomb = compressed(std::string(8 << 20, '\0'), "zstd");
  EXPECT_SAYS(failure(load({folder.write("bomb.zst", bomb)}, bounds)),
              "bomb.zst is larger than 1 MiB when decompressed");
  EXPECT_SAYS(failure(load({folder.write("cut.gz", compressed(matrix, "gzip").substr(0, 20))})),
              "cut.gz cannot be unpacked: its gzip data");
}

TEST(LoadInputs, AnEmptyCompressedTextSaysSo) {
  const Folder folder;
  for (const char* filter : {"gzip", "zstd", "xz"})
    EXPECT_SAYS(failure(load({folder.write("none.packed", compressed("", filter))})),
                std::string("its ") + filter + " data is empty, cut or damaged");
}

TEST(LoadInputs, Utf16AndByteOrderMarksBecomePlainUtf8) {
  const std::string le("\xff\xfeG\0P\0\xfc\0=\xd8\x00\xde", 12);
  EXPECT_EQ(plain_text(le), "GP\xc3\xbc\xf0\x9f\x98\x80");
  EXPECT_EQ(plain_text(std::string("\xfe\xff\0G\xd8\x3d\0x", 8)), "G\xef\xbf\xbdx");
  EXPECT_EQ(plain_text(std::string("\xff\xfeG\0P", 5)), "G\xef\xbf\xbd");
  EXPECT_EQ(plain_text("\xef\xbb\xbfGPU"), "GPU");
  EXPECT_EQ(plain_text("GPU\xff"), "GPU\xff");
}

TEST(LoadInputs, BinariesAreToldFromTexts) {
  EXPECT_TRUE(
      looks_binary(std::string("\x7f"
                               "ELF\2\1\1\0\0\0\0\0",
                               12)));
  EXPECT_FALSE(looks_binary(matrix));
  EXPECT_FALSE(looks_binary("\x1b[4mGPU0\x1b[0m \r\n"));
  EXPECT_FALSE(looks_binary(""));
  EXPECT_EQ(binary_words("\x7f"
                         "ELF\2"),
            "looks binary (first bytes 7f 45 4c 46 …)");
}

TEST(LoadInputs, DirectoriesWithManifestOrSysAreRecordings) {
  const Folder folder;
  folder.write("with/manifest.json", manifest_text);
  folder.write("without/sys/class/net/eth0/mtu", "1500\n");
  const auto loaded = load({folder / "with", folder / "without/"});
  ASSERT_TRUE(loaded) << loaded.error().text();
  ASSERT_EQ(loaded->recordings.size(), 2u);
  EXPECT_EQ(loaded->recordings[0].name, "with");
  EXPECT_EQ(loaded->recordings[0].manifest.hostname, "node07");
  EXPECT_EQ(loaded->recordings[1].name, "without");
  EXPECT_EQ(loaded->recordings[1].manifest.made_at, "");
}

TEST(LoadInputs, ADirectoryOfRecordingsIsManyMachines) {
  const Folder folder;
  folder.write("node01/sys/a", "1");
  folder.write("node02.tar.zst", compressed(tar_of({{"manifest.json", manifest_text}}), "zstd"));
  folder.write("README", "about these machines");
  folder.write("broken.tar.gz", "\x1f\x8b broken");
  folder.write("notes/a.txt", "1");
  const auto loaded = load({folder.path().string()});
  ASSERT_TRUE(loaded) << loaded.error().text();
  ASSERT_EQ(loaded->recordings.size(), 2u);
  EXPECT_EQ(loaded->recordings[0].name, "node01");
  EXPECT_EQ(loaded->recordings[1].name, "node02");
  EXPECT_TRUE(loaded->texts.empty());
  ASSERT_EQ(loaded->passed_over.size(), 3u);
  EXPECT_SAYS(loaded->passed_over[0], "broken.tar.gz cannot be unpacked: its gzip data");
  EXPECT_SAYS(loaded->passed_over[1], "notes is a directory without a recording");
  EXPECT_SAYS(loaded->passed_over[2], "README lies beside recordings");
}

TEST(LoadInputs, DirectoriesOfRecordingsAreEnteredOnce) {
  const Folder folder;
  const std::string archive = compressed(tar_of({{"manifest.json", manifest_text}}), "zstd");
  folder.write("rack1/node01/sys/a", "1");
  folder.write("rack1/node02.tar.zst", archive);
  folder.write("rack1/notes.txt", "not a machine");
  folder.write("rack2/deep/node03/sys/a", "1");
  folder.write("rack3/topo.txt", matrix);
  folder.write("node00.tar.zst", archive);
  const auto loaded = load({folder.path().string()});
  ASSERT_TRUE(loaded) << loaded.error().text();
  ASSERT_EQ(loaded->recordings.size(), 3u);
  EXPECT_EQ(loaded->recordings[0].name, "node00");
  EXPECT_EQ(loaded->recordings[1].name, "node01");
  EXPECT_EQ(loaded->recordings[2].name, "node02");
  EXPECT_TRUE(loaded->texts.empty());
  ASSERT_EQ(loaded->passed_over.size(), 3u);
  EXPECT_SAYS(loaded->passed_over[0], "rack1: 1 file in it not read; to see them name ");
  EXPECT_SAYS(loaded->passed_over[1],
              "rack2 is a directory without a recording: 1 directory in it was not entered; to see "
              "them name " +
                  (folder / "rack2") + "/*");
  EXPECT_SAYS(loaded->passed_over[2], "rack3 is a directory without a recording: 1 file in it");
}

TEST(LoadInputs, OtherDirectoriesAreTheirFilesOneLevelDown) {
  const Folder folder;
  folder.write("topo.txt", matrix);
  folder.write("lspci.txt.gz", compressed("00:00.0 Host bridge\n", "gzip"));
  folder.write("empty.txt", "");
  folder.write("deep/inner.txt", "1");
  std::filesystem::create_symlink("topo.txt", folder / "link.txt");
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  const auto loaded = load({folder.path().string()});
  ASSERT_TRUE(loaded) << loaded.error().text();
  ASSERT_EQ(loaded->texts.size(), 2u);
  EXPECT_EQ(loaded->texts[0].name, folder / "lspci.txt.gz");
  EXPECT_EQ(loaded->texts[0].bytes, "00:00.0 Host bridge\n");
  EXPECT_EQ(loaded->texts[1].name, folder / "topo.txt");
  EXPECT_EQ(loaded->passed_over.size(), 4u);
}

TEST(LoadInputs, DirectoriesWithNothingOrTooMuchSaySo) {
  const Folder folder;
  EXPECT_SAYS(failure(load({folder.path().string()})), "holds nothing to read");
  folder.write("a.txt", "1");
  folder.write("b.txt", "1");
  InputBounds bounds;
  bounds.directory_texts = 1;
  EXPECT_SAYS(failure(load({folder.path().string()}, bounds)), "holds more than 1 loose files");
  bounds = {};
  bounds.directory_names = 1;
  EXPECT_SAYS(failure(load({folder.path().string()}, bounds)), "holds more than 1 names");
  bounds = {};
  bounds.total_bytes = 1;
  EXPECT_SAYS(failure(load({folder.path().string()}, bounds)), "the inputs together are larger");
}

TEST(LoadInputs, ArchivesOfTextsNameTheFileInside) {
  const Folder folder;
  const std::string path =
      folder.write("case.tar", tar_of({{"case/topo.txt", matrix},
                                       {"case/inner.gz", compressed("1", "gzip")},
                                       {"case/link", "", '2', "/etc/passwd"}}));
  const auto loaded = load({path});
  ASSERT_TRUE(loaded) << loaded.error().text();
  ASSERT_EQ(loaded->texts.size(), 1u);
  EXPECT_EQ(loaded->texts[0].name, path + "!case/topo.txt");
  ASSERT_EQ(loaded->passed_over.size(), 2u);
  EXPECT_SAYS(loaded->passed_over[0], "inner.gz is packed inside an archive; unpack it first");
  EXPECT_SAYS(loaded->passed_over[1], "link is a link, which is not followed");
  EXPECT_SAYS(failure(load({folder.write("none.tar", tar_of({{"a", ""}}))})),
              "holds nothing to read");
}

TEST(LoadInputs, AnArchiveMayHoldManyRecordings) {
  const Folder folder;
  const std::string path =
      folder.write("cluster.tar", tar_of({{"node01/manifest.json", manifest_text},
                                          {"node01/sys/a", "1"},
                                          {"node01-notes", "1"},
                                          {"node02/sys/a", "2"},
                                          {"bad/manifest.json", "{}"}}));
  const auto loaded = load({path});
  ASSERT_TRUE(loaded) << loaded.error().text();
  ASSERT_EQ(loaded->recordings.size(), 2u);
  EXPECT_EQ(loaded->recordings[0].name, "node01");
  EXPECT_EQ(loaded->recordings[0].manifest.hostname, "node07");
  EXPECT_EQ(loaded->recordings[1].name, "node02");
  EXPECT_EQ(*loaded->recordings[1].text("sys/a"), "2");
  ASSERT_EQ(loaded->passed_over.size(), 2u);
  EXPECT_SAYS(loaded->passed_over[0], "cluster.tar!bad: manifest.json: key \"schema\" is missing");
  EXPECT_SAYS(loaded->passed_over[1], "cluster.tar!node01-notes lies beside recordings");
}

}  // namespace
}  // namespace railgauge::observe
