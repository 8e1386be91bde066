"""Runs commands in a small virtual machine with a real kernel and hands back what they said.

    guest = Guest(railgauge=pathlib.Path("build/railgauge"), machine=topology.two_sockets(), cache=folder)
    got = guest.run({"see": "railgauge see --json"}, files={"/etc/hostname": b"node07\\n"}, get=["/tmp/r.tar.zst"])
    got["see"].status, got["see"].out, got["see"].seconds, got.files["/tmp/r.tar.zst"]

QEMU emulates the processor, since nested virtualisation cannot be counted on: a boot takes some ten seconds, and times
seen in the guest are several times those of a real machine. Commands are busybox shell and run one after another. The
guest has no network outside itself. A guest that passes its deadline is killed and the end of its console is the error.
"""
import dataclasses
import pathlib
import shutil
import subprocess
import tarfile
import tempfile

import kernel as kernels
from host import die_with_parent, need
from initramfs import Initramfs

HERE = pathlib.Path(__file__).resolve().parent
DISK_MIB = 64
# Disk, cards and drives of the machines in topology.py.
DRIVERS = ["virtio_pci", "virtio_blk", "virtio_net", "e1000e", "nvme"]
TO_INSTALL = [("qemu-system-x86_64", "qemu-system-x86"), ("busybox", "busybox-static"), ("zstd", "zstd"),
              ("depmod", "kmod"), ("strip", "binutils")]
# Of a module folder what busybox's modprobe reads.
MODULE_LISTS = ["modules.dep", "modules.alias", "modules.symbols", "modules.builtin"]


class LabError(Exception):
    """The guest did not do what it was asked; the text holds the end of its console."""


@dataclasses.dataclass
class Said:
    status: int
    out: str
    err: str
    seconds: float


class Results(dict):
    """Said by name of command; `files` holds the bytes of what was asked for and was there."""

    def __init__(self):
        super().__init__()
        self.files = {}
        self.console = ""


class Guest:
    def __init__(self, railgauge, machine, cache):
        for program, package in TO_INSTALL:
            need(program, package, "guest")
        self.railgauge, self.machine = railgauge, machine
        self.kernel = kernels.fetch(pathlib.Path(cache))

    def run(self, commands, files=None, get=(), modules=(), programs=(), boot_words="",
            qemu_words=(), deadline=300):
        """Boots, runs {name: shell text} in order, powers off. `files` is {path in the guest: bytes}, `get` paths
        to hand back, `modules` are loaded after the drivers, `programs` are copied from this host, `boot_words` go onto
        the kernel's command line, `qemu_words` onto QEMU's."""
        with tempfile.TemporaryDirectory(prefix="railgauge-guest-") as folder:
            folder = pathlib.Path(folder)
            tree = self._tree(commands, files or {}, get, modules, programs)
            tree.write(folder / "initramfs")
            with open(folder / "disk", "wb") as disk:
                disk.truncate(DISK_MIB << 20)
            self._boot(folder, boot_words, qemu_words, deadline)
            return self._read(folder, commands, get)

    def _tree(self, commands, files, get, modules, programs):
        tree = Initramfs()
        tree.file("/init", (HERE / "init.sh").read_bytes(), 0o755)
        tree.file("/bin/busybox", pathlib.Path(shutil.which("busybox")).read_bytes(), 0o755)
        tree.link("/sbin/modprobe", "/bin/busybox")  # the kernel itself calls this one
        tree.file("/etc/hostname", b"guest\n")
        tree.program("/usr/bin/railgauge", self.railgauge)
        for program in programs:
            tree.program(program, pathlib.Path(program))
        for path in self.kernel.modules_with_needs([*DRIVERS, *modules]):
            tree.file(f"/lib/modules/{self.kernel.version}/{path}", (self.kernel.modules / path).read_bytes())
        for name in MODULE_LISTS:
            tree.file(f"/lib/modules/{self.kernel.version}/{name}", (self.kernel.modules / name).read_bytes())
        tree.file("/lab/modules", "".join(f"{name}\n" for name in [*DRIVERS, *modules]).encode())
        tree.file("/lab/get", "".join(f"{path}\n" for path in get).encode())
        tree.directory("/lab/commands")
        for number, (name, text) in enumerate(commands.items()):
            tree.file(f"/lab/commands/{number:03}-{name}", text.encode())
        for path, content in files.items():
            tree.file(path, content)
        return tree

    def _boot(self, folder, boot_words, qemu_words, deadline):
        console = folder / "console"
        words = f"console=ttyS0 panic=-1 quiet {boot_words}".strip()
        command = ["qemu-system-x86_64", "-accel", "tcg", "-cpu", "max", "-nodefaults", "-display", "none",
                   "-no-reboot", *self.machine.qemu_arguments(), "-kernel", str(self.kernel.image),
                   "-initrd", str(folder / "initramfs"), "-append", words, "-serial", f"file:{console}",
                   "-drive", f"file={folder / 'disk'},format=raw,if=none,id=out,cache=unsafe",
                   "-device", "virtio-blk-pci,drive=out,bus=pcie.0,addr=0x8", *qemu_words]
        qemu = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                preexec_fn=die_with_parent)
        try:
            _, err = qemu.communicate(timeout=deadline)
        except subprocess.TimeoutExpired:
            qemu.kill()
            qemu.communicate()
            raise LabError(f"the guest took more than {deadline} s; its console ends with\n{_end(console)}") from None
        finally:
            if qemu.poll() is None:
                qemu.kill()
        if qemu.returncode:
            raise LabError(f"QEMU ended with {qemu.returncode}: {err.decode(errors='replace')[-2000:]}")

    def _read(self, folder, commands, get):
        results = Results()
        results.console = (folder / "console").read_text(errors="replace")
        try:
            with tarfile.open(folder / "disk", "r:") as archive:
                content = {member.name.removeprefix("./"): archive.extractfile(member).read()
                           for member in archive if member.isfile()}
        except tarfile.TarError as error:
            content = {}
            results.console += f"\n(the disk holds no archive: {error})"
        if "done" not in content:
            raise LabError(f"the guest ended early; its console ends with\n{results.console[-3000:]}")
        for name in commands:
            status, start, end = content[f"{name}.status"].split()
            results[name] = Said(int(status), content[f"{name}.out"].decode(), content[f"{name}.err"].decode(),
                                 float(end) - float(start))
        results.files = {path: content[key] for path in get if (key := f"files/{path.replace('/', '@')}") in content}
        return results


def _end(console):
    return (console.read_text(errors="replace") if console.exists() else "")[-3000:] or "(nothing)"
