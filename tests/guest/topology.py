"""A guest's NUMA nodes and PCI tree, described once: QEMU's arguments and what must be seen both come from here.

    machine = two_sockets()
    machine.qemu_arguments()      # ["-machine", "q35", …]
    machine.functions()           # [Expected(address="0000:20:00.0", kind="root_port", above="pci0000:20", …), …]

Kinds are the words of `railgauge see --json`. Addresses follow from the order in which SeaBIOS numbers buses: depth
first, by device number, from the bus number of each root.
"""
import dataclasses

# Unlikely to occur by chance, in whatever form a program writes them.
MACS = [f"52:54:00:c0:ff:e{n}" for n in range(1, 5)]
SERIALS = ["MARKERDRIVE0", "MARKERDRIVE1"]
MARKED = "0000:23:00.0"  # the card of MACS[0]
BRIDGES = ("root_port", "pcie_switch", "switch_port")


@dataclasses.dataclass
class Function:
    """One PCI function, and what hangs below it when it is a bridge."""
    driver: str  # QEMU's word
    kind: str    # railgauge's word
    slot: int    # device number on the bus above
    options: str = ""
    mac: str = ""
    possible: tuple = ()  # megatransfers a second and lanes, of a root port
    below: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Root:
    """A root bus: q35's own (bus 0, on no node) or a PCI Express expander bridge on a NUMA node."""
    bus: int
    numa: int | None
    below: list


@dataclasses.dataclass
class Expected:
    address: str
    kind: str
    above: str  # address of the bridge above, or the name of the root bus
    numa: int | None
    function: Function


@dataclasses.dataclass
class Machine:
    cpus_of_node: list  # "0-1"
    mib_of_node: int
    distance: int       # between any two nodes, as ACPI counts
    roots: list

    def functions(self):
        rows = []
        for root in self.roots:
            _expect(root.below, root.bus, f"pci0000:{root.bus:02x}", root.numa, rows)
        return rows

    def find(self, driver):
        return [row for row in self.functions() if row.function.driver == driver]

    def qemu_arguments(self):
        nodes = len(self.cpus_of_node)
        cpus = 1 + max(int(cpus.split("-")[-1]) for cpus in self.cpus_of_node)
        out = ["-machine", "q35", "-m", str(self.mib_of_node * nodes),
               "-smp", f"{cpus},sockets={nodes},cores={cpus // nodes},threads=1"]
        for node, of_node in enumerate(self.cpus_of_node):
            out += ["-object", f"memory-backend-ram,id=mem{node},size={self.mib_of_node}M",
                    "-numa", f"node,nodeid={node},cpus={of_node},memdev=mem{node}"]
        for a in range(nodes):
            for b in range(a + 1, nodes):
                out += ["-numa", f"dist,src={a},dst={b},val={self.distance}"]
        numbers = iter(range(10_000))
        for place, root in enumerate(self.roots):
            bus = "pcie.0"
            if root.bus:
                bus = f"root{root.bus}"
                # Expander bridges are functions of bus 0 themselves; 16 and above are free there.
                out += ["-device", f"pxb-pcie,id={bus},bus=pcie.0,addr={16 + place:#x},bus_nr={root.bus},"
                                   f"numa_node={root.numa}"]
            out += _devices(root.below, bus, numbers)
        return out


def bad_packet(address):
    """What to write to /dev/aer_inject, in printf's words: a correctable error, Bad TLP, at a function. The structure
    is in the kernel's drivers/pci/pcie/aer_inject.c: bus, device, function, uncorrectable and correctable status."""
    bus, slot = int(address[5:7], 16), int(address[8:10], 16)
    bad_tlp = 0x40  # include/uapi/linux/pci_regs.h
    return "".join(f"\\x{byte:02x}" for byte in [bus, slot, 0, 0, *4 * [0], bad_tlp, *23 * [0]])


def _expect(functions, bus, above, numa, rows):
    """Appends what lies on a bus and below it; returns the last bus number given out."""
    last = bus
    for function in sorted(functions, key=lambda f: f.slot):
        address = f"0000:{bus:02x}:{function.slot:02x}.0"
        rows.append(Expected(address, function.kind, above, numa, function))
        if function.kind in BRIDGES:
            last = _expect(function.below, last + 1, address, numa, rows)
    return last


def _devices(functions, bus, numbers):
    out = []
    for function in functions:
        number = next(numbers)
        name = f"dev{number}"
        words = [function.driver, f"id={name}", f"bus={bus}", f"addr={function.slot:#x}"]
        if function.kind in ("root_port", "switch_port"):
            words += [f"chassis={number + 1}", f"slot={number + 1}"]
        if function.kind == "nic":
            # One hub joins all cards, so that their links are up and nothing leaves the guest.
            out += ["-netdev", f"hubport,hubid=0,id=net{number}"]
            words += [f"netdev=net{number}", f"mac={function.mac}"]
        if function.options:
            words.append(function.options)
        out += ["-device", ",".join(words)]
        out += _devices(function.below, name, numbers)
    return out


def root_port(slot, *below, speed="2_5", width=1):
    """A port that could do so much. It always runs at 2.5 GT/s x1, the most that QEMU's other devices can do."""
    possible = (int(float(speed.replace("_", ".")) * 1000), width)
    return Function("pcie-root-port", "root_port", slot, f"x-speed={speed},x-width={width}", possible=possible,
                    below=list(below))


def switch(*endpoints):
    """An upstream port with one downstream port for each endpoint."""
    ports = [Function("xio3130-downstream", "switch_port", n, below=[end]) for n, end in enumerate(endpoints)]
    return Function("x3130-upstream", "pcie_switch", 0, below=ports)


def nic(driver, mac, slot=0):
    return Function(driver, "nic", slot, mac=mac)


def nvme(serial, slot=0):
    return Function("nvme", "nvme", slot, f"serial={serial}")


def two_sockets():
    """Two nodes, a root each. Node 0: a switch with two cards and a drive. Node 1: a switch with a card and a drive,
    and a card straight below a port that could do Gen4 x16 and runs far below that."""
    return Machine(cpus_of_node=["0-1", "2-3"], mib_of_node=512, distance=21, roots=[
        Root(0x00, None, []),
        Root(0x20, 0, [
            root_port(0, switch(nic("e1000e", MACS[0]), nic("virtio-net-pci", MACS[1]),
                                nvme(SERIALS[0]))),
        ]),
        Root(0x40, 1, [
            root_port(0, switch(nic("e1000e", MACS[2]), nvme(SERIALS[1]))),
            root_port(1, nic("e1000e", MACS[3]), speed="16", width=16),
        ]),
    ])
