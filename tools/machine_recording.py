"""A recording (docs/design/0002-recording.md): /sys, /proc and NVML's answers, as .tar.zst."""
import io
import json
import struct
import subprocess
import tarfile

from machine_facts import GT
from machine_texts import ACS_BITS

PORT_TYPE = {"root_port": 4, "pcie_switch": 5, "switch_port": 6, "pcie_bridge": 7}
LAYER_RATE = {400: "400 Gb/sec (4X NDR)", 200: "200 Gb/sec (4X HDR)", 100: "100 Gb/sec (4X EDR)"}


def config_space(device, root):
    """The bytes of `config`: 64 without root; else with the PCI Express and ACS capabilities."""
    vendor, number = (int(x, 16) for x in device.part["id"].split(":"))
    data = bytearray(0x160 if root else 64)
    struct.pack_into("<HHHHI", data, 0, vendor, number, 0x0546, 0x0010, int(device.pci_class, 16) << 8 | 0xA1)
    data[0x34] = 0x40
    if device.is_bridge:
        second, last = device.buses() if device.children else (0, 0)
        data[0x0E], data[0x18], data[0x19], data[0x1A] = 1, device.at[1], second, last
    elif "subsystem" in device.part:
        struct.pack_into("<HH", data, 0x2C, *(int(x, 16) for x in device.part["subsystem"].split(":")))
    if not root:
        return bytes(data)
    struct.pack_into("<BBH", data, 0x40, 0x10, 0, 2 | PORT_TYPE.get(device.kind, 0) << 4)
    struct.pack_into("<I", data, 0x44, 2)  # DevCap: payloads up to 512 bytes
    reads = 5 if device.kind == "nic" else 2  # 4096 and 512 bytes
    struct.pack_into("<H", data, 0x48, 1 << 4 | 1 << 5 | 1 << 8 | 1 << 11 | reads << 12)
    if device.max:
        (able, lanes), (now, used) = device.max, device.now
        struct.pack_into("<I", data, 0x4C, able | lanes << 4)
        struct.pack_into("<HH", data, 0x50, 0x40, now | used << 4 | 1 << 13)
        struct.pack_into("<I", data, 0x6C, ((1 << able) - 1) << 1)
    struct.pack_into("<I", data, 0x100, 1 | 2 << 16 | 0x148 << 20)  # AER, then ACS
    if device.kind in ("root_port", "switch_port"):
        control = sum(1 << i for i, f in enumerate(ACS_BITS.values()) if f in device.acs)
        struct.pack_into("<IHH", data, 0x148, 0xD | 1 << 16, 0x5F, control)
    else:
        struct.pack_into("<I", data, 0x100, 1 | 2 << 16)
    return bytes(data)


def _path(device):
    up = device.ancestors()[::-1]
    root = "sys/devices/pci%04x:%02x" % up[0].at[:2]
    return "/".join([root] + [d.name for d in up[1:]])


def _pci(machine, files, links, root):
    for device in machine.devices:
        path = _path(device)
        vendor, number = device.part["id"].split(":")
        sub = device.part.get("subsystem", "0000:0000").split(":")
        texts = {"vendor": "0x" + vendor, "device": "0x" + number, "class": "0x" + device.pci_class,
                 "revision": "0xa1", "subsystem_vendor": "0x" + sub[0], "subsystem_device": "0x" + sub[1],
                 "numa_node": str(device.numa), "local_cpulist": machine.nodes[device.numa]["cpus"],
                 "power_state": "D0"}
        if device.max:
            (able, lanes), (now, used) = device.max, device.now
            texts.update({"max_link_speed": GT[able] + " GT/s PCIe", "max_link_width": str(lanes),
                          "current_link_speed": GT[now] + " GT/s PCIe", "current_link_width": str(used)})
            texts["aer_dev_correctable"] = "\n".join(
                "%s %d" % (name, machine.facts["record"].get("aer", {}).get(device.name, {}).get(name, 0))
                for name in ("RxErr", "BadTLP", "BadDLLP", "Rollover", "Timeout", "NonFatalErr",
                             "CorrIntErr", "HeaderOF", "TOTAL_ERR_COR"))
        for name, text in texts.items():
            files[path + "/" + name] = (text + "\n").encode()
        files[path + "/config"] = config_space(device, root)
        if "driver" in device.part:
            links[path + "/driver"] = "../" * path.count("/") + "bus/pci/drivers/" + device.part["driver"]


