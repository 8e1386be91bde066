#!/usr/bin/env python3
"""What a person types: help, mistakes, completions, terminal and pipe. Usage: usage_test.py BINARY"""
import json
import os
import shutil
import subprocess

from harness import BINARY, SOURCE, Suite, run, run_in_terminal

suite = Suite()
topo = suite.folder / "topo.txt"
topo.write_text("\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\nGPU0\t X \tNV4\t0-15\t0\nGPU1\tNV4\t X \t0-15\t0\n")

overview = run()
suite.check("railgauge alone is one screen with examples",
            overview.status == 0 and len(overview.out.splitlines()) <= 18 and "Examples:" in overview.out, overview.out)
suite.check("--version names version and driver", run("--version").out.startswith("railgauge 0."))
suite.refuses("a wrong verb gets a suggestion", run("sea"), "Did you mean railgauge see?")
suite.refuses("a wrong flag gets a suggestion", run("see", topo, "--matrx"), "Did you mean --matrix?")
suite.refuses("a wrong format lists the formats", run("see", topo, "--format", "pdf"), "svg")
suite.refuses("--path wants two devices", run("see", topo, "--path", "gpu0"), "path")
suite.refuses("an unknown device lists those there are", run("see", topo, "--path", "gpu0", "gpu9"), "gpu9", "gpu0 gpu1")
suite.refuses("an unknown machine gets a suggestion", run("see", "synthetic:hgx-h1000"), "hgx-h100")
suite.refuses("a silly deadline is refused", run("see", topo, "--timeout", "0"), "--timeout")
help_text = run("see", "--help")
for word in ("--path", "--matrix", "--format", "--from", "--json", "--output", "--color", "Examples:"):
    suite.check(f"see --help speaks of {word}", help_text.status == 0 and word in help_text.out, help_text.out)

result = run("see", topo)
suite.check("stdout is the result, stderr the hint", "gpu1" in result.out and result.err.startswith("next: "), result.err)
suite.check("--quiet has no hint", run("see", topo, "-q").err == "")
suite.check("a pipe has no colour", "\x1b" not in result.out)
suite.check("a pipe is within 100 columns", max(map(len, result.out.splitlines())) <= 100)
suite.check("--color always is obeyed in a pipe", "\x1b[" in run("see", topo, "--color", "always").out)
terminal = run_in_terminal("see", topo)
suite.check("a terminal has colour", "\x1b[" in terminal.out, repr(terminal.out[:200]))
suite.check("NO_COLOR is obeyed", "\x1b" not in run_in_terminal("see", topo, env={"NO_COLOR": "1"}).out)
ascii_only = run_in_terminal("see", topo, env={"LC_ALL": "C", "NO_COLOR": "1"}).out
suite.check("a terminal without UTF-8 gets ASCII", ascii_only.isascii() and "gpu0" in ascii_only, repr(ascii_only[:300]))
suite.check("bytes from standard input are the same machine",
            run("see", "-", stdin=topo.read_bytes(), cwd="/").out.splitlines()[1:] == result.out.splitlines()[1:])

for before in (["--color", "never"], ["--pci-ids", "none"], ["--format", "text"], ["--timeout", "9"], ["-o", "-"]):
    suite.check(f"{before[0]} before the input takes its own value only",
                run("see", *before, topo, "-q").out == result.out)
suite.check("the last of a repeated option counts",
            run("see", "--format", "svg", "--format", "text", topo, "-q").out == result.out)
suite.check("--path before the input takes two devices only",
            run("see", "--path", "gpu0", "gpu1", topo, "-q").out.startswith("gpu0"))

document = json.loads(run("see", topo, "--json").out)
machine = document["result"]["machine"]
suite.check("the envelope has its keys",
            {"schema", "tool", "made_at", "host", "command", "context", "warnings", "result"} <= set(document))
suite.check("devices, links and paths are there",
            [d["id"] for d in machine["devices"] if d["kind"] == "gpu"] == ["gpu0", "gpu1"] and
            {p["class"] for p in machine["paths"] if {p["a"], p["b"]} == {"gpu0", "gpu1"}} == {"NV4"}, str(machine)[:400])
