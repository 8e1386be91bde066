#include "observe/hang_text/pickle.h"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <sstream>
#include <string>

#include "base/process.h"
#include "base/strings.h"
#include "observe/hang_text/json_tree.h"

namespace railgauge::observe {
namespace {

using namespace std::string_literals;

// A tree as text, for comparison; what is deeper than any test is cut.
std::string words(const ValueTree& tree, ValueTree::Id id, int depth = 0) {
  if (depth > 40) return "…";
  switch (tree.kind(id)) {
    case ValueTree::Kind::none: return "null";
    case ValueTree::Kind::boolean: return *tree.truth(id) ? "true" : "false";
    case ValueTree::Kind::integer: return std::to_string(*tree.integer(id));
    case ValueTree::Kind::number: {
      std::ostringstream out;
      out.precision(17);
      out << *tree.number(id);
      return out.str();
    }
    case ValueTree::Kind::text: return "'" + std::string(*tree.text(id)) + "'";
    case ValueTree::Kind::list:
    case ValueTree::Kind::dict: break;
  }
  const bool dict = tree.kind(id) == ValueTree::Kind::dict;
  std::string out = dict ? "{" : "[";
  for (const auto item : tree.items(id)) out += words(tree, item, depth + 1) + " ";
  return out + (dict ? "}" : "]");
}

std::string read(const std::string& bytes) {
  const auto tree = read_pickle("dump", bytes);
  return tree ? words(*tree, tree->root()) : "error: " + tree.error().text();
}

TEST(Pickle, ProtocolTwoAsPyTorchWritesIt) {
  // {"version": "2.4", "entries": [1, 300, 70000, -1, 2^40], "ok": True, "ms": 1.5, "none": None}
  const std::string bytes =
      "\x80\x02}q\x00("
      "X\x07\x00\x00\x00versionq\x01X\x03\x00\x00\x00"
      "2.4q\x02"
      "X\x07\x00\x00\x00"
      "entriesq\x03]q\x04(K\x01M\x2c\x01J\x70\x11\x01\x00J\xff\xff\xff\xff"
      "\x8a\x06\x00\x00\x00\x00\x00\x01"
      "eX\x02\x00\x00\x00okq\x05\x88X\x02\x00\x00\x00msq\x06G\x3f\xf8\x00\x00\x00\x00\x00\x00"
      "X\x04\x00\x00\x00noneq\x07Nu."s;
  EXPECT_EQ(read(bytes),
            "{'version' '2.4' 'entries' [1 300 70000 -1 1099511627776 ] 'ok' true 'ms' 1.5 "
            "'none' null }");
}

TEST(Pickle, ValuesThatAreNamedTwiceAreOneValue) {
  EXPECT_EQ(read("\x80\x04]\x94(K\x07\x85\x94h\x01h\x01"
                 "e."s),
            "[[7 ] [7 ] [7 ] ]");
}

TEST(Pickle, AValueInsideItselfIsNoEndlessLoop) {
  EXPECT_TRUE(contains(read("\x80\x02]q\x00h\x00"
                            "a."s),
                       "[[["));
}

TEST(Pickle, WhatWouldRunSomethingIsRefusedByNameAndOffset) {
  const std::string system =
      "\x80\x02"
      "cposix\nsystem\nX\x04\x00\x00\x00"
      "echo\x85R."s;
  EXPECT_EQ(read(system),
            "error: dump: at offset 2: GLOBAL (0x63) is refused: a dump of the flight recorder "
            "holds data only, and this file would have Python import or call something");
  const struct {
    std::string bytes;
    const char* name;
  } all[] = {{"\x80\x02NR."s, "REDUCE (0x52)"},         {"\x80\x02Nb."s, "BUILD (0x62)"},
             {"\x80\x02(ia\nb\n."s, "INST (0x69)"},     {"\x80\x02(o."s, "OBJ (0x6f)"},
             {"\x80\x02NN\x81."s, "NEWOBJ (0x81)"},     {"\x80\x04NN\x93."s, "STACK_GLOBAL (0x93)"},
             {"\x80\x04NNN\x92."s, "NEWOBJ_EX (0x92)"}, {"\x80\x02\x82\x01."s, "EXT1 (0x82)"},
             {"\x80\x02P1\n."s, "PERSID (0x50)"},       {"\x80\x02NQ."s, "BINPERSID (0x51)"},
             {"\x80\x05\x97."s, "NEXT_BUFFER (0x97)"}};
  for (const auto& one : all) EXPECT_TRUE(contains(read(one.bytes), one.name)) << one.name;
}

TEST(Pickle, CutAndBrokenFilesAreErrorsWithAnOffset) {
  EXPECT_TRUE(contains(read("\x80\x02]q\x00(K"s), "at offset 6: the file is cut inside a value"));
  EXPECT_TRUE(contains(read("\x80\x02]q\x00"s), "it ends before STOP"));
  EXPECT_TRUE(contains(read("\x80\x02X\xff\xff\xff\xff"
                            "ab."s),
                       "cut inside a value"));
  EXPECT_TRUE(contains(read("\x80\x02K\x01"
                            "e."s),
                       "a mark is missing"));
  EXPECT_TRUE(contains(read("\x80\x02}(K\x01u."s), "a key without a value"));
  EXPECT_TRUE(contains(read("\x80\x02h\x05."s), "never put away"));
  EXPECT_TRUE(contains(read("\x80\x02\x01\x01."s), "0x01 is no opcode"));
  EXPECT_TRUE(contains(read("\x80\x02.."s), "STOP without a value"));
  EXPECT_TRUE(contains(read("\x80\x02K\x01(\x85."s), "the stack is too short"));
  EXPECT_TRUE(contains(read("cos\n"s), "does not start like a pickle"));
}

TEST(Pickle, MoreValuesThanWeHoldIsALimit) {
  std::string bytes = "\x80\x02("s;
  bytes.append(ValueTree::most_nodes + 10, 'N');
  EXPECT_TRUE(contains(read(bytes + "l."), "the most we read"));
}

// Python writes values at random with each protocol, as pickle and as JSON; both must read the
// same.
constexpr const char* twin_script = R"(
import json, pickle, random, sys
r = random.Random(20260201)
shared = {"name": "step", "line": 214}
def value(depth):
    k = r.randrange(9 if depth > 0 else 6)
    if k == 0: return None
    if k == 1: return r.random() < 0.5
    if k == 2: return r.choice([0, 1, -1, 255, 256, 65535, 65536, 2**31 - 1, -2**31, 2**31, 2**62, -2**63])
    if k == 3: return r.choice([0.5, -1.25, 1e300])
    if k == 4: return r.choice(["", "nccl:all_reduce", "x" * 300, "a'b"])
    if k == 5: return shared
    if k == 6: return [value(depth - 1) for _ in range(r.randrange(5))]
    if k == 7: return {"k%d" % i: value(depth - 1) for i in range(r.randrange(5))}
    return [value(depth - 1), value(depth - 1)]
for i in range(200):
    v = {"v": value(4)}
    for protocol in (2, 3, 4, 5):
        print(pickle.dumps(v, protocol).hex(), json.dumps(v))
)";

std::string from_hex(std::string_view digits) {
  std::string out;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    out += static_cast<char>(*parse_hex(digits.substr(i, 2)));
  return out;
}

TEST(Pickle, ReadsWhatPythonWritesAsPythonsJsonSays) {
  const auto made =
      run_program({"python3", "-c", twin_script}, std::chrono::seconds(60), 64u << 20);
  if (!made || made->exit_status != 0) GTEST_SKIP() << "no python3 here";
  int compared = 0;
  for (LineCursor lines(made->out); lines.next();) {
    const auto blank = lines.line().find(' ');
    const auto json = read_json_tree("json", lines.line().substr(blank + 1));
    ASSERT_TRUE(json) << json.error().text();
    EXPECT_EQ(read(from_hex(lines.line().substr(0, blank))), words(*json, json->root()));
    ++compared;
  }
  EXPECT_EQ(compared, 800);
}

TEST(JsonObjects, AreFoundBetweenPromptsAndAnswers) {
  const auto all =
      json_objects("SERVER PROTOCOL 2\nOK\n{\"a\": \"}{\"}\n$ again\n  {\"b\": [1]}\n");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0], "{\"a\": \"}{\"}");
  EXPECT_EQ(all[1], "{\"b\": [1]}");
}

TEST(JsonTree, DepthIsBounded) {
  const auto deep = read_json_tree("x", std::string(100, '[') + std::string(100, ']'));
  ASSERT_FALSE(deep);
  EXPECT_TRUE(contains(deep.error().text(), "nested deeper than 32"));
}

}  // namespace
}  // namespace railgauge::observe