def _nics(machine, files, links):
    for nic in machine.of("nic"):
        target = "../../../" + _path(nic)[4:]
        layer = nic.part.get("link_layer", "Ethernet")
        gbit = nic.part.get("rate_gbit", 10)
        if nic.rdma:
            base = "sys/class/infiniband/" + nic.rdma
            links[base + "/device"] = target
            texts = {"node_guid": "0000:0000:0000:%04x" % (nic.index + 1), "fw_ver": "28.39.2048",
                     "ports/1/state": "4: ACTIVE", "ports/1/phys_state": "5: LinkUp",
                     "ports/1/rate": LAYER_RATE.get(gbit, "%d Gb/sec" % gbit), "ports/1/link_layer": layer}
            for name, text in texts.items():
                files[base + "/" + name] = (text + "\n").encode()
        if nic.netdev:
            base = "sys/class/net/" + nic.netdev
            links[base + "/device"] = target
            infiniband = layer == "InfiniBand"
            texts = {"mtu": "2044" if infiniband else "9000", "operstate": "up", "dev_port": "0",
                     "speed": str(gbit * 1000), "type": "32" if infiniband else "1"}
            for name, text in texts.items():
                files[base + "/" + name] = (text + "\n").encode()


def _first_cpu(cpus):
    return cpus.split(",")[0].split("-")[0]


def _host(machine, files, record):
    facts, cpu = machine.facts, machine.facts["cpu"]
    rows = facts.get("distances") or [[10]]
    for row, (node, entry) in enumerate(sorted(machine.nodes.items())):
        base = "sys/devices/system/node/node%d/" % node
        files[base + "cpulist"] = (entry["cpus"] + "\n").encode()
        files[base + "distance"] = (" ".join(map(str, rows[row])) + "\n").encode()
        files[base + "meminfo"] = b"Node %d MemTotal: %d kB\n" % (node, entry.get("memory_gib", 64) << 20)
        first = _first_cpu(entry["cpus"])
        files["sys/devices/system/cpu/cpu%s/topology/physical_package_id" % first] = b"%d\n" % entry["package"]
    ends = [int(p.split("-")[-1]) for e in machine.nodes.values() for p in e["cpus"].split(",")]
    for name in ("online", "possible"):
        files["sys/devices/system/cpu/" + name] = b"0-%d\n" % max(ends)
    if cpu["vendor"] == "ARM":
        text = "processor\t: 0\nCPU implementer\t: 0x41\nCPU architecture: %d\nCPU variant\t: 0x0\nCPU part\t: 0x%x\nCPU revision\t: 0\n" % (cpu["family"], cpu["model"])
    else:
        text = "processor\t: 0\nvendor_id\t: %s\ncpu family\t: %d\nmodel\t\t: %d\nmodel name\t: %s\ncpu cores\t: %d\nflags\t\t: fpu vme%s\n" % (
            cpu["vendor"], cpu["family"], cpu["model"], cpu["name"], cpu["cores"], " hypervisor" if record.get("guest") else "")
    files["proc/cpuinfo"] = text.encode()
    files["proc/sys/kernel/hostname"] = (record["hostname"] + "\n").encode()
    files["proc/sys/kernel/osrelease"] = (record.get("kernel", "5.15.0-1042") + "\n").encode()
    files["sys/class/dmi/id/product_name"] = (facts.get("host", {}).get("product", "Server") + "\n").encode()
    files["sys/class/dmi/id/sys_vendor"] = (record.get("maker", "Maker") + "\n").encode()