secret = run("see", topo, "--json", env={"AWS_SECRET_ACCESS_KEY": "hunter2-secret"})
suite.check("no environment leaks", "hunter2" not in secret.out)
told = {"NCCL_TOPO_FILE": "/home/alice/acme7/topo.xml", "NCCL_DEBUG": "INFO", "UCX_AUTH_TOKEN": "hunter2"}
context = json.loads(run("see", topo, "--json", env=told).out)
suite.check("the context holds the variables that record takes, and no other",
            context["context"]["environment"] == {k: told[k] for k in ("NCCL_TOPO_FILE", "NCCL_DEBUG")} and
            context["host"] == os.uname().nodename, str(context["context"]))
context = run("see", topo, "--json", "--replace-identities", env=told)
suite.check("--replace-identities replaces in the envelope too", json.loads(context.out)["host"].startswith("host-") and
            "alice" not in context.out and "acme7" not in context.out and '"NCCL_DEBUG": "INFO"' in context.out,
            context.out[:1200])
silent = subprocess.Popen([BINARY, "see", "-", "--timeout", "1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True)
silent.wait(20)
said = silent.stderr.read()
suite.check("the deadline names what was looked at", silent.returncode == 2 and
            said.startswith("railgauge: standard input: gave up after 1 s, the deadline"), said)
silent.stdin.close()

for wrong in (["--nope"], ["--path", "a"], ["--format", "bad"], ["--timeout", "x"]):
    failed = run("see", topo, "--json", *wrong)
    suite.check(f"--json with {wrong[0]} wrong prints one document", failed.status == 2 and
                json.loads(failed.out)["error"]["kind"] == "usage", failed.out[:200])
hostile = run("see", "\x1b[31mred\u202e")
suite.check("no control byte of an argument reaches the terminal",
            hostile.status == 2 and "\x1b" not in hostile.err and "\u202e" not in hostile.err, repr(hostile.err))

for shell, check in {"bash": ["bash", "-n"], "zsh": ["zsh", "-n"], "fish": ["fish", "-n"]}.items():
    script = suite.folder / shell
    script.write_text(run("completions", shell).out)
    if shutil.which(check[0]) is None:
        suite.skip(f"{shell} accepts its completions", f"{shell} is not installed")
        continue
    accepted = subprocess.run([*check, script], capture_output=True, text=True, check=False)
    suite.check(f"{shell} accepts its completions", accepted.returncode == 0, accepted.stderr)
(suite.folder / "here.txt").write_text("")
for words, offered in {"see --format s": "svg", "diff --ignore firm": "firmware",
                       "diff --ignore counters,firm": "counters,firmware", "record --interval 10": "10s 10m",
                       "record -o he": "here.txt", "record --samples h": ""}.items():
    completed = subprocess.run(
        ["bash", "-c", f"source {suite.folder}/bash; COMP_WORDS=(railgauge {words}); COMP_CWORD=3; _railgauge;"
         " echo ${COMPREPLY[@]}"], capture_output=True, text=True, check=False, cwd=suite.folder)
    suite.check(f"bash completes railgauge {words}", completed.stdout.strip() == offered,
                completed.stdout + completed.stderr)
if shutil.which("fish"):
    asked = f"source {suite.folder}/fish; complete -C 'railgauge diff a b --ignore counters,firm'"
    completed = subprocess.run(["fish", "-c", asked], capture_output=True, text=True, check=False,
                               env={"PATH": os.environ["PATH"], "HOME": str(suite.folder)})
    suite.check("fish completes one of several classes", "counters,firmware" in completed.stdout,
                completed.stdout + completed.stderr)
suite.refuses("completions wants a shell", run("completions"), "bash")
man = run("man").out
if shutil.which("man"):
    lint = subprocess.run(["man", "--warnings", "-l", "-"], input=man, capture_output=True, text=True, check=False,
                          env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "MANWIDTH": "100"})
    suite.check("the manual page is clean troff", lint.returncode == 0 and lint.stderr == "" and "--matrix" in lint.stdout,
                lint.stderr)
else:
    suite.skip("the manual page is clean troff", "man is not installed")
suite.finish()
