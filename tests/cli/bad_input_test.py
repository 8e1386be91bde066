#!/usr/bin/env python3
"""Hostile and broken inputs: a clear error, exit 2, bounded memory and time. Usage: bad_input_test.py BINARY"""
import gzip
import io
import json
import os
import random
import tarfile

from harness import Suite, run

suite = Suite()
folder = suite.folder


def write(name, data):
    path = folder / name
    path.write_bytes(data)
    return path


def tar_of(name, entries):
    """entries: (path, bytes or None for a link target in the third field)"""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        for path, data, link in entries:
            info = tarfile.TarInfo(path)
            if link is not None:
                info.type, info.linkname = tarfile.SYMTYPE, link
                tar.addfile(info)
            else:
                info.size = len(data)
                tar.addfile(info, io.BytesIO(data))
    return write(name, buffer.getvalue())


random_bytes = random.Random(7).randbytes(200_000)
suite.refuses("binary garbage is refused", run("see", write("garbage.bin", random_bytes)), "garbage.bin", "binary")
suite.refuses("an ELF file is refused", run("see", "/bin/true"), "/bin/true")
suite.refuses("an empty file is refused", run("see", write("empty.txt", b"")), "empty.txt", "empty")
suite.refuses("blanks only are refused", run("see", write("blank.txt", b" \n\t\n")), "blank.txt", "empty")
suite.refuses("a missing file is named", run("see", folder / "none.txt"), "none.txt", "No such file")
suite.refuses("empty standard input is refused", run("see", "-"), "empty")
suite.refuses("an unknown text lists what we read", run("see", write("hello.txt", b"hello\n")), "nvidia-smi topo -m")

line = folder / "line.txt"
with open(line, "wb") as file:  # one line of 1 GB
    block = b"GPU0 NV12 " * 100_000
    for _ in range(1000):
        file.write(block)
suite.refuses("a 1 GB line is refused unread", run("see", line), "line.txt", "larger than")
with open(line, "rb") as file:
    suite.refuses("a 1 GB line on standard input is refused", run("see", "-", stdin=file.read(100 << 20)), "larger than")
line.unlink()
suite.refuses("one line of 60 MB ends in an error", run("see", write("long.txt", b"GPU0 " + b"X " * 30_000_000)), "")
(folder / "long.txt").unlink()
suite.refuses("/dev/zero is refused", run("see", "/dev/zero"), "/dev/zero")

bomb = b'<?xml version="1.0"?><!DOCTYPE s [<!ENTITY a "aaaaaaaaaaaaaaaaaaaa">' + b"".join(
    b'<!ENTITY %c "%s">' % (98 + i, b"&%c;" % (97 + i) * 20) for i in range(12)) + b']><system version="1">&m;</system>'
result = run("see", write("bomb.xml", bomb))
suite.check("an XML bomb does not explode", result.status in (0, 2), f"{result.status} {result.err[:200]}")
deep = b"<system version=\"1\">" + b"<pci busid=\"0000:00:00.0\">" * 200_000
suite.refuses("XML of 200,000 levels is refused", run("see", write("deep.xml", deep)), "deep.xml")
hwloc_bomb = bomb.replace(b'<system version="1">&m;</system>', b'<topology version="2.0">&m;</topology>')
suite.refuses("an XML bomb as lstopo XML is refused", run("see", write("lstopo.xml", hwloc_bomb)), "lstopo.xml")

zeros = gzip.compress(b"\0" * (600 << 20), 1)
tar_bomb = folder / "bomb.tar.gz"
header = tarfile.TarInfo("sys/zeros")
header.size = 600 << 20
tar_bomb.write_bytes(gzip.compress(header.tobuf() + b"\0" * (600 << 20), 1))
suite.refuses("a tar bomb is refused", run("see", tar_bomb), "bomb.tar.gz")
suite.refuses("a compressed bomb is refused", run("see", write("zeros.gz", zeros)), "zeros.gz")
for claim, path in {"climbs": "../../etc/passwd", "is absolute": "/etc/passwd", "climbs inside": "a/../../b"}.items():
    bad = tar_of("traversal.tar", [("manifest.json", b"{}", None), (path, b"x", None)])
    suite.refuses(f"an archive whose path {claim} is refused", run("see", bad), "traversal.tar", path)
    suite.check("nothing was extracted", not (folder / "b").exists() and not (folder.parent / "b").exists())
