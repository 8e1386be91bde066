// The lines of a long text that NCCL wrote, from a text that comes in pieces of any size. All
// others are passed over at the speed of a search for one word.
//   MarkedLines lines;
//   lines.take(piece, use); …; lines.end(use);
//   // use(raw line, its number from 1, the line after it) for each line with "NCCL INFO " and such
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace railgauge::observe {

class MarkedLines {
 public:
  // The line after is empty where it is not known (yet): at the end of a piece.
  using Use =
      std::function<void(std::string_view raw, std::uint32_t number, std::string_view after)>;

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
