#!/usr/bin/env python3
"""Scores `railgauge check` on collected files whose right diagnosis is known. Usage: expectations_test.py BINARY [FOLDER]

expectations.tsv knows the files by the hash of their content; FOLDER, or RAILGAUGE_COLLECTION, has them under any name.
A faulty file is right when its first finding is one of those that are expected; a healthy, benign or unknown one when it
has neither error nor warning; any file at least has to be read without a crash. Exit 0: at least 90 % of the faulty ones
and all others are right; 77: there is no folder.
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
LEAST_RIGHT = 0.90
SECONDS = 120


def expectations():
    """{sha256: (state, expected ids, reason)}"""
    rows = {}
    for line in (HERE / "expectations.tsv").read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            digest, state, ids, reason = (line.split("\t") + [""])[:4]
            rows[digest] = (state, [] if ids == "-" else ids.split(), reason)
    return rows


def known_files(folder, rows):
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            if digest in rows:
                yield path, rows[digest]


def check(binary, path):
    """(findings, problem)"""
    try:
        said = subprocess.run([binary, "check", "--json", "--fail-on", "never", "--config", os.devnull, path],
                              capture_output=True, text=True, timeout=SECONDS, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return [], f"not within {SECONDS} s"
    if said.returncode not in (0, 2):
        return [], f"exit {said.returncode}: {said.stderr.strip()[-200:]}"
    document = json.loads(said.stdout)
    if said.returncode == 2:
        return [], "could not look: " + document["error"]["message"][:200]
    return document["result"]["findings"], ""


def words(findings, most=3):
    return " ".join(f"{f['severity'][0].upper()}:{f['id']}" for f in findings[:most]) or "nothing"


def judge(row, findings, problem):
    """Whether it is right, or None where nothing is known."""
    state, ids, _ = row
    if problem.startswith(("exit", "not within")):
        return False
    if state == "faulty":
        return bool(findings) and findings[0]["id"] in ids
    if state in ("healthy", "benign", "unknown"):
        return not problem and not [f for f in findings if f["severity"] != "note"]
    return None


def main():
    binary = str(pathlib.Path(sys.argv[1]).resolve())
    folder = sys.argv[2] if len(sys.argv) > 2 else os.environ.get("RAILGAUGE_COLLECTION")
    if not folder:
        print("SKIP: no collection; give a folder, or RAILGAUGE_COLLECTION")
        sys.exit(77)
    rows = expectations()
    files = list(known_files(pathlib.Path(folder), rows))
    if not files:
        print(f"SKIP: {folder} has none of the {len(rows)} files of expectations.tsv")
        sys.exit(77)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        answers = list(pool.map(lambda file: check(binary, file[0]), files))
    totals = {}
    for (path, row), (findings, problem) in zip(files, answers):
        right = judge(row, findings, problem)
        of_state = totals.setdefault(row[0], [0, 0])
        of_state[0] += right is not False
        of_state[1] += 1
        if right is False:
            name = str(path.relative_to(folder))
            print(f"{row[0]:<8} {name:<60} expected {' '.join(row[1]) or 'nothing':<22} found {problem or words(findings)}")
            print(f"{'':8} {row[2]}")
    failed = False
    for state, (right, count) in sorted(totals.items()):
        least = LEAST_RIGHT if state == "faulty" else 1.0
        failed = failed or right < least * count
        print(f"{state:<10} {right:>4} of {count:<4} right  {100 * right / count:5.1f} %  (at least {100 * least:.0f} %)")
    passed = sum(right for right, _ in totals.values())
    print(f"{passed} passed, {sum(count for _, count in totals.values()) - passed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
