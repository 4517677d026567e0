"""What a controller waits for that is to connect: the next advertisement. The emulator looks once, and never again where the
other one is not advertising at that moment, such as between the end of a link and the host's next word about advertising.
"""

import time

CREATE, EXTENDED_CREATE = 0x200D, 0x2043
# Where in the command the peer's address type stands, followed by the address.
PEER = {CREATE: 9, EXTENDED_CREATE: 6}
STEP = 0.02
# A host waits 2 s for the status of a command: that is how controllers are, and no bound of the lab's.
AS_LONG = 1.5


class Connecting:
    def __init__(self, loop, is_in_the_air):
        self._loop = loop
        self._is_in_the_air = is_in_the_air

    def keeps(self, opcode: int, packet: bytes, send) -> bool:
        """Whether this is a command to connect to somebody who is not in the air now; it is sent when he is."""
        at = PEER.get(opcode)
        if at is None:
            return False
        peer = (packet[at], packet[at + 1:at + 7])
        if self._is_in_the_air(peer):
            return False
        self._later(peer, packet, send, time.monotonic() + AS_LONG)
        return True

    def _later(self, peer, packet: bytes, send, end: float) -> None:
        def look() -> None:
            now = time.monotonic()
            if now >= end:
                send(packet)
            elif self._is_in_the_air(peer):
                # The emulator hears of it from the other controller: it shall have done so.
                self._loop.at(now + STEP, lambda: send(packet))
            else:
                self._later(peer, packet, send, end)

        self._loop.at(time.monotonic() + STEP, look)
