"""A raw card in the virtual reader, for what no phone of ours would ever send (protocol of vpcd)."""

import socket
import struct
import threading

from patience import PATIENCE, Deadline, joined

# The reader's messages of one byte, beside "off" and "reset", which need no answer.
ON, ANSWER_TO_RESET = 1, 4
# What Android's host card emulation shows.
ANSWER = bytes.fromhex("3b80800101")


class Card:
    """`respond` takes a command APDU and gives a response APDU, or None: then the card is silent from
    there on. `commands` keeps every command. Put in with `with`, or `insert` and `remove`."""

    def __init__(self, port, respond, answer_to_reset=ANSWER):
        self.port = port
        self.respond = respond
        self.answer_to_reset = answer_to_reset
        self.commands = []
        self.polls = 0
        self._changed = threading.Condition()
        self._failure = None
        self._socket = None
        self._thread = None

    def insert(self):
        self._socket = socket.create_connection(("127.0.0.1", self.port), PATIENCE)
        # It lies there, spoken to or not, until it is removed.
        self._socket.settimeout(None)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()
        return self

    def remove(self):
        """Pulled away at this moment, also from within `respond`."""
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._socket.close()
        if threading.current_thread() is not self._thread:
            joined(self._thread)
            if self._failure:
                raise self._failure

    def __enter__(self):
        return self.insert()

    def __exit__(self, *_):
        self.remove()

    def _serve(self):
        try:
            while message := self._receive():
                self._take(message)
        except OSError:
            pass
        except Exception as failure:  # noqa: BLE001 - of `respond`: raised where the card is waited for
            with self._changed:
                self._failure = failure
                self._changed.notify_all()
            self._socket.close()

    def wait_for_commands(self, count):
        """Returns once so many commands have come since it was put in."""
        deadline = Deadline(f"{count} commands to the card")
        with self._changed:
            done = self._changed.wait_for(lambda: len(self.commands) >= count or self._failure, deadline.left)
            if self._failure:
                raise self._failure
            if not done:
                raise deadline.missed(f"there were {[each.hex() for each in self.commands]}")

    def wait_for_polls(self, count):
        """Returns once the reader has looked so many times more whether the card is there."""
        deadline = Deadline(f"the reader to look {count} times more at the card")
        with self._changed:
            before = self.polls
            if not self._changed.wait_for(lambda: self.polls >= before + count, deadline.left):
                raise deadline.missed(f"it did {self.polls - before} times")

    def _take(self, message):
        if message == bytes([ANSWER_TO_RESET]):
            self._send(self.answer_to_reset)
            with self._changed:
                self.polls += 1
                self._changed.notify_all()
        elif len(message) > 1:
            response = self._answer(message)
            if response is not None:
                self._send(response)
            with self._changed:
                self.commands.append(message)
                self._changed.notify_all()

    def _answer(self, command):
        """What goes wrong in `respond` is the test's affair; only the reader's going ends a card without a word."""
        try:
            return self.respond(command)
        except OSError as failure:
            raise RuntimeError("the card's own answer failed") from failure

    def _receive(self):
        head = self._exactly(2)
        return self._exactly(struct.unpack(">H", head)[0]) if head else b""

    def _exactly(self, count):
        data = b""
        while len(data) < count:
            # Without it delayed acknowledgement costs 44 ms for each command; it does not last.
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)
            piece = self._socket.recv(count - len(data))
            if not piece:
                return b""
            data += piece
        return data

    def _send(self, data):
        self._socket.sendall(struct.pack(">H", len(data)) + data)
