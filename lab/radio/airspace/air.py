"""What passes between controllers. BlueZ's emulator (btvirt) advertises, scans, connects and disconnects; the data of links
go past it, from host to host.

Why not through it: it tells the peripheral's host the handle that the link has at the central, and gives that host the
central's packets under it. One central at a time goes well, because both ends count from 42. Here the peripheral is told
the handle that the emulator has given it (the lowest free one), and packets come under that.
"""

from collections import deque
from dataclasses import dataclass

from .connecting import Connecting
from .controller import Controller
from .link import Cut, End, Link
from .packets import (
    ACL, ADVERTISING_SET_TERMINATED, COMMAND, COMMAND_COMPLETE, COMMAND_STATUS, CONNECTION_COMPLETE, CONNECTION_TIMEOUT,
    DISCONNECT, DISCONNECTION_COMPLETE, ENHANCED_CONNECTION_COMPLETE, EVENT, LE_META, LE_READ_LOCAL_FEATURES,
    LE_SET_ADVERTISER_ADDRESS, LE_SET_RANDOM_ADDRESS, PUBLIC, RANDOM, READ_ADDRESS, READ_LOCAL_COMMANDS, READ_RSSI, RESET,
    SUCCESS, UNKNOWN_CONNECTION, address_text, command_complete, completed_packets, disconnection_complete, handle_at, opcode_of,
    with_handle,
)
from .scanning import Scanning
from .strength import STRONG, Script

FIRST_HANDLE = 42
KEPT_ENDS = 100
# Bits of the answers by which a controller says that it advertises, scans and connects as in Bluetooth 5: of the features
# (volume 6, part B, 4.6) and of the supported commands (volume 4, part E, 6.27).
EXTENDED_FEATURES = {1: 0x10}
EXTENDED_COMMANDS = {36: 0xFE, 37: 0xE3, 38: 0x80}


@dataclass
class Conditions:
    """How a phone is heard: for the links it has and for those to come."""

    strength: Script = STRONG
    delay: int = 0
    held: bool = False
    cut: Cut | None = None

    def calm(self) -> None:
        self.delay, self.held, self.cut = 0, False, None


