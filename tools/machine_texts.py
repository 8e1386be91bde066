"""What a user would paste: nvidia-smi topo, rocm-smi, lspci. Built from a Machine."""

SMI_LEGEND = """
Legend:

  X    = Self
  SYS  = Connection traversing PCIe as well as the SMP interconnect between NUMA nodes (e.g., QPI/UPI)
  NODE = Connection traversing PCIe as well as the interconnect between PCIe Host Bridges within a NUMA node
  PHB  = Connection traversing PCIe as well as a PCIe Host Bridge (typically the CPU)
  PXB  = Connection traversing multiple PCIe bridges (without traversing the PCIe Host Bridge)
  PIX  = Connection traversing at most a single PCIe bridge
  NV#  = Connection traversing a bonded set of # NVLinks
"""
ROLE = {"root_port": "Root Port (Slot+)", "pcie_switch": "Upstream Port", "switch_port": "Downstream Port (Slot+)"}
CLASS = {"0604": "PCI bridge", "0302": "3D controller", "0300": "VGA compatible controller",
         "0680": "Bridge", "0200": "Ethernet controller", "0207": "Infiniband controller",
         "1200": "Processing accelerators", "0108": "Non-Volatile memory controller"}
VENDOR = {"10de": "NVIDIA Corporation", "15b3": "Mellanox Technologies", "8086": "Intel Corporation",
          "1022": "Advanced Micro Devices, Inc. [AMD]", "1000": "Broadcom / LSI",
          "1002": "Advanced Micro Devices, Inc. [AMD/ATI]", "1d0f": "Amazon.com, Inc.",
          "10b5": "PLX Technology, Inc.", "14e4": "Broadcom Inc. and subsidiaries", "1ae0": "Google, Inc."}
ACS_BITS = {"SrcValid": "source_validation", "TransBlk": "translation_blocking",
            "ReqRedir": "request_redirect", "CmpltRedir": "completion_redirect",
            "UpstreamFwd": "upstream_forwarding", "EgressCtrl": "egress_control",
            "DirectTrans": "direct_translated"}


def topo_m(machine, options):
    """options: columns ("numa" or "gpu-numa"), pcie_only, all_near (a guest), nics (listed or not),
    names ("NIC" or the RDMA names), ansi (underlined header), affinity (by NUMA node)."""
    gpus = machine.of("gpu")
    nics = [n for n in machine.of("nic") if n.rdma] if options.get("nics", True) else []
    legend = options.get("names", "NIC") == "NIC"
    label = {d: "GPU%d" % d.index for d in gpus}
    label.update({d: "NIC%d" % i if legend else d.rdma for i, d in enumerate(nics)})
    own = options.get("columns") == "gpu-numa"
    head = [label[d] for d in gpus + nics] + ["CPU Affinity", "NUMA Affinity"] + ["GPU NUMA ID"] * own
    start, end = ("\x1b[4m", "\x1b[0m") if options.get("ansi") else ("", "")
    lines = ["\t" + start + "\t".join(head) + end]

    def cell(a, b):
        if a is b:
            return " X "
        if a.kind == b.kind == "gpu" and not options.get("pcie_only"):
            count = machine.nvlink_count(a, b)
            if count:
                return "NV%d" % count
        return "PHB" if options.get("all_near") else machine.pcie_class(a, b)

    for device in gpus + nics:
        row = [label[device]] + [cell(device, other) for other in gpus + nics]
        if device.kind == "gpu":
            cpus, nodes = machine.nodes[device.numa]["cpus"], str(device.numa)
            if options.get("all_near"):
                cpus, nodes = options["all_near"]
            nodes = options.get("numa_lists", {}).get(device.numa, nodes)
            gpu_node = str(options.get("gpu_nodes", {}).get(device.index, "N/A"))
            row += [cpus, nodes] + (["", gpu_node] if own else [])
        lines.append("\t".join(row))
    text = "\n".join(lines) + "\n" + SMI_LEGEND
    if nics and legend:
        text += "\nNIC Legend:\n\n" + "".join("  %s: %s\n" % (label[n], n.rdma) for n in nics) + "\n"
    return text


def topo_p2p(machine, status):
    gpus = machine.of("gpu")
    lines = [" \t" + "\t".join("GPU%d" % g.index for g in gpus) + "\t"]
    for a in gpus:
        lines.append(" GPU%d\t" % a.index + "\t".join("X" if a is b else status for b in gpus) + "\t")
    return "\n".join(lines) + """

Legend:

  X    = Self
  OK   = Status Ok
  CNS  = Chipset not supported
  GNS  = GPU not supported
  TNS  = Topology not supported
  NS   = Not supported
  U    = Unknown
"""


