#!/bin/sh
# What prolog.sh and epilog.sh do: look at the node, and decide whether Slurm may go on using it.
#   0   nothing at or above RAILGAUGE_FAIL_ON: go on
#   1   findings: Slurm drains the node on any other exit than 0; the reason names them
#   2   railgauge could not look (as for any other exit status of its): logged, and the job runs,
#       unless RAILGAUGE_STRICT=1
# Settings, from the environment or from RAILGAUGE_SETTINGS (a file of NAME=VALUE lines):
#   RAILGAUGE           the program                     RAILGAUGE_FAIL_ON  error|warning|note|never
#   RAILGAUGE_LEVEL     quick|medium|long               RAILGAUGE_STRICT   1: exit 2 drains, too
#   RAILGAUGE_OPTIONS   more options of check           RAILGAUGE_TIMEOUT  seconds
#   RAILGAUGE_LOG       a file to append to, instead of syslog
RAILGAUGE_SETTINGS=${RAILGAUGE_SETTINGS:-/etc/railgauge/slurm.conf}
# shellcheck source=/dev/null
[ ! -r "$RAILGAUGE_SETTINGS" ] || . "$RAILGAUGE_SETTINGS"
PATH=$PATH:/usr/sbin:/usr/bin:/sbin:/bin
export PATH
node=${SLURMD_NODENAME:-$(uname -n)}

log() {
  if [ -n "${RAILGAUGE_LOG:-}" ]; then
    printf '%s %s job %s: %s\n' "$(date -u +%FT%TZ)" "$node" "${SLURM_JOB_ID:-?}" "$1" >>"$RAILGAUGE_LOG"
  else
    logger -t railgauge "job ${SLURM_JOB_ID:-?}: $1" 2>/dev/null || :
  fi
}

# An empty configuration directory would do, but a node's own railgauge.yaml is where sites put what they accept.
[ ! -d /etc/railgauge ] || cd /etc/railgauge || :
# shellcheck disable=SC2086  # options are words
said=$("${RAILGAUGE:-/usr/bin/railgauge}" check --color never --level "${RAILGAUGE_LEVEL:-quick}" \
  --timeout "${RAILGAUGE_TIMEOUT:-30}" --fail-on "${RAILGAUGE_FAIL_ON:-error}" ${RAILGAUGE_OPTIONS:-} 2>&1)
status=$?
case $status in
  0) exit 0 ;;
  1)
    # Lines such as "error   PCI012 pcie-link-narrow   gpu2 (0000:5d:00.0)".
    found=$(printf '%s\n' "$said" | sed -nE 's/^(error|warning|note) +([A-Z]{3}[0-9]{3}) ([^ ]+) +/\2 \3 /p' |
      head -n 5 | paste -sd';' -)
    log "findings, node drains: $found"
    # The reason that sinfo -R shows; without it Slurm says only that the prolog failed.
    if command -v scontrol >/dev/null; then
      scontrol update "NodeName=$node" State=DRAIN "Reason=railgauge: $found" >/dev/null 2>&1 ||
        log "scontrol could not set the reason"
    fi
    exit 1
    ;;
  *)
    log "could not look (exit $status): $(printf '%s' "$said" | tail -n 3 | tr '\n' ' ')"
    [ "${RAILGAUGE_STRICT:-0}" = 1 ] && exit 1
    exit 0
    ;;
esac
