#!/usr/bin/env python3
"""Validates JSON documents against a JSON Schema.

    tools/schema_check.py schema/see.schema.json document.json …
    tools/schema_check.py --part machine schema/see.schema.json machine.json

With --part a document is held against one of the schema's $defs. Exit 0: all valid; 1: one is
not; 77: the jsonschema package is missing, nothing was checked.
"""
import argparse
import json
import sys


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--part", help="a name below $defs")
    parser.add_argument("schema")
    parser.add_argument("documents", nargs="+")
    args = parser.parse_args()
    try:
        import jsonschema
    except ImportError:
        print("skipped: python3-jsonschema is not installed", file=sys.stderr)
        return 77
    with open(args.schema, encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    if args.part:
        # "$id" would become the base of "$ref"; inside one file "#/$defs" must mean this file.
        schema = {"$defs": schema["$defs"], "$ref": f"#/$defs/{args.part}"}
    validator = jsonschema.Draft202012Validator(schema)
    bad = 0
    for name in args.documents:
        with open(name, encoding="utf-8") as file:
            document = json.load(file)
        for error in list(validator.iter_errors(document))[:20]:
            bad += 1
            place = "/".join(str(part) for part in error.absolute_path)
            print(f"{name}: {place}: {error.message[:300]}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
