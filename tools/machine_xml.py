"""An NCCL topology file, as NCCL_TOPO_DUMP_FILE writes it, or the skeleton that clouds publish."""
from machine_facts import GT


def _mask(cpus):
    bits = 0
    for part in cpus.split(","):
        first, _, last = part.partition("-")
        for cpu in range(int(first), int(last or first) + 1):
            bits |= 1 << cpu
    groups = []
    while bits:
        groups.insert(0, "%08x" % (bits & 0xFFFFFFFF))
        bits >>= 32
    return ",".join(groups or ["00000000"])


def _id(word):
    return "0x" + word[:4], "0x" + word[5:]


def _function(machine, device, indent, options):
    if device.kind in ("switch_port", "root_port"):  # NCCL keeps switches and endpoints
        return "".join(_function(machine, c, indent, options) for c in device.children)
    if device.kind == "nvswitch":
        return ""
    pad = "  " * indent
    now = device.now or device.max
    vendor, number = _id(device.part.get("id", "ffff:ffff"))
    sub = _id(device.part.get("subsystem", "0000:0000"))
    out = '%s<pci busid="%s" class="0x%s" vendor="%s" device="%s" subsystem_vendor="%s" subsystem_device="%s" link_speed="%s GT/s PCIe" link_width="%d"' % (
        pad, device.name, device.pci_class, vendor, number, *sub, GT[now[0]], now[1])
    inner = ""
    if device.is_bridge:
        inner = "".join(_function(machine, c, indent + 1, options) for c in device.children)
    elif options.get("skeleton"):
        pass
    elif device.kind == "gpu":
        inner = _gpu(machine, device, indent + 1, options)
    elif device.kind == "nic":
        inner = '%s  <nic>\n%s    <net name="%s" dev="%d" speed="%d" port="1" latency="0.000000" guid="0x%x" maxconn="131072" gdr="1"/>\n%s  </nic>\n' % (
            pad, pad, device.rdma or device.netdev, device.index, device.part.get("rate_gbit", 10) * 1000, device.index + 1, pad)
    return out + (">\n%s%s</pci>\n" % (inner, pad) if inner else "/>\n")


def _gpu(machine, gpu, indent, options):
    pad = "  " * indent
    amd = gpu.part["id"].startswith("1002")
    kind = 'sm="304" gcn="gfx942" arch="38911"' if amd else 'sm="%d"' % options["sm"]
    inner = ""
    if amd:
        for other in machine.of("gpu"):
            if other is not gpu:
                inner += '%s  <xgmi target="%s" count="1" tclass="0x%s"/>\n' % (pad, other.name, other.pci_class)
    remotes = machine.active_links(gpu)
    for remote in dict.fromkeys(remotes):
        target = remote.name if remote else "fffffff:ffff:ff"
        inner += '%s  <nvlink target="%s" count="%d" tclass="0x%s"/>\n' % (
            pad, target, remotes.count(remote), remote.pci_class if remote else "068000")
    for index, _ in [c for c in machine.facts.get("c2c", []) if c[0] == gpu.index]:
        inner += '%s  <c2c bw="44712" count="10"/>\n' % pad
    out = '%s<gpu dev="%d" %s rank="%d" gdr="1"' % (pad, gpu.index, kind, gpu.index)
    return out + (">\n%s%s</gpu>\n" % (inner, pad) if inner else "/>\n")


def nccl_xml(machine, options):
    cpu = machine.facts["cpu"]
    out = '<system version="%d">\n' % options.get("version", 1)
    for node, facts in machine.nodes.items():
        body = "".join(_function(machine, c, 2, options)
                       for b in machine.bridges if b.numa == node for c in b.children)
        vendor = cpu["vendor"] if not options.get("rccl") or cpu["vendor"] != "AuthenticAMD" else "AMD"
        out += '  <cpu numaid="%d" affinity="%s" arch="%s" vendor="%s" familyid="%d" modelid="%d">\n%s  </cpu>\n' % (
            node, _mask(facts["cpus"]), cpu.get("architecture", "x86_64"), vendor, cpu["family"], cpu["model"], body)
    return out + "</system>\n"
