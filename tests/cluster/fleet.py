"""Nodes to log in to: an own sshd on loopback for each, with a host name of its own and keys for this test alone.

    with Fleet(folder, ["node01", "node02"]) as fleet:
        subprocess.run(["ssh", "node01", "hostname"], env=fleet.environment)

The nodes share this machine's kernel and files; a UTS namespace gives each its name. The ssh and scp of `environment`
know the nodes and look at no file of the user.
"""
import os
import pathlib
import subprocess

from tools import Daemons, free_port

from host import PATH, need, need_root

TO_INSTALL = [("sshd", "openssh-server"), ("ssh", "openssh-client"), ("unshare", "util-linux")]
PRIVILEGE_SEPARATION = pathlib.Path("/run/sshd")  # compiled into Debian's sshd

SERVER = """
Port {port}
ListenAddress 127.0.0.1
HostKey {folder}/host
AuthorizedKeysFile {folder}/user.pub
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
PermitRootLogin prohibit-password
MaxStartups 100
Subsystem sftp internal-sftp
"""
CLIENT = """
Host {name}
  HostName 127.0.0.1
  Port {port}
  HostKeyAlias railgauge-test
"""
CLIENT_FOR_ALL = """
Host *
  IdentityFile {folder}/user
  IdentitiesOnly yes
  UserKnownHostsFile {folder}/known
  GlobalKnownHostsFile /dev/null
  StrictHostKeyChecking yes
  BatchMode yes
  ConnectTimeout 10
  LogLevel ERROR
"""


class Fleet:
    def __init__(self, folder, names):
        for program, package in TO_INSTALL:
            need(program, package, "cluster")
        need_root("gives each node a host name of its own")
        self.folder, self.names = folder, names
        folder.mkdir()
        self.daemons = Daemons(folder)
        self.environment = {}
        self.made_directory = False

    def __enter__(self):
        try:
            self._start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.daemons.stop()
        if self.made_directory:
            PRIVILEGE_SEPARATION.rmdir()

    def _start(self):
        for key in ("host", "user"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", self.folder / key],
                           check=True)
        (self.folder / "known").write_text("railgauge-test " + (self.folder / "host.pub").read_text())
        if not PRIVILEGE_SEPARATION.exists():
            PRIVILEGE_SEPARATION.mkdir(mode=0o755)
            self.made_directory = True
        client = ""
        for name in self.names:
            port = free_port()
            (self.folder / f"{name}.conf").write_text(SERVER.format(port=port, folder=self.folder))
            sshd = ["/usr/sbin/sshd", "-D", "-e", "-f", str(self.folder / f"{name}.conf")]
            self.daemons.start(f"sshd-{name}", self.under(name, sshd))
            client += CLIENT.format(name=name, port=port)
        (self.folder / "client.conf").write_text(client + CLIENT_FOR_ALL.format(folder=self.folder))
        self._wrap("ssh", "scp", "sftp")
        self.environment = {"PATH": f"{self.folder / 'bin'}:{PATH}", "HOME": os.environ.get("HOME", "/"),
                            "LC_ALL": "C.UTF-8"}
        for name in self.names:
            self.daemons.until(f"ssh to {name}", lambda host=name: self._answers(host))

    def under(self, name, command):
        """The command under the host name of a node. What it starts ends with it: a PID namespace sees to that."""
        alone = ["unshare", "--uts", "--pid", "--fork", "--kill-child", "--mount-proc"]
        return [*alone, "sh", "-c", 'hostname "$0" && exec "$@"', name, *command]

    def _wrap(self, *programs):
        (self.folder / "bin").mkdir()
        for program in programs:
            wrapper = self.folder / "bin" / program
            wrapper.write_text(f'#!/bin/sh\nexec /usr/bin/{program} -F {self.folder}/client.conf "$@"\n')
            wrapper.chmod(0o755)

    def _answers(self, name):
        said = subprocess.run(["ssh", name, "hostname"], env=self.environment, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=20)
        return said.stdout == f"{name}\n"
