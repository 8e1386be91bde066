#!/usr/bin/env python3
"""A machine into a file: whole or not at all, nothing changed, nothing secret. Usage: record_test.py BINARY"""
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import tarfile
import time

from harness import BINARY, Suite, run, run_in_terminal

suite = Suite()
folder = suite.folder
is_root = os.geteuid() == 0


def unpacked(archive):
    """Path -> bytes or link target of every entry."""
    plain = folder / "plain.tar"
    subprocess.run(["zstd", "-q", "-d", "-f", archive, "-o", plain], check=True)
    with tarfile.open(plain) as tar:
        entries = {member.name: tar.extractfile(member).read() if member.isfile() else member.linkname.encode()
                   for member in tar.getmembers()}
    plain.unlink()
    return entries


target = folder / "a.tar.zst"
made = run("record", "-o", target)
suite.check("record says what it made and what comes next",
            made.status == 0 and f"into {target}" in made.out and made.err == f"next: railgauge see {target}\n",
            made.out + made.err)
entries = unpacked(target)
manifest = json.loads(entries["manifest.json"])
suite.check("the manifest comes first and says how it was made",
            next(iter(entries)) == "manifest.json" and manifest["identities"] == "replaced" and
            re.fullmatch("[0-9a-f]{8}", manifest["identity_key"]) is not None and manifest["as_root"] == is_root, str(manifest))
suite.check("what was recorded can be seen", run("see", target, "-q").status == 0)
suite.check("nothing else stays in the directory", os.listdir(folder) == ["a.tar.zst"], str(os.listdir(folder)))
suite.check("the file can be read by others as the umask says", target.stat().st_mode & 0o777 == 0o666 & ~os.umask(0o022))

document = json.loads(run("record", "--json", "-o", target).out)
suite.check("--json is one document with what was taken", document["schema"] == "railgauge.record/1" and
            document["result"]["path"] == str(target) and document["result"]["packed_bytes"] == target.stat().st_size and
            document["result"]["identities"] == "replaced", str(document)[:300])
failed = run("record", "--json", "-o", folder / "no" / "x.tar.zst")
suite.check("--json is one document on failure too",
            failed.status == 2 and json.loads(failed.out)["result"] is None, failed.out[:300])

kept = folder / "kept.tar.zst"
suite.check("identities can be kept", run("record", "--keep-identities", "-o", kept).status == 0 and
            json.loads(unpacked(kept)["manifest.json"])["identities"] == "kept")
live = run("see", "-q", "--color", "never").out
suite.check("what is seen offline is what is seen live",
            run("see", kept, "-q", "--color", "never").out == live)
kept.unlink()

listed = run("record", "--list", cwd=folder)
suite.check("--list shows paths and sources and writes nothing", listed.status == 0 and "by source:" in listed.out and
            "sysfs" in listed.out and os.listdir(folder) == ["a.tar.zst"], listed.out)
everything = json.loads(run("record", "--list", "--json").out)["result"]["paths"]
suite.check("--list --json names each file", {"proc/cpuinfo"} <= {p["path"] for p in everything}, str(everything)[:200])
suite.check("--list -v names each file", "proc/sys/kernel/hostname\n" in run("record", "--list", "-v").out)

with open(folder / "piped", "wb") as out:
    piped = run("record", "-o", "-", stdout=out)
suite.check("-o - is the archive alone", piped.status == 0 and (folder / "piped").read_bytes()[:4] == b"\x28\xb5\x2f\xfd" and
            "recorded" in piped.err, piped.err)
suite.check("a terminal is refused", run_in_terminal("record", "-o", "-").status == 2)
(folder / "piped").unlink()

inner = folder / "all"
inner.mkdir()
suite.check("a directory gets a name of host and time", run("record", "-o", inner).status == 0 and
            re.fullmatch(r"host-[0-9a-f]{6}-\d{8}T\d{6}Z\.tar\.zst", os.listdir(inner)[0]) is not None, str(os.listdir(inner)))
suite.check("%r is the launcher's rank", run("record", "-o", inner / "r%r.tar.zst", env={"SLURM_PROCID": "3"}).status == 0 and
            (inner / "r3.tar.zst").exists())
suite.refuses("%r without a launcher is an error", run("record", "-o", inner / "r%r.tar.zst"), "%r", "RANK")
suite.refuses("an unknown letter is an error", run("record", "-o", inner / "%q"), "%h", "%%")

for wrong in ("0", "-1s", "ten", "3d"):
    suite.refuses(f"--interval {wrong} is refused", run("record", "--interval", wrong, "-o", target), "--interval")
suite.refuses("--samples needs --interval", run("record", "--samples", "3"), "--interval")
suite.refuses("samples longer than the deadline are refused", run("record", "--interval", "60s"), "--timeout")
sampled = run("record", "--interval", "50ms", "--samples", "3", "-o", target)
entries = unpacked(target)
suite.check("samples lie beside the first reading", sampled.status == 0 and "sample 3 of 3" in sampled.err and
            json.loads(entries["samples/2/sample.json"])["after_ms"] >= 100, sampled.err)
taken = json.loads(run("see", target, "--json").out)["result"]["machine"]["taken"]
suite.check("see knows the samples", len(taken["sample_seconds"]) == 2 and taken["identities"] == "replaced", str(taken))

