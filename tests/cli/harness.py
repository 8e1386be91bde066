"""Runs the real binary and says how it ended. Used by the files of this folder.

Every run is bounded in time and memory, so that "bounded" is something the tests prove.
"""
import os
import pathlib
import pty
import resource
import subprocess
import sys
import tempfile

BINARY = pathlib.Path(sys.argv[1]).resolve()
SOURCE = pathlib.Path(__file__).resolve().parents[2]
LIMIT_SECONDS = 30
LIMIT_BYTES = 1 << 30


class Run:
    def __init__(self, status, out, err, peak_mib=0.0):
        self.status, self.out, self.err, self.peak_mib = status, out, err, peak_mib


def _limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (LIMIT_BYTES, LIMIT_BYTES))


def run(*arguments, stdin=b"", env=None, cwd=None, user=None, stdout=subprocess.PIPE):
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", **(env or {})}
    # Address space cannot be limited under a sanitizer, which reserves terabytes.
    limit = None if os.environ.get("RAILGAUGE_SANITIZED") else _limit_memory
    process = subprocess.Popen([str(BINARY), *map(str, arguments)], stdin=subprocess.PIPE, stdout=stdout,
                               stderr=subprocess.PIPE, env=environment, cwd=cwd, user=user, preexec_fn=limit)
    try:
        out, err = process.communicate(stdin, timeout=LIMIT_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return Run("hung", "", "")
    return Run(process.returncode, (out or b"").decode("utf-8"), err.decode("utf-8", "backslashreplace"))


def run_in_terminal(*arguments, env=None):
    """Standard output is a pseudo-terminal of 100 columns."""
    master, slave = pty.openpty()
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TERM": "xterm", **(env or {})}
    process = subprocess.Popen([str(BINARY), *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=slave,
                               stderr=subprocess.PIPE, env=environment)
    os.close(slave)
    chunks = []
    while True:
        try:
            chunk = os.read(master, 65536)
        except OSError:  # the other side closed
            break
        if not chunk:
            break
        chunks.append(chunk)
    err = process.stderr.read()
    process.wait(LIMIT_SECONDS)
    os.close(master)
    return Run(process.returncode, b"".join(chunks).decode("utf-8"), err.decode("utf-8"))


class Suite:
    """Collects checks; every check names the claim."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="railgauge-cli-"))
        self.passed, self.failed, self.skipped = 0, 0, 0

    def check(self, claim, holds, detail=""):
        if holds:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAIL {claim}\n     {detail}")

    def skip(self, claim, why):
        self.skipped += 1
        print(f"SKIP {claim}: {why}")

    def refuses(self, claim, result, *words):
        """Exit 2, one clear message on standard error, nothing on standard output."""
        good = result.status == 2 and result.out == "" and result.err.startswith("railgauge")
        good = good and all(word in result.err for word in words) and "bug" not in result.err
        self.check(claim, good, f"status {result.status}, out {result.out[:80]!r}, err {result.err[:400]!r}")

    def finish(self):
        subprocess.run(["rm", "-rf", str(self.folder)], check=True)
        print(f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped")
        sys.exit(1 if self.failed or not self.passed else 0)
