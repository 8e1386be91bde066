#!/usr/bin/env python3
"""`railgauge check` and `railgauge explain`. Usage: check_test.py BINARY"""
import json
import os
import re
import subprocess
import sys

from harness import SOURCE, Suite, run

suite = Suite()
folder = suite.folder
FAULTY = SOURCE / "tests/machines/supermicro-l40s-8x-acs/inputs"  # gpu2 runs x8 of x16


def follows_schema(name, text):
    path = folder / "document.json"
    path.write_text(text)
    done = subprocess.run([sys.executable, SOURCE / "tools/schema_check.py", SOURCE / "schema" / name, path],
                          capture_output=True, text=True, check=False)
    return done.returncode in (0, 77), done.stdout[:600]


def config(text, name="railgauge.yaml"):
    path = folder / name
    path.write_text(text)
    return path


def findings(result):
    return json.loads(result.out)["result"]["findings"]


def ids(result):
    return [finding["id"] for finding in findings(result)]


# --- what is said

result = run("check", FAULTY, "--only", "PCI012", "--color", "never")
suite.check("an error is exit 1", result.status == 1, f"{result.status} {result.err}")
suite.check("severity, id, name and subject stand in one line",
            re.search(r"^error +PCI012 pcie-link-narrow +gpu2 \(0000:3c:00\.0\)$", result.out, re.M), result.out)
for label in ("seen", "costs", "do", "benign"):
    suite.check(f"a finding says {label}", re.search(rf"^ +{label} +\S", result.out, re.M), result.out)
suite.check("the last line sums up", re.fullmatch(r"1 error; 0 rules passed, 0 not applicable, \d+ not checked",
                                                   result.out.strip().splitlines()[-1]), result.out)
suite.check("standard error has the next step", "next: railgauge explain PCI012" in result.err, result.err)
suite.check("no line is longer than the page", max(map(len, result.out.splitlines())) <= 100, result.out)

quiet = run("check", FAULTY, "--only", "PCI012", "-q")
suite.check("-q prints the last line alone", len(quiet.out.splitlines()) == 1 and quiet.err == "", quiet.out + quiet.err)

document = run("check", FAULTY, "--json")
good, why = follows_schema("check.schema.json", document.out)
suite.check("--json follows the schema", good, why)
result = json.loads(document.out)["result"]
first = next(f for f in result["findings"] if f["id"] == "PCI012")
suite.check("a finding has its figures and where they were read",
            first["severity"] == "error" and first["status"] == "fail" and first["devices"] == ["gpu2"] and
            ":" in first["evidence"][0]["source"] and 0.4 < first["impact"]["lost_fraction"] < 0.6, str(first))
order = [("note", "warning", "error").index(f["severity"]) for f in result["findings"]]
suite.check("the most important comes first", order == sorted(order, reverse=True), str(order))
every = [set(result["passed"]), set(result["not_applicable"]), {f["id"] for f in result["findings"]} |
         {one["id"] for one in result["not_checked"]}]
total = {rule["id"] for rule in json.loads(run("explain", "--list", "--json").out)["result"]["rules"]}
folded = {c["id"] for f in result["findings"] for c in f["consequences"]}
suite.check("every rule is accounted for", set.union(*every) | folded >= total, str(total - set.union(*every)))
suite.check("what passed is nowhere else", not every[0] & every[1] and not (every[0] | every[1]) & every[2])

# --- what fails

for word, status in (("error", 1), ("warning", 1), ("note", 1), ("never", 0)):
    result = run("check", FAULTY, "--only", "PCI012", "--fail-on", word)
    suite.check(f"--fail-on {word} is exit {status} with an error", result.status == status, str(result.status))
suite.refuses("--fail-on takes a severity", run("check", FAULTY, "--fail-on", "high"), "high")

suite.check("--only takes a category", set(i[:3] for i in ids(run("check", FAULTY, "--only", "pci", "--json"))) == {"PCI"})
suite.check("--only takes a name", ids(run("check", FAULTY, "--only", "pcie-link-narrow", "--json")) == ["PCI012"])
suite.check("--skip leaves a rule out", "PCI012" not in ids(run("check", FAULTY, "--skip", "PCI012", "--json")))
suite.refuses("a rule that is none is named, with the one that was meant", run("check", FAULTY, "--only", "PCI012,PCl012"),
              "PCl012", "Did you mean PCI012?")

# --- what a site accepts

accepted = config("suppressions:\n  - id: PCI012\n    subject: 'gpu2*'\n    reason: riser on order\n    until: 2099-01-31\n")
result = run("check", FAULTY, "--only", "PCI012", "--config", accepted)
suite.check("a suppressed finding is counted, with its reason, and exit 0",
            result.status == 0 and "1 suppressed" in result.out and "riser on order" in result.out, result.out)
result = run("check", FAULTY, "--only", "PCI012", cwd=folder)
suite.check("railgauge.yaml of this folder is read", result.status == 0 and "1 suppressed" in result.out, result.out)
document = run("check", FAULTY, "--config", accepted, "--json")
good, why = follows_schema("check.schema.json", document.out)
suite.check("a suppressed finding follows the schema", good and json.loads(document.out)["result"]["suppressed"], why)
ended = config("suppressions:\n  - {id: PCI012, reason: riser, until: 2020-01-31}\n", "ended.yaml")
result = run("check", FAULTY, "--only", "PCI012", "--config", ended)
suite.check("a suppression that has ended holds no more, and is named", result.status == 1 and "2020-01-31" in result.err,
            result.err)
