#!/usr/bin/env python3
"""`railgauge check` as SARIF, JUnit XML and HTML. Usage: check_formats_test.py BINARY"""
import json
import re
import xml.etree.ElementTree as xml

from harness import SOURCE, Suite, run

suite = Suite()
FAULTY = SOURCE / "tests/machines/supermicro-l40s-8x-acs/inputs"  # gpu2 runs x8 of x16
LSPCI = b"""3c:00.0 3D controller: NVIDIA Corporation AD102GL [L40S] (rev a1)
\tCapabilities: [60] Express (v2) Legacy Endpoint, MSI 00
\t\tLnkCap:\tPort #0, Speed 16GT/s, Width x16, ASPM not supported
\t\tLnkSta:\tSpeed 16GT/s, Width x8 (downgraded)
"""
result = json.loads(run("check", FAULTY, "--json").out)["result"]

# --- SARIF: what the schema asks for (the schema itself: tests/check/sarif_test.py), and what it cannot say

document = json.loads(run("check", FAULTY, "--format", "sarif").out)
suite.check("SARIF 2.1.0", document["version"] == "2.1.0" and "sarif" in document["$schema"] and len(document["runs"]) == 1)
sarif = document["runs"][0]
driver = sarif["tool"]["driver"]
suite.check("the tool and its rules", driver["name"] == "railgauge" and driver["version"] and
            all({"id", "name", "shortDescription", "defaultConfiguration"} <= set(rule) for rule in driver["rules"]))
suite.check("one result a finding, in their order", [r["ruleId"] for r in sarif["results"]] ==
            [f["id"] for f in result["findings"]])
suite.check("a result leads to its rule", all(driver["rules"][r["ruleIndex"]]["id"] == r["ruleId"] for r in sarif["results"]))
suite.check("levels are the severities", all(r["level"] in ("error", "warning", "note") for r in sarif["results"]))
suite.check("fingerprints are those of the findings",
            [r["partialFingerprints"]["railgauge/v1"] for r in sarif["results"]] ==
            [f["fingerprint"] for f in result["findings"]])
one = next(r for r in sarif["results"] if r["ruleId"] == "PCI012")
place = one["locations"][0]
suite.check("hardware is a logical location, evidence a line of a file",
            place["logicalLocations"][0]["name"].startswith("gpu2") and
            "/current_link_width" in place["physicalLocation"]["artifactLocation"]["uri"] and
            re.fullmatch(r"[A-Za-z0-9/._~%-]+", place["physicalLocation"]["artifactLocation"]["uri"]), str(place))
pasted = suite.folder / "a paste.txt"
pasted.write_bytes(LSPCI)
sarif_of_paste = json.loads(run("check", pasted, "--format", "sarif").out)["runs"][0]["results"]
place = next(r for r in sarif_of_paste if r["ruleId"] == "PCI012")["locations"][0]["physicalLocation"]
suite.check("a line of a text is a region, and blanks of its name are escaped",
            place["artifactLocation"]["uri"].endswith("a%20paste.txt") and place["region"]["startLine"] == 4, str(place))
notes = sarif["invocations"][0]["toolExecutionNotifications"]
suite.check("what was not checked is a notification and no result",
            {n["associatedRule"]["id"] for n in notes if "associatedRule" in n} ==
            {n["id"] for n in result["not_checked"]})

# --- JUnit

text = run("check", FAULTY, "--format", "junit").out
suites = xml.fromstring(text)
cases = {case.get("name")[:6]: case for case in suites.iter("testcase")}
judged = set(result["passed"]) | set(result["not_applicable"]) | {n["id"] for n in result["not_checked"]} | {
    f["id"] for f in result["findings"]}
suite.check("one test case a rule", set(cases) == judged, str(set(cases) ^ judged))
suite.check("figures agree with the cases", int(suites.get("tests")) == len(cases) and
            int(suites.get("failures")) == sum(c.find("failure") is not None for c in cases.values()) and
            int(suites.get("skipped")) == sum(c.find("skipped") is not None for c in cases.values()))
failure = cases["PCI012"].find("failure")
suite.check("a failure has the finding", failure.get("type") == "error" and "gpu2" in failure.get("message") and
            "seen:" in failure.text and "do:" in failure.text, text[:500])
matrix = b"\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\nGPU0\t X \tNV4\t0-15\t0\nGPU1\tNV4\t X \t0-15\t0\n"
unknown = xml.fromstring(run("check", "-", "--format", "junit", "--only", "PCI012", stdin=matrix).out)
suite.check("what was not checked is skipped with the reason",
            "needs PCIe link speed and width" in unknown.find("testsuite/testcase/skipped").get("message"))
never = xml.fromstring(run("check", FAULTY, "--format", "junit", "--fail-on", "never").out)
suite.check("failures are what --fail-on says", never.get("failures") == "0" and int(suites.get("failures")) > 0)

# --- HTML

page = run("check", FAULTY, "--format", "html").out
suite.check("the page asks nothing of the network",
            not re.search(r"""(src|href)=["'](?!#)|@import|url\(|<link|<img|<iframe""", page), page[:300])
suite.check("no script runs", re.findall(r"<script[^>]*>", page) == ['<script type="application/json" id="check">'])
inside = re.search(r'<script type="application/json" id="check">(.*?)</script>', page, re.S).group(1)
suite.check("the page is also data", json.loads(inside)["findings"][0]["id"] == result["findings"][0]["id"])
mark = re.search(r'<a class="mark error"[^>]* href="#(finding-\d+)"[^>]*PCI012', page)
suite.check("the picture points at the device and its link, and leads to the finding",
            mark and f'id="{mark.group(1)}"' in page and 'class="mark-link"' in page)
fleet = run("check", "synthetic:dgx-h100", FAULTY, "--format", "html").out
suite.check("several machines are one page with a table", fleet.count("<html") == 1 and "Which rules failed where" in fleet)

out = suite.folder / "report.html"
done = run("check", FAULTY, "--format", "html", "-o", out)
suite.check("a file, and still exit 1", done.status == 1 and out.read_text().startswith("<!DOCTYPE html>"), done.err)

suite.finish()
