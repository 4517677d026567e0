"""One board in a box: its kernel as a process of ours, its console as lines."""

import os
import queue
import signal
import subprocess
import threading
import time
from pathlib import Path

from runner.needs import isolation, memory_folder
from runner.patience import KILLED, TookTooLong, ended

# Megabytes.
MEMORY = 192


class BoardSilent(Exception):
    """The board did not say in time what was waited for."""


class SwitchedOff(Exception):
    """No board is started any more: the run is being ended."""


class Board:
    """A user-mode Linux kernel in a process group of its own. The host's file system is its root."""

    _all = set()
    _lock = threading.Lock()
    _is_over = False

    def __init__(self, kernel, init, folder, disk, environment, cache=None, before=()):
        """`cache` is the seed of a disk with a cache of its own; None: what is written is on the disk. `before` is the
        beginning of the command."""
        self.lines = []
        self._new = queue.Queue()
        home = os.path.join(folder, "uml")
        os.makedirs(home, exist_ok=True)
        command = [*before, *isolation(), *_cached(folder, disk, cache), kernel, f"mem={MEMORY}M", f"uml_dir={home}/",
                   "rootfstype=hostfs", "rootflags=/", "rw", f"init={init}", f"ubd0={disk}",
                   "con0=fd:0,fd:1", "con=null", "quiet"]
        command += [f"{name}={value}" for name, value in environment.items()]
        memory = {"TMPDIR": str(memory_folder(MEMORY, Path(folder)))}
        with Board._lock:
            if Board._is_over:
                raise SwitchedOff
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                start_new_session=True, env={**os.environ, **memory})
            Board._all.add(self)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self._process.stdout:
            # Half a line at the moment of the cut was never said.
            if line.endswith(b"\n"):
                self._new.put(line.decode(errors="replace").rstrip())
        self._new.put(None)

    def wait_for(self, begin, seconds):
        """The next line that begins so. What comes before it is kept in `lines`, as it is."""
        deadline = time.monotonic() + seconds
        while True:
            line = self.next_line(deadline - time.monotonic())
            if line is None:
                end = "\n  ".join(self.lines[-15:])
                raise BoardSilent(f"waited {seconds} s for '{begin}'; the end of the console:\n  {end}")
            if line.startswith(begin):
                return line
            if line.startswith("board: gave up"):
                raise BoardSilent(line)

    def next_line(self, seconds):
        """The next line of the console; None when there is none in time, or the board is off."""
        try:
            line = self._new.get(timeout=max(0, seconds))
        except queue.Empty:
            return None
        if line is not None:
            self.lines.append(line)
        return line

    def listen(self, seconds):
        """Takes in what is said for so long."""
        deadline = time.monotonic() + seconds
        while self.next_line(deadline - time.monotonic()) is not None:
            pass

    def cut(self):
        """Takes the power away: every process of the board is killed at once, in the middle of whatever it does."""
        with Board._lock:
            self._kill()
        ended(self._process, "the board that was cut")
        self._reader.join(KILLED)
        if self._reader.is_alive():
            raise TookTooLong(f"the console of the board that was cut was not closed within {KILLED} s")
        while self.next_line(0) is not None:
            pass

    def _kill(self):
        if self in Board._all:
            Board._all.remove(self)
            os.killpg(self._process.pid, signal.SIGKILL)

    @classmethod
    def end_all(cls):
        """Kills every board, and lets none start."""
        with cls._lock:
            cls._is_over = True
            for board in list(cls._all):
                board._kill()


def _cached(folder, disk, seed):
    if seed is None:
        return []
    return ["env", f"LD_PRELOAD={folder}/cache.so", f"DISK_FILE={disk}", f"DISK_SEED={seed}"]
