"""Slurm with its own configuration, keys and ports: a controller, and one slurmd for each node of a Fleet.

    with Slurm(folder, fleet) as slurm:
        subprocess.run(["srun", "--nodes=2", "hostname"], env=slurm.environment)
"""
import secrets
import socket
import subprocess

from tools import Daemons, free_port

from host import need

TO_INSTALL = [("slurmctld", "slurmctld"), ("slurmd", "slurmd"), ("srun", "slurm-client"), ("munged", "munge")]
CONFIGURATION = """
ClusterName=railgauge
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SchedulerType=sched/builtin
ReturnToService=2
MpiDefault=none
{nodes}
PartitionName=all Nodes=ALL Default=YES State=UP
"""


class Slurm:
    def __init__(self, folder, fleet):
        for program, package in TO_INSTALL:
            need(program, package, "cluster")
        self.folder, self.fleet = folder, fleet
        (folder / "state").mkdir(parents=True)
        folder.chmod(0o755)
        self.daemons = Daemons(folder)
        self.environment = {**fleet.environment, "SLURM_CONF": str(folder / "slurm.conf")}

    def __enter__(self):
        try:
            self._start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.daemons.stop()

    def _start(self):
        self._munge()
        nodes = "\n".join(f"NodeName={name} NodeHostname={name} NodeAddr=127.0.0.1 Port={free_port()} CPUs=1"
                          for name in self.fleet.names)
        text = CONFIGURATION.format(host=socket.gethostname(), port=free_port(), folder=self.folder, nodes=nodes)
        (self.folder / "slurm.conf").write_text(text)
        self.daemons.start("slurmctld", ["slurmctld", "-D"], env=self.environment)
        for name in self.fleet.names:
            self.daemons.start(f"slurmd-{name}", self.fleet.under(name, ["slurmd", "-D", "-N", name]),
                               env=self.environment)
        self.daemons.until("all Slurm nodes idle", self._all_idle)

    def _munge(self):
        key = self.folder / "munge.key"
        key.write_bytes(secrets.token_bytes(128))
        key.chmod(0o400)
        # Its checks of folders look up to the root, and folders for temporary files are open to all.
        self.daemons.start("munged", ["munged", "--foreground", "--force", f"--key-file={key}",
                                      f"--socket={self.folder}/munge.socket", f"--pid-file={self.folder}/munged.pid",
                                      f"--log-file={self.folder}/munged.log", f"--seed-file={self.folder}/munged.seed"])
        self.daemons.until("munged", (self.folder / "munge.socket").exists)

    def _all_idle(self):
        said = subprocess.run(["sinfo", "-h", "-N", "-o", "%T"], env=self.environment, capture_output=True, text=True)
        return said.stdout.split() == ["idle"] * len(self.fleet.names)
