"""Which part runs when: in the order in which they stand, as soon as what they need is there and a processor is free."""

import time
from pathlib import Path

from . import limits
from .part import Part
from .running import Ended, Running


class Schedule:
    """One run, which began with so many seconds of installing. `tell` takes a line for people; `requests` has something
    in it as soon as somebody wants it to end (asked.py)."""

    def __init__(self, parts: list[Part], processors: int, logs: Path, installing: float, tell, requests=()):
        names = {part.name for part in parts}
        for part in parts:
            if not names.issuperset(part.needs):
                raise ValueError(f"{part.name} needs {', '.join(set(part.needs) - names)}, which is no part of this run")
        self._waiting = list(parts)
        self._running: list[Running] = []
        self.ended: list[Ended] = []
        self.not_begun: dict[str, str] = {}
        self._requests = requests
        self.installing = installing
        self._processors = processors
        self._logs = logs
        self._say = tell
        self._began = time.monotonic() - installing

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._began

    def run(self) -> None:
        """Returns when nothing runs any more, however that came."""
        try:
            while self._waiting or self._running:
                self._look()
                self._mind_the_end()
                self._start_what_fits()
                time.sleep(0.1)
        finally:
            self._give_up("the run was ended")
            while self._running:
                self._look()
                time.sleep(0.1)

    def _mind_the_end(self) -> None:
        if self._requests:
            self._give_up(f"the run was ended by {self._requests[0].name}")
        elif self.seconds > 60 * (minutes := limits.RUN * max(1, 2 / self._processors)):
            self._give_up(f"the run did not end within {minutes:g} minutes")

    def _look(self) -> None:
        for running in list(self._running):
            ended = running.look()
            if ended is not None:
                self._running.remove(running)
                self.ended.append(ended)
                self._report_end(ended)
        self._drop_what_cannot_run()

    def _tell(self, line: str) -> None:
        self._say(f"[{self.seconds:6.0f}] {line}")

    def _report_end(self, ended: Ended) -> None:
        result = "passed" if ended.passed else f"FAILED: {ended.why}"
        self._tell(f"{ended.part.name}: {result} ({ended.seconds:.0f} s, {ended.processor:.0f} s of processors)")

    def _drop_what_cannot_run(self) -> None:
        missing = {ended.part.name for ended in self.ended if not ended.passed} | set(self.not_begun)
        for part in list(self._waiting):
            lost = [need for need in part.needs if need in missing]
            if lost:
                self._waiting.remove(part)
                self.not_begun[part.name] = f"needs {', '.join(lost)}"
                self._drop_what_cannot_run()
                return

    def _start_what_fits(self) -> None:
        there = {ended.part.name for ended in self.ended if ended.passed}
        for part in list(self._waiting):
            if there.issuperset(part.needs) and self._has_room(part):
                self._waiting.remove(part)
                self._tell(f"{part.name}: begins")
                self._start(part, self._logs / f"{part.name}.log")

    def _start(self, part: Part, log: Path) -> None:
        try:
            self._running.append(Running(part, log, self.seconds))
        except OSError as error:
            log.write_text(f"{error}\n", encoding="utf-8")
            self.ended.append(Ended(part, self.seconds, 0, 0, False, f"could not be started: {error}", log))
            self._report_end(self.ended[-1])

    def _has_room(self, part: Part) -> bool:
        busy = sum(running.part.processors for running in self._running)
        return busy + part.processors <= self._processors or busy == 0

    def _give_up(self, why: str) -> None:
        for part in self._waiting:
            self.not_begun[part.name] = why
        self._waiting.clear()
        for running in self._running:
            running.stop(why)
