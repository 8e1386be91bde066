#include "observe/nvml/document.h"

#include <gtest/gtest.h>

#include "observe/nvml/quick_document.h"

namespace railgauge::observe::nvml {
namespace {

TEST(NvmlDocument, IsOneCallALine) {
  Document document;
  document.library = "libnvidia-ml.so.1";
  Answer answer{"nvmlDeviceGetNvLinkState", {std::uint64_t{0}, std::uint64_t{3}}, {}, ""};
  answer.value.emplace("", true);
  document.answers.push_back(answer);
  document.answers.push_back({"nvmlDeviceGetName", {std::uint64_t{0}}, {}, "NVML_ERROR_UNKNOWN"});
  EXPECT_EQ(write_document(document),
            "{\"schema\":1,\n"
            "\"library\":\"libnvidia-ml.so.1\",\n"
            "\"calls\":[\n"
            "{\"call\":\"nvmlDeviceGetNvLinkState\",\"args\":[0,3],\"value\":true},\n"
            "{\"call\":\"nvmlDeviceGetName\",\"args\":[0],\"error\":\"NVML_ERROR_UNKNOWN\"}\n"
            "]}\n");
}

TEST(NvmlDocument, ReadsWhatItWrote) {
  Document document;
  document.stopped = "late";
  Answer answer{"nvmlDeviceGetPciInfo_v3", {std::uint64_t{7}, std::string("x")}, {}, ""};
  answer.value.emplace("bus_id", std::string("00000000:1B:00.0"));
  answer.value.emplace("device_id", std::uint64_t{0x233510de});
  document.answers.push_back(answer);
  const auto back = parse_document(write_document(document));
  ASSERT_TRUE(back);
  ASSERT_EQ(back->answers.size(), 1u);
  EXPECT_EQ(back->stopped, "late");
  EXPECT_EQ(back->answers[0].source(), "nvmlDeviceGetPciInfo_v3(7, x)");
  EXPECT_EQ(back->answers[0].word("bus_id"), "00000000:1B:00.0");
  EXPECT_EQ(back->answers[0].number("device_id"), 0x233510deu);
  EXPECT_EQ(back->answers[0].word("device_id"), std::nullopt);
}

TEST(NvmlDocument, RecordsThatAreNoAnswersAreNamed) {
  const auto document = parse_document(R"({"calls":[
    {"call":"a","value":1}, {"call":"b"}, 7, {"call":"c","value":-1}, {"call":"d","args":"x",
    "value":1}, {"call":"e","error":""}, {"call":"f","value":[1]}]})");
  ASSERT_TRUE(document);
  EXPECT_EQ(document->answers.size(), 1u);
  EXPECT_EQ(document->oddities.size(), 6u);
  EXPECT_EQ(document->oddities[1], "call 3 is not {call, args, value or error}: \"7\"");
}

// The short way dares, and then the JSON library says the same.
bool dares(const std::string& text) {
  const auto quick = quick_document(text);
  if (!quick) return false;
  const auto whole = library_document(text);
  EXPECT_TRUE(whole && *whole == *quick) << text;
  return true;
}

TEST(NvmlDocument, ShortWayEqualsTheJsonLibraryOnWhatWeWrite) {
  Document document;
  document.library = "libnvidia-ml.so.1";
  document.stopped = "late";
  for (const Scalar& value : {Scalar(true), Scalar(false), Scalar(std::uint64_t{0}),
                              Scalar(std::uint64_t{9'999'999'999'999'999'999u}),
                              Scalar(std::string()), Scalar(std::string("GPU-1"))}) {
    document.answers.push_back({"plain", {value, std::uint64_t{3}, value}, {{"", value}}, ""});
    document.answers.push_back({"members", {}, {{"a", value}, {"b", value}}, ""});
    document.answers.push_back({"none", {}, {}, "NVML_ERROR_UNKNOWN"});
  }
  EXPECT_TRUE(dares(write_document(document)));
  EXPECT_TRUE(dares("{\"calls\":[]}"));
  EXPECT_TRUE(
      dares(" { \"schema\" : 7 , \"calls\" : [ { \"value\" : { } , \"call\" : \"a\" } ] } \n"));
  EXPECT_TRUE(dares("{\"calls\":[{\"call\":\"a\",\"value\":1,\"error\":\"E\"}]}"));
}

TEST(NvmlDocument, ShortWayLeavesTheRestToTheJsonLibrary) {
  for (const char* record :
       {"7", "{}", "{\"call\":\"a\"}", "{\"call\":\"a\",\"value\":-1}",
        "{\"call\":\"a\",\"value\":1.5}", "{\"call\":\"a\",\"value\":1e3}",
        "{\"call\":\"a\",\"value\":01}", "{\"call\":\"a\",\"value\":null}",
        "{\"call\":\"a\",\"value\":18446744073709551615}", "{\"call\":\"a\",\"value\":[1]}",
        "{\"call\":\"a\\n\",\"value\":1}", "{\"call\":\"\xc3\xb6\",\"value\":1}",
        "{\"call\":\"a\",\"call\":\"b\",\"value\":1}",
        "{\"call\":\"a\",\"value\":{\"x\":1,\"x\":2}}", "{\"call\":\"a\",\"error\":\"\"}",
        "{\"call\":\"a\",\"value\":1,}", "{\"call\":\"a\",\"value\":1,\"new\":2}",
        "{\"call\":\"a\",\"args\":[1,2,3,4,5],\"value\":1}", "{\"call\":\"a\",\"value\":truest}"})
    EXPECT_FALSE(dares("{\"calls\":[" + std::string(record) + "]}")) << record;
  for (const char* text :
       {"", "[]", "{", "{}", "{\"calls\":{}}", "{\"calls\":[]", "{\"calls\":[]}x",
        "{\"calls\":[],\"calls\":[]}", "{\"calls\":[],\"new\":1}"})
    EXPECT_FALSE(dares(text)) << text;
}

TEST(NvmlDocument, WhatIsNoDocumentIsAnError) {
  for (const char* text : {"", "[]", "{", "{}", "{\"calls\":{}}", "null"})
    EXPECT_FALSE(parse_document(text)) << text;
}

TEST(NvmlDocument, BytesThatAreNotUtf8AreReplaced) {
  Document document;
  document.library = "lib\xff";
  const auto back = parse_document(write_document(document));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->library, "lib\xef\xbf\xbd");
}

}  // namespace
}  // namespace railgauge::observe::nvml
