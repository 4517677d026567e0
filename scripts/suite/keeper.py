"""Runs a part and keeps all that comes of it: who loses its parent becomes the keeper's child, so that nobody gets
away, whatever session it leads and whatever it has for an environment. Usage: keeper.py GRACE COMMAND [ARGUMENT …]"""

import contextlib
import ctypes
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

# linux/prctl.h
SET_PDEATHSIG, SET_CHILD_SUBREAPER = 1, 36


def descendants(root: int) -> list[int]:
    """Whoever lives and comes of this process."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            state, parent = (entry / "stat").read_text(errors="replace").rpartition(")")[2].split()[:2]
            if state not in "ZX":
                children.setdefault(int(parent), []).append(int(entry.name))
    found, waiting = [], [root]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += below
    return found


def name(process: int) -> str:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{process}/comm").read_text(errors="replace").strip()
    return "a process"


def kill(processes: list[int]) -> None:
    for process in processes:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)


def main(grace: float, command: list[str]) -> None:
    control = ctypes.CDLL(None, use_errno=True).prctl
    for option, value in ((SET_CHILD_SUBREAPER, 1), (SET_PDEATHSIG, signal.SIGTERM)):
        if control(option, value, 0, 0, 0) != 0:
            sys.exit(f"keeper: prctl {option}: {os.strerror(ctypes.get_errno())}")
    # Handlers, for what is ignored would be ignored by the part, too. It is not begun if the run has ended already.
    signal.signal(signal.SIGALRM, lambda *_: kill(descendants(os.getpid())))
    first = None

    def ask(*_):
        signal.setitimer(signal.ITIMER_REAL, grace, 0.1)
        if first:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(first.pid, signal.SIGTERM)

    signal.signal(signal.SIGTERM, ask)
    first = subprocess.Popen(command, start_new_session=True)
    status = None
    while status is None:
        number, ended = os.wait()
        status = ended if number == first.pid else None
    signal.setitimer(signal.ITIMER_REAL, 0)
    end_what_is_left()
    leave(os.waitstatus_to_exitcode(status))


def end_what_is_left() -> None:
    """Until there is no child any more: then there is no descendant either. What it was is the part's last line."""
    left = descendants(os.getpid())
    if left:
        print(f"left running, and ended: {', '.join(sorted(map(name, left)))}", flush=True)
    with contextlib.suppress(ChildProcessError):
        while True:
            kill(descendants(os.getpid()))
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
            time.sleep(0.005)


def leave(status: int) -> None:
    """As the part has left."""
    if status < 0:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with contextlib.suppress(OSError):
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    os._exit(status)


if __name__ == "__main__":
    main(float(sys.argv[1]), sys.argv[2:])
