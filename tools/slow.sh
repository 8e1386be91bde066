#!/usr/bin/env bash
# The slow set: the tests under ASan+UBSan and under TSan, and every fuzzer for RAILGAUGE_FUZZ_SECONDS (60). The fuzzers
# are part of the ASan build. guest runs the program on a real kernel in QEMU, cluster the recipes for recording
# many nodes.
#   tools/slow.sh [asan] [fuzz] [tsan] [guest] [cluster]
set -euo pipefail
cd "$(dirname "$0")/.."
[[ $# -gt 0 ]] || set -- asan fuzz tsan guest cluster
for set in "$@"; do
  echo "slow: $set" >&2
  if [[ $set == guest || $set == cluster ]]; then
    tools/setup.sh build "$set"
    cmake --preset default >/dev/null
    cmake --build build -j "$(nproc)" --target railgauge
    ctest --test-dir build --output-on-failure -L "^$set$"
    continue
  fi
  cmake --preset "$set" -DRAILGAUGE_FUZZ_SECONDS="${RAILGAUGE_FUZZ_SECONDS:-60}" >/dev/null
  folder=build-asan
  [[ $set == tsan ]] && folder=build-tsan
  cmake --build "$folder" -j "$(nproc)"
  if [[ $set == fuzz ]]; then
    ctest --test-dir "$folder" -j "$(nproc)" --output-on-failure -L fuzz
  else
    ctest --test-dir "$folder" -j "$(nproc)" --output-on-failure -LE slow
  fi
done
