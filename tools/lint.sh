#!/usr/bin/env bash
# Formatting, doors, clang-tidy, and words that must not appear. Everything found is an error.
set -euo pipefail
cd "$(dirname "$0")/.."
status=0

tools/check_layers.py || status=1
tools/check_sizes.py || status=1

mapfile -t sources < <(git ls-files '*.h' '*.cpp' '*.cu' '*.cuh')
clang-format --dry-run --Werror "${sources[@]}" || status=1

# Tidy reads what the ordinary build compiled.
[[ -f build/compile_commands.json ]] || cmake --preset default >/dev/null
mapfile -t units < <(git ls-files 'src/*.cpp' 'apps/*.cpp' | grep -v -e _test.cpp -e _fuzz.cpp)
printf '%s\0' "${units[@]}" |
  xargs -0 -P "$(nproc)" -n 8 clang-tidy -p build --extra-arg=-Wno-unknown-warning-option --quiet --warnings-as-errors='*' 2>/dev/null || status=1

[[ $status -eq 0 ]] && echo "lint: clean"
exit $status
