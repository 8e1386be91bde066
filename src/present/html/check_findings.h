// Findings as HTML. Only for check_html.cpp.
#pragma once

#include <string>

#include "present/check.h"

namespace railgauge::present {

// "finding-3": where the marks of the picture lead.
std::string finding_anchor(std::size_t number);

// An article with everything one finding says; `mark`: the id of its mark in the picture, or empty.
// What an earlier finding of the same rule said already in the same words is left out, and what to
// do is folded.
std::string finding_html(const model::Finding& finding, std::size_t number, const std::string& mark,
                         const model::Finding* earlier);

}  // namespace railgauge::present
