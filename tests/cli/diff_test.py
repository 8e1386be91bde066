#!/usr/bin/env python3
"""`railgauge diff`, and `railgauge see` on several machines. Usage: diff_test.py BINARY"""
import io
import json
import pathlib
import re
import subprocess
import sys
import tarfile

from harness import SOURCE, Suite, run

sys.path.insert(0, str(SOURCE / "bench"))
import fleet_recordings as recordings  # noqa: E402

suite = Suite()
folder = suite.folder
base = recordings.load(recordings.BASE)


def check_schema(name, text):
    path = folder / "document.json"
    path.write_text(text)
    done = subprocess.run([sys.executable, SOURCE / "tools/schema_check.py", SOURCE / "schema" / name, path],
                          capture_output=True, text=True, check=False)
    return done.returncode in (0, 77), done.stdout[:600]


def recording(name, change=lambda path, link, data: (path, link, data), at="2026-11-01T00:00:00Z"):
    """The base machine, changed file by file, as NAME.tar; a change that gives None drops the file."""
    entries = []
    for entry in base:
        changed = change(*entry)
        if changed is None:
            continue
        path, link, data = changed
        if path == "manifest.json":
            data = re.sub(rb'"made_at": "[^"]*"', b'"made_at": "%s"' % at.encode(), data)
        entries.append((path, link, data))
    out = folder / (name + ".tar")
    out.write_bytes(recordings.tar_of(entries))
    return out


def firmware(path, link, data):
    return (path, link, b"20.99.1\n" if path.endswith("mlx5_2/fw_ver") else data)


monday = recording("monday")
same = recording("same", at="2026-11-02T00:00:00Z")
other = recording("friday", firmware, at="2026-11-05T12:00:00Z")

result = run("diff", monday, same)
suite.check("the same machine has no difference and exit 0", result.status == 0 and "no difference" in result.out,
            result.out + result.err)
suite.check("the time between is said", "1 day between them" in result.out, result.out)
result = run("diff", monday, other)
suite.check("a difference is exit 1 and one sentence", result.status == 1 and
            re.search(r"~ firmware of mlx5_2 .* changed from \S+ to 20\.99\.1", result.out), result.out)
suite.check("stderr has the next step", result.err.startswith("next: railgauge see"), result.err)
for flags in (["--ignore", "firmware"], ["--ignore", "link,firmware"], ["--ignore", "link", "--ignore", "firmware"]):
    result = run("diff", monday, other, *flags)
    suite.check(f"{' '.join(flags)} leaves it out", result.status == 0 and "ignored: 1 of firmware" in result.out,
                result.out + result.err)
suite.check("--ignore stands before the inputs too", run("diff", "--ignore", "firmware", monday, other).status == 0)
suite.refuses("an unknown class lists those there are", run("diff", monday, other, "--ignore", "colour"), "colour", "firmware")
suite.refuses("three machines are one too many", run("diff", monday, same, other), "railgauge diff A B")
suite.refuses("no machine is none too few", run("diff"), "railgauge diff A B")
suite.refuses("a missing side is named", run("diff", monday, folder / "none.tar"), "none.tar")

result = run("diff", monday, other, "--json")
document = json.loads(result.out)
valid, problems = check_schema("diff.schema.json", result.out)
suite.check("--json is valid", valid, problems)
difference = document["result"]["differences"][0] if document["result"]["differences"] else {}
suite.check("--json has the difference with its sources", result.status == 1 and document["schema"] == "railgauge.diff/1"
            and document["result"]["same"] is False and difference.get("topic") == "firmware"
            and difference.get("after") == "20.99.1" and difference.get("after_source", "").endswith("mlx5_2/fw_ver"),
            str(difference))
suite.check("--json has the time between", document["result"]["seconds_between"] == 4.5 * 86400)
result = run("diff", monday, folder / "none.tar", "--json")
document = json.loads(result.out)
suite.check("--json prints one document on failure too", result.status == 2 and document["result"] is None
            and "none.tar" in document["error"]["message"], result.out)
valid, problems = check_schema("diff.schema.json", result.out)
suite.check("a failure is valid too", valid, problems)

for machine in sorted((SOURCE / "tests/machines").glob("*/inputs")):
    result = run("diff", machine, machine, "--pci-ids", "none", "--all")
    suite.check(f"{machine.parent.name} is the same as itself", result.status == 0 and "not compared" not in result.out,
                result.out[:500] + result.err[:300])
for name in ("dgx-h100", "gb200", "mi300x"):
    result = run("diff", "synthetic:" + name, "synthetic:" + name)
    suite.check(f"synthetic:{name} is the same as itself", result.status == 0, result.out[:500])

