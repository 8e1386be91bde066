"""What the guest is seeded with: identities that a recording may keep or must replace, and secrets it may never hold.

Every marker is a word of its own, so that what leaks says where from.
"""
import topology

HOSTNAME = "markerhost17"
INTERFACE = "markernic7"
ADDRESS = "10.77.66.55"
NEIGHBOUR = "10.77.66.1"  # nobody has it
MACHINE_ID = "5ec0de0f5ec0de0f5ec0de0f5ec0de0f"
BOARD_SERIAL = "MARKERBOARD44"
SYSTEM_UUID = "c0ffee00-1234-4321-8765-0123456789ab"

FILES = {
    "/etc/hostname": f"{HOSTNAME}\n".encode(),
    "/etc/machine-id": f"{MACHINE_ID}\n".encode(),
    "/etc/passwd": b"root::0:0::/root:/bin/sh\nnobody::65534:65534::/:/bin/sh\n",
    "/etc/group": b"root::0:\nnogroup::65534:\n",
}
BOOT_WORDS = "foo_secret=MARKERCMDLINE"
QEMU_WORDS = ["-smbios", f"type=1,serial={BOARD_SERIAL},uuid={SYSTEM_UUID}"]
ENVIRONMENT = f"SECRET_TOKEN=MARKERTOKEN NCCL_SOCKET_IFNAME={INTERFACE}"
KERNEL_LINE = "<4>somedaemon[312]: login failed for MARKERKMSG"

# Never in any recording.
SECRETS = ["MARKERTOKEN", "SECRET_TOKEN", "MARKERCMDLINE", "MARKERKMSG"]


def identities():
    """Every form in which an identity could stand in a recording, lower case."""
    forms = [HOSTNAME, INTERFACE, ADDRESS, MACHINE_ID, BOARD_SERIAL, SYSTEM_UUID, SYSTEM_UUID.replace("-", ""),
             *topology.SERIALS]
    forms.append("{:02x}{:02x}:{:02x}{:02x}".format(*map(int, ADDRESS.split("."))))  # as the end of a GID
    for mac in topology.MACS:
        octets = mac.split(":")
        modified = [f"{int(octets[0], 16) ^ 2:02x}", *octets[1:3], "ff", "fe", *octets[3:]]  # EUI-64, RFC 4291
        pairs = [modified[n] + modified[n + 1] for n in range(0, 8, 2)]
        forms += [mac, "".join(octets), ":".join(octets[3:]), ":".join(pairs), "".join(modified), ":".join(pairs[2:])]
    return [form.lower() for form in forms]
