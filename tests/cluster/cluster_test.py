#!/usr/bin/env python3
"""Runs the recipes of docs/howto/record-a-cluster.md, word for word, on three nodes of this machine.

Usage: cluster_test.py BINARY CACHE. The nodes are sshd and slurmd on loopback with throw-away keys, each with a host
name of its own. Needs root and what `tools/setup.sh cluster` installs; what is missing is named and passed over.
"""
import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
from glob import glob

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "guest"), str(HERE.parent / "cli")]

from fleet import Fleet
from harness import BINARY, SOURCE, Suite, run
from host import PATH, Missing, need, need_root
from record_checks import Archive
from slurm import Slurm
from slurm_check import check_real_binary, check_slurm_scripts
from tools import recipes

NODES = ["node01", "node02", "node03"]
MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
SECONDS = 240


class Recipes:
    """Runs recipes, each with its own folder for recordings, and looks at what came."""

    def __init__(self, suite, folder, environment):
        self.suite, self.folder, self.environment = suite, folder, environment
        self.texts = recipes()
        (folder / "hosts.txt").write_text("".join(f"{node}\n" for node in NODES))
        (folder / "deploy").symlink_to(SOURCE / "deploy")

    def run(self, name, recordings=None, **environment):
        recordings = recordings or self.folder / f"recordings-{name}"
        recordings.mkdir(exist_ok=True)
        settings = {"RAILGAUGE": str(BINARY), "RECORDINGS": str(recordings), "KEY": str(self.folder / "fleet.key")}
        said = subprocess.run(["bash", "-eu", "-c", self.texts[name]], cwd=self.folder, capture_output=True, text=True,
                              env={**self.environment, **settings, **environment}, timeout=SECONDS)
        return said, recordings

    def check(self, name, count=len(NODES), **environment):
        """The recipe works and leaves a recording of each node."""
        said, recordings = self.run(name, **environment)
        words = f"status {said.returncode}\n{said.stdout[-1500:]}\n{said.stderr[-1500:]}"
        self.suite.check(f"the recipe {name} works", said.returncode == 0, words)
        found = sorted(recordings.iterdir())
        self.suite.check(f"the recipe {name} leaves {count} recordings and nothing else",
                         len(found) == count and all(f.name.endswith(".tar.zst") for f in found),
                         f"{[f.name for f in found]}\n{words}")
        for file in found:
            seen = run("see", file, "-q", "--color", "never")
            self.suite.check(f"{name}: {file.name} is a recording", seen.status == 0 and "numa0" in seen.out, seen.err)
        return recordings


@contextlib.contextmanager
def skipping(suite, what):
    try:
        yield
    except Missing as missing:
        suite.skip(what, missing)


def check_ssh(suite, fleet, folder):
    shell = Recipes(suite, folder, {**fleet.environment, "HOME": str(folder), "TMPDIR": str(folder)})
    recordings = shell.check("ssh")
    suite.check("files of the ssh recipe are called like the nodes",
                sorted(f.name for f in recordings.iterdir()) == [f"{node}.tar.zst" for node in NODES])
    shell.check("ssh-without-install")
    check_unreachable(suite, shell)
    with skipping(suite, "the recipe pdsh"):
        need("pdsh", "pdsh", "cluster")
        shell.check("pdsh")
    with skipping(suite, "the recipe clush"):
        need("clush", "clustershell", "cluster")
        shell.check("clush")
    with skipping(suite, "the recipes mpirun"):
        need("mpirun", "openmpi-bin", "cluster")
        shell.check("mpirun", **MPI)
        shell.check("mpirun-ranks", count=4, **MPI)
    with skipping(suite, "the recipe ansible"):
        need("ansible-playbook", "ansible-core", "cluster")
        # Connections are not to outlive the play, and nothing is to lie in the home of the user.
        shell.environment.update(
            ANSIBLE_HOME=str(folder / "ansible"), ANSIBLE_REMOTE_TMP=str(folder / "ansible-remote"),
            ANSIBLE_LOCAL_TEMP=str(folder / "ansible-local"), ANSIBLE_SSH_ARGS="-o ControlMaster=no")
        shell.check("ansible")
        check_reports(suite, shell, "check-ansible")
    return shell, recordings


def check_unreachable(suite, shell):
    """A node that cannot be reached is named, and leaves no empty file."""
    hosts = shell.folder / "hosts.txt"
    known = hosts.read_text()
    hosts.write_text("nowhere.invalid\n" + known)
    for recipe in ("ssh", "ssh-without-install"):
        said, recordings = shell.run(recipe, recordings=shell.folder / f"unreachable-{recipe}")
        suite.check(f"the recipe {recipe} names a node that cannot be reached",
                    "nowhere.invalid: no recording" in said.stderr and len(list(recordings.iterdir())) == len(NODES),
                    said.stderr)
    hosts.write_text(known)


