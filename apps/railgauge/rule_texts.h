// Rules in the words that present shows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "judge/findings.h"
#include "judge/rule.h"
#include "present/check.h"

namespace railgauge::app {

present::RuleText rule_text(const judge::Rule& rule);
std::vector<present::RuleText> rule_texts();  // all, by id

// "CPI012 is no rule. Did you mean PCI012?"; `word` is an id, a name or a category.
Error unknown_rule(std::string_view word);

}  // namespace railgauge::app
