// What the pages of `see` and `check` share. Only for files of this folder.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace railgauge::present {

// A file of this folder that the program carries: "page.css".
std::string_view embedded_page(std::string_view name);

// From the doctype to <body>; the title is plain text.
std::string html_head(std::string_view title, std::initializer_list<std::string_view> styles);

// A wide picture may shrink until its letters are about 7 pixels high; then it scrolls.
std::string html_picture(const std::string& image);

// Inside <script> a "<" could end the element or start a comment; JSON may write it as an escape.
std::string json_for_script(const std::string& json);

}  // namespace railgauge::present
