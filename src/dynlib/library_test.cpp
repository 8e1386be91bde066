#include "dynlib/library.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/strings.h"

namespace railgauge::dynlib {
namespace {

TEST(Library, MissingLibraryIsNotFoundInTheLoadersWords) {
  const auto library = Library::open({"librailgauge-absent.so.1", "librailgauge-absent.so"});
  ASSERT_FALSE(library);
  EXPECT_EQ(library.error().kind, ErrorKind::not_found);
  EXPECT_TRUE(library.error().message.starts_with(library_not_found));
  EXPECT_TRUE(contains(library.error().message, "librailgauge-absent.so.1: cannot open"));
  EXPECT_TRUE(contains(library.error().message, "librailgauge-absent.so: cannot open"));
}

TEST(Library, LaterNameIsTakenWhenTheFirstIsAbsent) {
  const auto library = Library::open({"librailgauge-absent.so.1", "libm.so.6"});
  ASSERT_TRUE(library) << library.error().text();
  EXPECT_EQ(library->name(), "libm.so.6");
  auto* cosine = library->function<double(double)>("cos");
  ASSERT_NE(cosine, nullptr);
  EXPECT_EQ(cosine(0.0), 1.0);
  EXPECT_EQ(library->symbol("railgauge_absent_function"), nullptr);
}

TEST(Library, PathIsTriedAlone) {
  const auto library = Library::open({"libm.so.6"}, "/nowhere/libm.so.6");
  ASSERT_FALSE(library);
  EXPECT_FALSE(contains(library.error().message, "; "));
}

TEST(Library, FileThatIsNoLibraryIsNotCalledAbsent) {
  const std::string path = testing::TempDir() + "railgauge_not_a_library.so";
  std::ofstream(path) << "not an ELF file, but long enough to be looked at as one by the loader";
  const auto library = Library::open({}, path);
  ASSERT_FALSE(library);
  EXPECT_EQ(library.error().kind, ErrorKind::device);
  EXPECT_FALSE(contains(library.error().message, library_not_found));
}

TEST(Library, MovedFromLibraryHasNoSymbols) {
  auto library = Library::open({"libm.so.6"});
  ASSERT_TRUE(library);
  const Library taken = std::move(*library);
  EXPECT_NE(taken.symbol("cos"), nullptr);
  EXPECT_EQ(library->symbol("cos"), nullptr);
}

}  // namespace
}  // namespace railgauge::dynlib
