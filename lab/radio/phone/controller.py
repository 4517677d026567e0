"""What the kernel knows of a controller's links, by its own two ways: raw HCI, and management (BlueZ, doc/mgmt-api.txt)."""

import fcntl
import select
import socket
import struct
import time

from patience import SOON

from .channel import AF_BLUETOOTH, PUBLIC, bind, raw_address

BTPROTO_HCI = 1
RAW, MANAGEMENT = 0, 3
NO_DEVICE = 0xFFFF
SOL_HCI, HCI_FILTER = 0, 2
# _IOR('H', 213, int); a link of this sort in struct hci_conn_info_req.
HCIGETCONNINFO, LE_LINK = 0x800448D5, 0x80
READ_RSSI, EVENT, COMMAND, COMMAND_COMPLETE = 0x1405, 0x04, 0x01, 0x0E
GET_CONNECTION_INFORMATION, DISCONNECT, DONE, STATUS = 0x0031, 0x0014, 0x0001, 0x0002
SET_POWERED, SET_PRIVACY = 0x0005, 0x002F
UNKNOWN = 127


class LocalController:
    """`index` is the 0 of hci0."""

    def __init__(self, index: int):
        self.index = index

    def handle_of(self, peer: str) -> int:
        """Of the link with that address; OSError where there is none."""
        with self._raw() as channel:
            question = bytearray(raw_address(peer) + bytes([LE_LINK]) + bytes(17))
            fcntl.ioctl(channel, HCIGETCONNINFO, question)
            return struct.unpack_from("<H", question, 8)[0]

    def strength(self, peer: str, seconds: float = SOON / 2) -> int | None:
        """As the controller measures it now, in dBm; None where it does not know or does not answer."""
        handle = self.handle_of(peer)
        with self._raw() as channel:
            # struct hci_filter: events, of these only the end of our command.
            channel.setsockopt(SOL_HCI, HCI_FILTER, struct.pack("<IIIHxx", 1 << EVENT, 1 << COMMAND_COMPLETE, 0, READ_RSSI))
            channel.send(struct.pack("<BHBH", COMMAND, READ_RSSI, 2, handle))
            answer = received(channel, seconds)
        if answer is None or answer[6] != 0:
            return None
        value = struct.unpack_from("<b", answer, 9)[0]
        return None if value == UNKNOWN else value

    def managed_strength(self, peer: str) -> int | None:
        """As management tells it: the kernel asks the controller, but not again for some seconds."""
        answer = self._manage(GET_CONNECTION_INFORMATION, raw_address(peer) + bytes([PUBLIC]))
        value = struct.unpack_from("<b", answer, 7)[0]
        return None if value == UNKNOWN else value

    def disconnect(self, peer: str) -> None:
        self._manage(DISCONNECT, raw_address(peer) + bytes([PUBLIC]))

    def use_random_addresses(self, key: bytes) -> None:
        """From now on it connects with addresses made up from this key (16 bytes), which nobody can tell; none: with its own again."""
        self._manage(SET_POWERED, bytes([0]))
        self._manage(SET_PRIVACY, bytes([1 if key else 0]) + key.ljust(16, b"\0"))
        self._manage(SET_POWERED, bytes([1]))

    def _raw(self) -> socket.socket:
        return hci_socket(self.index, RAW)

    def _manage(self, opcode: int, parameters: bytes) -> bytes:
        with hci_socket(NO_DEVICE, MANAGEMENT) as channel:
            channel.send(struct.pack("<HHH", opcode, self.index, len(parameters)) + parameters)
            deadline = time.monotonic() + SOON
            while (answer := received(channel, max(0, deadline - time.monotonic()))) is not None:
                code, index, _, about = struct.unpack_from("<HHHH", answer)
                if code in (DONE, STATUS) and (index, about) == (self.index, opcode):
                    if answer[8] != 0:
                        raise OSError(f"management command {opcode:#06x}: status {answer[8]:#04x}")
                    return answer[9:]
        raise TimeoutError(f"management command {opcode:#06x} has not been answered within {SOON} s")


def hci_socket(index: int, channel: int) -> socket.socket:
    made = socket.socket(AF_BLUETOOTH, socket.SOCK_RAW, BTPROTO_HCI)
    # struct sockaddr_hci
    bind(made, struct.pack("=HHH", AF_BLUETOOTH, index, channel))
    return made


def received(channel: socket.socket, seconds: float) -> bytes | None:
    return channel.recv(512) if select.select([channel], [], [], seconds)[0] else None
