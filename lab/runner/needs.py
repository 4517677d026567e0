"""What a board needs of the machine it runs on, each missing thing told with its remedy."""

import os
import shutil
import subprocess
from pathlib import Path

from .patience import MAKING, TookTooLong, run

LAB = Path(__file__).resolve().parent.parent


class CannotBoot(Exception):
    """A board cannot be booted here; the text says what is missing."""


def made(*command: str) -> Path:
    """The path that one of the lab's makers prints; makes what the cache does not hold."""
    path = LAB / command[0]
    try:
        result = run([path, *command[1:]], MAKING, stdout=subprocess.PIPE, text=True)
    except TookTooLong as late:
        raise CannotBoot(f"lab/{command[0]} does not end: {late}") from None
    if result.returncode != 0 or not result.stdout.strip():
        raise CannotBoot(f"{' '.join(['lab/' + command[0], *command[1:]])} failed; what it said stands above")
    return Path(result.stdout.strip().splitlines()[-1])


def isolation() -> list[str]:
    """The command in front of a board's kernel: when we or it end, however that comes, nothing of it runs on.

    The kernel is not the first process of its namespace itself: that one ignores the signal by which a
    kernel that panics ends."""
    if os.geteuid() != 0:
        raise CannotBoot("a board needs root: to others the guest's own files would not seem to be root's")
    for program in ("unshare", "setpriv"):
        if not shutil.which(program):
            raise CannotBoot(f"no program {program} (package util-linux)")
    command = ["setpriv", "--pdeathsig", "KILL", "unshare", "--pid", "--mount-proc", "--fork", "--kill-child",
               "sh", "-c", '"$@"; exit $?', "board"]
    tried = run([*command, "true"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if tried.returncode != 0:
        raise CannotBoot(f"this machine allows no namespace of processes: {tried.stderr.strip()}")
    return command


def memory_folder(megabytes: int, spare: Path) -> Path:
    """Where the kernel keeps the guest's memory: a file that must be mapped executable."""
    reasons = []
    for folder in (Path("/dev/shm"), spare):
        reason = unfit(folder, megabytes)
        if reason is None:
            return folder
        reasons.append(reason)
    raise CannotBoot("no place for the guest's memory: " + "; ".join(reasons))


def unfit(folder: Path, megabytes: int) -> str | None:
    try:
        state = os.statvfs(folder)
    except OSError as error:
        return f"{folder}: {error.strerror}"
    if state.f_flag & os.ST_NOEXEC:
        return f"{folder} is mounted noexec"
    free = state.f_bavail * state.f_frsize // 2**20
    return None if free >= megabytes else f"{folder} has {free} MB free, {megabytes} MB are needed"


def can_trace() -> None:
    """The kernel runs its guest's programs by ptrace, which containers sometimes forbid."""
    try:
        scope = Path("/proc/sys/kernel/yama/ptrace_scope").read_text().strip()
    except OSError:
        return
    if scope == "3":
        raise CannotBoot("kernel.yama.ptrace_scope is 3: no program may trace another, and a board has to")
