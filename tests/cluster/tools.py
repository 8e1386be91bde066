"""What the tests of recipes share: the recipes' text, daemons that end with the test, free ports."""
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "guest"))

from host import die_with_parent

DOCUMENTS = [HERE.parents[1] / "docs/howto" / name for name in ("record-a-cluster.md", "check-a-cluster.md")]


def recipes():
    """{name: text} of the named code blocks of the documents: what is run here is what people are told."""
    text = "\n".join(document.read_text() for document in DOCUMENTS)
    return dict(re.findall(r"^```sh (\S+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Daemons:
    """Processes in the foreground, ended by pid, last first. What they say is kept in a folder."""

    def __init__(self, logs):
        self.logs = logs
        self.running = []

    def start(self, name, command, **options):
        with open(self.logs / f"{name}.log", "wb") as out:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
                                       preexec_fn=die_with_parent, **options)
        self.running.append(process)

    def until(self, what, holds, seconds=30):
        """Waits for a state, with a deadline; when it is not reached, what the daemons said is the error."""
        end = time.monotonic() + seconds
        while not holds():
            if time.monotonic() > end:
                logs = sorted(self.logs.glob("*.log"))
                said = "\n".join(f"{log.name}: {log.read_text(errors='replace')[-1500:]}" for log in logs)
                raise RuntimeError(f"{what}: not within {seconds} s\n{said}")
            time.sleep(0.05)

    def stop(self):
        for process in reversed(self.running):
            process.terminate()
            if process.args[0] == "unshare":  # heeds no signal while it waits for its child
                for child in _children(process.pid):
                    os.kill(child, signal.SIGKILL)
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.running.clear()


def _children(pid):
    try:
        return [int(word) for word in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []
