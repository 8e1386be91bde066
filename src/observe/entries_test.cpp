#include "observe/entries.h"

#include <gtest/gtest.h>

#include "observe/archive/unpack_room.h"
#include "observe/recording.h"

namespace railgauge::observe {
namespace {

TEST(Entries, AddedAgainTheLastOneCounts) {
  Recording recording;
  recording.add_file("sys/b", "1");
  recording.add_link("sys/a", "../b");
  recording.add_refused("sys/b", "Permission denied");
  ASSERT_EQ(recording.entries.size(), 2u);
  EXPECT_EQ(recording.entries.begin()->first, "sys/a");
  EXPECT_EQ(recording.find("sys/b")->kind, Entry::Kind::refused);
  EXPECT_EQ(recording.find("sys/b")->bytes, "Permission denied");
  recording.entries.erase("sys/b");
  EXPECT_EQ(recording.find("sys/b"), nullptr);
}

TEST(Entries, CopiesOutliveWhatTheyWereCopiedFrom) {
  const std::string path(200, 'p');
  Recording copy;
  {
    Recording recording;
    recording.add_file(path, std::string(5000, 'x'));
    recording.add_file("short", "1");
    copy = recording;
    recording.add_file("later", "2");
  }
  copy.add_file("own", "3");
  EXPECT_EQ(copy.find(path)->bytes, std::string(5000, 'x'));
  EXPECT_EQ(copy.find("short")->bytes, "1");
  EXPECT_EQ(copy.find("own")->bytes, "3");
  EXPECT_EQ(copy.find("later"), nullptr);
}

TEST(Entries, HeldWithOthersOutliveThem) {
  Entries views;
  {
    Entries others;
    others.set("samples/1/sys/x", Entry::Kind::file, std::string(100, 'x'));
    views.hold_with(others);
    const auto& [path, entry] = *others.begin();
    views.set_held(views.end(), path.substr(10), entry);
  }
  EXPECT_EQ(views.begin()->first, "sys/x");
  EXPECT_EQ(views.begin()->second.bytes, std::string(100, 'x'));
}

TEST(UnpackRoom, WhatIsStillHeldIsNotWrittenOver) {
  UnpackRoom room;
  const auto first = room.unpacked("first", 100);
  const auto second = room.unpacked("second", 100);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->bytes, "first");
  EXPECT_EQ(second->bytes, "second");
}

TEST(UnpackRoom, RoomIsUsedAgainWhenNobodyHoldsIt) {
  UnpackRoom room;
  const void* before = room.unpacked(std::string(5000, 'x'), 5000)->bytes.data();
  const auto after = room.unpacked("y", 5000);
  EXPECT_EQ(after->bytes, "y");
  EXPECT_EQ(static_cast<const void*>(after->bytes.data()), before);
}

TEST(UnpackRoom, MoreThanAskedForIsNothing) {
  EXPECT_FALSE(UnpackRoom().unpacked("four", 3));
  EXPECT_TRUE(UnpackRoom().unpacked("four", 4));
}

}  // namespace
}  // namespace railgauge::observe
