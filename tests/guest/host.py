"""What tests need of the host they run on."""
import ctypes
import os
import shutil
import signal

PATH = "/usr/sbin:/usr/bin:/sbin:/bin:/usr/local/bin"


class Missing(Exception):
    """Something that has to be installed first, or a right that this user does not have."""


def need(program, package, install_set):
    if not shutil.which(program, path=PATH):
        raise Missing(f"{program} is not installed (package {package}): tools/setup.sh {install_set}")


def need_root(why):
    if os.geteuid() != 0:
        raise Missing(f"needs root: {why}")


def die_with_parent():
    """For preexec_fn: a test that is killed leaves nothing running."""
    PR_SET_PDEATHSIG = 1  # linux/prctl.h
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
