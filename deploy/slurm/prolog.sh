#!/bin/sh
# Slurm's Prolog: before a job. A node with errors drains and the job goes elsewhere; see check.sh.
exec "$(dirname "$0")/check.sh"
