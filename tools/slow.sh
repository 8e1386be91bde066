#!/usr/bin/env bash
# The slow set: ASan+UBSan, TSan, and every fuzzer for RAILGAUGE_FUZZ_SECONDS (60).
#   tools/slow.sh [asan] [tsan] [fuzz]
set -euo pipefail
cd "$(dirname "$0")/.."
for set in "${@:-asan tsan fuzz}"; do
  for preset in $set; do
    echo "slow: $preset" >&2
    cmake --preset "$preset" -DRAILGAUGE_FUZZ_SECONDS="${RAILGAUGE_FUZZ_SECONDS:-60}" >/dev/null
    cmake --build --preset "$preset" -j "$(nproc)"
    if [[ $preset == fuzz ]]; then
      ctest --test-dir "build-$preset" -j "$(nproc)" --output-on-failure -L fuzz
    else
      ctest --test-dir "build-$preset" -j "$(nproc)" --output-on-failure
    fi
  done
done
