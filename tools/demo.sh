#!/usr/bin/env bash
# Shows what railgauge does on recorded machines and on this one; leaves demo/report.html, the page of a check.
set -euo pipefail
cd "$(dirname "$0")/.."
railgauge=$1
machine=tests/machines/nvidia-dgx-h100-nvlink-down/inputs
faulty=tests/machines/supermicro-l40s-8x-acs/inputs   # a GPU at half its lanes, switches that send peer traffic upwards
mkdir -p demo

show() { printf '\n\033[1m$ railgauge %s\033[0m\n' "$*"; "$railgauge" "$@" --quiet; }
show see "$machine"
show see --matrix tests/machines/nvidia-dgx-a100/inputs
show see "$machine" --path gpu0 gpu7
show diff synthetic:dgx-h100 "$machine" || [[ $? -eq 1 ]]   # 1: they differ
show see
show explain PCI012
printf '\n\033[1m$ railgauge check %s\033[0m\n' "$faulty"
"$railgauge" check "$faulty" || [[ $? -eq 1 ]]               # 1: it has errors

"$railgauge" check "$faulty" --format html -o demo/report.html --fail-on never -q
"$railgauge" see "$machine" --format html -o demo/machine.html -q
"$railgauge" see "$machine" --format svg -o demo/machine.svg -q
"$railgauge" see "$machine" --format nccl-xml -o demo/nccl-topo.xml -q
printf '\nLook at demo/report.html (what is wrong with a server, and where), demo/machine.html, demo/machine.svg, demo/nccl-topo.xml (loads as NCCL_TOPO_FILE).\n'