def check_slurm(suite, fleet, folder):
    with Slurm(folder / "slurm", fleet) as slurm:
        shell = Recipes(suite, folder, slurm.environment)
        said, _ = shell.run("key", recordings=folder)
        key = folder / "fleet.key"
        suite.check("the key is for its owner alone", said.returncode == 0 and key.stat().st_mode & 0o777 == 0o600,
                    said.stderr)
        recordings = shell.check("slurm", NODES=str(len(NODES)))
        manifests = [json.loads(Archive(file.read_bytes()).files["manifest.json"]) for file in recordings.iterdir()]
        suite.check("one key serves all nodes, whose names differ",
                    len({m["identity_key"] for m in manifests}) == 1 and
                    len({m["hostname"] for m in manifests}) == len(NODES), str(manifests))
        suite.check("no real name is kept", not {m["hostname"] for m in manifests} & set(NODES), str(manifests))


def check_kubernetes(suite, folder, cache):
    """The manifest against the schema, its command lines, and the recipe around them, with a stand-in for kubectl."""
    need_root("gives each node a host name of its own")
    venv = cache / "venv"
    if not (venv / "ready").exists():
        steps = f"python3 -m venv {venv} && {venv}/bin/pip install -q kubernetes-validate && touch {venv}/ready"
        made = subprocess.run(steps, shell=True, capture_output=True, text=True)
        if made.returncode:
            raise Missing(f"kubernetes-validate could not be installed from PyPI: {made.stderr[-300:]}")
    programs = folder / "bin"
    programs.mkdir()
    (programs / "railgauge").symlink_to(BINARY)
    (programs / "kubectl").write_text(f'#!/bin/sh\nexec {venv}/bin/python3 {HERE}/kubernetes_stand_in.py "$@"\n')
    (programs / "kubectl").chmod(0o755)
    state = folder / "state"
    state.mkdir()
    shell = Recipes(suite, folder, {"PATH": f"{programs}:{PATH}", "RAILGAUGE_IMAGE": "image-of-yours",
                                    "STAND_IN_FOLDER": str(state), "STAND_IN_NODES": " ".join(NODES)})
    shell.check("kubernetes")
    suite.check("the DaemonSet is deleted", not (state / "manifest.json").exists())
    check_reports(suite, shell, "check-kubernetes")


def check_reports(suite, shell, recipe):
    """A recipe of check leaves one report a node."""
    reports = shell.folder / f"reports-{recipe}"
    reports.mkdir()
    said, _ = shell.run(recipe, REPORTS=str(reports), FAIL_ON="never")
    found = sorted(reports.iterdir())
    suite.check(f"the recipe {recipe} leaves a report of each node",
                said.returncode == 0 and [f.name for f in found] == [f"{node}.json" for node in NODES],
                f"{[f.name for f in found]}\n{said.stdout[-1500:]}\n{said.stderr[-1500:]}")
    for file in found:
        document = json.loads(file.read_text())
        suite.check(f"{recipe}: {file.name} is a report", document["schema"] == "railgauge.check/1" and
                    isinstance(document["result"]["findings"], list))


def check_looking(suite, shell, recordings):
    """What one does with the recordings once they are there."""
    seen, _ = shell.run("see", recordings=recordings)
    suite.check("the recipe see draws the fleet", seen.returncode == 0 and "machines" in seen.stdout, seen.stderr)
    checked, _ = shell.run("check-recordings", recordings=recordings)
    page = recordings.with_name(recordings.name + ".html")
    suite.check("the recipe check-recordings judges the fleet and leaves a page", checked.returncode == 0 and
                "not checked" in checked.stdout and page.exists(), checked.stdout[-800:] + checked.stderr[-800:])
    compared, _ = shell.run("diff", recordings=recordings)
    suite.check("the recipe diff compares two nodes", compared.returncode in (0, 1), compared.stderr)


def left_over():
    """What a recipe could have left outside the test's folder, by the names that these programs choose."""
    found = [*glob("/tmp/ompi.node0*"), *glob("/tmp/railgauge-ansible-*"), *glob("/root/.ansible")]
    copies = [file for file in glob("/tmp/tmp.*") if os.path.getsize(file) == BINARY.stat().st_size]
    return {*found, *copies}


def main():
    suite = Suite()
    if run("record", "--help").status:
        print("SKIP the recipes: this railgauge has no record verb")
        sys.exit(77)
    before = left_over()
    with tempfile.TemporaryDirectory(prefix="railgauge-cluster-") as name:
        folder = pathlib.Path(name)
        for part in ("ssh", "slurm", "kubernetes"):
            (folder / part).mkdir()
        check_slurm_scripts(suite, folder / "slurm-scripts")
        check_real_binary(suite, BINARY, folder / "slurm-program")
        with skipping(suite, "the recipes over ssh and Slurm"), Fleet(folder / "fleet", NODES) as fleet:
            shell, recordings = check_ssh(suite, fleet, folder / "ssh")
            with skipping(suite, "the recipe slurm"):
                check_slurm(suite, fleet, folder / "slurm")
            check_looking(suite, shell, recordings)
        with skipping(suite, "the recipe kubernetes"):
            check_kubernetes(suite, folder / "kubernetes", pathlib.Path(sys.argv[2]).resolve())
    if suite.passed + suite.failed == 0:
        sys.exit(77)
    suite.check("nothing is left behind", left_over() <= before, str(left_over() - before))
    suite.finish()


if __name__ == "__main__":
    main()
