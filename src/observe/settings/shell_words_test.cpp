#include "observe/settings/shell_words.h"

#include <gtest/gtest.h>

#include "observe/settings/shell_variables.h"

namespace railgauge::observe {
namespace {

// "word|word;word" with the line of each command's first word in front.
std::string cut(std::string_view text) {
  std::string out;
  for (const ShellCommand& command : shell_commands(text).commands) {
    out += (out.empty() ? "" : " ; ") + std::to_string(command.words.front().line) + ":";
    for (const ShellWord& word : command.words)
      out += (&word == &command.words.front() ? "" : "|") + word.text;
  }
  return out;
}

TEST(ShellWords, CommandsEndAtOperatorsAndLines) {
  EXPECT_EQ(cut("a b; c && d | e\nf"), "1:a|b ; 1:c ; 1:d ; 1:e ; 2:f");
  EXPECT_EQ(cut("(a; b) &\n"), "1:a ; 1:b");
  EXPECT_EQ(cut(""), "");
}

TEST(ShellWords, QuotesJoinAndCommentsEnd) {
  EXPECT_EQ(cut("A='x y'\"z\"w # no\nb#c"), "1:A=x yzw ; 2:b#c");
  EXPECT_EQ(cut("a \\\n  b\nc"), "1:a|b ; 3:c");
  EXPECT_EQ(cut("a \"1\\\n2\\\"3\""), "1:a|12\"3");
}

TEST(ShellWords, ExpansionsStayAndCommandsAreDots) {
  EXPECT_EQ(cut("a=$X b=${Y:-1} c=$(d \"e f\" $(g)) h=`i j`"),
            "1:a=$X|b=${Y:-1}|c=$(...)|h=$(...)");
}

TEST(ShellWords, RedirectionsAndHereDocumentsArePassedOver) {
  EXPECT_EQ(cut("a > f 2>&1 b < g"), "1:a|2|b");
  EXPECT_EQ(cut("cat <<-'E' > f\nexport X=1\n\tE\nb"), "1:cat ; 4:b");
  EXPECT_EQ(cut("cat <<A <<B\n1\nA\n2\nB\nc"), "1:cat ; 6:c");
  EXPECT_EQ(cut("a <<< word"), "1:a");
}

TEST(ShellWords, DirectivesOfBatchSystemsAreCommands) {
  EXPECT_EQ(cut("#SBATCH --export=ALL,A=1 # x\n# b"), "1:#SBATCH|--export=ALL,A=1");
}

TEST(ShellWords, AnOpenQuoteIsToldAndEndsAtTheEnd) {
  const ShellText text = shell_commands("a\nb 'c\nd\n");
  EXPECT_EQ(text.open_quote_line, 2u);
  EXPECT_EQ(text.commands.size(), 2u);
  EXPECT_EQ(shell_commands("a \"$(b").open_quote_line, 1u);
}

TEST(ShellVariables, FillsInWhatIsKnownOnly) {
  ShellVariables variables;
  variables.set("IFACE", "eth0");
  variables.set("UNKNOWN", "$HOSTNAME");
  EXPECT_EQ(variables.expand("=$IFACE,x"), "=eth0,x");
  EXPECT_EQ(variables.expand("${IFACE}1"), "eth01");
  EXPECT_EQ(variables.expand("${LEVEL:-INFO}"), "INFO");
  EXPECT_EQ(variables.expand("${IFACE:-eth9}"), "eth0");
  EXPECT_EQ(variables.expand("$UNKNOWN"), "$UNKNOWN");
  EXPECT_EQ(variables.expand("${A%%:*}"), "${A%%:*}");
  EXPECT_EQ(variables.expand("${A"), "${A");
  EXPECT_EQ(variables.expand("a$"), "a$");
}

TEST(ShellVariables, DoublingEndsAtABound) {
  ShellVariables variables;
  variables.set("A", "0123456789abcdef");
  for (int i = 0; i < 60; ++i) variables.set("A", variables.expand("$A$A"));
  EXPECT_LE(variables.expand("$A$A").size(), 3 * 4096u);
}

}  // namespace
}  // namespace railgauge::observe
