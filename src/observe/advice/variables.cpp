// The tables of variables, read line by line: with yaml-cpp eight hundred rows took longer than all
// other work of a check. Each row is a flow mapping of single values on one line, so the files stay
// YAML; the test reads them with yaml-cpp, too, and compares.
#include <fmt/format.h>

#include <array>

#include "base/strings.h"
#include "observe/advice/advice_yaml.h"

namespace railgauge::observe {
namespace {

using model::VariableRow;
using model::VariableStatus;

struct Key {
  std::string_view name;
  std::string VariableRow::*field;
};
constexpr std::array keys{
    Key{"name", &VariableRow::name},       Key{"library", &VariableRow::library},
    Key{"since", &VariableRow::since},     Key{"removed", &VariableRow::removed},
    Key{"instead", &VariableRow::instead}, Key{"default", &VariableRow::default_value},
    Key{"accepts", &VariableRow::accepts}, Key{"form", &VariableRow::form},
    Key{"note", &VariableRow::note},       Key{"source", &VariableRow::source}};
constexpr std::array statuses{VariableStatus::current, VariableStatus::deprecated,
                              VariableStatus::removed, VariableStatus::dead,
                              VariableStatus::never,   VariableStatus::plugin};

// What rows leave out.
struct Usual {
  std::string_view library;
  std::string_view source;
};
Usual usual_of(std::string_view file) {
  return contains(file, "ucx") ? Usual{"ucx", "UCX 1.22"} : Usual{"nccl", "NCCL 2.30.7"};
}

// One row: `{key: value, …}`, a value plain or in double quotes with \" and \\.
class Row {
 public:
  explicit Row(std::string_view text) : rest_(text) {}

  // Empty when all went well, otherwise what is wrong.
  std::string read(VariableRow& out) {
    if (!take("- {")) return "a row begins with \"- {\"";
    while (!take("}")) {
      const auto colon = rest_.find(": ");
      if (colon == std::string_view::npos) return "a key without a value";
      const std::string_view key = rest_.substr(0, colon);
      rest_.remove_prefix(colon + 2);
      std::string value;
      if (!read_value(value)) return fmt::format("the value of \"{}\" does not end", key);
      if (!store(key, std::move(value), out)) return fmt::format("unknown key or word: {}", key);
      take(", ");
    }
    return rest_.empty() ? std::string() : "something stands behind the row";
  }

 private:
  bool take(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  bool read_value(std::string& value) {
    if (!take("\"")) {
      const auto end = rest_.find_first_of(",}");
      if (end == std::string_view::npos) return false;
      value = rest_.substr(0, end);
      rest_.remove_prefix(end);
      return true;
    }
    for (std::size_t i = 0; i < rest_.size(); ++i) {
      if (rest_[i] == '\\' && i + 1 < rest_.size()) {
        value += rest_[++i];
      } else if (rest_[i] == '"') {
        rest_.remove_prefix(i + 1);
        return true;
      } else {
        value += rest_[i];
      }
    }
    return false;
  }

  static bool store(std::string_view key, std::string value, VariableRow& out) {
    if (key == "status") {
      for (const VariableStatus status : statuses)
        if (text(status) == value) {
          out.status = status;
          return true;
        }
      return false;
    }
    for (const Key& known : keys)
      if (known.name == key) {
        out.*known.field = std::move(value);
        return true;
      }
    return false;
  }

  std::string_view rest_;
};

}  // namespace

Result<void> add_variables(const std::string& text, const std::string& file, model::Advice& out) {
  const Usual usual = usual_of(file);
  for (LineCursor lines(text); lines.next();) {
    if (lines.line().empty() || lines.line().front() == '#') continue;
    VariableRow row;
    row.library = usual.library;
    row.source = usual.source;
    std::string wrong = Row(lines.line()).read(row);
    if (wrong.empty() && row.name.empty()) wrong = "a row without a name";
    if (!wrong.empty())
      return fail(ErrorKind::input, fmt::format("{}:{}: {}", file, lines.number(), wrong));
    out.variables.push_back(std::move(row));
  }
  return {};
}

}  // namespace railgauge::observe
