"""A tap over Bluetooth as docs/phone-protocol.md has it: values are frames, a byte for their kind and what it brings."""

from .phone import ON_TOUCH, Phone

MESSAGE, ERROR, OUTCOME = b"\x00", b"\x01", b"\x02"


class Ended(Exception):
    """The gate does not go on: an EDHOC error, or something that is no frame in this place."""

    def __init__(self, frame: bytes):
        super().__init__(f"the gate answers {frame.hex()}")
        self.is_error = frame[:1] == ERROR
        self.payload = frame[1:]


class Conversation:
    """The carrier's side of one or more exchanges over one link."""

    def __init__(self, phone: Phone, service=ON_TOUCH):
        self.phone = phone
        self.characteristic = phone.find(service)
        assert self.characteristic is not None, f"{phone.name} finds no service {service}"

    def write_message(self, kind: bytes, payload: bytes) -> None:
        self.phone.write(self.characteristic, kind + payload)

    def read_message(self, kind: bytes) -> bytes:
        frame = self.phone.read(self.characteristic)
        if frame[:1] != kind:
            raise Ended(frame)
        return frame[1:]

    def tap(self, edhoc) -> bytes:
        """A whole exchange of `edhoc`, which has a `message1` and makes of message_2 its `message3`. Answers the sealed
        outcome."""
        self.write_message(MESSAGE, edhoc.message1)
        self.write_message(MESSAGE, edhoc.message3(self.read_message(MESSAGE)))
        return self.read_message(OUTCOME)
