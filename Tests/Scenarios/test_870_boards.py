"""The runner of boards tells the truth: what fails is told as failed, and nothing is left behind.

Boots quick boards (lab/README.md)."""

import contextlib
import os
import pathlib
import re
import signal
import subprocess
import tempfile

import pytest

from patience import LONG, wait_until
from processes import Lines, end, ended, kill, run

TOP = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture
def folder():
    with tempfile.TemporaryDirectory(prefix="tapstile-lab.") as path:
        yield pathlib.Path(path)


class Board:
    """One run of lab/board; its own folder for temporary files shows what it leaves."""

    def __init__(self, folder, *options, **scenarios):
        self.temporary = folder / "temporary"
        self.temporary.mkdir()
        for name, text in scenarios.items():
            (folder / name).write_text(f". /lab/story\n{text}\n")
        environment = {**os.environ, "TMPDIR": str(self.temporary)}
        self.process = subprocess.Popen(
            [TOP / "lab/board", "quick", *options, *(folder / name for name in scenarios)], env=environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.lines = Lines(self.process)

    def wait_for(self, words):
        with self._bounded():
            self.lines.until(words, LONG)

    def end(self):
        """What it said since, and its exit status; nothing of it is there any more."""
        with self._bounded():
            said, status = self.lines.rest(LONG), ended(self.process)
        assert list(self.temporary.iterdir()) == []
        assert self.processes() == []
        return said, status

    @contextlib.contextmanager
    def _bounded(self):
        """One that is waited for in vain is ended: it ends its board then."""
        try:
            yield
        except BaseException:
            end(self.process)
            raise

    def processes(self):
        """All whose command line names this run's folder."""
        found = []
        for entry in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                command = (entry / "cmdline").read_text()
            except OSError:
                continue
            if str(self.temporary) in command:
                found.append(command)
        return found


def last_lines(said):
    """How many passed and failed, and what became of each that failed."""
    lines = said.strip().splitlines()
    return lines[max(number for number, line in enumerate(lines) if line.startswith("board ")):]


def test_scenarios_pass_or_fail_each_for_itself_in_their_order(folder):
    said, status = Board(folder, **{
        "020-second": "expect 'the file of the first' \"$(cat /etc/of-the-first)\" here; must false",
        "010-first": "tell 'a sentence'; echo here >/etc/of-the-first",
        "030-third": "refuse true",
        "040-fourth": "refuse pgrep --full 'sleep 98765'; wait_for 'a file' 5 test -e /etc/of-the-first"}).end()
    assert re.findall(r"(ok|not ok) (0\d0-\w+)", said) == [
        ("ok", "010-first"), ("not ok", "020-second"), ("not ok", "030-third"), ("ok", "040-fourth")]
    assert "  a sentence" in said
    assert "FAILED: 'false' ended with 1" in said and "FAILED: 'true' should have failed" in said
    assert last_lines(said) == [
        "board quick: 2 passed, 2 failed", "    020-second: FAILED: 'false' ended with 1", "    030-third: FAILED: 'true' should have failed"]
    assert status == 1
    assert not os.path.exists("/etc/of-the-first"), "the machine's own files are the guest's to read only"


def test_a_scenario_that_hangs_is_ended_with_all_it_started(folder):
    said, status = Board(folder, "--scenario-timeout", "10", **{
        "010-hangs": "sleep 98765 & sleep 98765",
        "020-next": "refuse pgrep --full 'sleep 98765'"}).end()
    assert "not ok 010-hangs" in said and "out of time" in said
    assert last_lines(said) == ["board quick: 1 passed, 1 failed", "    010-hangs: did not end"]
    assert status == 1


def test_what_a_dead_kernel_did_not_run_has_failed(folder):
    said, status = Board(folder, **{"010-dies": "echo c >/proc/sysrq-trigger; sleep 98765", "020-never": "true"}).end()
    assert "Kernel panic" in said
    # The third is that the guest did not switch itself off.
    assert last_lines(said)[:3] == ["board quick: 0 passed, 3 failed", "    010-dies: did not end", "    020-never: was not begun"]
    assert said.count("020-never") == 1
    assert status == 1


def test_the_run_has_a_bound_of_its_own(folder):
    said, status = Board(folder, "--timeout", "2", **{"010-never-ends": "sleep 98765"}).end()
    assert "it did not end within 2 s" in said
    assert status == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_board_leaves_nothing(folder, number):
    board = Board(folder, **{"010-waits": "tell 'in the middle'; sleep 98765"})
    board.wait_for("in the middle")
    assert board.processes()
    board.process.send_signal(number)
    _, status = board.end()
    assert status == 128 + number


def test_a_board_keeps_to_one_processor(folder):
    board = Board(folder, **{"010-waits": "tell 'in the middle'; sleep 98765"})
    try:
        board.wait_for("in the middle")
        processors = [count for count in map(board_processors(board), pathlib.Path("/proc").glob("[0-9]*")) if count]
        assert processors
        assert set(processors) == {1}
    finally:
        board.process.send_signal(signal.SIGTERM)
        board.end()


def board_processors(board):
    """Of a process: how many processors it may use, and 0 for what is none of the board's kernel, or has ended meanwhile."""

    def count(entry):
        try:
            if os.path.basename(os.readlink(entry / "exe")) != "linux" or str(board.temporary) not in (entry / "cmdline").read_text():
                return 0
            return len(os.sched_getaffinity(int(entry.name)))
        except OSError:
            return 0

    return count


def test_a_board_ends_with_its_killed_runner(folder):
    board = Board(folder, **{"010-waits": "tell 'in the middle'; sleep 98765"})
    board.wait_for("in the middle")
    kill(board.process)
    # The board held the other end of our pipe: it is closed when the last of its processes is gone.
    board.lines.rest()
    wait_until("the end of the board's processes", lambda: not board.processes(), instead=board.processes)


def test_what_is_missing_is_named(folder):
    # A kernel may have to be made first, as for every board.
    refused = run([TOP / "lab/board", "quick", folder / "010-nowhere"], LONG, with_children=True, capture_output=True, text=True)
    assert refused.returncode == 1
    assert refused.stderr.splitlines()[-1] == f"board: cannot boot: no file {folder / '010-nowhere'}"

