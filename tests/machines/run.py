#!/usr/bin/env python3
"""Compares `railgauge see tests/machines/NAME/inputs` with NAME/see.txt, for every machine that has one.

    tests/machines/run.py --railgauge build/railgauge [--update] [NAME …]

Without colour, 100 columns. Prints a diff of what differs; exits 1 then, 2 when nothing could be run.
"""
import argparse
import difflib
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def see(railgauge, folder):
    """What the program prints for the machine; run from the root, so that paths in it are the same everywhere."""
    environment = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1", "LC_ALL": "C.UTF-8"}
    command = [railgauge, "see", "--color", "never", "--pci-ids", "none", str((folder / "inputs").relative_to(ROOT))]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60)
    if done.returncode != 0:
        return "exit %d\n%s%s" % (done.returncode, done.stdout, done.stderr)
    return done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--railgauge", required=True)
    parser.add_argument("--update", action="store_true", help="write see.txt instead of comparing")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    railgauge = str(pathlib.Path(arguments.railgauge).resolve())
    folders = sorted(p.parent for p in HERE.glob("*/inputs"))
    if arguments.names:
        folders = [f for f in folders if f.name in arguments.names]
    if not folders or not os.access(railgauge, os.X_OK):
        print("nothing to run: no machine of that name, or no program at", railgauge, file=sys.stderr)
        return 2
    failed = 0
    for folder in folders:
        golden = folder / "see.txt"
        got = see(railgauge, folder)
        if arguments.update:
            if got.startswith("exit "):
                print("%s: %s" % (folder.name, got), file=sys.stderr)
                failed += 1
                continue
            golden.write_text(got)
            continue
        if not golden.exists():
            print("%s: no see.txt yet; make it with tests/machines/update_golden.sh" % folder.name)
            failed += 1
            continue
        expected = golden.read_text()
        if got != expected:
            failed += 1
            sys.stdout.writelines(difflib.unified_diff(
                expected.splitlines(True), got.splitlines(True), str(golden.relative_to(ROOT)), "got"))
    print("%d machines, %d differ" % (len(folders), failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