damaged = tar_of("cut.tar", [("manifest.json", b'{"schema": "railgauge.recording/1"}', None), ("sys/a", b"x" * 5000, None)])
damaged.write_bytes(damaged.read_bytes()[:2000])
suite.refuses("a cut archive is refused", run("see", damaged), "cut.tar")
suite.refuses("a manifest that is not JSON is refused",
              run("see", tar_of("bad.tar", [("manifest.json", b"{", None), ("sys/a", b"x", None)])), "manifest.json")
suite.refuses("an empty directory is refused", run("see", (folder / "void").mkdir() or folder / "void"), "void")

fifo = folder / "fifo"
os.mkfifo(fifo)
suite.refuses("a FIFO nobody writes ends at the deadline", run("see", fifo, "--timeout", "2"), "")

if os.geteuid() == 0:
    secret = write("secret.txt", b"GPU0 X")
    secret.chmod(0)
    folder.chmod(0o755)
    suite.refuses("no permission is said", run("see", secret, user="nobody"), "secret.txt", "Permission denied")
    locked = folder / "locked"
    (locked / "sys").mkdir(parents=True)
    locked.chmod(0)
    suite.refuses("an unreadable directory is said", run("see", locked, user="nobody"), "locked", "Permission denied")
    locked.chmod(0o755)
else:
    suite.skip("no permission is said", "needs root to become another user")

result = run("see", tar_of("two.tar", [("good/manifest.json", b'{"schema": "railgauge.recording/1"}', None),
                                       ("good/inputs/topo.txt", b"\tGPU0\tGPU1\nGPU0\t X \tNV4\nGPU1\tNV4\t X \n", None),
                                       ("good/inputs/link", b"", "/etc/passwd"), ("lost.txt", b"x", None)]))
suite.check("what is passed over is said", result.status == 0 and "lost.txt" in result.err and "inputs/link" in result.out,
            result.err + result.out)
many = "<system version=\"1\"><cpu numaid=\"0\">" + "".join(
    f"<pci busid=\"{n >> 8:04x}:{n & 255:02x}:00.0\" class=\"0x020000\"><nic><net name=\"n{n}\" dev=\"{n}\"/></nic></pci>"
    for n in range(1000)) + "</cpu></system>"
many_nics = write("many.xml", many.encode())
suite.check("a thousand NICs are drawn", run("see", many_nics).status == 0)
for shown in ("html", "matrix"):
    suite.refuses(f"a thousand NICs are too many pairs for {shown}", run("see", many_nics, "--format", shown), "400")
gpus = [f"GPU{n}" for n in range(300)]
wide = "\t" + "\t".join(gpus) + "\n" + "".join(
    g + "\t" + "\t".join(" X " if g == h else "SYS" for h in gpus) + "\n" for g in gpus)
suite.check("a matrix of 300 GPUs is read well within the deadline",
            run("see", write("wide.txt", wide.encode()), "--timeout", "20").status == 0)

result = run("see", folder / "none.txt", "--json")
document = json.loads(result.out)
suite.check("--json prints one document on failure too",
            result.status == 2 and document["result"] is None and "none.txt" in document["error"]["message"], result.out)
good = write("topo.txt", b"\tGPU0\tGPU1\nGPU0\t X \tNV12\nGPU1\tNV12\t X \n")
with open("/dev/full", "wb") as full:
    result = run("see", good, stdout=full)
    suite.check("a full disk is said", result.status == 2 and "No space left" in result.err, result.err)
suite.refuses("an unwritable --output is said", run("see", good, "-o", folder / "no" / "x"), "cannot write", "x")
before = sorted(os.listdir(folder))
suite.check("a good input works", run("see", good, "-o", folder / "out.txt").status == 0)
suite.check("no temporary file stays", sorted(os.listdir(folder)) == sorted(before + ["out.txt"]))
suite.finish()
