#!/usr/bin/env bash
# The portable binary may need glibc only: anything else ldd shows is an error.
set -euo pipefail
binary=$1
extra=$(ldd "$binary" | awk '{print $1}' |
  grep -v -E '^(linux-vdso\.so\.1|libc\.so\.6|libm\.so\.6|libdl\.so\.2|libpthread\.so\.0|librt\.so\.1|/lib.*/ld-linux.*)$' || true)
if [[ -n $extra ]]; then
  echo "portable: $binary also needs: $extra" >&2
  exit 1
fi
newest=$(objdump -T "$binary" | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -n 1)
echo "portable: $binary needs glibc only ($newest), $(stat -c %s "$binary") bytes"
