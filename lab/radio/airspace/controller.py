"""One virtual controller: a device of this kernel on the one side, one of the emulator on the other."""

import contextlib
import os
import select
import socket
import struct

from patience import SOON

from .advertising import Advertising
from .packets import ACL, EVENT, VENDOR, Packets

# What the emulator offers as a controller, by the name of the socket that makes one. Extended is its dual-mode one, too: it
# answers the commands of Bluetooth 5, and the air lets it say so.
SOCKETS = {"legacy": "bredrle", "extended": "bredrle", "classic": "bredr"}
PRIMARY = 0x00
LARGEST = 4096


class Controller:
    def __init__(self, name: str, kind: str, loop, air):
        self.name = name
        self.kind = kind
        # Of the kernel's, such as 0 of hci0; None while it is unplugged.
        self.index: int | None = None
        # As its public address and the random ones it was given, as (type, bytes).
        self.public: bytes | None = None
        self.addresses: set[tuple[int, bytes]] = set()
        # Links by this side's handle, and the handles that the emulator has given away here.
        self.links = {}
        self.handles: set[int] = set()
        self.newest = 0
        self.advertising = Advertising()
        # Who asked for the disconnections whose status is not told yet, one after the other: True is this host.
        self.asked_to_disconnect: list[bool] = []
        self._loop = loop
        self._air = air
        self._host: int | None = None
        self._chip: socket.socket | None = None
        self._packets = Packets()

    @property
    def is_plugged(self) -> bool:
        return self._host is not None

    def plug(self) -> None:
        self._chip = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._chip.connect(f"/tmp/bt-server-{SOCKETS[self.kind]}")
        self._packets = Packets()
        self._host = os.open("/dev/vhci", os.O_RDWR)
        os.write(self._host, bytes([VENDOR, PRIMARY]))
        if not select.select([self._host], [], [], SOON)[0]:
            raise TimeoutError(f"the kernel has not said within {SOON} s which device {self.name} is")
        _, _, self.index = struct.unpack("<BBH", os.read(self._host, LARGEST))
        # What waits can be flushed by the kernel between our being told and our reading.
        os.set_blocking(self._host, False)
        self._loop.watch(self._host, self._from_host)
        self._loop.watch(self._chip, self._from_chip)

    def unplug(self) -> None:
        for end in (self._host, self._chip):
            self._loop.forget(end)
        self._chip.close()
        host, self._host, self._chip, self.index = self._host, None, None, None
        os.close(host)
        self.public = None
        self.advertising = Advertising()
        self.addresses.clear()
        self.handles.clear()
        self.asked_to_disconnect.clear()

    def to_host(self, packet: bytes) -> None:
        if self._host is None:
            return
        # A device that is down takes nothing but the events of its own start (ENXIO).
        with contextlib.suppress(OSError):
            os.write(self._host, packet)

    def to_chip(self, packet: bytes) -> None:
        if self._chip is not None:
            self._chip.sendall(packet)

    def _from_host(self) -> None:
        try:
            packet = os.read(self._host, LARGEST)
        except BlockingIOError:
            return
        self._air.from_host(self, packet)

    def _from_chip(self) -> None:
        data = self._chip.recv(LARGEST)
        if not data:
            raise ConnectionError(f"the emulator has hung up on {self.name}")
        for packet in self._packets.feed(data):
            if packet[0] in (EVENT, ACL):
                self._air.from_chip(self, packet)
