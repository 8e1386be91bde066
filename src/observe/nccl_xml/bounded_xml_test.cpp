#include "observe/nccl_xml/bounded_xml.h"

#include <gtest/gtest.h>

#include "observe/nccl_xml/cpu_mask.h"

namespace railgauge::observe {
namespace {

std::string nested(int levels) {
  std::string out = "<system>";
  for (int i = 0; i < levels; ++i) out += "<pci>";
  for (int i = 0; i < levels; ++i) out += "</pci>";
  return out + "</system>";
}

TEST(BoundedXml, LinesCountInTheWholePasteAndNotInTheElement) {
  const Input input{"paste.txt",
                    "$ cat topo.xml\n<!-- <system> -->\n<system>\n <cpu/>\n</system>\n$"};
  const auto xml = parse_xml(input, "system", {});
  ASSERT_TRUE(xml);
  EXPECT_EQ(xml->line(xml->root()), 3u);
  EXPECT_EQ(xml->line(xml->root().first_child()), 4u);
}

TEST(BoundedXml, SizeCountAndDepthAreLimits) {
  const auto kind = [](const std::string& text, const XmlBounds& bounds) {
    const auto xml = parse_xml({"x", text}, "system", bounds);
    return xml ? std::optional<ErrorKind>{} : std::optional<ErrorKind>(xml.error().kind);
  };
  EXPECT_EQ(kind(nested(63), {}), std::nullopt);
  EXPECT_EQ(kind(nested(64), {}), ErrorKind::limit);
  EXPECT_EQ(kind(nested(5), {20, 100, 100, 64}), ErrorKind::limit);
  EXPECT_EQ(kind(nested(5), {1000, 3, 100, 64}), ErrorKind::limit);
  EXPECT_EQ(kind("<system a=\"\" b=\"\"/>", {1000, 10, 1, 64}), ErrorKind::limit);
  EXPECT_EQ(kind(nested(200'000), {}), ErrorKind::limit);
}

TEST(BoundedXml, DeclaredEntitiesAreRefused) {
  const Input bomb{"bomb.xml",
                   "<!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]>\n"
                   "<system version=\"&b;\"/>"};
  const auto xml = parse_xml(bomb, "system", {});
  ASSERT_FALSE(xml);
  EXPECT_NE(xml.error().text().find("bomb.xml declares XML entities"), std::string::npos);
}

TEST(BoundedXml, BrokenTextSaysTheLine) {
  const auto cut = parse_xml({"cut.xml", "\n<system>\n<cpu>\n"}, "system", {});
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().kind, ErrorKind::input);
  EXPECT_NE(cut.error().text().find("cut.xml:"), std::string::npos);
  EXPECT_FALSE(parse_xml({"x", std::string("<system a=\"\0\"/>", 15)}, "system", {}));
  EXPECT_FALSE(parse_xml({"x", "<systems/>"}, "system", {}));
}

TEST(BoundedXml, RootNamePassesOverDeclarationsAndComments) {
  EXPECT_EQ(root_name("<?xml version=\"1.0\"?>\n<!DOCTYPE a>\n<!-- <b> -->\n<nvidia_smi_log>"),
            "nvidia_smi_log");
  EXPECT_EQ(root_name("GPU0 <X>"), std::nullopt);
  EXPECT_EQ(root_name(""), std::nullopt);
}

TEST(CpuMask, GroupsAreMostSignificantFirst) {
  EXPECT_EQ(cpu_list(*parse_cpu_mask("00000001,80000003")), "0-1,31-32");
  EXPECT_EQ(cpu_list(*parse_cpu_mask("0xff,,0x1")), "0,64-71");
  EXPECT_EQ(cpu_list(*parse_cpu_mask("00000000,00000000")), "");
}

TEST(CpuMask, ListsAndEndlessSetsAreNoMasks) {
  for (const char* text : {"", "0-15", "0xf...f", "0xf...f,0x0", "123456789", "0x", "g"})
    EXPECT_FALSE(parse_cpu_mask(text)) << text;
}

}  // namespace
}  // namespace railgauge::observe
