// The lines of a long text that NCCL wrote, from a text that comes in pieces of any size. All
// others are passed over at the speed of a search for one word.
//   MarkedLines lines;
//   lines.take(piece, use); …; lines.end(use);
//   // use(line) for each with "NCCL INFO ", "NCCL WARN ", "NCCL version " in it
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace railgauge::observe {

class MarkedLines {
 public:
  struct Line {
    std::string_view raw;
    std::uint32_t number = 0;  // from 1
    std::size_t mark = 0;      // where the first of the words is
    std::string_view after;    // the next line; empty where it is not known yet, at a piece's end
  };
  using Use = std::function<void(const Line& line)>;

  void take(std::string_view piece, const Use& use);
  void end(const Use& use);
  std::uint64_t too_long() const { return too_long_; }  // lines over the bound, passed over

 private:
  void take_whole(std::string_view text, const Use& use);

  std::string rest_;  // the begin of a line that goes on in the next piece
  bool skipping_ = false;
  std::uint64_t too_long_ = 0;
  std::uint32_t number_ = 1;  // of the next line
};

}  // namespace railgauge::observe
