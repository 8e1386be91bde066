"""deploy/slurm's scripts with a stand-in for railgauge: what each of its exit statuses means for the node and the job."""
import subprocess

from harness import SOURCE

FINDING = "error   PCI012 pcie-link-narrow          gpu2 (0000:5d:00.0)\n        runs x8 of x16\n\n1 error; 3 rules passed"
STAND_IN = """#!/bin/sh
echo "$@" >{folder}/arguments
cat <<'END'
{said}
END
exit {status}
"""
SCONTROL = '#!/bin/sh\necho "$@" >>{folder}/reasons\n'


class Node:
    """A node with railgauge and scontrol of its own."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir()
        self._program("scontrol", SCONTROL.format(folder=folder))

    def _program(self, name, text):
        path = self.folder / name
        path.write_text(text)
        path.chmod(0o755)
        return path

    def run(self, script, status, said=FINDING, **settings):
        program = self._program("railgauge", STAND_IN.format(folder=self.folder, said=said, status=status))
        for old in ("reasons", "log"):
            (self.folder / old).unlink(missing_ok=True)
        environment = {"PATH": f"{self.folder}:/usr/bin:/bin", "RAILGAUGE": str(program), "SLURM_JOB_ID": "42",
                       "SLURMD_NODENAME": "node07", "RAILGAUGE_LOG": str(self.folder / "log"),
                       "RAILGAUGE_SETTINGS": str(self.folder / "settings"), **settings}
        return subprocess.run([SOURCE / "deploy/slurm" / script], env=environment, capture_output=True, text=True).returncode

    def read(self, name):
        path = self.folder / name
        return path.read_text() if path.exists() else ""


def check_slurm_scripts(suite, folder):
    node = Node(folder)
    suite.check("prolog: nothing found lets the job run", node.run("prolog.sh", 0) == 0 and node.read("log") == "")
    suite.check("prolog: it looks quickly, with a deadline", "--level quick" in node.read("arguments") and
                "--timeout 30 --fail-on error" in node.read("arguments"), node.read("arguments"))
    suite.check("prolog: findings drain the node", node.run("prolog.sh", 1) == 1)
    suite.check("prolog: the reason names rule and device",
                "PCI012 pcie-link-narrow gpu2 (0000:5d:00.0)" in node.read("log") and
                "NodeName=node07 State=DRAIN Reason=railgauge: PCI012 pcie-link-narrow gpu2" in node.read("reasons"),
                node.read("log") + node.read("reasons"))
    suite.check("prolog: what could not look lets the job run, and is logged",
                node.run("prolog.sh", 2, "railgauge: no such file") == 0 and "could not look (exit 2)" in node.read("log"),
                node.read("log"))
    suite.check("prolog: strict, what could not look drains", node.run("prolog.sh", 2, RAILGAUGE_STRICT="1") == 1)
    suite.check("prolog: a program that is not there lets the job run",
                node.run("prolog.sh", 0, RAILGAUGE=str(folder / "none")) == 0 and "exit 127" in node.read("log"),
                node.read("log"))
    suite.check("epilog: it reads counters twice", node.run("epilog.sh", 0) == 0 and
                "--level medium" in node.read("arguments"), node.read("arguments"))
    suite.check("epilog: findings drain the node", node.run("epilog.sh", 1) == 1)
    (folder / "settings").write_text("RAILGAUGE_FAIL_ON=warning\nRAILGAUGE_OPTIONS='--skip OSL --nodes 4'\n")
    node.run("prolog.sh", 0)
    suite.check("settings of the site are read", "--fail-on warning --skip OSL --nodes 4" in node.read("arguments"),
                node.read("arguments"))
    for script in ("check.sh", "prolog.sh", "epilog.sh"):
        said = subprocess.run(["sh", "-n", SOURCE / "deploy/slurm" / script], capture_output=True, text=True)
        suite.check(f"{script} is a script of any POSIX shell", said.returncode == 0, said.stderr)


def check_real_binary(suite, binary, folder):
    """The scripts with the real program, on a machine that it may find anything about."""
    folder.mkdir()
    environment = {"PATH": "/usr/bin:/bin", "RAILGAUGE": str(binary), "RAILGAUGE_LOG": str(folder / "log"),
                   "RAILGAUGE_SETTINGS": "/dev/null", "RAILGAUGE_FAIL_ON": "never"}
    said = subprocess.run([SOURCE / "deploy/slurm/prolog.sh"], env=environment, capture_output=True, text=True)
    log = (folder / "log").read_text() if (folder / "log").exists() else ""
    suite.check("the prolog with the program itself", said.returncode == 0 and log == "", said.stderr + log)