def nvml(machine, record):
    calls = []

    def say(call, args, value=None, error=None):
        entry = {"call": call, "args": args}
        entry.update({"error": error} if error else {"value": value})
        calls.append(entry)
    gpus = machine.of("gpu")
    say("nvmlSystemGetDriverVersion", [], record["driver"])
    say("nvmlSystemGetCudaDriverVersion_v2", [], record["cuda"])
    say("nvmlDeviceGetCount_v2", [], len(gpus))
    major, minor = divmod(record["compute_capability"], 10)
    for g in gpus:
        vendor, number = (int(x, 16) for x in g.part["id"].split(":"))
        sub = [int(x, 16) for x in g.part.get("subsystem", "0000:0000").split(":")]
        say("nvmlDeviceGetPciInfo_v3", [g.index], {"bus_id": "%08X:%02X:%02X.%X" % g.at,
            "device_id": number << 16 | vendor, "subsystem_id": sub[1] << 16 | sub[0]})
        say("nvmlDeviceGetName", [g.index], g.part["name"])
        say("nvmlDeviceGetUUID", [g.index], "GPU-00000000-0000-0000-0000-%012x" % (g.index + 1))
        say("nvmlDeviceGetCudaComputeCapability", [g.index], {"major": major, "minor": minor})
        say("nvmlDeviceGetMemoryInfo", [g.index], {"total": g.part.get("memory_gib", 16) << 30})
        say("nvmlDeviceGetCurrPcieLinkGeneration", [g.index], g.now[0])
        say("nvmlDeviceGetCurrPcieLinkWidth", [g.index], g.now[1])
        say("nvmlDeviceGetGpuMaxPcieLinkGeneration", [g.index], g.max[0])
        say("nvmlDeviceGetMaxPcieLinkWidth", [g.index], g.max[1])
        say("nvmlDeviceGetCpuAffinity", [g.index], machine.nodes[g.numa]["cpus"])
        say("nvmlDeviceGetPerformanceState", [g.index], 0)
        version = machine.facts.get("nvlink", {}).get("version")
        for number, remote in enumerate(machine.nvlinks[g.index]):
            active = number not in g.links_down
            say("nvmlDeviceGetNvLinkState", [g.index, number], active)
            if not active:
                continue
            say("nvmlDeviceGetNvLinkVersion", [g.index, number], version)
            kind = "gpu" if remote is not None and remote.kind == "gpu" else "switch"
            say("nvmlDeviceGetNvLinkRemoteDeviceType", [g.index, number], kind)
            bus = "%08X:%02X:%02X.%X" % remote.at if remote is not None else "FFFFFFFF:FFFF:FF.0"
            say("nvmlDeviceGetNvLinkRemotePciInfo_v2", [g.index, number], bus)
        if not machine.nvlinks[g.index]:
            say("nvmlDeviceGetNvLinkState", [g.index, 0], error="NVML_ERROR_NOT_SUPPORTED")
    level = {"PIX": "single", "PXB": "multiple", "PHB": "hostbridge", "NODE": "node", "SYS": "system"}
    for a in gpus:
        for b in gpus[a.index + 1:]:
            say("nvmlDeviceGetTopologyCommonAncestor", [a.index, b.index], level[machine.pcie_class(a, b)])
            linked = machine.nvlink_count(a, b) > 0
            for what in ("read", "write"):
                say("nvmlDeviceGetP2PStatus", [a.index, b.index, what], record.get("p2p", "OK"))
            say("nvmlDeviceGetP2PStatus", [a.index, b.index, "nvlink"], "OK" if linked else "NS")
    lines = ",\n".join(json.dumps(c, separators=(",", ":")) for c in calls)
    return ('{"library":"libnvidia-ml.so.1","calls":[\n%s\n]}\n' % lines).encode()


def recording(machine, record):
    """name -> bytes, and name -> link target."""
    files, links = {}, {}
    manifest = {"schema": "railgauge.recording/1", "tool": "railgauge 0.1.0", "made_at": "2026-11-01T00:00:00Z",
                "hostname": record["hostname"], "as_root": bool(record.get("as_root"))}
    files["manifest.json"] = (json.dumps(manifest, indent=1) + "\n").encode()
    _host(machine, files, record)
    _pci(machine, files, links, record.get("as_root"))
    _nics(machine, files, links)
    if "driver" in record:
        files["nvml.json"] = nvml(machine, record)
    return files, links


def pack(files, links):
    """The same bytes for the same contents."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for name in sorted(set(files) | set(links), key=lambda n: (n != "manifest.json", n)):
            info = tarfile.TarInfo(name)
            info.mode = 0o644
            if name in links:
                info.type, info.linkname = tarfile.SYMTYPE, links[name]
                tar.addfile(info)
            else:
                info.size = len(files[name])
                tar.addfile(info, io.BytesIO(files[name]))
    return subprocess.run(["zstd", "-19", "-q", "-c"], input=out.getvalue(), capture_output=True, check=True).stdout
