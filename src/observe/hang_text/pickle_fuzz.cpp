// Any bytes behind a pickle's first two give a tree whose nodes all point inside it, or an error.
#include "observe/hang_text/flight_recorder.h"
#include "observe/hang_text/pickle.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace railgauge::observe;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const auto tree = read_pickle("fuzz", bytes);
  if (tree.has_value() && !looks_like_pickle(bytes)) __builtin_trap();
  if (tree)
    for (const auto item : tree->items(tree->root())) (void)tree->kind(item);
  const auto machine = read_flight_recorder({"rank_0", bytes});
  if (machine && machine->hangs.size() != 1) __builtin_trap();
  return 0;
}
