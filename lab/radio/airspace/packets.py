"""What of HCI the air looks at (Bluetooth Core 5.3, volume 4: part A for the framing, part E for the rest)."""

import struct

COMMAND, ACL, SCO, EVENT, ISO, VENDOR = 0x01, 0x02, 0x03, 0x04, 0x05, 0xFF

DISCONNECT, RESET = 0x0406, 0x0C03
READ_LOCAL_COMMANDS, READ_ADDRESS, READ_RSSI = 0x1002, 0x1009, 0x1405
LE_READ_LOCAL_FEATURES, LE_SET_RANDOM_ADDRESS, LE_SET_ADVERTISER_ADDRESS = 0x2003, 0x2005, 0x2035

DISCONNECTION_COMPLETE, COMMAND_COMPLETE, COMMAND_STATUS, COMPLETED_PACKETS, LE_META = 0x05, 0x0E, 0x0F, 0x13, 0x3E
# Of LE_META.
CONNECTION_COMPLETE, ENHANCED_CONNECTION_COMPLETE, ADVERTISING_SET_TERMINATED = 0x01, 0x0A, 0x12

SUCCESS, UNKNOWN_CONNECTION, CONNECTION_TIMEOUT, REMOTE_USER_ENDED = 0x00, 0x02, 0x08, 0x13
HANDLE_BITS = 0x0FFF
# The kinds of addresses: given by the maker, made up.
PUBLIC, RANDOM = 0, 1

# Where the length of what follows the header stands: its offset, its width in bytes.
_LENGTH = {COMMAND: (3, 1), ACL: (3, 2), SCO: (3, 1), EVENT: (2, 1), ISO: (3, 2)}


class Packets:
    """Cuts a stream of H4 into packets, each with its type in front."""

    def __init__(self):
        self._rest = b""

    def feed(self, data: bytes):
        self._rest += data
        while (length := self._whole()) is not None:
            packet, self._rest = self._rest[:length], self._rest[length:]
            yield packet

    def _whole(self) -> int | None:
        if not self._rest:
            return None
        offset, width = _LENGTH[self._rest[0]]
        if len(self._rest) < offset + width:
            return None
        length = offset + width + int.from_bytes(self._rest[offset:offset + width], "little")
        return length if len(self._rest) >= length else None


def opcode_of(command: bytes) -> int:
    return int.from_bytes(command[1:3], "little")


def command(opcode: int, parameters: bytes) -> bytes:
    return struct.pack("<BHB", COMMAND, opcode, len(parameters)) + parameters


def event(code: int, parameters: bytes) -> bytes:
    return bytes([EVENT, code, len(parameters)]) + parameters


def command_complete(opcode: int, parameters: bytes) -> bytes:
    return event(COMMAND_COMPLETE, struct.pack("<BH", 1, opcode) + parameters)


def completed_packets(handle: int) -> bytes:
    return event(COMPLETED_PACKETS, struct.pack("<BHH", 1, handle, 1))


def disconnection_complete(handle: int, reason: int) -> bytes:
    return event(DISCONNECTION_COMPLETE, struct.pack("<BHB", SUCCESS, handle, reason))


def with_handle(packet: bytes, offset: int, handle: int) -> bytes:
    return packet[:offset] + handle.to_bytes(2, "little") + packet[offset + 2:]


def handle_at(packet: bytes, offset: int) -> int:
    return int.from_bytes(packet[offset:offset + 2], "little") & HANDLE_BITS


def for_receiver(acl: bytes, handle: int) -> bytes:
    """The packet as the other end's controller hands it up: with its own handle, and a start that is just a start (part
    E, 5.4.2: a host sends 0b00, a controller 0b10)."""
    flags = acl[2] >> 4
    return with_handle(acl, 1, handle | (flags or 0b10) << 12)


def address_text(address: bytes) -> str:
    return ":".join(f"{byte:02X}" for byte in reversed(address))