class Air:
    def __init__(self, loop, write_line):
        self.controllers: dict[str, Controller] = {}
        self.conditions: dict[str, Conditions] = {}
        self.links: list[Link] = []
        self.ended = deque(maxlen=KEPT_ENDS)
        self._loop = loop
        self._write_line = write_line
        self._ends: list[End] = []
        self._scans: dict[str, Scanning] = {}
        self._connecting = Connecting(loop, self._is_in_the_air)

    def add(self, name: str, kind: str) -> Controller:
        self.controllers[name] = Controller(name, kind, self._loop, self)
        self.conditions[name] = Conditions()
        self._scans[name] = Scanning(self._loop, self.controllers[name].to_host, self._is_in_the_air)
        return self.controllers[name]

    def unplug(self, controller: Controller) -> None:
        self._end_all(controller)
        controller.unplug()

    # From a host.

    def from_host(self, controller: Controller, packet: bytes) -> None:
        if packet[0] == ACL:
            self._data(controller, packet)
        elif packet[0] != COMMAND or not self._answers(controller, packet):
            controller.to_chip(packet)

    def _answers(self, controller: Controller, packet: bytes) -> bool:
        """What the air answers itself, and what it notices."""
        opcode = opcode_of(packet)
        self._scans[controller.name].receive(opcode)
        if self._connecting.keeps(opcode, packet, controller.to_chip):
            return True
        if opcode == READ_RSSI:
            self._strength(controller, handle_at(packet, 4))
            return True
        if opcode == RESET:
            # The emulator forgets the links, and tells no one at their other ends.
            self._end_all(controller)
        elif opcode == DISCONNECT:
            controller.asked_to_disconnect.append(True)
        elif opcode == LE_SET_RANDOM_ADDRESS:
            controller.addresses.add((RANDOM, packet[4:10]))
        elif opcode == LE_SET_ADVERTISER_ADDRESS:
            controller.addresses.add((RANDOM, packet[5:11]))
        elif controller.advertising.receive(opcode, packet[4:]):
            self._write_line(f"{controller.name} advertising {'on' if controller.advertising.is_on else 'off'}")
        return False

    def _strength(self, controller: Controller, handle: int) -> None:
        link = controller.links.get(handle)
        value = link.read_strength() if link else "refused"
        if value == "silent":
            return
        status = UNKNOWN_CONNECTION if value == "refused" else SUCCESS
        strength = 0 if value == "refused" else value & 0xFF
        parameters = bytes([status]) + handle.to_bytes(2, "little") + bytes([strength])
        controller.to_host(command_complete(READ_RSSI, parameters))

    def _data(self, controller: Controller, packet: bytes) -> None:
        handle = handle_at(packet, 1)
        controller.to_host(completed_packets(handle))
        link = controller.links.get(handle)
        if link:
            link.carry(link.end_of(controller), packet)
            return
        for end in self._ends:
            if end.controller is controller and end.handle == handle:
                end.waiting.append(packet)

    # From the emulator.

    def from_chip(self, controller: Controller, packet: bytes) -> None:
        if packet[0] == EVENT:
            packet = self._event(controller, packet)
        if packet is not None:
            controller.to_host(packet)

    def _event(self, controller: Controller, packet: bytes) -> bytes | None:
        """The event as the host is told it; None: it is not."""
        code = packet[1]
        if code == COMMAND_COMPLETE:
            return self._completed(controller, packet)
        if code == COMMAND_STATUS and int.from_bytes(packet[5:7], "little") == DISCONNECT:
            is_for_host = not controller.asked_to_disconnect or controller.asked_to_disconnect.pop(0)
            return packet if is_for_host else None
        if code == DISCONNECTION_COMPLETE:
            return self._disconnected(controller, packet)
        if code == LE_META:
            self._scans[controller.name].report(packet)
            return self._meta(controller, packet)
        return packet

    def _completed(self, controller: Controller, packet: bytes) -> bytes:
        opcode = int.from_bytes(packet[4:6], "little")
        if opcode == READ_ADDRESS:
            controller.public = packet[7:13]
            controller.addresses.add((PUBLIC, controller.public))
        elif controller.kind == "extended" and opcode == LE_READ_LOCAL_FEATURES:
            packet = with_bits(packet, EXTENDED_FEATURES)
        elif controller.kind == "extended" and opcode == READ_LOCAL_COMMANDS:
            packet = with_bits(packet, EXTENDED_COMMANDS)
        return packet

    def _meta(self, controller: Controller, packet: bytes) -> bytes | None:
        kind, status = packet[3], packet[4]
        if kind in (CONNECTION_COMPLETE, ENHANCED_CONNECTION_COMPLETE) and status == SUCCESS:
            return self._connected(controller, packet)
        if kind == ADVERTISING_SET_TERMINATED and status == SUCCESS:
            # Here, too, it names the central's handle. It speaks of the newest link.
            return with_handle(packet, 6, controller.newest)
        return packet

    def _connected(self, controller: Controller, packet: bytes) -> bytes | None:
        is_central, peer = packet[7] == 0, (packet[8], packet[9:15])
        handle = handle_at(packet, 5)
        if not is_central:
            handle = next(number for number in range(FIRST_HANDLE, 0xF00) if number not in controller.handles)
        controller.handles.add(handle)
        controller.newest = handle
        # With the link an advertisement ends.
        controller.advertising.is_on = controller.advertising.is_on and is_central
        end = End(controller, handle, peer, is_central)
        # Told before anything of the link can come.
        packet = with_handle(packet, 5, handle)
        for other in self._ends:
            if end.is_other_end_of(other):
                self._ends.remove(other)
                controller.to_host(packet)
                self._join(end, other)
                return None
        self._ends.append(end)
        return packet

    def _join(self, end: End, other: End) -> None:
        central, peripheral = (end, other) if end.is_central else (other, end)
        link = Link(central, peripheral, self.conditions[central.controller.name], self._loop, self._trace)
        for one in (central, peripheral):
            one.controller.links[one.handle] = link
        self.links.append(link)
        kind = " from a random address" if peripheral.peer[0] == RANDOM else ""
        self._write_line(f"{central.controller.name} connected to {peripheral.controller.name}{kind}")
        for one in (peripheral, central):
            for packet in one.waiting:
                link.carry(one, packet)

    def _is_in_the_air(self, address: tuple[int, bytes]) -> bool:
        return any(address in each.addresses and each.advertising.is_on for each in self.controllers.values())

    def _disconnected(self, controller: Controller, packet: bytes) -> bytes | None:
        status, handle = packet[3], handle_at(packet, 4)
        if status != SUCCESS:
            return packet
        # Known no more where the air itself has told the end.
        if handle not in controller.handles:
            return None
        controller.handles.discard(handle)
        self._ends = [end for end in self._ends if (end.controller, end.handle) != (controller, handle)]
        link = controller.links.pop(handle, None)
        if link is None:
            return packet
        if link.reason is None:
            link.reason = packet[6]
        self._end(link)
        return packet[:6] + bytes([link.reason])

    def _end(self, link: Link) -> None:
        if link not in self.links:
            return
        self.links.remove(link)
        self.ended.append(summary(link) | {"reason": link.reason})
        self._write_line(f"{link.central.controller.name} disconnected from {link.peripheral.controller.name} "
                  f"reason {link.reason:#04x} after {link.milliseconds} ms")

    def _end_all(self, controller: Controller) -> None:
        """Tells the other ends what the emulator does not: that this controller is gone."""
        for link in list(controller.links.values()):
            other = link.other(link.end_of(controller))
            link.reason = CONNECTION_TIMEOUT
            self._end(link)
            other.controller.links.pop(other.handle, None)
            other.controller.handles.discard(other.handle)
            other.controller.to_host(disconnection_complete(other.handle, CONNECTION_TIMEOUT))
        controller.links.clear()
        controller.handles.clear()
        self._ends = [end for end in self._ends if end.controller is not controller]

    def _trace(self, link: Link, heard) -> None:
        self._write_line(f"{link.central.controller.name} {heard.kind} {heard.name} {heard.length}")

    # For whoever looks on.

    def picture(self) -> dict:
        return {
            "controllers": {name: self.one(controller) for name, controller in self.controllers.items()},
            "links": [summary(link) for link in self.links],
            "ended": list(self.ended),
        }

    def one(self, controller: Controller) -> dict:
        address = address_text(controller.public) if controller.public else None
        return {"index": controller.index, "address": address, "kind": controller.kind,
                "advertising": controller.advertising.picture()}


def summary(link: Link) -> dict:
    return {
        "phone": link.central.controller.name, "radio": link.peripheral.controller.name, "milliseconds": link.milliseconds,
        "readings": link.readings, "strength": link.last_reading, **link.counted,
    }


def with_bits(packet: bytes, bits: dict[int, int]) -> bytes:
    """Sets bits in the field behind the status of a Command Complete."""
    field = bytearray(packet)
    for byte, mask in bits.items():
        field[7 + byte] |= mask
    return bytes(field)
