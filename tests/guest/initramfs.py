"""The guest's first and only file system: busybox, some programs with their libraries, kernel modules, own files.

    tree = Initramfs()
    tree.file("/etc/hostname", b"node07\\n")
    tree.program("/usr/bin/railgauge", pathlib.Path("build/railgauge"))
    tree.write(pathlib.Path("initramfs"))

Written as the cpio dialect that the kernel unpacks ("newc"), packed with zstd. Everything belongs to root and nothing
needs root to make.
"""
import pathlib
import re
import subprocess
import tempfile

DIRECTORY, FILE, LINK = 0o040755, 0o100000, 0o120777


class Initramfs:
    def __init__(self):
        self.entries = {}  # path without the first slash -> (mode, bytes)

    def directory(self, path):
        parts = pathlib.PurePosixPath(path).relative_to("/").parts
        for end in range(1, len(parts) + 1):
            self.entries.setdefault("/".join(parts[:end]), (DIRECTORY, b""))

    def file(self, path, content, mode=0o644):
        self.directory(pathlib.PurePosixPath(path).parent)
        self.entries[path.lstrip("/")] = (FILE | mode, content)

    def link(self, path, target):
        self.directory(pathlib.PurePosixPath(path).parent)
        self.entries[path.lstrip("/")] = (LINK, target.encode())

    def copy(self, path):
        """A file of this host under its own path."""
        self.file(str(path), pathlib.Path(path).read_bytes(), 0o755)

    def program(self, path, source):
        """A program of this host, without its debug information, and every library that ldd finds for it."""
        self.file(path, _stripped(source), 0o755)
        self.libraries(source)

    def libraries(self, source):
        listed = subprocess.run(["ldd", str(source)], capture_output=True, text=True).stdout
        for library in re.findall(r"(/\S+) \(0x", listed):
            self.copy(library)

    def write(self, to):
        packer = subprocess.Popen(["zstd", "-q", "-3", "-f", "-o", str(to)], stdin=subprocess.PIPE)
        # A folder must come before what lies in it, which is the order of names.
        for number, (path, (mode, content)) in enumerate(sorted(self.entries.items()), start=1):
            packer.stdin.write(_record(number, path, mode, content))
        packer.stdin.write(_record(0, "TRAILER!!!", 0, b""))
        packer.stdin.close()
        if packer.wait():
            raise OSError(f"zstd could not write {to}")


def _record(number, path, mode, content):
    name = path.encode() + b"\0"
    # inode, mode, owner, group, links, time, size, four device numbers, length of the name, no checksum
    fields = [number, mode, 0, 0, 1, 0, len(content), 0, 0, 0, 0, len(name), 0]
    header = b"070701" + b"".join(b"%08X" % field for field in fields)
    return _padded(header + name) + _padded(content)


def _padded(data):
    return data + b"\0" * (-len(data) % 4)


def _stripped(source):
    with tempfile.NamedTemporaryFile() as stripped:
        subprocess.run(["strip", "-o", stripped.name, str(source)], check=True)
        return pathlib.Path(stripped.name).read_bytes()
