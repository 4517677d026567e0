"""What the attribute protocol says on a link: enough to count its steps (Bluetooth Core 5.3, volume 3, part F, 3.4)."""

from dataclasses import dataclass

ATTRIBUTE_CHANNEL = 4
CONTINUING = 0b01
ERROR = 0x01
# What reads or writes a value, and the answers to it. Discovery is not counted.
REQUESTS = {0x0A: "read", 0x0C: "read-blob", 0x12: "write", 0x16: "prepare", 0x18: "execute", 0x52: "command"}
ANSWERS = {0x0B: "read", 0x0D: "read-blob", 0x13: "write", 0x17: "prepare", 0x19: "execute"}


@dataclass(frozen=True)
class Heard:
    """`kind` is "requests", "answers" or "other"; `length` is that of the whole protocol data unit."""

    kind: str
    name: str
    length: int


class Listener:
    """One direction of a link: puts fragments together."""

    def __init__(self):
        self._missing = 0
        self._heard: Heard | None = None

    def receive(self, packet: bytes) -> Heard | None:
        """The protocol data unit whose last fragment this is."""
        fragment = packet[5:]
        if (packet[2] >> 4) & 0b11 != CONTINUING:
            self._begin(fragment)
        self._missing -= len(fragment)
        if self._missing > 0:
            return None
        heard, self._heard = self._heard, None
        return heard

    def _begin(self, fragment: bytes) -> None:
        length = int.from_bytes(fragment[0:2], "little")
        self._missing = length + 4
        self._heard = None
        if int.from_bytes(fragment[2:4], "little") == ATTRIBUTE_CHANNEL and len(fragment) > 4:
            self._heard = named(fragment[4:], length)


def named(unit: bytes, length: int) -> Heard:
    code = unit[0]
    if code in REQUESTS:
        return Heard("requests", REQUESTS[code], length)
    if code in ANSWERS:
        return Heard("answers", ANSWERS[code], length)
    if code == ERROR and len(unit) >= 5 and unit[1] in REQUESTS:
        return Heard("answers", f"error-{unit[4]:02x}", length)
    return Heard("other", f"opcode-{code:02x}", length)