for claim, text, words in (
        ("an unknown key", "suppressions:\n  - id: PCI012\n    reson: x\n", ("wrong.yaml:2", "reson")),
        ("an unknown rule", "suppressions:\n  - {id: PCI999, reason: x, until: 2030-01-01}\n", ("wrong.yaml:2", "PCI999")),
        ("a missing reason", "suppressions:\n  - {id: PCI012, until: 2030-01-01}\n", ("wrong.yaml:2", "reason")),
        ("a missing end", "suppressions:\n  - {id: PCI012, reason: x}\n", ("wrong.yaml:2", "until")),
        ("a day that is none", "suppressions:\n  - {id: PCI012, reason: x, until: 2030-02-30}\n", ("wrong.yaml:2", "2030-02-30")),
        ("another file", "- PCI012\n", ("wrong.yaml:1",)),
        ("broken YAML", "suppressions: [\n", ("wrong.yaml:",))):
    wrong = config(text, "wrong.yaml")
    suite.refuses(f"railgauge.yaml with {claim} is an error with file and line",
                  run("check", FAULTY, "--config", wrong), *words)
suite.refuses("a configuration that is not there is an error", run("check", FAULTY, "--config", folder / "no.yaml"), "no.yaml")

# --- what it is compared with

suite.refuses("a known machine that is none", run("check", FAULTY, "--machine", "dgx-h101"), "dgx-h100")
suite.check("a known machine to be like", run("check", FAULTY, "--machine", "dgx-h100", "--fail-on", "never").status == 0)
suite.check("an older recording", run("check", FAULTY, "--earlier", FAULTY, "--fail-on", "never").status == 0)
suite.refuses("an older recording that is not there", run("check", FAULTY, "--earlier", folder / "no.tar"), "no.tar")
suite.refuses("nodes below one", run("check", FAULTY, "--nodes", "0"), "--nodes")
suite.refuses("adapters in other words", run("check", FAULTY, "--nic", "400G"), "8x400G")
suite.check("adapters", run("check", FAULTY, "--nic", "8x400G", "--nodes", "4", "--fail-on", "never").status == 0)
result = run("check", FAULTY, "--level", "long", "--fail-on", "never")
suite.check("a level is about this machine", result.status == 0 and "--level" in result.err, result.err)

# --- several machines

recording = SOURCE / "tests/machines"
result = run("check", "synthetic:dgx-h100", "synthetic:dgx-a100", FAULTY, "--json", "--fail-on", "never")
good, why = follows_schema("check.schema.json", result.out)
suite.check("several machines follow the schema", good, why + result.err)
fleet = json.loads(result.out)["result"]
suite.check("a finding names its machine", any(f["id"] == "PCI012" and f["node"] for f in fleet["findings"]))
suite.check("rules say on how many machines", any(r["id"] == "PCI012" and r["count"] == 1 for r in fleet["rules"]))
suite.check("each machine has its counts", len(fleet["nodes"]) == 3 and sum(n["errors"] for n in fleet["nodes"]) >= 1)
result = run("check", "synthetic:dgx-h100", "synthetic:dgx-h100", FAULTY, "--color", "never")
suite.check("the text says which machine and of how many", re.search(r"PCI012 pcie-link-narrow +1 of 3", result.out), result.out)

# --- this machine

for level in ("quick", "medium"):
    result = run("check", "--level", level, "--json", "--fail-on", "never")
    good, why = follows_schema("check.schema.json", result.out)
    suite.check(f"this machine at level {level}", result.status == 0 and good, why + result.err)

# --- errors

result = run("check", folder / "nothing", "--json")
document = json.loads(result.out)
suite.check("an error is one JSON document", result.status == 2 and document["schema"] == "railgauge.check/1" and
            document["result"] is None and "nothing" in document["error"]["message"], result.out)

# --- pages

result = run("explain", "PCI012", "--color", "never")
suite.check("a page has its parts", result.status == 0 and all(
    title in result.out for title in ("PCI012 pcie-link-narrow", "What", "Why it matters", "See it by hand", "What to do",
                                      "Benign if", "References")), result.out)
suite.check("a page by name, in any case", run("explain", "pci012").out == run("explain", "pcie-link-narrow").out != "")
result = run("explain", "pcie", "--color", "never")
suite.check("a word lists the rules that match", result.status == 0 and len(result.out.splitlines()) > 1 and
            "PCI012" in result.out, result.out)
suite.refuses("a rule that is none is an error with the one that was meant", run("explain", "PCI0l2"), "PCI012")
suite.refuses("explain alone says what it takes", run("explain"), "--list")
for words in (("--list",), ("PCI012",)):
    result = run("explain", *words, "--json")
    good, why = follows_schema("explain.schema.json", result.out)
    suite.check(f"explain {words[0]} --json follows the schema", result.status == 0 and good, why)
rules = json.loads(run("explain", "--list", "--json").out)["result"]["rules"]
suite.check("the list has ids, names and severities, each once", len({r["id"] for r in rules}) == len(rules) and
            all(re.fullmatch("[A-Z]{3}[0-9]{3}", r["id"]) and re.fullmatch("[a-z0-9-]+", r["name"]) and
                r["severity"] in ("error", "warning", "note") for r in rules), str(rules)[:300])
result = run("explain", "PCI012", "--format", "markdown")
suite.check("a page as Markdown", result.out.startswith("# PCI012 pcie-link-narrow\n") and "\n## " in result.out, result.out)

suite.finish()
