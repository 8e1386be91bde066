#!/usr/bin/env bash
# Time and memory of grouping many recordings with `railgauge see DIR`, on one core.
#   bench/fleet.sh BINARY [COUNT] [FOLDER]      COUNT defaults to 1000; FOLDER is kept when given
# Also the p50 of 21 runs over one of them. Prints a table; nothing here passes or fails.
set -euo pipefail
cd "$(dirname "$0")/.."
binary=$1
count=${2:-1000}
folder=${3:-}
if [[ -z $folder ]]; then
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
fi
[[ -e $folder/node0000.tar.zst ]] || python3 bench/fleet_recordings.py "$folder" "$count"

echo "# $(date -u +%FT%TZ) $(nproc) cores, $(awk -F': ' '/model name/ {print $2; exit}' /proc/cpuinfo), load $(cut -d' ' -f1 /proc/loadavg)"
echo "# $("$binary" --version | head -n 1)"
echo "# $count recordings, $(du -sb "$folder" | cut -f1) bytes packed, pinned to one core"
printf '%-24s %9s %9s %9s %9s\n' input runs p50_ms cpu_ms peak_MiB
measure() { # NAME RUNS INPUT
  python3 - "$binary" "$@" <<'PYTHON'
import os, resource, statistics, subprocess, sys, time
binary, name, runs, source = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
times = []
for _ in range(runs):
    start = time.perf_counter()
    subprocess.run([binary, "see", source, "--timeout", "600", "-q"], stdout=subprocess.DEVNULL, check=True)
    times.append((time.perf_counter() - start) * 1e3)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
cpu = (used.ru_utime + used.ru_stime) / runs * 1e3
print(f"{name:<24} {runs:9d} {statistics.median(times):9.1f} {cpu:9.1f} {used.ru_maxrss / 1024:9.1f}")
PYTHON
}
measure "all" 1 "$folder"
measure "one recording" 21 "$folder/node0000.tar.zst"
