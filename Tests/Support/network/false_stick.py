"""`tapstile import FOLDER`, played by hand at the control socket: whoever plays answers for the folder as he likes."""

import contextlib
import json
import os
import socket
import threading

import cbor2
from patience import OUTER, PATIENCE, Deadline, joined, wait_until

from .false_net import Wire
from .fetcher import BEAT, BYTES, END, FAILED, FETCH, HEAD


class Refused(Exception):
    """The gate does not take what is brought; the text is its code."""


class Control:
    """A client of the control socket."""

    def __init__(self, path):
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(PATIENCE)
        self._socket.connect(path)
        self._lines = self._socket.makefile("rb")
        self._last = 0

    def ask(self, do, *files, **arguments):
        self._last += 1
        line = json.dumps({"do": do, "id": self._last, "v": 1, **arguments}).encode() + b"\n"
        if files:
            socket.send_fds(self._socket, [line], list(files))
        else:
            self._socket.sendall(line)
        try:
            answer = json.loads(self._lines.readline())
        except TimeoutError:
            raise Deadline(f"the control socket's answer to {do}").missed() from None
        if "error" in answer:
            raise Refused(answer["error"]["code"])
        return answer["body"]

    def close(self):
        self._lines.close()
        self._socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Visit:
    """One import. `play` gets the wire, in a thread of its own; the connection ends with it."""

    def __init__(self, path, play):
        self._control = Control(path)
        theirs, self._ours = socket.socketpair()
        self._ours.settimeout(OUTER)
        with theirs:
            self.number = self._control.ask("import-folder", theirs.fileno())["import"]
        self._thread = threading.Thread(target=self._run, args=(play,), daemon=True)
        self._thread.start()

    def _run(self, play):
        # The gate may hang up while something is still to be written, and then at the end too.
        with contextlib.suppress(OSError, EOFError), self._ours:
            with self._ours.makefile("rb", buffering=0) as reading, self._ours.makefile("wb") as writing:
                play(Wire(reading, writing))

    def report(self):
        return self._control.ask("import-follow", **{"import": self.number})

    def end(self):
        """Waits for the end, and says what came of it: the code of a failure, or nothing."""
        # A gate gives up who says nothing, by itself.
        report = wait_until(f"the end of import {self.number}", self._final_report, OUTER, pause=0.02, instead=self.report)
        self.close()
        return report.get("failure", {}).get("code")

    def _final_report(self):
        report = self.report()
        return report if report["ended"] else None

    def close(self):
        with contextlib.suppress(OSError):
            self._ours.shutdown(socket.SHUT_RDWR)
        joined(self._thread)
        self._control.close()


def honest(stick, spoil=None, after=None):
    """Answers from a folder. The file with that number is spoiled: `spoil` gets the wire and its content."""
    def play(wire):
        for number in range(1_000_000):
            kind, body = wire.receive()
            while kind != FETCH:
                kind, body = wire.receive()
            job = cbor2.loads(body)
            path = os.path.join(stick, *job[1].split("/")[3:])
            if not os.path.isfile(path):
                content = None
            else:
                with open(path, "rb") as file:
                    content = file.read()
            if number == after:
                return spoil(wire, content)
            serve(wire, content)
    return play


def serve(wire, content):
    if content is None:
        return wire.send((HEAD, {1: 404}), END)
    wire.send((HEAD, {1: 200, 2: len(content)}), *((BYTES, content[at:at + 65_536]) for at in range(0, len(content), 65_536)), END)


def pulled_out(wire, content):
    """Half of a file, and then the stick is gone."""
    if content is None:
        content = b""
    wire.send((HEAD, {1: 200}))
    if half := content[:len(content) // 2]:
        wire.send((BYTES, half))
    wire.send((FAILED, {1: "fetch-failed", 2: "read: Input/output error"}))
    wire.wait()


def killed(wire, content):
    wire.send((HEAD, {1: 200}), (BYTES, (content or b"x")[:1]))


def held(release):
    """Lives, and answers nothing until it is let go."""
    def play(wire):
        wire.asked()
        while not release.wait(0.2):
            wire.send(BEAT)
    return play
