"""The guest's kernel: the distribution's generic one, fetched and unpacked without installing it.

    kernel = fetch(pathlib.Path("build/guest"))    # downloads 70 MB once
    kernel.image, kernel.version, kernel.modules_with_needs(["nvme"])

The kernel for clouds lacks rdma_rxe, so it is not used. Whatever stands in the way is a Missing, which says what to
install.
"""
import fnmatch
import pathlib
import re
import shutil
import subprocess
import tarfile

from host import Missing, need

# What no guest here has use for, and most of the package: 300 of 400 MB.
UNUSED = [f"*/kernel/{part}/*" for part in
          ("sound", "drivers/gpu", "drivers/media", "drivers/staging", "drivers/net/wireless", "drivers/usb",
           "drivers/iio", "drivers/scsi", "drivers/hid", "drivers/input", "drivers/hwmon")]


class Kernel:
    def __init__(self, folder):
        self.folder = folder
        self.image = next(folder.glob("boot/vmlinuz-*"))
        self.version = self.image.name.removeprefix("vmlinuz-")
        self.modules = folder / "lib/modules" / self.version

    def modules_with_needs(self, names):
        """Paths below /lib/modules/VERSION of modules and of all they need."""
        needs, path_of = {}, {}
        for line in (self.modules / "modules.dep").read_text().splitlines():
            path, _, rest = line.partition(":")
            needs[path] = rest.split()
            path_of[pathlib.Path(path).name.split(".ko")[0].replace("-", "_")] = path
        built_in = (self.modules / "modules.builtin").read_text().replace("-", "_")
        out = set()
        for name in (name.replace("-", "_") for name in names):
            if name in path_of:
                out |= {path_of[name], *needs[path_of[name]]}
            elif f"/{name}.ko" not in built_in:
                raise Missing(f"kernel {self.version} has no module {name}")
        return sorted(out)


def fetch(cache):
    """The kernel in the cache folder; downloads and unpacks it when it is not there."""
    ready = cache / "kernel"
    if not ready.is_dir():
        shutil.rmtree(cache / "kernel.new", ignore_errors=True)
        cache.mkdir(parents=True, exist_ok=True)
        package = _download(cache)
        _unpack(package, cache / "kernel.new")
        package.unlink()
        (cache / "kernel.new").rename(ready)
    return Kernel(ready)


def _download(cache):
    need("apt-get", "apt, on a Debian", "guest")
    need("dpkg-deb", "dpkg", "guest")
    listed = subprocess.run(["apt-cache", "depends", "linux-image-amd64"], capture_output=True, text=True)
    found = re.search(r"Depends: (linux-image-[0-9]\S*-amd64)$", listed.stdout, re.MULTILINE)
    if not found:
        raise Missing("apt knows no package linux-image-amd64: apt-get update; proved on Debian 12 only")
    got = subprocess.run(["apt-get", "download", "-q", found[1]], cwd=cache, capture_output=True, text=True)
    packages = sorted(cache.glob(f"{found[1]}_*.deb"))
    if got.returncode or not packages:
        raise Missing(f"{found[1]} could not be downloaded: {got.stderr.strip()[-300:]}")
    return packages[-1]


def _unpack(package, folder):
    need("depmod", "kmod", "guest")
    reading = subprocess.Popen(["dpkg-deb", "--fsys-tarfile", str(package)], stdout=subprocess.PIPE)
    with tarfile.open(fileobj=reading.stdout, mode="r|") as archive:
        for member in archive:
            wanted = member.name.startswith(("./boot/vmlinuz-", "./lib/modules/"))
            if wanted and not any(fnmatch.fnmatch(member.name, unused) for unused in UNUSED):
                archive.extract(member, folder)
    if reading.wait():
        raise Missing(f"{package} is damaged: remove it and try again")
    version = next(folder.glob("lib/modules/*")).name
    subprocess.run(["/sbin/depmod", "-b", str(folder), version], check=True)
