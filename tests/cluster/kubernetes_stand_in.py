#!/usr/bin/env python3
"""Stands in for kubectl and a cluster of three nodes: checks a manifest against the Kubernetes schema, runs the
command lines of its init containers under the name of each node, and copies from the folders that were mounted.

Run by the venv that has kubernetes-validate. STAND_IN_FOLDER holds its state, STAND_IN_NODES the names of the nodes.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys

FOLDER = pathlib.Path(os.environ["STAND_IN_FOLDER"])
NODES = os.environ["STAND_IN_NODES"].split()
VERSION = "1.31"  # of the schema


def folder_of(node, volume):
    folder = FOLDER / node / volume
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def apply():
    import kubernetes_validate
    import yaml
    manifest = yaml.safe_load(sys.stdin)
    kubernetes_validate.validate(manifest, VERSION, strict=True)
    (FOLDER / "manifest.json").write_text(json.dumps(manifest))
    for node in NODES:
        for container in manifest["spec"]["template"]["spec"]["initContainers"]:
            run_container(container, node)


def with_variables(word, container, node):
    """$(NAME) in a command becomes the variable; of fields of the pod, the name of the node is known here."""
    for variable in container.get("env", []):
        field = variable.get("valueFrom", {}).get("fieldRef", {}).get("fieldPath")
        word = word.replace(f"$({variable['name']})", node if field == "spec.nodeName" else variable.get("value", ""))
    return word


def run_container(container, node):
    """The command line as it is, but for mounted folders to write in, which lie elsewhere here."""
    words = [with_variables(word, container, node) for word in container["command"] + container.get("args", [])]
    for mount in container["volumeMounts"]:
        if not mount.get("readOnly"):
            elsewhere = str(folder_of(node, mount["name"]))
            words = [word.replace(mount["mountPath"], elsewhere, 1) if word.startswith(mount["mountPath"]) else word
                     for word in words]
    subprocess.run(["unshare", "--uts", "sh", "-c", 'hostname "$0" && exec "$@"', node, *words], check=True)


def copy(source, to):
    node, path = source.removeprefix("pod-").split(":")
    spec = json.loads((FOLDER / "manifest.json").read_text())["spec"]["template"]["spec"]
    mounts = {mount["mountPath"]: mount["name"] for mount in spec["containers"][0]["volumeMounts"]}
    shutil.copytree(folder_of(node, mounts[path]), to, dirs_exist_ok=True)


def main(words):
    match words:
        case ["apply", "-f", "-"]:
            apply()
        case ["rollout", "status", "daemonset/railgauge-record" | "daemonset/railgauge-check", _]:
            pass
        case ["get", "pods", "-l", "app=railgauge-record" | "app=railgauge-check", "-o", "name"]:
            print("\n".join(f"pod/pod-{node}" for node in NODES))
        case ["cp", "-c", "keep", source, to]:
            copy(source, to)
        case ["delete", "daemonset", "railgauge-record" | "railgauge-check"]:
            (FOLDER / "manifest.json").unlink()
        case _:
            sys.exit(f"kubectl stand-in: {words} is not known here")


if __name__ == "__main__":
    main(sys.argv[1:])
