"""The command line: scripts/test."""

import contextlib
import fcntl
import os
import shutil
import sys

from .asked import asked
from .closing import report_all
from .part import BadSelection, Part, selected
from .parts import TOP, parts
from .schedule import Schedule

FOLDER = TOP / ".build/suite"


def main(arguments: list[str]) -> int:
    """Takes the seconds that installing took, and the groups; none means all."""
    installing, *groups = arguments
    os.chdir(TOP)
    FOLDER.mkdir(parents=True, exist_ok=True)
    with open(FOLDER / "lock", "w", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return run(chosen(groups), float(installing))
        except BlockingIOError:
            print("test: another run is under way in this checkout", file=sys.stderr)
        except BadSelection as wrong:
            print(f"test: {wrong}", file=sys.stderr)
    return 2


def run(parts_of_it: list[Part], installing: float) -> int:
    logs = FOLDER / "logs"
    shutil.rmtree(logs, ignore_errors=True)
    logs.mkdir()
    with asked() as requests:
        schedule = Schedule(parts_of_it, len(os.sched_getaffinity(0)), logs, installing, write_line, requests)
        passed = False
        try:
            schedule.run()
        finally:
            passed = report_all(schedule, FOLDER, write_line)
        return 128 + requests[0] if requests else 0 if passed else 1


def chosen(groups: list[str]) -> list[Part]:
    """What only root can do is refused now, not after half an hour, or left out where the rest means something."""
    everything = parts()
    if os.geteuid() == 0:
        return selected(everything, groups)
    if not groups or {"board", "bluetooth"} & set(groups):
        raise BadSelection("boards have a Debian of their own, which only root can unpack: be root, or name other parts")
    kept = selected([part for part in everything if not part.needs_root], groups)
    for part in selected(everything, groups):
        if part.needs_root:
            write_line(f"{part.name}: left out, for it needs root")
    return kept


def write_line(line: str) -> None:
    # Whoever listened may have gone; what runs is ended in order all the same.
    with contextlib.suppress(OSError):
        print(line, flush=True)
