"""One board, cut off again and again."""

import contextlib
import os
import random
import shutil
import threading
from dataclasses import dataclass

from runner.patience import AROUND, GRACE, STEP, TookTooLong
from runner.processor import a_processor

from . import site
from .board import Board, BoardSilent
from .judge import Judge
from .witness import Testimony


class Taps:
    """The story of a gate under taps whose site data are imported all the time. Other stories are made as this one is."""

    Site = site.Site
    Judge = Judge
    # For the first process of the board.
    environment = {}
    # So often everybody is given anew, where the site makes a difference.
    ANEW = 0.4

    def __init__(self, folder, programs):
        self.site = self.Site(folder, programs)

    def prepare(self):
        """What a board needs that is going to boot."""
        self.site.turn(anew=True)

    @contextlib.contextmanager
    def meanwhile(self, moment):
        """What goes on beside a board that is going to be cut: the office publishes."""
        over = threading.Event()
        chance = random.Random(str(moment))
        trouble = []

        def publish():
            try:
                while not over.wait(chance.uniform(0.2, 1.0)):
                    self.site.turn(anew=chance.random() < self.ANEW)
            except RuntimeError as error:
                trouble.append(error)

        thread = threading.Thread(target=publish, daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join(AROUND)
            if thread.is_alive():
                trouble.append(TookTooLong(f"the office has published for {AROUND} s"))
        if trouble:
            raise trouble[0]

    def wait(self, board, moment):
        """Until the power goes. The board is up, and judged. Says when that is."""
        board.wait_for("board: tapping", STEP)
        board.wait_for("edge ", STEP)
        board.listen(moment.seconds)
        if moment.after_edge is not None:
            board.wait_for("edge ", STEP)
            board.listen(moment.after_edge)
        return str(moment)


@dataclass(frozen=True)
class Moment:
    """When the power goes: so long after the first relay was energised, and for half of the cuts then still a little
    after the next time a relay is energised, where the records of that very tap are on their way to the disk."""
    seconds: float
    after_edge: float = None
    disk: str = "plain"
    # The seed of the disk's cache, where it has one.
    cache: int = None
    # Which part of something that goes on is over, for stories that aim at that: a little more than all of it at most.
    part: float = 0

    @classmethod
    def of(cls, seed, board, cut, disk):
        numbers = random.Random(f"{seed}/{board}/{cut}")
        seconds = numbers.uniform(0, 3.0)
        after = numbers.uniform(0, 0.03)
        after = after if numbers.random() < 0.5 else None
        disk = numbers.choice(["plain", "slow", "cached"]) if disk == "mixed" else disk
        cache = numbers.getrandbits(63) if disk == "cached" else None
        return cls(seconds, after, disk, cache, numbers.uniform(0, 1.2))

    def __str__(self):
        after = "" if self.after_edge is None else f" + edge + {1000 * self.after_edge:.1f} ms"
        return f"{self.seconds:.3f} s ({self.disk} disk){after}"


class Campaign:
    """So many cuts of one board. `tell` takes a line for people."""

    def __init__(self, name, folder, kernel, programs, seed, cuts, disk, tell, story=Taps):
        self.name = name
        self.folder = folder
        self.kernel = kernel
        self.programs = programs
        self.seed = seed
        self.cuts = cuts
        self.disk = disk
        self.tell = tell
        self.story = story(folder, programs)
        self.judge = None
        self._on_a_processor = []

    def run(self):
        """Answers the account. What cannot go on is a loss: a board that does not come up again has lost everything."""
        with a_processor() as self._on_a_processor:
            return self._run()

    def _run(self):
        self.story.site.make()
        # The kernel's command line knows no quotes: whatever the checkout is called stays out of it.
        os.symlink(self.programs, self._path("bin"))
        self.judge = self.story.Judge(site.settings(self._path("disk", "etc")), site.LANES)
        last = None
        try:
            for cut in range(1, self.cuts + 1):
                last = self._boot_and_cut(cut, last)
            self._end(last)
        except BoardSilent as silence:
            self.judge.loss(f"the board is stuck: {silence}")
        return self.judge.account

    def _path(self, *names):
        return os.path.join(self.folder, *names)

    def _boot_and_cut(self, cut, last):
        """Boots, judges what the cut before left, taps, cuts. Answers what was said in this boot."""
        moment = Moment.of(self.seed, self.name, cut, self.disk)
        first = {"FIRST": "1"} if cut == 1 else {}
        board = self._board(moment.cache, DISK=moment.disk, **first)
        try:
            self._come_up(board, cut - 1, last)
            with self.story.meanwhile(moment):
                at = self._wait(board, moment)
        finally:
            board.cut()
            self._keep(board, cut)
        said = Testimony.read(board.lines)
        self.judge.start(said)
        done = ", ".join(f"{count} {result}" for result, count in sorted(said.results.items()))
        self.tell(f"cut {cut} at {at}: {len(said.edges)} edges; {done or 'no taps'}")
        return said

    def _wait(self, board, moment):
        at = self.story.wait(board, moment)
        if moment.disk == "flakey":
            with open(self._path("drop"), "w", encoding="utf-8"):
                board.wait_for("board: dropped", STEP)
            board.listen(0.3)
            os.unlink(self._path("drop"))
        return at

    def _board(self, cache=None, **environment):
        shutil.rmtree(self._path("found"), ignore_errors=True)
        self.story.prepare()
        return Board(self.kernel, self._path("guest"), self.folder, self._path("store.img"),
                     {"LAB": self.folder, "LANES": "_".join(site.LANES), "WAIT": str(STEP - GRACE), **self.story.environment, **environment},
                     cache, self._on_a_processor)

    def _come_up(self, board, cut, last):
        board.wait_for("board: copied found", STEP)
        if last:
            losses = len(self.judge.account.losses)
            self.judge.cut(cut, last, self._path("found"))
            for loss in self.judge.account.losses[losses:]:
                self.tell(f"LOSS {loss}")
        board.wait_for("board: verified", STEP)

    def _end(self, last):
        """One more boot without taps, to judge the last cut and what was made of it."""
        board = self._board(DISK="plain", LAST="1")
        try:
            self._come_up(board, self.cuts, last)
            stopped = board.wait_for("board: stopped", STEP)
            board.wait_for("board: done", STEP)
        finally:
            board.cut()
            self._keep(board, self.cuts + 1)
        self.judge.start(Testimony.read(board.lines))
        if stopped != "board: stopped 0":
            self.judge.loss(f"the daemon's orderly end: {stopped}")
        self.judge.disk(self._path("left"))

    def _keep(self, board, number):
        with open(self._path(f"console-{number}"), "w", encoding="utf-8") as file:
            file.write("\n".join(board.lines) + "\n")
