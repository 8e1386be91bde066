#include "observe/settings/shell_words.h"

#include <array>

#include "base/strings.h"

namespace railgauge::observe {
namespace {

constexpr std::size_t most_words = 200'000;
constexpr std::array<std::string_view, 4> directives{"#SBATCH", "#PBS", "#BSUB", "#FLUX:"};

bool ends_word(char c) {
  return std::string_view(" \t\r\n;&|()<>").find(c) != std::string_view::npos;
}

class Lexer {
 public:
  Lexer(std::string_view text, std::uint32_t first_line) : text_(text), line_(first_line) {}

  ShellText run() {
    while (at_ < text_.size() && words_ < most_words) step();
    out_.cut = at_ < text_.size();
    end_command();
    return std::move(out_);
  }

 private:
  char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool starts(std::string_view word) const { return text_.substr(at_).starts_with(word); }

  void step() {
    const char c = here();
    if (c == '\n') return new_line();
    if (c == ' ' || c == '\t' || c == '\r') return void(++at_);
    if (starts("\\\n") || starts("\\\r\n")) return continuation();
    if (c == '#') return comment();
    if (c == '<' || c == '>') return redirection();
    if (starts("&>")) {
      ++at_;
      return redirection();
    }
    if (c == ';' || c == '&' || c == '|' || c == '(' || c == ')') {
      ++at_;
      return end_command();
    }
    command_.words.push_back(word());
    ++words_;
  }

  void continuation() {
    at_ += starts("\\\n") ? 2 : 3;
    ++line_;
  }

  void new_line() {
    ++at_;
    ++line_;
    end_command();
    for (const Heredoc& heredoc : heredocs_) skip_heredoc(heredoc);
    heredocs_.clear();
  }

  void end_command() {
    if (!command_.words.empty()) out_.commands.push_back(std::move(command_));
    command_ = {};
  }

  void comment() {
    if (command_.words.empty())
      for (const std::string_view directive : directives)
        if (starts(directive)) {
          command_.words.push_back({std::string(directive), line_, false});
          at_ += directive.size();
          return;
        }
    const auto end = text_.find('\n', at_);
    at_ = end == std::string_view::npos ? text_.size() : end;
  }

  // The operator and its target are passed over; a here-document is remembered.
  void redirection() {
    const bool heredoc = starts("<<") && !starts("<<<");
    const std::size_t begin = at_;
    while (here() == '<' || here() == '>' || (here() == '&' && at_ > begin)) ++at_;
    const bool strip = heredoc && here() == '-';
    if (strip) ++at_;
    while (here() == ' ' || here() == '\t') ++at_;
    if (at_ >= text_.size() || ends_word(here())) return;
    const ShellWord target = word();
    if (heredoc && !target.text.empty() && heredocs_.size() < 16)
      heredocs_.push_back({target.text, strip});
  }

  struct Heredoc {
    std::string end;
    bool strip;
  };

  void skip_heredoc(const Heredoc& heredoc) {
    while (at_ < text_.size()) {
      const auto end = text_.find('\n', at_);
      std::string_view line = text_.substr(at_, end == std::string_view::npos ? end : end - at_);
      at_ = end == std::string_view::npos ? text_.size() : end + 1;
      ++line_;
      if (line.ends_with('\r')) line.remove_suffix(1);
      while (heredoc.strip && line.starts_with('\t')) line.remove_prefix(1);
      if (line == heredoc.end) return;
    }
  }

  ShellWord word() {
    ShellWord out{{}, line_, false};
    while (at_ < text_.size() && !ends_word(here())) {
      const char c = here();
      if (c == '\\') {
        escaped(out);
      } else if (c == '\'') {
        single_quoted(out);
      } else if (c == '"') {
        double_quoted(out);
      } else if (c == '$' || c == '`') {
        expansion(out);
      } else {
        out.text += c;
        ++at_;
      }
    }
    return out;
  }

  void put(ShellWord& out, char c, bool kept) {
    if (c == '\n') ++line_;
    out.text += kept && c == '$' ? kept_dollar : c;
  }

  void escaped(ShellWord& out) {
    if (starts("\\\n") || starts("\\\r\n")) return continuation();
    ++at_;
    if (at_ < text_.size()) put(out, text_[at_++], true);
  }

  void open_until_end(std::uint32_t opened) {
    if (out_.open_quote_line == 0) out_.open_quote_line = opened;
  }

  void single_quoted(ShellWord& out) {
    const std::uint32_t opened = line_;
    out.quoted = true;
    for (++at_; at_ < text_.size() && here() != '\''; ++at_) put(out, here(), true);
    if (at_ >= text_.size()) return open_until_end(opened);
    ++at_;
  }

  void double_quoted(ShellWord& out) {
    const std::uint32_t opened = line_;
    out.quoted = true;
    ++at_;
    while (at_ < text_.size() && here() != '"') {
      if (starts("\\\n")) {
        continuation();
      } else if (here() == '\\' && at_ + 1 < text_.size() &&
                 std::string_view("\"\\$`").find(text_[at_ + 1]) != std::string_view::npos) {
        ++at_;
        put(out, text_[at_++], true);
      } else if (here() == '$' || here() == '`') {
        expansion(out);
      } else {
        put(out, text_[at_++], false);
      }
    }
    if (at_ >= text_.size()) return open_until_end(opened);
    ++at_;
  }

  // "${…}" as it stands; "$(…)" and "`…`" as "$(...)".
  void expansion(ShellWord& out) {
    if (starts("$(")) return nested('(', ')', out);
    if (starts("${")) return nested('{', '}', out);
    if (here() == '$') {
      out.text += '$';
      ++at_;
      return;
    }
    for (++at_; at_ < text_.size() && here() != '`'; ++at_)
      if (here() == '\n') ++line_;
    if (at_ < text_.size()) ++at_;
    out.text += "$(...)";
  }

  void nested(char open, char close, ShellWord& out) {
    const std::size_t begin = at_++;
    int depth = 0;
    for (; at_ < text_.size(); ++at_) {
      if (here() == '\n') ++line_;
      if (here() == open) ++depth;
      if (here() == close && --depth == 0) break;
    }
    if (at_ < text_.size()) ++at_;
    out.text += open == '{' ? text_.substr(begin, at_ - begin) : std::string_view("$(...)");
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_;
  std::size_t words_ = 0;
  ShellCommand command_;
  std::vector<Heredoc> heredocs_;
  ShellText out_;
};

}  // namespace

ShellText shell_commands(std::string_view text, std::uint32_t first_line) {
  return Lexer(text, first_line).run();
}

}  // namespace railgauge::observe
