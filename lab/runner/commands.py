"""The command line of lab/board."""

import argparse
import contextlib
import fnmatch
import queue
import re
import shutil
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path

from . import needs, patience
from .machine import Machine
from .results import Results
from .shared_folder import fill

QUICK_MEMORY, WHOLE_MEMORY = 768, 512

ONLY_ON = re.compile(r"^# Told on Debian (1[23]) only: ", re.MULTILINE)


def main(arguments: list[str]) -> int:
    options = read(arguments)
    # A board's end is in a `finally`: what asks politely for ours has to come as an exception.
    # A shell that put us in the background has us ignore it; a board is ended by it all the same.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        needs.can_trace()
        kernel = needs.made("kernel/build")
        boards = [Board(kernel, options, debian) for debian in (options.debian or [None])]
        return run_all(boards)
    except needs.CannotBoot as missing:
        print(f"board: cannot boot: {missing}", file=sys.stderr)
        return 1
    except patience.TookTooLong as late:
        print(f"board: {late}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def read(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="lab/board", description=__doc__)
    modes = parser.add_subparsers(dest="mode", required=True)
    quick = modes.add_parser("quick", help="on the host's own file system, nothing written")
    quick.add_argument("scenarios", nargs="+", type=Path, metavar="SCRIPT")
    quick.set_defaults(debian=None, packages=None, only="*")
    whole = modes.add_parser("whole", help="a Debian of its own, with systemd")
    whole.add_argument("--debian", action="append", choices=["12", "13"], required=True,
                       help="twice: both boards at the same time")
    whole.add_argument("--beside", action="append", choices=["12", "13"], default=[],
                       help="another board of the same run, which tells what is told once")
    whole.add_argument("--packages", type=Path, metavar="DIR", help="DIR/12 and DIR/13 hold the packages under test")
    whole.add_argument("--only", default="*", metavar="PATTERN", help="scenarios whose names match")
    whole.add_argument("scenarios", nargs="*", type=Path, metavar="SCENARIO")
    for mode, seconds, memory in ((quick, patience.QUICK_RUN, QUICK_MEMORY), (whole, patience.WHOLE_RUN, WHOLE_MEMORY)):
        mode.add_argument("--timeout", type=float, default=seconds, metavar="S", help="bound of the run (%(default)s)")
        mode.add_argument("--scenario-timeout", type=int, default=patience.SCENARIO, metavar="S", help="of each (%(default)s)")
        mode.add_argument("--memory", type=int, default=memory, metavar="MB", help="of the guest (%(default)s)")
        mode.add_argument("--tool", action="append", type=Path, default=[], metavar="FILE",
                          help="a program that scenarios find in /lab/tools")
        mode.add_argument("--set", action="append", default=[], metavar="NAME=VALUE",
                          help="for the scenarios' environment; no spaces")
        mode.add_argument("--out", type=Path, metavar="DIR", help="keep here what scenarios leave in /lab/out")
    return parser.parse_args(arguments)


class Board:
    """One run of one board: its folder, its machine, its results."""

    def __init__(self, kernel: Path, options: argparse.Namespace, debian: str | None):
        self.kernel = kernel
        self.options = options
        self.debian = debian
        self.name = f"debian-{debian}" if debian else "quick"
        self.image = needs.made("image/build", debian) if debian else None
        self.results = Results()

    def run(self, stop: threading.Event) -> None:
        with tempfile.TemporaryDirectory(prefix="tapstile-board-") as name:
            folder = Path(name)
            scenarios = self._scenarios()
            shared = fill(folder / "lab", scenarios, self._packages(), self.options.tool)
            machine = Machine(self.name, self.kernel, folder, self.options.memory, self._arguments(folder, shared))
            trouble = machine.run(self.options.timeout, stop)
            self.results = Results.read(shared / "out/results", [path.name for path in scenarios])
            if trouble is not None:
                machine.log(f"not ok: {trouble}")
                self.results.failed.append("power-off")
                self.results.reasons["power-off"] = trouble
            self._keep(shared / "out")

    def _scenarios(self) -> list[Path]:
        if self.options.scenarios:
            return self.options.scenarios
        listed = sorted((needs.LAB / "scenarios").glob("[0-9]*"))
        return [path for path in listed if fnmatch.fnmatch(path.name, self.options.only) and self._is_told_here(path)]

    def _is_told_here(self, scenario: Path) -> bool:
        """Where one Debian tells what the other would, the scenario names the one. It is told here where that one is not there."""
        match = ONLY_ON.search(scenario.read_text(encoding="utf-8"))
        return match is None or match[1] == self.debian or match[1] not in (*self.options.debian, *self.options.beside)

    def _packages(self) -> Path | None:
        if self.options.packages is None or self.debian is None:
            return None
        return self.options.packages / self.debian

    def _arguments(self, folder: Path, shared: Path) -> list[str]:
        settings = [f"lab_seconds={self.options.scenario_timeout}", f"{patience.VARIABLE}={patience.WAIT}", *self.options.set]
        if self.image is None:
            init = shared / "guest/quick-init"
            return ["rootfstype=hostfs", "rootflags=/", "ro", f"init={init}", f"lab={shared}", *settings]
        return [f"ubd0={folder}/disk,{self.image}", "root=/dev/ubda", "rw", f"hostfs={shared}",
                "init=/lib/systemd/systemd", "systemd.show_status=auto",
                *(f"systemd.setenv={setting}" for setting in settings)]

    def _keep(self, out: Path) -> None:
        if self.options.out is not None:
            shutil.copytree(out, self.options.out / self.name, dirs_exist_ok=True)


def run_all(boards: list[Board]) -> int:
    stop = threading.Event()
    # Not Thread.join: a signal that comes while it waits makes Python 3.11 believe that the thread has ended.
    ended: queue.Queue[tuple[Board, BaseException | None]] = queue.Queue()
    for board in boards:
        # None of them holds us up in the end: what it has started ends with us.
        threading.Thread(target=run_one, args=(board, stop, ended), daemon=True).start()
    troubles = []
    waiting = len(boards)
    deadline = time.monotonic() + max(board.options.timeout for board in boards) + patience.AROUND
    try:
        while waiting:
            troubles.append(next_end(ended, waiting, deadline)[1])
            waiting -= 1
    finally:
        stop.set()
        deadline = time.monotonic() + patience.AROUND
        while waiting:
            with contextlib.suppress(KeyboardInterrupt):
                next_end(ended, waiting, deadline)
                waiting -= 1
    for board in boards:
        print(*board.results.lines(board.name), sep="\n", flush=True)
    for trouble in troubles:
        if trouble is not None:
            raise trouble
    return 0 if all(board.results.passed and not board.results.failed for board in boards) else 1


def next_end(ended: queue.Queue, waiting: int, deadline: float) -> tuple[Board, BaseException | None]:
    try:
        return ended.get(timeout=max(0, deadline - time.monotonic()))
    except queue.Empty:
        raise patience.TookTooLong(f"{waiting} of the boards went beyond their bounds and were not ended") from None


def run_one(board: Board, stop: threading.Event, ended: queue.Queue) -> None:
    trouble = None
    try:
        board.run(stop)
    except BaseException as caught:  # it is raised again by whoever waits
        trouble = caught
        board.results.failed.append("boot")
        board.results.reasons["boot"] = "it could not be made ready"
    ended.put((board, trouble))
