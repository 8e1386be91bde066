"""What `railgauge record` in the guest may and may not have written, and that it changed nothing there."""
import difflib
import io
import json
import subprocess
import tarfile

import seeds
import topology


class Archive:
    """A recording, unpacked in memory: names, link targets and contents."""

    def __init__(self, packed):
        plain = subprocess.run(["zstd", "-dcq"], input=packed, stdout=subprocess.PIPE, check=True).stdout
        self.files, self.links = {}, {}
        with tarfile.open(fileobj=io.BytesIO(plain)) as tar:
            for member in tar:
                if member.isfile():
                    self.files[member.name] = tar.extractfile(member).read()
                elif member.issym():
                    self.links[member.name] = member.linkname

    def where(self, word):
        """Every place at which a word stands, in any case of letters."""
        word = word.lower()
        found = [f"path {path}" for path in [*self.files, *self.links] if word in path.lower()]
        found += [f"link {path} -> {to}" for path, to in self.links.items() if word in to.lower()]
        return found + [path for path, content in self.files.items() if word.encode() in content.lower()]


def difference(a, b):
    return "\n".join(difflib.unified_diff(a.splitlines(), b.splitlines(), "live", "recorded", lineterm="", n=0))


def check_same(suite, claim, live, recorded):
    suite.check(claim, live and live == recorded, difference(live, recorded) or "nothing was printed")


def check_absent(suite, claim, archive, words):
    found = {word: archive.where(word)[:3] for word in words if archive.where(word)}
    suite.check(claim, not found, str(found))


def check_kept(suite, got, packed, see):
    """A recording that keeps identities: what is drawn from it is what was drawn in the guest."""
    archive = Archive(packed)
    check_same(suite, "see of the recording is see in the guest", got["see"].out, see(packed))
    check_absent(suite, "no secret is in a recording that keeps identities", archive, seeds.SECRETS)
    suite.check("the host's name is kept", json.loads(archive.files["manifest.json"])["hostname"] == seeds.HOSTNAME)
    suite.check("the interface's name is kept", archive.where(seeds.INTERFACE))


def check_replaced(suite, got, packed, see):
    archive = Archive(packed)
    check_same(suite, "see of the recording is see --replace-identities in the guest", got["see-replaced"].out,
               see(packed))
    check_absent(suite, "no secret is in a recording", archive, seeds.SECRETS)
    check_absent(suite, "no identity is in a recording", archive, seeds.identities())
    suite.check("the manifest says that identities are replaced",
                json.loads(archive.files["manifest.json"]).get("identities") == "replaced")


def check_unchanged(suite, got):
    """Settings, mounts, modules and the files of the guest, before and after recording."""
    before, after = got["state-before"].out, got["state-after"].out
    suite.check("there is a state to compare", len(before.splitlines()) > 200, before[:300])
    suite.check("recording changes nothing", before == after, difference(before, after))


def check_interval(suite, packed, see):
    """A second sample of the counters, so that they become rates."""
    archive = Archive(packed)
    after = json.loads(archive.files.get("samples/1/sample.json", b"{}")).get("after_ms", 0)
    counters = [path for path in archive.files if path.startswith("samples/1/") and path != "samples/1/sample.json"]
    suite.check("the second sample is two seconds later", 2000 <= after < 60_000, f"after {after} ms")
    suite.check("the second sample repeats files of the first",
                counters and all(path.removeprefix("samples/1/") in archive.files for path in counters),
                str(counters[:5]))
    devices = json.loads(see(packed, "--json"))["result"]["machine"]["devices"]
    card = next(d for d in devices if d["pci_address"] == topology.MARKED)
    errors = card["pci"].get("aer_correctable_per_second", {})
    suite.check("bad packets between the samples are a rate", errors.get("BadTLP") and not errors.get("RxErr"),
                str(errors))
    traffic = [rate for port in card["ports"] for rate in port.get("counters_per_second", {}).values()]
    suite.check("traffic between the samples is a rate", any(traffic), str(card["ports"]))


def print_figures(got, files):
    for name, path in (("record-kept", "kept"), ("record-replaced", "replaced"), ("record-interval", "interval")):
        print(f"figure: {name} took {got[name].seconds:.2f} s in the guest, {len(files[path])} bytes")
