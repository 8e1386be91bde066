#!/usr/bin/env python3
"""Makes tests/machines/NAME/inputs from tests/machines/NAME/facts.yaml.

    tools/make_machine.py tests/machines/dell-xe9680 …      (all, when none is named)

`record:` of the facts says which inputs there are: topo_m, p2p, nccl_xml, lspci, rocm, recording.
The same facts always give the same bytes.
"""
import pathlib
import shutil
import sys

import machine_facts
import machine_recording
import machine_texts
import machine_xml


def inputs(facts):
    machine = machine_facts.Machine(facts)
    record = facts["record"]
    out = {}
    if "topo_m" in record:
        out["topo-m.txt"] = machine_texts.topo_m(machine, record["topo_m"]).encode()
    if "p2p" in record and "recording" not in record:
        out["p2p.txt"] = machine_texts.topo_p2p(machine, record["p2p"]).encode()
    if "nccl_xml" in record:
        out["nccl-topo.xml"] = machine_xml.nccl_xml(machine, record["nccl_xml"]).encode()
    if "lspci" in record:
        out["lspci.txt"] = machine_texts.lspci(machine, record["lspci"] != "user").encode()
    if "rocm" in record:
        out["rocm-showtopo.txt"] = machine_texts.rocm_showtopo(machine).encode()
    if "recording" in record:
        files, links = machine_recording.recording(machine, {**record, **record["recording"]})
        out[record["recording"]["hostname"] + ".tar.zst"] = machine_recording.pack(files, links)
    return out


def main(arguments):
    root = machine_facts.ROOT / "tests/machines"
    folders = [pathlib.Path(a) for a in arguments] or sorted(p.parent for p in root.glob("*/facts.yaml"))
    for folder in folders:
        target = folder / "inputs"
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir(parents=True)
        for name, data in inputs(machine_facts.load(folder / "facts.yaml")).items():
            (target / name).write_bytes(data)


if __name__ == "__main__":
    main(sys.argv[1:])
