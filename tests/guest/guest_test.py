#!/usr/bin/env python3
"""The real program on a real kernel, in a machine whose topology we chose. Usage: guest_test.py BINARY CACHE

The guest has two NUMA nodes, PCIe switches, cards and drives. What `see` tells there is compared with what QEMU was
asked for, what `record` writes there is read here. Needs what `tools/setup.sh guest` installs; exits 77 without it.
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "cli")]

import lab
import record_checks
import seeds
import topology
import tree_checks
from harness import BINARY, Suite, run
from host import Missing

# Between here and there, names of PCI ids must be the same.
PCI_IDS = "/usr/share/misc/pci.ids"
# Software RDMA with a module that it needs and does not ask for, PCI errors on demand, and tools that set up links.
MODULES, PROGRAMS = ["crc32_generic", "rdma_rxe", "aer_inject"], ["/bin/ip", "/usr/bin/rdma"]
KEPT, REPLACED, INTERVAL, UNPRIVILEGED = (f"/run/rec/{name}.tar.zst" for name in
                                          ("kept", "replaced", "interval", "unprivileged"))

# Gives one card a name, an address and an RDMA device, brings all links up, and puts a foreign program's line into the
# kernel's log. Programs are called by path where busybox has one of that name.
PREPARE = f"""
set -e
cd /sys/bus/pci/devices/{topology.MARKED}/net && /bin/ip link set * name {seeds.INTERFACE} && cd /
cards=$(cd /sys/class/net && ls -d */device | cut -d/ -f1)
for card in $cards; do /bin/ip link set "$card" up; done
/bin/ip address add {seeds.ADDRESS}/24 dev {seeds.INTERFACE}
rdma link add rxe0 type rxe netdev {seeds.INTERFACE}
for try in $(seq 100); do
  for card in $cards; do cat "/sys/class/net/$card/operstate"; done | grep -qv up || break
  usleep 100000
done
echo '{seeds.KERNEL_LINE}' >/dev/kmsg
mkdir -p /run/rec && chmod 1777 /run/rec /tmp
"""
INTERFACES = """
for net in /sys/class/net/*/device; do
  net=${net%/device}
  function=$(readlink -f "$net/device")
  case ${function##*/} in virtio*) function=${function%/*} ;; esac
  echo "${net##*/} $(cat "$net/address") ${function##*/}"
done
"""
# Everything that a program could have left behind or set. Files of /proc that count are not among it.
STATE = """
cat /proc/mounts
cut -d' ' -f1-2 /proc/modules
find / -xdev ! -path '/lab/*' ! -path '/proc/*' ! -path '/sys/*' | sort
find /tmp /dev /run ! -path '/run/rec/*' | sort
find /sys/devices/pci* /sys/devices/system /sys/class/net/*/ /sys/kernel/mm/transparent_hugepage /proc/sys/kernel \\
    /proc/sys/vm /proc/sys/net/core -type f -perm -200 ! -path '*/random/*' ! -name nr ! -name ns_last_pid \\
    ! -name reset ! -name rescan ! -name remove ! -name config ! -name rom ! -name 'resource*' \\
    ! -name autosuspend_delay_ms | sort | xargs grep -s ''
true
"""
RECORD = f"{seeds.ENVIRONMENT} railgauge record"
# All the while, PCI Express packets with a bad checksum and packets of Ethernet.
RECORD_INTERVAL = f"""
(while printf '{topology.bad_packet(topology.MARKED)}' >/dev/aer_inject; do
  ping -c 1 -W 1 -I {seeds.INTERFACE} {seeds.NEIGHBOUR} >/dev/null
done) & happening=$!
{RECORD} --interval 2s -o {INTERVAL}
status=$?
kill $happening
exit $status
"""


def commands():
    return {
        "prepare": PREPARE,
        "interfaces": INTERFACES,
        "json": "railgauge see --json",
        "see": "railgauge see --color never",
        "unprivileged-json": "su nobody -s /bin/sh -c 'railgauge see --json'",
        "state-before": STATE,
        "record-kept": f"{RECORD} --keep-identities -o {KEPT}",
        "state-after": STATE,
        "see-replaced": f"{seeds.ENVIRONMENT} railgauge see --replace-identities --color never",
        "record-replaced": f"{RECORD} -o {REPLACED}",
        "record-interval": RECORD_INTERVAL,
        "json-after": "railgauge see --json",
        "record-unprivileged": f"su nobody -s /bin/sh -c 'railgauge record --keep-identities -o {UNPRIVILEGED}'",
    }


def check_tree(suite, machine, got, kernel):
    suite.check("see works in the guest", got["json"].status == 0 and got["see"].status == 0, got["json"].err)
    devices = tree_checks.devices_of(got["json"])
    tree_checks.check_tree(suite, machine, devices)
    tree_checks.check_host(suite, got["json"], seeds.HOSTNAME, kernel)
    tree_checks.check_nodes(suite, machine, devices)
    tree_checks.check_links(suite, machine, devices)
    tree_checks.check_cards(suite, machine, devices, got["interfaces"].out)
    tree_checks.check_drawing(suite, machine, devices, got["see"].out)
    tree_checks.check_software_rdma(suite, got["json"])
    tree_checks.check_error(suite, devices, tree_checks.devices_of(got["json-after"]))
    suite.check("the tree is the same for a user without rights",
                tree_checks.places(tree_checks.devices_of(got["unprivileged-json"])) == tree_checks.places(devices))


def check_recordings(suite, got):
    def see(packed, *options):
        file = suite.folder / "recording.tar.zst"
        file.write_bytes(packed)
        return run("see", file, "--color", "never", "-q", *options).out

    for name in ("record-kept", "record-replaced", "record-interval", "record-unprivileged"):
        suite.check(f"{name} works", got[name].status == 0, got[name].err)
    files = {name: got.files.get(path) for name, path in
             (("kept", KEPT), ("replaced", REPLACED), ("interval", INTERVAL), ("unprivileged", UNPRIVILEGED))}
    if not all(files.values()):
        return suite.check("all recordings are there", False, str({name: bool(f) for name, f in files.items()}))
    record_checks.check_kept(suite, got, files["kept"], see)
    record_checks.check_replaced(suite, got, files["replaced"], see)
    record_checks.check_unchanged(suite, got)
    record_checks.check_interval(suite, files["interval"], see)
    record_checks.print_figures(got, files)
    suite.check("a user without rights records the machine too", see(files["unprivileged"]))


def main():
    machine = topology.two_sockets()
    files = {**seeds.FILES, PCI_IDS: pathlib.Path(PCI_IDS).read_bytes()}
    try:
        guest = lab.Guest(BINARY, machine, pathlib.Path(sys.argv[2]))
        got = guest.run(commands(), files=files, get=[KEPT, REPLACED, INTERVAL, UNPRIVILEGED],
                        boot_words=seeds.BOOT_WORDS, qemu_words=seeds.QEMU_WORDS, modules=MODULES, programs=PROGRAMS)
    except Missing as missing:
        print(f"SKIP {missing}")
        sys.exit(77)
    except lab.LabError as error:
        print(f"FAIL {error}")
        sys.exit(1)
    suite = Suite()
    suite.check("the guest could be prepared", got["prepare"].status == 0, got["prepare"].err)
    check_tree(suite, machine, got, guest.kernel.version)
    check_recordings(suite, got)
    suite.finish()


if __name__ == "__main__":
    main()