bare = folder / "bare.txt"
bare.write_text("\tGPU0\tGPU1\nGPU0\t X \tNV18\nGPU1\tNV18\t X \n")
plain = folder / "plain.txt"
plain.write_text("00:00.0 Host bridge: Intel Corporation Device 09a2 (rev 04)\n")
suite.refuses("two looks with nothing in common are not compared", run("diff", bare, plain), "nothing could be compared")
result = run("diff", bare, plain, "--json")
suite.check("nothing in common is exit 2 in JSON too", result.status == 2 and "nothing could be compared"
            in json.loads(result.out)["error"]["message"], result.out[:300])
suite.check("-v prints sources", "after:  " in run("diff", monday, other, "-v").out)
result = run("diff", "synthetic:dgx-h100", "synthetic:mi300x")
suite.check("different models are said first", "these are different models" in result.out, result.out[:300])

# Many machines.
many = folder / "many"
subprocess.run([sys.executable, SOURCE / "bench/fleet_recordings.py", many, "60", "--small"], check=True)
(many / "node0007.tar.zst").write_bytes(b"broken")
(many / "node0008.tar.zst").write_bytes((many / "node0009.tar.zst").read_bytes()[:3000])
result = run("see", many)
suite.check("many machines are grouped", result.status == 0 and result.out.startswith("58 machines, 4 shapes"),
            result.out[:400] + result.err[:400])
suite.check("the largest group is a list of hosts", "node[0000-0006,0009,0010,0012-0021" in result.out, result.out[:600])
suite.check("a lost GPU is said", re.search(r"gpu\d gone", result.out), result.out[:1500])
suite.check("odd firmware is said with the others'", "(others" in result.out and "20.28.1002" in result.out, result.out[:1500])
suite.check("broken recordings are passed over and named", "node0007" in result.err and "node0008" in result.err, result.err)
result = run("see", many, "--json")
document = json.loads(result.out)
groups = document["result"]["groups"]
suite.check("result.groups counts them", [g["count"] for g in groups] == [55, 1, 1, 1] and
            groups[1]["differs_from"] == 0 and groups[0]["differs_from"] is None, str(groups)[:400])
suite.check("result.odd names the machines", {m for o in document["result"]["odd"] for v in o["values"]
                                              for m in v["machines"]} == {"node0011", "node0022", "node0033"},
            str(document["result"]["odd"])[:600])
valid, problems = check_schema("see.schema.json", result.out)
suite.check("--json of groups is valid", valid, problems)
two = [many / "node0000.tar.zst", many / "node0011.tar.zst"]
suite.check("two recordings are grouped", run("see", *two).out.startswith("2 machines, 2 shapes"))
suite.check("--each draws them", run("see", *two, "--each").out.count("=== node") == 2)
suite.refuses("--each of many is refused", run("see", many, "--each"), "--each")
suite.refuses("svg of many is refused", run("see", *two, "--format", "svg"), "svg")
suite.refuses("diff of many says what to do", run("diff", many, monday), "58 machines", "name one")
bad = folder / "bad"
bad.mkdir()
(bad / "a.tar.zst").write_bytes(b"\x28\xb5\x2f\xfdbroken")
(bad / "b.tar.zst").write_bytes(b"\x28\xb5\x2f\xfdbroken")
suite.refuses("nothing but broken recordings is an error", run("see", bad), "bad")
archive = io.BytesIO()
with tarfile.open(fileobj=archive, mode="w") as tar:
    for host in ("a", "b"):
        for path, link, data in base:
            info = tarfile.TarInfo(host + "/" + path)
            if link is not None:
                info.type, info.linkname = tarfile.SYMTYPE, link
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
inside = folder / "inside.tar"
inside.write_bytes(archive.getvalue())
suite.check("recordings inside one archive are grouped", run("see", inside).out.startswith("2 machines, all alike"))
suite.check("the same machine twice is said", "warning: " in run("see", inside).err
            and "was recorded 2 times" in run("see", inside).err, run("see", inside).err)


def rank(number):
    name = f"rank{number}"
    out = recording(name)
    entries = [entry for entry in base if entry[0] != "environment.txt"]
    values = {"OMPI_MCA_ess_base_vpid": number, "OMPI_MCA_orte_ess_node_rank": number, "PMIX_RANK": number,
              "OMPI_COMM_WORLD_LOCAL_RANK": number, "LOCAL_RANK": number, "CUDA_VISIBLE_DEVICES": number,
              "MASTER_PORT": 29500 + number, "NCCL_HOSTID": f"h{number}", "NCCL_DEBUG": "INFO"}
    text = "".join(f"{key}={value}\n" for key, value in values.items()).encode()
    out.write_bytes(recordings.tar_of(entries + [("environment.txt", None, text)]))
    return out


result = run("see", *[rank(number) for number in range(4)])
suite.check("four ranks of one launcher are one shape", result.out.startswith("4 machines, all alike"),
            result.out[:600] + result.err[:300])
suite.finish()
