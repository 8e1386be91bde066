// Writes XML in the subset that NCCL's own parser reads: no declaration, double quotes, "/>"
// without a blank in front, two blanks a level as in NCCL's dumps.
//   XmlLines out; out.open("cpu", {{"numaid", "0"}}); out.close(); out.text()
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace railgauge::present {

using XmlAttributes = std::vector<std::pair<std::string, std::string>>;

class XmlLines {
 public:
  void comment(std::string_view text);
  void open(std::string_view tag, const XmlAttributes& attributes);
  void close();  // "/>" when nothing was put inside
  void single(std::string_view tag, const XmlAttributes& attributes);
  const std::string& text() const { return text_; }

 private:
  void finish_tag();
  std::string text_;
  std::vector<std::string> open_tags_;
  bool tag_pending_ = false;
};

}  // namespace railgauge::present
