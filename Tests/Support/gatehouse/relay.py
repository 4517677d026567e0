"""A real phone behind a raw card: what it says can be changed, held back or repeated on its way, and it
can be pulled away at any step. Towards the phone program this plays the reader's side of vpcd."""

import contextlib
import socket
import struct

from patience import PATIENCE, Deadline
from processes import end, unheard

from .card import ON, Card


class RelayedPhone(Card):
    """`change(number, command, response)` answers what reaches the gate (None: nothing ever does);
    commands are counted from 1, SELECT, since the phone was put in. It stays when the phone is done."""

    def __init__(self, person, change=None, options=()):
        super().__init__(int(person.site.programs.environment["TAPSTILE_CARD_PORT"]), self._pass_on)
        self._person = person
        self._change = change or (lambda number, command, response: response)
        self._options = options
        self._process = None
        self._phone = None

    def insert(self):
        with contextlib.ExitStack() as undone:
            with socket.create_server(("127.0.0.1", 0)) as reader:
                phone = self._person.phone("--port", reader.getsockname()[1], *self._options)
                self._process = phone.start()
                undone.callback(end, self._process)
                self._phone = self._arrived(reader)
            self._phone.sendall(struct.pack(">H", 1) + bytes([ON]))
            super().insert()
            undone.pop_all()
        return self

    def _arrived(self, reader):
        reader.settimeout(PATIENCE)
        try:
            phone, _ = reader.accept()
        except TimeoutError:
            raise Deadline("the phone to come to its reader").missed(f"it {unheard(self._process)}") from None
        phone.settimeout(PATIENCE)
        phone.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return phone

    def remove(self):
        super().remove()
        self._phone.close()
        end(self._process)

    def ask(self, command):
        """What the phone itself answers; nothing once it has gone."""
        try:
            self._phone.sendall(struct.pack(">H", len(command)) + command)
            head = self._read(2)
            return self._read(struct.unpack(">H", head)[0])
        except TimeoutError:
            raise Deadline(f"the phone's answer to {command.hex()}").missed() from None
        except OSError:
            return b"\x69\x85"

    def _read(self, count):
        data = b""
        while len(data) < count:
            self._phone.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)
            piece = self._phone.recv(count - len(data))
            if not piece:
                raise ConnectionError("the phone has gone")
            data += piece
        return data

    def _pass_on(self, command):
        return self._change(len(self.commands) + 1, command, self.ask(command))
