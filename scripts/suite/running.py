"""A part that runs: its processes, its log, its certain end."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from . import keeper, limits
from .part import Part

# Every process of a part inherits it, for the case that its keeper is killed. A run within a run adds to it.
MARK = "TAPSTILE_PARTS"


@dataclass(frozen=True)
class Ended:
    """What became of a part. `processor` is the time of all its processes that were waited for, in seconds."""

    part: Part
    began: float
    seconds: float
    processor: float
    passed: bool
    why: str
    log: Path


class Running:
    """A part from its start on, which is its keeper's."""

    def __init__(self, part: Part, log: Path, began: float):
        self.part = part
        self.log = log
        self.began = began
        self._started = time.monotonic()
        self._asked: float | None = None
        self._why = ""
        self.mark = f"{part.name}/{os.getpid()}"
        marks = " ".join(filter(None, [os.environ.get(MARK), self.mark]))
        command = [sys.executable, "-IBS", keeper.__file__, str(limits.GRACE), *part.command]
        with log.open("wb") as output:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
                env={**os.environ, **part.environment, MARK: marks})

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._started

    def look(self) -> Ended | None:
        """Whether it has ended; what exceeds its limit is ended."""
        number, status, used = os.wait4(self._process.pid, os.WNOHANG)
        if number == 0:
            self._mind_the_limit()
            return None
        self._process.returncode = os.waitstatus_to_exitcode(status)
        self._end_what_is_left()
        self._cut_the_log()
        passed = self._process.returncode == 0 and not self._why
        why = self._why or ("" if passed else f"ended with status {self._process.returncode}")
        return Ended(self.part, self.began, self.seconds, used.ru_utime + used.ru_stime, passed, why, self.log)

    def stop(self, why: str) -> None:
        """Asks it to end, once; what does not is killed after the grace."""
        if self._asked is None:
            self._why = why
            self._asked = time.monotonic()
            # A keeper that was stopped hears nothing until it goes on.
            self._signal(signal.SIGCONT)
            self._signal(signal.SIGTERM)

    def _mind_the_limit(self) -> None:
        if self._asked is None and self.seconds > 60 * self.part.minutes:
            self.stop(f"did not end within {self.part.minutes:g} minutes and was ended")
        elif self.log.stat().st_size > limits.MOST_SAID:
            self.stop(f"said more than {limits.MOST_SAID:,} bytes and was ended")
            keeper.kill(keeper.descendants(self._process.pid))
        elif self._asked is not None and time.monotonic() - self._asked > limits.GRACE:
            # Its keeper does this, too, unless somebody has stopped that one.
            self._signal(signal.SIGCONT)
            keeper.kill(keeper.descendants(self._process.pid))

    def _signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._process.pid, number)

    def _end_what_is_left(self) -> None:
        """By its id, whatever still carries the part's mark."""
        while left := marked(self.mark):
            keeper.kill(left)
            time.sleep(0.01)

    def _cut_the_log(self) -> None:
        if self.log.stat().st_size > limits.MOST_SAID:
            self._why = self._why or f"said more than {limits.MOST_SAID:,} bytes"
            os.truncate(self.log, limits.MOST_SAID)


def marked(mark: str) -> list[int]:
    """Whoever carries it in its environment."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            variables = (entry / "environ").read_bytes().split(b"\0")
            marks = next((one for one in variables if one.startswith(f"{MARK}=".encode())), b"=")
            if mark.encode() in marks.partition(b"=")[2].split():
                found.append(int(entry.name))
    return found
