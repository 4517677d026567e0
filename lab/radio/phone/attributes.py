"""A client of the attribute protocol (Bluetooth Core 5.3, volume 3, part F), able to misbehave."""

import struct
import time

from patience import ANSWER

from .channel import Channel

ERROR = 0x01
MTU_REQUEST, MTU_ANSWER = 0x02, 0x03
FIND_BY_VALUE, FIND_BY_VALUE_ANSWER = 0x06, 0x07
READ_BY_TYPE, READ_BY_TYPE_ANSWER = 0x08, 0x09
READ, READ_ANSWER, READ_BLOB, READ_BLOB_ANSWER = 0x0A, 0x0B, 0x0C, 0x0D
WRITE, WRITE_ANSWER, COMMAND = 0x12, 0x13, 0x52
PREPARE, PREPARE_ANSWER, EXECUTE, EXECUTE_ANSWER = 0x16, 0x17, 0x18, 0x19

PRIMARY_SERVICE, CHARACTERISTIC = 0x2800, 0x2803
NOT_SUPPORTED, NOT_FOUND = 0x06, 0x0A
# Requests have even codes; those of a server's own (indications, notifications) answer nothing and are odd.
DEFAULT_MTU = 23
LAST_HANDLE = 0xFFFF


class RequestRefused(Exception):
    """The server's answer is an error."""

    def __init__(self, request: int, handle: int, code: int):
        super().__init__(f"request {request:#04x} on handle {handle}: error {code:#04x}")
        self.request, self.handle, self.code = request, handle, code


class Silence(Exception):
    """The server did not answer in time."""


class Attributes:
    """One request at a time. `seconds` bounds each answer."""

    def __init__(self, channel: Channel, seconds: float = ANSWER):
        self.channel = channel
        self.seconds = seconds
        self.mtu = DEFAULT_MTU
        # Of the newest answer: from the last byte handed to the kernel until it was there.
        self.milliseconds = 0.0

    # Whole procedures.

    def exchange_mtu(self, mtu: int) -> int:
        answer = self.ask(struct.pack("<BH", MTU_REQUEST, mtu), MTU_ANSWER)
        self.mtu = max(DEFAULT_MTU, min(mtu, struct.unpack_from("<H", answer, 1)[0]))
        return self.mtu

    def find_service(self, uuid: bytes) -> tuple[int, int] | None:
        """First and last handle of the primary service with this UUID (least significant byte first)."""
        request = struct.pack("<BHHH", FIND_BY_VALUE, 1, LAST_HANDLE, PRIMARY_SERVICE) + uuid
        try:
            return struct.unpack_from("<HH", self.ask(request, FIND_BY_VALUE_ANSWER), 1)
        except RequestRefused as error:
            if error.code != NOT_FOUND:
                raise
            return None

    def characteristics(self, first: int, last: int) -> list[tuple[int, int, bytes]]:
        """(value handle, properties, UUID) of each."""
        found = []
        while first <= last:
            try:
                answer = self.ask(struct.pack("<BHHH", READ_BY_TYPE, first, last, CHARACTERISTIC), READ_BY_TYPE_ANSWER)
            except RequestRefused as error:
                if error.code != NOT_FOUND:
                    raise
                break
            length = answer[1]
            for offset in range(2, len(answer), length):
                entry = answer[offset:offset + length]
                found.append((struct.unpack_from("<H", entry, 3)[0], entry[2], entry[5:]))
                first = struct.unpack_from("<H", entry)[0] + 1
        return found

    def read_long(self, handle: int) -> bytes:
        """A value longer than one answer can carry comes in several (volume 3, part G, 4.8.3)."""
        value = part = self.read(handle)
        while len(part) == self.mtu - 1:
            part = self.read_blob(handle, len(value))
            value += part
        return value

    def write_long(self, handle: int, value: bytes) -> None:
        """By prepared writes where it exceeds one request (volume 3, part G, 4.9.4)."""
        if len(value) <= self.mtu - 3:
            return self.write(handle, value)
        step = self.mtu - 5
        for offset in range(0, len(value), step):
            self.prepare(handle, offset, value[offset:offset + step])
        return self.execute()

    # Single requests. None of them looks at the MTU.

    def read(self, handle: int) -> bytes:
        return self.ask(struct.pack("<BH", READ, handle), READ_ANSWER)[1:]

    def read_blob(self, handle: int, offset: int) -> bytes:
        return self.ask(struct.pack("<BHH", READ_BLOB, handle, offset), READ_BLOB_ANSWER)[1:]

    def write(self, handle: int, value: bytes) -> None:
        self.ask(struct.pack("<BH", WRITE, handle) + value, WRITE_ANSWER)

    def prepare(self, handle: int, offset: int, part: bytes) -> bytes:
        return self.ask(struct.pack("<BHH", PREPARE, handle, offset) + part, PREPARE_ANSWER)[5:]

    def execute(self, is_to_be_written: bool = True) -> None:
        self.ask(bytes([EXECUTE, is_to_be_written]), EXECUTE_ANSWER)

    def command(self, handle: int, value: bytes) -> None:
        """A write without an answer."""
        self.channel.send(struct.pack("<BH", COMMAND, handle) + value)

    def ask(self, request: bytes, expected: int) -> bytes:
        self.channel.send(request)
        began = time.monotonic()
        answer = self.answer()
        self.milliseconds = (time.monotonic() - began) * 1000
        if answer[0] == ERROR:
            raise RequestRefused(*struct.unpack_from("<BHB", answer, 1))
        assert answer[0] == expected, f"to {request.hex()} the server answers {answer.hex()}"
        return answer

    def answer(self) -> bytes:
        """The next unit that answers something of ours: a server is a client, too, and may ask."""
        deadline = time.monotonic() + self.seconds
        while (unit := self.channel.receive(deadline - time.monotonic())) is not None:
            if not self._is_asked(unit):
                return unit
        raise Silence(f"no answer within {self.seconds} s")

    def _is_asked(self, unit: bytes) -> bool:
        code = unit[0]
        if code == ERROR or code & 1 and code not in (0x1B, 0x1D, 0x23):
            return False
        if code == MTU_REQUEST:
            self.channel.send(struct.pack("<BH", MTU_ANSWER, 517))
        elif code & 1 == 0 and code & 0x40 == 0:
            self.channel.send(struct.pack("<BBHB", ERROR, code, 0, NOT_SUPPORTED))
        return True
