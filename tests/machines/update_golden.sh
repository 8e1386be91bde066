#!/bin/sh
# Writes see.txt of all machines, or of those named, with the program at $RAILGAUGE or build/railgauge.
# Read the difference in git before committing it: it is the interface people see.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
exec "$here/run.py" --railgauge "${RAILGAUGE:-$here/../../build/railgauge}" --update "$@"
