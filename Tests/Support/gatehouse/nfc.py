"""The program that drives a PN532, held as systemd would hold it: the real tapstile-nfc at a socket of its own."""

import contextlib
import os
import signal
import time

from patience import NothingHappened, wait_until
from processes import end

from .chip import VirtualChip
from .programs import Programs

# What phones in express mode wait for, and the group of the site's readers.
ECP_TERMINAL, ECP_GROUP = "02ab01", "0011223344556677"


IN_SERVICE = ("reader-ready", "reader-card-present")


def has_stopped_serving(event):
    """The reader is told to be out of service."""
    return event["event"] == "reader" and event["state"] not in IN_SERVICE


def edges(gate, mark=0):
    """How often the relay was energised."""
    return len([event for event in gate.events.since(mark, "relay") if event["energised"]])


def is_at_rest_and_whole(gate, mark=0):
    """No relay edge without a grant, and the journal is whole."""
    gate.wait_for_indicator("ready")
    assert edges(gate, mark) == len([event for event in gate.events.since(mark, "result") if event["result"] == "granted"])
    assert gate.is_running and gate.ask("journal", "verify")["holds"]


def is_well_again(gate, mark, ended, what):
    """The next good phone is served, and nothing but good phones has opened the gate. How soon is printed."""
    assert gate.site.anna.phone().tap()["result"] == "granted"
    print(f"{what}: served {time.monotonic() - ended:.1f} s after the fault had ended")
    is_at_rest_and_whole(gate, mark)


class ChipProgram:
    """tapstile-nfc for one chip: each connection of a gate is served by a process of its own."""

    def __init__(self, programs, folder, name="nfc"):
        self.socket = os.path.join(folder, f"{name}.sock")
        self.log_path = os.path.join(folder, f"{name}.log")
        with open(self.log_path, "ab") as log:
            self._process = programs.start("tapstile-nfc", "--listen", self.socket, stderr=log)
        try:
            self._wait_until("the socket of tapstile-nfc", lambda: os.path.exists(self.socket))
        except BaseException:
            self.stop()
            raise

    def _wait_until(self, what, happened):
        def is_so():
            if answer := happened():
                return answer
            if self._process.poll() is not None:
                raise NothingHappened(f"{what}: tapstile-nfc has ended; its log says:\n{self.log.strip()}")
            return None

        return wait_until(what, is_so, instead=lambda: f"the log of tapstile-nfc says:\n{self.log.strip()}")

    @property
    def server(self):
        """The process that serves the gate; None when there is none at the moment."""
        keeper = self._process.pid
        with open(f"/proc/{keeper}/task/{keeper}/children", encoding="ascii") as children:
            numbers = children.read().split()
        return int(numbers[0]) if numbers else None

    def kill(self):
        """As a crash of the process that serves would. Answers which one it was, once it has let go of everything."""
        server = self._wait_until("the process that serves the gate", lambda: self.server)
        os.kill(server, signal.SIGKILL)
        self._wait_until(f"the end of process {server}", lambda: not self._lives(server))
        return server

    @staticmethod
    def _lives(process):
        """A process whose first thread has ended keeps its descriptors until the others have, too. One that goes between
        the opening of its file and the reading is "not found" by another name."""
        try:
            with open(f"/proc/{process}/stat", encoding="ascii") as stat:
                has_ended = stat.read().rsplit(")", 1)[1].split()[0] == "Z"
            return not has_ended or len(os.listdir(f"/proc/{process}/task")) > 1
        except (FileNotFoundError, ProcessLookupError):
            return False

    @contextlib.contextmanager
    def held_up(self):
        """Whoever connects meanwhile waits."""
        self._process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._process.send_signal(signal.SIGCONT)

    @property
    def log(self):
        with open(self.log_path, encoding="utf-8", errors="replace") as log:
            return log.read()

    def stop(self):
        end(self._process)


class ChipReader:
    """A PN532 of a gate: a virtual chip and the program that drives it. `options` are those of `tapstile-phone reader`."""

    def __init__(self, programs, folder, *options):
        with contextlib.ExitStack() as undone:
            self.chip = VirtualChip(programs, folder, *options)
            undone.callback(self.chip.stop)
            self.program = ChipProgram(programs, folder)
            undone.pop_all()
        # With these phones are put onto the chip.
        self.programs = Programs(programs.folder, {**programs.environment, "TAPSTILE_CARD_PORT": str(self.chip.card_port)})

    def settings(self, announces=True):
        """The lines of `[reader.chip]`."""
        lines = ['bus = "uart"', f'device = "{self.chip.link}"', f'socket = "{self.program.socket}"']
        lines += [f'ecp-tci = "{ECP_TERMINAL}"', f'ecp-group = "{ECP_GROUP}"'] if announces else []
        return "\n".join(lines)

    def stop(self):
        with contextlib.ExitStack() as both:
            both.callback(self.chip.stop)
            both.callback(self.program.stop)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
