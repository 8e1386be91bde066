// Only in the portable program: g++ 12's standard library asks glibc for arc4random, which came
// with 2.36. Answered here, the program also starts on glibc 2.35 (Ubuntu 22.04).
#include <sys/random.h>

#include <cstdint>

extern "C" std::uint32_t arc4random() {
  std::uint32_t value = 0;
  // Four bytes come whole or not at all; before the kernel's pool is ready it waits, as arc4random
  // does.
  while (::getrandom(&value, sizeof value, 0) != static_cast<ssize_t>(sizeof value)) {
  }
  return value;
}
