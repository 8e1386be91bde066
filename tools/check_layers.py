#!/usr/bin/env python3
"""Checks every #include of the project's own headers against cmake/layers.txt.

Usage: tools/check_layers.py [ROOT]   exits 1 and names file, line and the door that is missing.
"""
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')


def read_doors(path):
    doors = {}
    for line in path.read_text().splitlines():
        line = line.split("#")[0].strip()
        if line:
            room, _, allowed = line.partition(":")
            doors[room.strip()] = allowed.split()
    return doors


def room_of(root, file):
    parts = file.relative_to(root).parts
    return parts[1] if parts[0] == "src" else parts[0]


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    doors = read_doors(root / "cmake" / "layers.txt")
    files = [f for top in ("src", "apps", "plugins") for f in sorted((root / top).rglob("*"))
             if f.suffix in (".h", ".cpp", ".cu", ".cuh")]
    errors = 0
    for file in files:
        room = room_of(root, file)
        if room not in doors:
            print(f"{file.relative_to(root)}: room {room} is not in cmake/layers.txt")
            errors += 1
            continue
        for number, line in enumerate(file.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            target = match.group(1)
            top = target.split("/")[0]
            if "/" not in target:
                print(f"{file.relative_to(root)}:{number}: include {target} by its room: \"{room}/{target}\"")
                errors += 1
            elif top not in (room, "tests") and top in doors and top not in doors[room] and target not in doors[room]:
                print(f"{file.relative_to(root)}:{number}: {room} may not include {target} (cmake/layers.txt)")
                errors += 1
            elif top not in doors:
                print(f"{file.relative_to(root)}:{number}: {target} belongs to no room")
                errors += 1
    print(f"layers: {len(files)} files, {errors} errors")
    return 1 if errors or not files else 0


if __name__ == "__main__":
    sys.exit(main())
