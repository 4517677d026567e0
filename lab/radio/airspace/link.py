"""One connection, from the moment its second end is told of it."""

import time
from collections import deque
from dataclasses import dataclass, field

from . import attributes
from .packets import CONNECTION_TIMEOUT, DISCONNECT, command, for_receiver
from .strength import Reading


@dataclass
class End:
    """One controller's end: how it calls the link, and what its host sends before the other end is known."""

    controller: object
    handle: int
    peer: tuple[int, bytes]
    is_central: bool
    waiting: list[bytes] = field(default_factory=list)

    def is_other_end_of(self, other: "End") -> bool:
        return (self.is_central != other.is_central and self.peer in other.controller.addresses
                and other.peer in self.controller.addresses)


@dataclass
class Cut:
    """The moment at which a link is to be cut: once so many requests have come through, or so many answers."""

    what: str
    number: int


class Link:
    def __init__(self, central: End, peripheral: End, conditions, loop, trace):
        self.central = central
        self.peripheral = peripheral
        self.conditions = conditions
        self.began = time.monotonic()
        self.reading = Reading(conditions.strength)
        self.readings = 0
        self.last_reading: int | str | None = None
        self.counted = {"requests": 0, "answers": 0}
        # Nothing passes any more, and why: its last event is still on the way to both ends.
        self.reason: int | None = None
        self._loop = loop
        self._trace = trace
        self._queue = deque()
        self._attributes = {True: attributes.Listener(), False: attributes.Listener()}

    @property
    def milliseconds(self) -> int:
        return round((time.monotonic() - self.began) * 1000)

    def other(self, end: End) -> End:
        return self.peripheral if end is self.central else self.central

    def end_of(self, controller) -> End:
        return self.central if self.central.controller is controller else self.peripheral

    def read_strength(self) -> int | str:
        self.readings += 1
        self.last_reading = self.reading.next()
        return self.last_reading

    def carry(self, sender: End, packet: bytes) -> None:
        """Takes an ACL packet of the sender's host to the other one, when its time has come."""
        if self.reason is not None:
            return
        self._queue.append((time.monotonic() + self.conditions.delay / 1000, sender, packet))
        self.move()

    def move(self) -> None:
        """Delivers what is due, in order, and comes back for the rest."""
        now = time.monotonic()
        while self._queue and self._queue[0][0] <= now and not self.conditions.held and self.reason is None:
            _, sender, packet = self._queue.popleft()
            self._deliver(sender, packet)
        if self._queue and not self.conditions.held and self.reason is None:
            self._loop.at(self._queue[0][0], self.move)

    def _deliver(self, sender: End, packet: bytes) -> None:
        receiver = self.other(sender)
        receiver.controller.to_host(for_receiver(packet, receiver.handle))
        heard = self._attributes[sender.is_central].receive(packet)
        if heard is None:
            return
        self._trace(self, heard)
        if heard.kind in self.counted:
            self.counted[heard.kind] += 1
            cut = self.conditions.cut
            if cut and cut.what == heard.kind and self.counted[heard.kind] >= cut.number:
                self.conditions.cut = None
                self.cut()

    def cut(self) -> None:
        """The phone is out of reach: both ends are told that nothing was heard for the supervision time."""
        if self.reason is None:
            self.reason = CONNECTION_TIMEOUT
            self._queue.clear()
            self.central.controller.asked_to_disconnect.append(False)
            handle = self.central.handle.to_bytes(2, "little")
            self.central.controller.to_chip(command(DISCONNECT, handle + bytes([CONNECTION_TIMEOUT])))
