#!/usr/bin/env python3
"""Keeps files small: the median of source files at most 150 lines, none above 400 (600 for tests)."""
import pathlib
import statistics
import subprocess
import sys


def main():
    names = subprocess.run(["git", "ls-files", "src", "apps", "plugins", "python"], capture_output=True, text=True,
                           check=True).stdout.split()
    lines = {n: len(pathlib.Path(n).read_bytes().splitlines()) for n in names
             if n.endswith((".h", ".cpp", ".cu", ".cuh", ".py"))}
    own = {n: c for n, c in lines.items() if not n.endswith(("_test.cpp", "_fuzz.cpp"))}
    median = statistics.median(own.values())
    errors = [f"{n}: {c} lines, above 400" for n, c in own.items() if c > 400]
    errors += [f"{n}: {c} lines, above 600" for n, c in lines.items() if n not in own and c > 600]
    if median > 150:
        errors.append(f"median of source files is {median} lines, above 150")
    print("\n".join(errors + [f"sizes: {len(own)} source files, median {median:g} lines, largest {max(own.values())}"]))
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
