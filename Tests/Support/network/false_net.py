"""A tapstile-net that lies, on pipes or at a socket. Each lie has a name, and the code by which whoever asks should call it.

    python false_net.py NAME     as a child, on standard input and output
    FalseNet(PATH, NAME)         at a socket, as long as the `with` lasts
"""

import contextlib
import os
import random
import shlex
import socket
import sys
import threading
import time

if __name__ == "__main__":
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from network.fetcher import BEAT, BYTES, END, FAILED, FETCH, HEAD, SET_UP, frame
from patience import PATIENCE

GONE, PROTOCOL, ENDLESS, SLOW = "fetcher-died", "fetcher-protocol", "endless-data", "slow-retrieval"


class Wire:
    """The end of whoever is asked."""

    def __init__(self, reading, writing):
        self._reading, self._writing = reading, writing

    def receive(self):
        """The next order: kind and body."""
        head = self._read(5)
        return head[0], self._read(int.from_bytes(head[1:], "big"))

    def _read(self, count):
        taken = b""
        while len(taken) < count:
            piece = self._reading.read(count - len(taken))
            if not piece:
                raise EOFError
            taken += piece
        return taken

    def asked(self):
        """Hears until a file is wanted."""
        while self.receive()[0] != FETCH:
            pass

    def send(self, *reports):
        for report in reports:
            self.raw(frame(*report) if isinstance(report, tuple) else frame(report))

    def raw(self, content):
        self._writing.write(content)
        self._writing.flush()

    def wait(self):
        """Until the other side hangs up."""
        with contextlib.suppress(EOFError):
            while True:
                self.receive()


def says(*reports):
    """Says this to the first who asks, and no more."""
    def lie(wire):
        wire.asked()
        wire.send(*reports)
        wire.wait()
    return lie


def repeats(report, pause, *before):
    """Says this before, and that again and again, until nobody listens. How slow that is, is the lie."""
    def lie(wire):
        wire.asked()
        wire.send(*before)
        while True:
            wire.send(report)
            time.sleep(pause)
    return lie


def hangs_up(*reports):
    def lie(wire):
        wire.asked()
        wire.send(*reports)
    return lie


def noise(wire):
    wire.asked()
    wire.raw(random.Random(7).randbytes(100_000))
    wire.wait()


def text(wire):
    wire.asked()
    wire.raw(b"HTTP/1.1 200 OK\r\n\r\n")
    wire.wait()


def deaf(wire):
    """Hears nothing, and says that it lives, as often as an honest one."""
    while True:
        wire.send(BEAT)
        time.sleep(0.2)


OK = (HEAD, {1: 200})
LIES = {
    "ends at once": (lambda wire: None, GONE),
    "ends when asked": (hangs_up(), GONE),
    "ends after the answer": (hangs_up(OK), GONE),
    "ends in the middle": (hangs_up(OK, (BYTES, b"{")), GONE),
    "speaks HTTP": (text, PROTOCOL),
    "speaks nonsense": (noise, PROTOCOL),
    "gives orders": (says((SET_UP, {6: "x"})), PROTOCOL),
    "ends what has not begun": (says(END), PROTOCOL),
    "sends bytes of no file": (says((BYTES, b"x")), PROTOCOL),
    "answers twice": (says(OK, OK), PROTOCOL),
    "calls unchanged what was not there": (says((HEAD, {1: 304})), PROTOCOL),
    "sends a part of what is wanted whole": (says((HEAD, {1: 206})), PROTOCOL),
    "sends what is not there": (says((HEAD, {1: 404}), (BYTES, b"x")), PROTOCOL),
    "sends less than it announced": (says((HEAD, {1: 200, 2: 5}), (BYTES, b"x"), END), PROTOCOL),
    "has a status that is none": (says((HEAD, {1: 99})), PROTOCOL),
    "has an empty piece": (says(OK, (BYTES, b"")), PROTOCOL),
    "has a reason of its own": (says((FAILED, {1: "made-up"})), PROTOCOL),
    "announces too much": (says((HEAD, {1: 200, 2: 1 << 40})), ENDLESS),
    "never ends": (repeats((BYTES, b"x" * 65_536), 0, OK), ENDLESS),
    "only lives": (repeats(BEAT, 0.2), SLOW),
    "hears nothing": (deaf, SLOW),
    "dribbles": (repeats((BYTES, b"x"), 0.1, OK), SLOW),
    "gives up": (says((FAILED, {1: "connection-lost", 2: "x" * 200})), "connection-lost"),
}


class FalseNet:
    """Lies at a socket to one after the other."""

    def __init__(self, path, name):
        self._lie = LIES[name][0]
        self.connections = 0
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(path)
        self._listener.listen()
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self):
        with contextlib.suppress(OSError):
            while True:
                # Until it is closed.
                connection, _ = self._listener.accept()
                connection.settimeout(PATIENCE)
                self.connections += 1
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        with connection, connection.makefile("rb", buffering=0) as reading, connection.makefile("wb") as writing:
            with contextlib.suppress(OSError, EOFError):
                self._lie(Wire(reading, writing))

    def close(self):
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def as_program(path, name):
    """A program that lies so on its pipes, whatever its arguments are."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"#!/bin/sh\nexec {shlex.quote(sys.executable)} {shlex.quote(os.path.abspath(__file__))} {shlex.quote(name)}\n")
    os.chmod(path, 0o755)
    return path


if __name__ == "__main__":
    with contextlib.suppress(OSError, EOFError):
        LIES[sys.argv[1]][0](Wire(sys.stdin.buffer, sys.stdout.buffer))
    # What could not be written any more is nobody's loss.
    os._exit(0)
