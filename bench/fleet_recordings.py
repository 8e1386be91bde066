#!/usr/bin/env python3
"""Makes many recordings of one server, some of them odd, for bench/fleet.sh and tests/cli.

    bench/fleet_recordings.py FOLDER COUNT [--base RECORDING.tar.zst] [--small]

Every machine has its own host name. Of each hundred one has another NIC firmware, one has lost a GPU and one
has a GPU at x8. Without --small each is padded to the size of a real one, about 3 MB unpacked: error counters
of every function and a table of interrupts. Needs zstd.
"""
import argparse
import io
import pathlib
import random
import re
import subprocess
import tarfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BASE = ROOT / "tests/machines/nvidia-dgx-a100/inputs/dgx-a100.tar.zst"
AER = ("RxErr", "BadTLP", "BadDLLP", "Rollover", "Timeout", "NonFatalErr", "CorrIntErr", "HeaderOF", "TOTAL_ERR_COR")
UNPACKED_BYTES = 3_000_000
NAME = "node0000"
ODD = (11, 22, 33)


def load(path):
    """[(name, link target or None, bytes)] in the order of the archive."""
    plain = subprocess.run(["zstd", "-dcq", str(path)], check=True, capture_output=True).stdout
    out = []
    with tarfile.open(fileobj=io.BytesIO(plain)) as tar:
        for member in tar:
            if member.issym():
                out.append((member.name, member.linkname, b""))
            elif member.isfile():
                out.append((member.name, None, tar.extractfile(member).read()))
    return out


def uncore():
    """The functions of CPUs that a real server lists by the hundred."""
    texts = {"vendor": b"0x1022\n", "device": b"0x1490\n", "class": b"0x060000\n", "revision": b"0x00\n",
             "subsystem_vendor": b"0x0000\n", "subsystem_device": b"0x0000\n", "numa_node": b"0\n",
             "local_cpulist": b"0-127\n", "power_state": b"unknown\n", "config": bytes(64)}
    for device in range(250):
        name = "0000:%02x:%02x.%d" % (0xfe + device // 200, device % 200 // 8, device % 8)
        for file, data in texts.items():
            yield "sys/devices/pci0000:%02x/%s/%s" % (0xfe + device // 200, name, file), None, data
        yield "sys/bus/pci/devices/" + name, "../../../devices/pci0000:%02x/%s" % (0xfe + device // 200, name), b""


def without_gpu(calls, gone):
    """NVML's answers when this GPU is not there: the later ones have smaller numbers."""
    out = []
    for line in calls.decode().splitlines(keepends=True):
        found = re.search(r'"args":\[(\d+)', line)
        index = int(found.group(1)) if found else -1
        if index == gone:
            continue
        if index > gone:
            line = line.replace(found.group(0), '"args":[%d' % (index - 1), 1)
        if "nvmlDeviceGetCount" in line:
            line = re.sub(r'"value":(\d+)', lambda m: '"value":%d' % (int(m.group(1)) - 1), line)
        out.append(line)
    return "".join(out).encode()


def pad(entries):
    """What a recording of a real server has and ours has not: counters that are nearly all zero, interrupts."""
    functions = sorted({n.rsplit("/", 1)[0] for n, link, _ in entries if link is None and n.endswith("/vendor")})
    table = "".join("%s 0\n" % name for name in AER).encode()
    known = {name for name, _, _ in entries}
    for function in functions:
        for kind in ("correctable", "fatal", "nonfatal"):
            if function + "/aer_dev_" + kind not in known:
                entries.append((function + "/aer_dev_" + kind, None, table))
    entries += uncore()
    size = sum(len(data) + len(name) for name, _, data in entries)
    numbers = random.Random(1)
    rows = []
    while size < UNPACKED_BYTES:
        row = "%4d: %s IR-PCI-MSI 0-edge mlx5_comp%d\n" % (
            len(rows) + 64, " ".join("%10d" % (numbers.randrange(1 << 30) if numbers.random() < 0.02 else 0)
                                     for _ in range(256)), len(rows) % 64)
        rows.append(row)
        size += len(row)
    entries.append(("proc/interrupts", None, "".join(rows).encode()))
    return entries


def variant(entries, odd):
    """The machine whose number ends in `odd`, under a name of eight letters."""
    name = NAME
    gone = None
    if odd == 22:  # a GPU fell off: its function and what links to it are not there
        gpus = sorted({n.rsplit("/", 1)[0] for n, link, data in entries
                       if link is None and n.endswith("/class") and data.startswith(b"0x0302")})
        gone = gpus[3].rsplit("/", 1)[1]
        number_of_gone = sorted(g.rsplit("/", 1)[1] for g in gpus).index(gone)
    narrowed = False
    for path, link, data in entries:
        if gone and gone in (path + (link or "")):
            continue
        if path == "manifest.json":
            data = re.sub(rb'"hostname": "[^"]*"', b'"hostname": "%s"' % name.encode(), data)
        elif path == "proc/sys/kernel/hostname":
            data = name.encode() + b"\n"
        elif gone and path == "nvml.json":
            data = without_gpu(data, number_of_gone)
        elif odd == 11 and path.endswith("/fw_ver"):
            data = b"20.28.1002\n"
        elif odd == 33 and path.endswith("/current_link_width") and not narrowed and data.strip() == b"16":
            data, narrowed = b"8\n", True
        yield path, link, data


def tar_of(entries):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for name, link, data in entries:
            info = tarfile.TarInfo(name)
            info.mode = 0o644
            if link is not None:
                info.type, info.linkname = tarfile.SYMTYPE, link
                tar.addfile(info)
            else:
                info.size = len(data)
                tar.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("count", type=int)
    parser.add_argument("--base", default=str(BASE))
    parser.add_argument("--small", action="store_true")
    arguments = parser.parse_args()
    entries = load(arguments.base)
    if not arguments.small:
        entries = pad(entries)
    folder = pathlib.Path(arguments.folder)
    folder.mkdir(parents=True, exist_ok=True)
    tars = {odd: tar_of(variant(entries, odd)) for odd in (0, *ODD)}
    for number in range(arguments.count):
        name = "node%04d" % number  # as long as NAME, so that the archive stays valid
        plain = tars.get(number % 100, tars[0]).replace(NAME.encode(), name.encode())
        with open(folder / (name + ".tar.zst"), "wb") as file:
            subprocess.run(["zstd", "-cq3"], input=plain, stdout=file, check=True)


if __name__ == "__main__":
    main()
