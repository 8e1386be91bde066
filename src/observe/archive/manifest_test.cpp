#include <gtest/gtest.h>

#include "observe/archive/archive.h"

namespace railgauge::observe {
namespace {

std::string failure(std::string_view json) {
  const auto manifest = parse_manifest(json);
  return manifest ? "(no error)" : manifest.error().text();
}

TEST(Manifest, ComesBackAsItWasWritten) {
  const Manifest manifest{1, "0.1.0", "2026-11-29T13:00:00Z", "node07", true, true, "1a2b3c4d"};
  const auto back = parse_manifest(manifest_json(manifest));
  ASSERT_TRUE(back) << back.error().text();
  EXPECT_EQ(*back, manifest);
}

TEST(Manifest, TextIsFixed) {
  EXPECT_EQ(manifest_json({1, "0.1.0", "2026-11-29T13:00:00Z", "node07", false, false, ""}),
            "{\n \"schema\": \"railgauge.recording/1\",\n \"tool\": \"railgauge 0.1.0\",\n"
            " \"made_at\": \"2026-11-29T13:00:00Z\",\n \"hostname\": \"node07\",\n"
            " \"as_root\": false,\n \"identities\": \"kept\"\n}\n");
}

TEST(Manifest, UnknownKeysArePassedOver) {
  const auto manifest = parse_manifest(
      R"({"schema": "railgauge.recording/1", "identities": "replaced", "later": [{"a": 1}]})");
  ASSERT_TRUE(manifest) << manifest.error().text();
  EXPECT_EQ(manifest->hostname, "");
}

TEST(Manifest, IdentitiesAreKeptOrReplaced) {
  const auto old = parse_manifest(R"({"schema": "railgauge.recording/1"})");
  ASSERT_TRUE(old);
  EXPECT_FALSE(old->identities_replaced);
  EXPECT_EQ(
      failure(R"({"schema": "railgauge.recording/1", "identities": "some"})"),
      "manifest.json: key \"identities\" should be \"kept\" or \"replaced\", but is \"some\"");
}

TEST(Manifest, WrongTypesNameTheKey) {
  EXPECT_EQ(failure(R"({"schema": "railgauge.recording/1", "as_root": "yes"})"),
            "manifest.json: key \"as_root\" should be true or false, but is string");
  EXPECT_EQ(failure(R"({"schema": "railgauge.recording/1", "hostname": 7})"),
            "manifest.json: key \"hostname\" should be a string, but is number");
  EXPECT_EQ(failure(R"({"schema": 1})"),
            "manifest.json: key \"schema\" should be a string, but is number");
  EXPECT_EQ(failure("[]"), "manifest.json: should be an object");
  EXPECT_NE(failure("{}").find("key \"schema\" is missing"), std::string::npos);
}

TEST(Manifest, NewerSchemaSaysUpdate) {
  EXPECT_EQ(
      failure(R"({"schema": "railgauge.recording/2"})"),
      "manifest.json: schema \"railgauge.recording/2\" is newer than this railgauge, which knows "
      "railgauge.recording/1; update railgauge");
  EXPECT_NE(failure(R"({"schema": "other/1"})").find("but is \"other/1\""), std::string::npos);
  EXPECT_NE(failure(R"({"schema": "railgauge.recording/0"})").find("should be"), std::string::npos);
}

TEST(Manifest, BrokenJsonSaysWhere) {
  const std::string text = failure("{\"schema\": \n oops}");
  EXPECT_NE(text.find("manifest.json: not valid JSON"), std::string::npos) << text;
  EXPECT_NE(text.find("line 2"), std::string::npos) << text;
}

TEST(Manifest, DepthAndSizeAreBounded) {
  EXPECT_NE(failure(std::string(100'000, '[')).find("nested deeper than 32"), std::string::npos);
  EXPECT_NE(failure(std::string(2 << 20, ' ')).find("larger than 1 MiB"), std::string::npos);
}

TEST(Manifest, TerminalCodesDoNotPass) {
  const auto manifest =
      parse_manifest("{\"schema\": \"railgauge.recording/1\", \"hostname\": \"a\\u001b[2Jb\"}");
  ASSERT_TRUE(manifest);
  EXPECT_EQ(manifest->hostname, "ab");
}

}  // namespace
}  // namespace railgauge::observe
