"""The attribute protocol's fixed channel of one LE link, as a socket of the kernel."""

import ctypes
import errno
import os
import select
import socket
import struct
import time

from patience import LINK

AF_BLUETOOTH, BTPROTO_L2CAP = 31, 0
ATTRIBUTE_CHANNEL = 4
PUBLIC, RANDOM = 1, 2
# A phone may send 517 bytes, an attacker more.
LARGEST = 1024

_libc = ctypes.CDLL(None, use_errno=True)


class Unreachable(Exception):
    """No link came to be."""


class ChannelClosed(Exception):
    """The link has ended."""


def raw_address(address: str) -> bytes:
    return bytes(int(byte, 16) for byte in reversed(address.split(":")))


# Python's own sockets cannot name a fixed channel, nor whose address is a random one; some Pythons know no Bluetooth at all.

def sockaddr(address: str, kind: int) -> bytes:
    """struct sockaddr_l2."""
    return struct.pack("=HH6sHBx", AF_BLUETOOTH, 0, raw_address(address), ATTRIBUTE_CHANNEL, kind)


def bind(made: socket.socket, address: bytes) -> None:
    _call(_libc.bind, made, address)


def connect(made: socket.socket, address: bytes) -> None:
    _call(_libc.connect, made, address)


def _call(function, made: socket.socket, address: bytes) -> None:
    if function(made.fileno(), address, len(address)) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


class Channel:
    """Sends and receives whole protocol data units."""

    def __init__(self, own: str, peer: str, kind: int = PUBLIC, seconds: float = LINK):
        """Connects from the controller with the address `own`. The kernel scans until the peer advertises."""
        self._socket = socket.socket(AF_BLUETOOTH, socket.SOCK_SEQPACKET, BTPROTO_L2CAP)
        try:
            bind(self._socket, sockaddr(own, PUBLIC))
            self._connect(sockaddr(peer, kind), seconds)
        except BaseException:
            self.close()
            raise

    def _connect(self, address: bytes, seconds: float) -> None:
        self._socket.setblocking(False)
        try:
            connect(self._socket, address)
        except BlockingIOError:
            pass
        except OSError as trouble:
            if trouble.errno != errno.EINPROGRESS:
                raise Unreachable(str(trouble)) from trouble
        _, ready, _ = select.select([], [self._socket], [], seconds)
        if not ready:
            raise Unreachable(f"no link within {seconds} s")
        number = self._socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        if number:
            raise Unreachable(os.strerror(number))

    def send(self, unit: bytes, seconds: float = LINK) -> None:
        deadline = time.monotonic() + seconds
        while True:
            try:
                self._socket.send(unit)
                return
            except BlockingIOError:
                left = deadline - time.monotonic()
                if left <= 0 or not select.select([], [self._socket], [], left)[1]:
                    raise ChannelClosed("nothing more could be sent") from None
            except OSError as trouble:
                raise ChannelClosed(str(trouble)) from trouble

    def receive(self, seconds: float) -> bytes | None:
        """The next unit; None when none comes in time."""
        if not select.select([self._socket], [], [], max(0, seconds))[0]:
            return None
        try:
            unit = self._socket.recv(LARGEST)
        except OSError as trouble:
            raise ChannelClosed(str(trouble)) from trouble
        if not unit:
            raise ChannelClosed("the other side has ended the link")
        return unit

    def wait_for_end(self, seconds: float) -> bool:
        """Whether the link ends in time; what still comes is passed over."""
        deadline = time.monotonic() + seconds
        try:
            while (left := deadline - time.monotonic()) > 0:
                self.receive(left)
        except ChannelClosed:
            return True
        return False

    def close(self) -> None:
        self._socket.close()
