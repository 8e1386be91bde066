#!/usr/bin/env bash
# Time and size of `railgauge record` on this machine, and of `see` on what it made: p50 of 21 runs.
#   bench/record.sh BINARY
# Prints a table; nothing here passes or fails. The aims: a capture under 2 s and a few hundred kB, a recording seen in
# less than 100 ms.
set -euo pipefail
binary=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

echo "# $(date -u +%FT%TZ) $(nproc) cores, $(awk -F': ' '/model name/ {print $2; exit}' /proc/cpuinfo), load $(cut -d' ' -f1 /proc/loadavg), user $(id -un)"
echo "# $("$binary" --version | head -n 1)"
python3 - "$binary" "$folder" <<'PYTHON'
import json, os, resource, statistics, subprocess, sys, time
binary, folder = sys.argv[1:]
file = os.path.join(folder, "machine.tar.zst")
cases = {
    "record, identities replaced": ["record", "-q", "-o", file],
    "record, identities kept": ["record", "-q", "--keep-identities", "-o", file],
    "see, of that recording": ["see", "-q", file],
    "see --json, of that recording": ["see", "-q", "--json", file],
    "see, live": ["see", "-q"],
}
times = {name: [] for name in cases}
peaks = {}
for _ in range(21):  # interleaved, so that a slow moment of the machine meets all of them
    for name, arguments in cases.items():
        start = time.perf_counter()
        process = subprocess.Popen([binary, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        status, usage = os.wait4(process.pid, 0)[1:]
        times[name].append((time.perf_counter() - start) * 1e3)
        assert status == 0, name
        peaks[name] = max(peaks.get(name, 0), usage.ru_maxrss / 1024)
print(f"{'case':<32} {'p50_ms':>8} {'max_ms':>8} {'peak_MiB':>8}")
for name in cases:
    print(f"{name:<32} {statistics.median(times[name]):8.1f} {max(times[name]):8.1f} {peaks[name]:8.1f}")
made = json.loads(subprocess.run([binary, "record", "--json", "-o", file], capture_output=True, check=True).stdout)["result"]
print(f"\n{made['packed_bytes']} bytes packed, {made['files']} files, {made['refused']} refused")
for source in made["sources"]:
    print(f"  {source['source']:<12} {source['files']:>6} files {source['bytes']:>9} bytes {source['time_seconds'] * 1e3:8.1f} ms")
PYTHON
