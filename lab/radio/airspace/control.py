"""Where orders come in, a line each, and answers go out: "done" and JSON, or "refused" and why.

Two ways: a socket for any number of programs at once, and a pair of pipes for a shell, which needs no program for them.
"""

import contextlib
import json
import os
import socket

from patience import LINK, TookTooLong

from .loop import Loop
from .orders import Orders, Refused

FOLDER = "/run/air"
SOCKET = f"{FOLDER}/socket"
ORDERS, ANSWERS = f"{FOLDER}/orders", f"{FOLDER}/answers"
LARGEST = 4096


def order(line: str) -> str:
    """What the air that runs here answers to one line, as JSON."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(LINK)
        try:
            connection.connect(SOCKET)
            connection.sendall(line.encode() + b"\n")
            with connection.makefile() as answers:
                word, _, rest = answers.readline().rstrip("\n").partition(" ")
        except TimeoutError:
            raise TookTooLong(f"the air has not answered within {LINK} s: {line}") from None
    if word != "done":
        raise Refused(rest or "the air has ended")
    return rest


class Control:
    def __init__(self, loop: Loop, orders: Orders, write_line):
        self._loop = loop
        self._orders = orders
        self._write_line = write_line
        self._listen()
        self._open_pipes()

    def _listen(self) -> None:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(SOCKET)
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.bind(SOCKET)
        self._socket.listen()
        self._loop.watch(self._socket, self._accept)

    def _open_pipes(self) -> None:
        for path in (ORDERS, ANSWERS):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(path)
            os.mkfifo(path)
        # For both directions: a pipe whose other end is closed would be at its end.
        pipe, answers = os.open(ORDERS, os.O_RDWR), os.open(ANSWERS, os.O_RDWR)
        lines = Lines()
        self._loop.watch(pipe, lambda: self._hear(lines.feed(os.read(pipe, LARGEST)), lambda line: os.write(answers, line)))

    def _accept(self) -> None:
        connection, _ = self._socket.accept()
        lines = Lines()

        def receive() -> None:
            data = connection.recv(LARGEST)
            if data:
                self._hear(lines.feed(data), connection.sendall)
            else:
                self._loop.forget(connection)
                connection.close()

        self._loop.watch(connection, receive)

    def _hear(self, lines, answer) -> None:
        for line in lines:
            self._write_line(f"order {line}")
            # Who has asked may be gone.
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                answer(self._answer(line.split()).encode() + b"\n")

    def _answer(self, words: list[str]) -> str:
        try:
            return f"done {json.dumps(self._orders.carry_out(words))}"
        except (Refused, OSError) as trouble:
            return f"refused {trouble}"


class Lines:
    """Cuts a stream into lines."""

    def __init__(self):
        self._rest = b""

    def feed(self, data: bytes) -> list[str]:
        *lines, self._rest = (self._rest + data).split(b"\n")
        return [line.decode(errors="replace") for line in lines]
