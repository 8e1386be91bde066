#!/bin/sh
# Slurm's Epilog: after a job. A node that the job left broken drains before the next one; see check.sh. What happened
# while the job ran shows in counters read twice.
RAILGAUGE_LEVEL=${RAILGAUGE_LEVEL:-medium}
export RAILGAUGE_LEVEL
exec "$(dirname "$0")/check.sh"
