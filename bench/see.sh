#!/usr/bin/env bash
# Time and memory of `railgauge see`: p50 of 21 runs, for the largest inputs and for this machine.
#   bench/see.sh BINARY [INPUT…]      INPUT defaults to the largest of tests/machines
# Prints a table; nothing here passes or fails.
set -euo pipefail
cd "$(dirname "$0")/.."
binary=$1
shift
inputs=("$@")
if [[ ${#inputs[@]} -eq 0 ]]; then
  mapfile -t inputs < <(find tests/machines -path '*/inputs/*' -type f -printf '%s %p\n' | sort -rn |
    head -n 5 | cut -d' ' -f2-)
fi

echo "# $(date -u +%FT%TZ) $(nproc) cores, $(awk -F': ' '/model name/ {print $2; exit}' /proc/cpuinfo), load $(cut -d' ' -f1 /proc/loadavg)"
echo "# $("$binary" --version | head -n 1)"
printf '%-58s %9s %9s %9s %9s\n' input bytes p50_ms max_ms peak_MiB
measure() {
  python3 - "$binary" "$@" <<'PYTHON'
import resource, statistics, subprocess, sys, time
times = []
for _ in range(21):
    start = time.perf_counter()
    subprocess.run([sys.argv[1], "see", *sys.argv[2:], "--timeout", "60"], stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, check=True)
    times.append((time.perf_counter() - start) * 1e3)
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
print(f"{statistics.median(times):9.1f} {max(times):9.1f} {peak:9.1f}")
PYTHON
}
for input in "${inputs[@]}"; do
  printf "%-58s %9s %s\n" "$(printf %s "$input" | tail -c 58)" "$(stat -c %s "$input")" "$(measure "$input")"
done
printf '%-58s %9s %s\n' "this machine, live" "-" "$(measure)"