key = folder / "key"
key.write_bytes(b"one secret for the whole fleet")
run("record", "--identity-key", key, "-o", target)
first = json.loads(unpacked(target)["manifest.json"])
suite.check("one key names the host the same again", run("record", "--identity-key", key, "-o", target).status == 0 and
            json.loads(unpacked(target)["manifest.json"])["hostname"] == first["hostname"])
key.write_bytes(b"another secret")
run("record", "--identity-key", key, "-o", target)
other = json.loads(unpacked(target)["manifest.json"])
suite.check("another key names it otherwise",
            other["hostname"] != first["hostname"] and other["identity_key"] != first["identity_key"])
key.write_bytes(b"short")
suite.refuses("a key that can be guessed is refused", run("record", "--identity-key", key, "-o", target), "8 bytes")
suite.refuses("a missing key is an error", run("record", "--identity-key", folder / "none", "-o", target), "--identity-key", "none")

secrets = {"AWS_SECRET_ACCESS_KEY": "hunter2aws", "NCCL_AUTH_TOKEN": "hunter2nccl", "HOME": "/home/marker-user",
           "USER": "marker-user", "PASSWORD": "hunter2pass", "NCCL_DEBUG_FILE": "/home/marker-user/x.log"}
for option in ([], ["--keep-identities"]):
    run("record", *option, "-o", target, env=secrets)
    words = b"\n".join([path.encode() + b" " + data for path, data in unpacked(target).items()])
    suite.check(f"no secret of the environment is recorded {option}", b"hunter2" not in words)
    if not option:
        suite.check("no user name is recorded", b"marker-user" not in words)

# Whole or nothing.
suite.refuses("a missing directory is said", run("record", "-o", folder / "no" / "x.tar.zst"), "cannot write", "no/x.tar.zst")
if is_root:
    closed = folder / "closed"
    closed.mkdir(mode=0o700)
    suite.folder.chmod(0o755)
    suite.refuses("an unwritable directory is said", run("record", "-o", closed / "x.tar.zst", user=65534), "Permission denied")
    mounted = folder / "small"
    mounted.mkdir()
    script = (f"mount -t tmpfs -o size=8k tmpfs {mounted} && head -c 8192 /dev/zero > {mounted}/full;"
              f"{BINARY} record -o {mounted}/x.tar.zst; echo $?; ls -A {mounted}")
    space = subprocess.run(["unshare", "-m", "sh", "-c", script], capture_output=True, text=True, check=False)
    if "mount" in space.stderr or "unshare" in space.stderr:
        suite.skip("a full disk is said", space.stderr.strip())
    else:
        suite.check("a full disk is said and keeps nothing", space.stdout == "2\nfull\n" and "No space left" in space.stderr,
                    space.stdout + space.stderr)
else:
    suite.skip("an unwritable directory and a full disk are said", "only root can make them")
suite.check("a device is written to, not replaced", run("record", "-o", "/dev/full").status == 2 and
            pathlib.Path("/dev/full").is_char_device())

# kill -9 at any moment leaves the old file, or the new one, or none; never a part and never another.
begin = time.monotonic()
run("record", "-o", target, "-q")
whole_seconds = time.monotonic() - begin
moments = random.Random(20261129)
arena = folder / "arena"
broken = []
for attempt in range(40):
    arena.mkdir()
    process = subprocess.Popen([BINARY, "record", "-q", "-o", arena / "x.tar.zst"], stdout=subprocess.DEVNULL)
    time.sleep(moments.uniform(0, 1.2 * whole_seconds))
    process.send_signal(signal.SIGKILL)
    process.wait()
    names = os.listdir(arena)
    if names not in ([], ["x.tar.zst"]) or (names and run("see", arena / "x.tar.zst", "-q").status != 0):
        broken.append(names)
    shutil.rmtree(arena)
suite.check("kill -9 leaves a whole archive or none", not broken, str(broken))

# Recording changes nothing: every file is opened for reading but the one it makes.
if shutil.which("strace"):
    trace = folder / "trace"
    calls = ("open,openat,openat2,creat,unlink,unlinkat,rename,renameat,renameat2,mkdir,mkdirat,rmdir,chmod,fchmod,fchmodat,"
             "chown,fchown,lchown,fchownat,truncate,ftruncate,link,linkat,symlink,symlinkat,mount,umount2,kill,setxattr,"
             "sched_setaffinity,setpriority,utimensat,mknod,mknodat,sethostname,init_module,finit_module,delete_module")
    subprocess.run(["strace", "-f", "-qq", "-o", trace, "-e", f"trace={calls}", BINARY, "record", "-q", "-o", target],
                   check=True, capture_output=True)
    changes = []
    for line in trace.read_text(errors="replace").splitlines():
        line = line.split(None, 1)[-1]
        opened = line.startswith("open")
        ours = str(folder) in line or "/proc/self/fd/" in line or line.startswith("fchmod(")
        if line.startswith(("---", "+++")) or ours:
            continue
        if opened and "O_WRONLY" not in line and "O_RDWR" not in line and "O_CREAT" not in line:
            continue
        if opened and ("/dev/null" in line or "/dev/nvidia" in line or "= -1" in line):
            continue
        # hwloc asks each CPU for its features from itself and goes back to where it was.
        if line.startswith("sched_setaffinity("):
            continue
        changes.append(line)
    suite.check("recording changes nothing", not changes, "\n".join(changes[:20]))
else:
    suite.skip("recording changes nothing", "strace is not installed")
suite.finish()
