"""Reads the machine description language of data/machines (docs/howto/add-a-machine.md).

facts = load("tests/machines/NAME/facts.yaml"); machine = Machine(facts)

A facts file may say `extends: hgx-h100` to start from data/machines/hgx-h100.yaml, and `changes:` to
alter functions by address: {at: "1a:00.0", now: gen3 x16}. What is recorded how stands in `record:`.
"""
import pathlib
import re

import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent
GT = {1: "2.5", 2: "5.0", 3: "8.0", 4: "16.0", 5: "32.0", 6: "64.0"}
USUAL_CLASS = {"gpu": "030200", "nvswitch": "068000", "nic": "020000", "nvme": "010802"}


def load(path):
    facts = yaml.safe_load(pathlib.Path(path).read_text())
    if "extends" in facts:
        base = yaml.safe_load((ROOT / "data/machines" / (facts["extends"] + ".yaml")).read_text())
        base.update(facts)
        facts = base
    return facts


def fill(text, cells):
    """The substitution of src/observe/synthetic/cells.h."""
    def one(match):
        index = int(match[1]) - 1
        if index >= len(cells):
            return match[0]
        cell = str(cells[index])
        return cell if match[2] is None else "%02x" % (int(cell, 16) + int(match[2][1:], 16))
    return re.sub(r"\$([1-9])(\+[0-9a-fA-F]+)?", one, str(text))


def address(text):
    text = text if text.count(":") == 2 else "0000:" + text
    domain, bus, rest = text.split(":")
    device, function = rest.split(".")
    return int(domain, 16), int(bus, 16), int(device, 16), int(function)


def link(text):
    """(generation, lanes) of "gen5 x16"."""
    match = re.fullmatch(r"gen(\d) x(\d+)", text)
    return int(match[1]), int(match[2])


class Device:
    def __init__(self, kind, part, at, parent, numa):
        self.kind, self.part, self.at, self.parent, self.numa = kind, part, at, parent, numa
        self.children, self.acs, self.links_down = [], [], []
        self.index = self.rdma = self.netdev = None
        self.max = link(part["link"]) if "link" in part else None
        self.now = self.max
        if parent is not None:
            parent.children.append(self)

    @property
    def name(self):
        return "%04x:%02x:%02x.%x" % self.at

    @property
    def pci_class(self):
        return str(self.part.get("class", USUAL_CLASS.get(self.kind, "060400")))

    @property
    def is_bridge(self):
        return self.kind in ("root_port", "pcie_switch", "switch_port", "pcie_bridge")

    def buses(self):
        """(secondary, subordinate) of a bridge."""
        below = [c.at[1] for c in self.children]
        deepest = [c.buses()[1] for c in self.children if c.is_bridge and c.children]
        return min(below), max(below + deepest)

    def ancestors(self):
        out = [self]
        while out[-1].parent is not None:
            out.append(out[-1].parent)
        return out


class Machine:
    def __init__(self, facts):
        self.facts, self.parts = facts, facts["parts"]
        self.nodes = {n["node"]: n for n in facts["numa"]}
        self.bridges, self.devices = [], []
        for entry in facts["tree"]:
            for cells in entry.get("for", [[]]):
                self._host_bridge(entry, cells)
        self._number()
        self.nvlinks = self._nvlinks()
        for change in facts.get("changes", []):
            self._change(change)

    def of(self, kind):
        return sorted((d for d in self.devices if d.kind == kind), key=lambda d: d.at)

    def _host_bridge(self, entry, cells):
        bus = fill(entry["host_bridge"], cells)
        domain, number = bus.split(":")
        numa = int(fill(entry["numa"], cells))
        root = Device("host_bridge", {}, (int(domain, 16), int(number, 16), 0, 0), None, numa)
        self.bridges.append(root)
        self._below(entry, cells, root)

    def _below(self, entry, cells, parent):
        for child in entry.get("below", []):
            part = self.parts[fill(child["part"], cells)]
            at = address(fill(child["at"], cells))
            above = parent
            if parent.kind == "pcie_switch" and "id" in parent.part:
                domain, bus, _, _ = parent.at
                port = (domain, bus + 1, len(parent.children) & 31, 0)
                above = Device("switch_port", parent.part, port, parent, parent.numa)
                self.devices.append(above)
            device = Device(part["kind"], part, at, above, parent.numa)
            self.devices.append(device)
            if device.max:
                able = min(device.max[0], (above.max or device.max)[0])
                lanes = min(device.max[1], (above.max or device.max)[1])
                device.now = link(fill(child["now"], cells)) if "now" in child else (able, lanes)
                if above.kind in ("root_port", "switch_port"):
                    above.now = device.now
            device.acs = child.get("acs", [])
            self._below(child, cells, device)

    def _number(self):
        for kind in ("gpu", "nic", "nvswitch"):
            used = {}
            for index, device in enumerate(self.of(kind)):
                device.index = index
                pattern = device.part.get("rdma") or device.part.get("netdev") or ""
                mine = used[pattern] = used.get(pattern, -1) + 1
                for key in ("rdma", "netdev"):
                    if key in device.part:
                        word = device.part[key].replace("$i", str(mine))
                        word = word.replace("$b", str(device.at[1])).replace("$f", str(device.at[3]))
                        setattr(device, key, word)

    def _nvlinks(self):
        """For every GPU a list of (remote device, or None where it is hidden)."""
        gpus, rules = self.of("gpu"), self.facts.get("nvlink", {})
        out = {g.index: [] for g in gpus}
        for a, b, count in rules.get("pairs", []):
            out[a] += [gpus[b]] * count
            out[b] += [gpus[a]] * count
        for g in gpus:
            for switch, count in zip(self.of("nvswitch"), rules.get("per_switch", [])):
                out[g.index] += [switch] * count
            out[g.index] += [None] * rules.get("hidden_switch", 0)
        return out

    def _change(self, change):
        device = next(d for d in self.devices if d.at == address(change["at"]))
        if "now" in change:
            device.now = link(change["now"])
            if device.parent.kind in ("root_port", "switch_port"):
                device.parent.now = device.now
        device.acs = change.get("acs", device.acs)
        device.links_down = change.get("nvlinks_down", [])

    def active_links(self, gpu):
        return [r for i, r in enumerate(self.nvlinks[gpu.index]) if i not in gpu.links_down]

    def nvlink_count(self, a, b):
        direct = self.active_links(a).count(b)
        if direct:
            return direct
        switched = [sum(r is None or r.kind == "nvswitch" for r in self.active_links(g)) for g in (a, b)]
        return min(switched)

    def pcie_class(self, a, b):
        """nvidia-smi's word from the tree alone."""
        up_a, up_b = a.ancestors(), b.ancestors()
        if up_a[-1] is not up_b[-1]:
            return "NODE" if a.numa == b.numa else "SYS"
        common = next(d for d in up_a if d in up_b)
        if common.kind == "host_bridge":
            return "PHB"
        way = up_a[: up_a.index(common)] + up_b[: up_b.index(common)] + [common]
        return "PIX" if sum(d.kind == "pcie_switch" for d in way) <= 1 else "PXB"
