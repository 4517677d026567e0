"""A phone at a controller of the air, in its dealings with the gate's service."""

import contextlib
import json
import pathlib
import time
import uuid

from airspace.control import order
from patience import LINK, SOON, wait_until

from .attributes import Attributes
from .channel import Channel
from .controller import LocalController

# Every socket of the kernel's: own and other address with the sorts of these behind each (net/bluetooth/l2cap_sock.c).
SOCKETS = pathlib.Path("/sys/kernel/debug/bluetooth/l2cap")

ON_TOUCH = uuid.UUID("00005301-0010-002a-426c-756549442a00")
CLASSIC = uuid.UUID("00005301-0000-002a-426c-756549442a00")


def air(words: str):
    """An order to the air, and its answer."""
    return json.loads(order(words))


class Phone:
    """One link. `connected_milliseconds`: what it took to get it."""

    def __init__(self, name: str, radio: str, seconds: float = LINK):
        """From the controller `name` to the controller `radio`, as the air calls them."""
        own, peer = air(f"controller {name}"), air(f"controller {radio}")
        self.name = name
        self._controller, self._peer = LocalController(own["index"]), peer["address"]
        self._wait_for_end_of_last_link(own["address"])
        began = time.monotonic()
        self.channel = Channel(own["address"], self._peer, seconds=seconds)
        self.connected_milliseconds = (time.monotonic() - began) * 1000
        self.attributes = Attributes(self.channel)

    def _wait_for_end_of_last_link(self, own: str) -> None:
        """bluetoothd passes over a phone that is back before it has put away the phone's last link: nothing is answered then,
        and the link ends after some seconds. A phone in the hand is not that fast."""
        def is_gone() -> bool:
            return all(line.split()[0:3:2] != [self._peer, own] for line in SOCKETS.read_text().upper().splitlines())

        wait_until(f"bluetoothd to let go of the last link of {self.name}", is_gone, SOON, pause=0.005)

    def __enter__(self) -> "Phone":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def close(self) -> None:
        """Ends the link. A closed socket alone does not: the kernel keeps the link for two seconds, and whoever connects
        meanwhile gets it again."""
        with contextlib.suppress(OSError):
            self._controller.disconnect(self._peer)
            # The answer may be there before the link is gone.
            self.channel.wait_for_end(SOON / 2)
        self.channel.close()

    def use_mtu(self, mtu: int) -> int:
        """23 is where every link begins: nothing is exchanged then."""
        return self.attributes.exchange_mtu(mtu) if mtu > 23 else 23

    def find(self, service: uuid.UUID) -> int | None:
        """The value handle of the service's one characteristic; None where there is no such service."""
        handles = self.attributes.find_service(service.bytes[::-1])
        if handles is None:
            return None
        found = self.attributes.characteristics(*handles)
        assert len(found) == 1, found
        return found[0][0]

    def write(self, characteristic: int, value: bytes) -> None:
        self.attributes.write_long(characteristic, value)

    def read(self, characteristic: int) -> bytes:
        return self.attributes.read_long(characteristic)
