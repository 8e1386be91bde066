#!/usr/bin/env bash
# Installs the distribution's packages that building, testing or checking needs, once.
#   tools/setup.sh [build] [test] [lint] [slow] [portable] [guest] [cluster] [web]     default: build
# Runs apt as root, or through sudo. Packages that are there already cost nothing, and no network is touched then.
# Proved on Debian 12. Written for Ubuntu 22.04 and 24.04 too, and unproved there.
set -euo pipefail

build=(g++ cmake ninja-build make pkg-config git ca-certificates
  libexpected-dev libfmt-dev libcli11-dev nlohmann-json3-dev libyaml-cpp-dev libpugixml-dev
  libarchive-dev libzstd-dev libhwloc-dev nettle-dev pci.ids)
test=(libgtest-dev libgmock-dev python3 zstd strace)
lint=(clang-format clang-tidy python3)
slow=(clang libclang-rt-14-dev)
portable=(libacl1-dev liblz4-dev libbz2-dev nettle-dev liblzma-dev zlib1g-dev binutils file)
# The guest's kernel is fetched by the test itself, and never installed.
guest=(qemu-system-x86 busybox-static kmod zstd iproute2 binutils pci.ids python3)
# Daemons that these packages bring are not needed as services: the tests start their own.
cluster=(openssh-client openssh-server pdsh clustershell openmpi-bin slurmctld slurmd slurm-client munge ansible-core
  python3 python3-venv)
web=(chromium python3)

wanted=()
for set in "${@:-build}"; do
  case $set in
    build) wanted+=("${build[@]}") ;;
    test) wanted+=("${test[@]}") ;;
    lint) wanted+=("${lint[@]}") ;;
    slow) wanted+=("${slow[@]}") ;;
    portable) wanted+=("${portable[@]}") ;;
    guest) wanted+=("${guest[@]}") ;;
    cluster) wanted+=("${cluster[@]}") ;;
    web) wanted+=("${web[@]}") ;;
    *) echo "setup: there is no set named $set (build, test, lint, slow, portable, guest, cluster, web)" >&2; exit 2 ;;
  esac
done

missing=()
for package in "${wanted[@]}"; do
  state=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
  [[ $state == "install ok installed" ]] || missing+=("$package")
done
if [[ ${#missing[@]} -eq 0 ]]; then
  exit 0
fi

if ! command -v apt-get >/dev/null; then
  echo "setup: this system has no apt. Install what these Debian packages hold: ${missing[*]}" >&2
  exit 2
fi
as_root=()
if [[ $(id -u) -ne 0 ]]; then
  if ! command -v sudo >/dev/null; then
    echo "setup: these packages are missing and there is no sudo: ${missing[*]}" >&2
    echo "setup: as root run: apt-get install ${missing[*]}" >&2
    exit 2
  fi
  as_root=(sudo)
fi
echo "setup: installing ${#missing[@]} packages: ${missing[*]}" >&2
"${as_root[@]}" apt-get update -q >&2
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
  "${missing[@]}" >&2