def rocm_showtopo(machine):
    gpus = machine.of("gpu")
    xgmi = "xgmi" in machine.facts

    def table(title, cell):
        rows = [title.center(80, "="), "       " + "".join("GPU%-10d" % g.index for g in gpus)]
        for a in gpus:
            rows.append("GPU%-4d" % a.index + "".join("%-13s" % cell(a, b) for b in gpus))
        return "\n".join(rows) + "\n\n"

    def far(a, b):
        return 2 if a.numa == b.numa else 3
    out = " ROCm System Management Interface ".center(80, "=") + "\n"
    out += table(" Weight between two GPUs ", lambda a, b: 0 if a is b else 15 if xgmi else 20 + 16 * (far(a, b) - 1))
    out += table(" Hops between two GPUs ", lambda a, b: 0 if a is b else 1 if xgmi else far(a, b))
    out += table(" Link Type between two GPUs ", lambda a, b: 0 if a is b else "XGMI" if xgmi else "PCIE")
    out += " Numa Nodes ".center(80, "=") + "\n"
    for g in gpus:
        out += "GPU[%d]\t\t: (Topology) Numa Node: %d\n" % (g.index, g.numa)
        out += "GPU[%d]\t\t: (Topology) Numa Affinity: %d\n" % (g.index, g.numa)
    return out + " End of ROCm SMI Log ".center(80, "=") + "\n"


def lspci(machine, root=True):
    return "\n".join(_function(d, root) for d in sorted(machine.devices, key=lambda d: d.at))


def _speed(generation):
    return {1: "2.5GT/s", 2: "5GT/s", 3: "8GT/s", 4: "16GT/s", 5: "32GT/s", 6: "64GT/s"}[generation]


def _state(now, able):
    return " (downgraded)" if now < able else ""


def _function(device, root):
    vendor = device.part["id"][:4]
    code = device.pci_class[:4]
    out = "%s %s [%s]: %s %s [%s]%s\n" % (
        device.name, CLASS.get(code, "Unknown class"), code, VENDOR.get(vendor, "Vendor " + vendor),
        device.part.get("name", "Device"), device.part["id"], " (prog-if 00 [Normal decode])" if device.is_bridge else " (rev a1)")
    if "subsystem" in device.part:
        out += "\tSubsystem: %s Device [%s]\n" % (VENDOR.get(device.part["subsystem"][:4], "Device"), device.part["subsystem"])
    out += "\tNUMA node: %d\n" % device.numa
    if device.is_bridge and device.children:
        second, last = device.buses()
        out += "\tBus: primary=%02x, secondary=%02x, subordinate=%02x, sec-latency=0\n" % (device.at[1], second, last)
    if not root:
        out += "\tCapabilities: <access denied>\n"
    elif device.max:
        (able, lanes), (now, used) = device.max, device.now
        out += "\tCapabilities: [60] Express (v2) %s, MSI 00\n" % ROLE.get(device.kind, "Endpoint")
        out += "\t\tDevCap:\tMaxPayload 512 bytes, PhantFunc 0\n"
        out += "\t\tDevCtl:\tCorrErr+ NonFatalErr+ FatalErr+ UnsupReq-\n\t\t\tRlxdOrd+ ExtTag+ PhantFunc- AuxPwr- NoSnoop+\n"
        out += "\t\t\tMaxPayload 256 bytes, MaxReadReq %d bytes\n" % (4096 if device.kind == "nic" else 512)
        out += "\t\tLnkCap:\tPort #0, Speed %s, Width x%d, ASPM not supported\n" % (_speed(able), lanes)
        out += "\t\tLnkCtl:\tASPM Disabled; RCB 64 bytes, Disabled- CommClk+\n"
        out += "\t\tLnkSta:\tSpeed %s%s, Width x%d%s\n" % (_speed(now), _state(now, able), used, _state(used, lanes))
    if root and device.kind in ("root_port", "switch_port"):
        out += "\tCapabilities: [148 v1] Access Control Services\n"
        out += "\t\tACSCap:\tSrcValid+ TransBlk+ ReqRedir+ CmpltRedir+ UpstreamFwd+ EgressCtrl- DirectTrans+\n"
        out += "\t\tACSCtl:\t" + " ".join(w + ("+" if f in device.acs else "-") for w, f in ACS_BITS.items()) + "\n"
    if "driver" in device.part:
        out += "\tKernel driver in use: %s\n" % device.part["driver"]
    return out
