"""Whether `railgauge see --json` in the guest tells the tree that QEMU was asked for."""
import json

import topology

# PcieSpeed and width that every device of QEMU 7.2 runs at.
RUNNING = (2500, 1)
PORT_TYPES = {"root_port": "root_port", "pcie_switch": "switch_upstream", "switch_port": "switch_downstream"}
DRIVERS = {"e1000e": "e1000e", "virtio-net-pci": "virtio-pci", "nvme": "nvme"}


def devices_of(said):
    return json.loads(said.out)["result"]["machine"]["devices"]


def above(device, devices):
    """The parent by what QEMU's command line fixes: a PCI address, or the name of the root bus."""
    by_id = {d["id"]: d for d in devices}
    parent = by_id.get(device["parent"])
    return parent and (parent["pci_address"] or parent["name"])


def places(devices):
    """{address: (kind, above, node)} of every PCI function."""
    return {d["pci_address"]: (d["kind"], above(d, devices), d["numa_node"]) for d in devices if d["pci_address"]}


def check_tree(suite, machine, devices):
    seen = places(devices)
    wanted = {row.address: (row.kind, row.above, row.numa) for row in machine.functions()}
    for address, place in wanted.items():
        suite.check(f"{address} has its kind, parent and NUMA node", seen.get(address) == place,
                    f"wanted {place}, saw {seen.get(address)}")
    for root in machine.roots:
        if not root.bus:
            continue
        extra = {a for a, place in seen.items() if place[2] == root.numa} - set(wanted)
        suite.check(f"nothing else hangs below root {root.bus:02x}", not extra, str(extra))
        bridge = [d for d in devices if d["name"] == f"pci0000:{root.bus:02x}"]
        suite.check(f"root {root.bus:02x} is a host bridge below node {root.numa}",
                    len(bridge) == 1 and bridge[0]["parent"] == f"numa{root.numa}", str(bridge))
    own = {a: place for a, place in seen.items() if a.startswith("0000:00:")}
    suite.check("the functions of q35 itself are on no known node",
                own and all(place[1:] == ("pci0000:00", None) for place in own.values()), str(own))


def check_host(suite, said, hostname, kernel):
    host = json.loads(said.out)["result"]["machine"]["host"]
    wanted = {"hostname": hostname, "kernel": kernel, "hypervisor": "qemu"}  # emulated: not KVM
    suite.check("the host has its name, kernel and hypervisor", wanted.items() <= host.items(), str(host))


def check_nodes(suite, machine, devices):
    for number, cpus in enumerate(machine.cpus_of_node):
        node = next(d for d in devices if d["id"] == f"numa{number}")
        distances = [10 if other == number else machine.distance for other in range(len(machine.cpus_of_node))]
        suite.check(f"node {number} has its CPUs, distances and package",
                    (node["cpus"], node["numa_distances"], node["parent"]) == (cpus, distances, f"cpu{number}"),
                    str(node))


def check_links(suite, machine, devices):
    by_address = {d["pci_address"]: d["pci"] for d in devices if d["pci_address"]}
    for row in machine.functions():
        pci = by_address.get(row.address, {})
        now = (pci.get("link_speed_megatransfers_per_second"), pci.get("link_width"))
        suite.check(f"{row.address} runs at 2.5 GT/s x1", now == RUNNING, str(now))
        if row.kind in PORT_TYPES:
            suite.check(f"{row.address} says which port it is", pci.get("port_type") == PORT_TYPES[row.kind], str(pci))
        else:
            suite.check(f"{row.address} has its driver", pci.get("driver") == DRIVERS[row.function.driver], str(pci))
        if row.kind == "root_port":
            possible = (pci.get("link_speed_max_megatransfers_per_second"), pci.get("link_width_max"))
            suite.check(f"{row.address} could do what it was given", possible == row.function.possible,
                        f"{possible}, wanted {row.function.possible}")
        if row.kind == "switch_port":  # these do not tell: unknown with the kernel's words, not 0
            words = pci.get("link_width_max_reason", "")
            suite.check(f"{row.address} does not say what it could do",
                        pci.get("link_width_max") is None and "0" in words, str(pci))
    slow = [row.address for row in machine.functions() if row.kind == "root_port" and row.function.possible > RUNNING]
    suite.check("one root port runs below what it could do", len(slow) == 1, str(slow))


def check_cards(suite, machine, devices, interfaces):
    """`interfaces` is what Linux says: lines of name, MAC address, PCI address."""
    names = {address: (name, mac) for name, mac, address in (line.split() for line in interfaces.splitlines())}
    for row in machine.functions():
        if row.kind != "nic":
            continue
        card = next((d for d in devices if d["pci_address"] == row.address), {})
        name, mac = names.get(row.address, (None, None))
        suite.check(f"the card at {row.address} is the one with its MAC address", mac == row.function.mac, str(names))
        ports = [(p["netdev"], p["state"], p["link_layer"], p["mtu_bytes"]) for p in card.get("ports", [])]
        suite.check(f"the card at {row.address} has its interface, up",
                    ports == [(name, "ACTIVE", "Ethernet", 1500)], str(ports))


def check_software_rdma(suite, said):
    """An RDMA device without a card behind it is named, not drawn as a card."""
    machine = json.loads(said.out)["result"]["machine"]
    remarks = [remark["text"] for remark in machine["remarks"]]
    named = any("rxe0" in text and "software" in text for text in remarks)
    suite.check("rxe0 is said to be RDMA in software", named, str(remarks))
    cards = [d["id"] for d in machine["devices"] if d["kind"] == "nic" and not d["pci_address"]]
    suite.check("rxe0 is no card", not cards, str(cards))


def check_error(suite, before, after):
    """PCI errors that happened show in the counter of their function, and in no other."""
    def errors(devices):
        functions = {d["pci_address"]: d["pci"] for d in devices if d["pci_address"]}
        return {address: pci.get("aer_correctable", {}).get("BadTLP") for address, pci in functions.items()}
    grown = {address: count for address, count in errors(after).items() if count != errors(before)[address]}
    suite.check("bad packets are counted at their function", list(grown) == [topology.MARKED] and all(grown.values()),
                f"{grown}; before {errors(before)}")


def check_drawing(suite, machine, devices, text):
    """Every card is drawn below its own node."""
    node = None
    drawn = {}
    for line in text.splitlines():
        words = line.replace("└─", " ").replace("├─", " ").replace("│", " ").split()
        if words and words[0].startswith("numa"):
            node = int(words[0].removeprefix("numa"))
        drawn.update({word: node for word in words if word.startswith("0000:")})
    for row in machine.functions():
        if row.kind == "nic":
            suite.check(f"{row.address} is drawn below node {row.numa}", drawn.get(row.address) == row.numa, text)
