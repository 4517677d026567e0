"""What a scanning controller hears. The emulator tells it of an advertisement once, when the scan begins: the kernel passes that
over where it has not noted yet that its search has begun. Here it hears of it again and again, as from any other advertiser.
"""

import time

RESET, SCAN_ENABLE, EXTENDED_SCAN_ENABLE = 0x0C03, 0x200C, 0x2042
# Of LE_META, and where in the packet the advertiser's address type stands, followed by the address.
REPORTS = {0x02: 6, 0x0D: 7}
SECONDS = 0.1


class Scanning:
    """`is_in_the_air` says whether whoever has this address (type, bytes) advertises still."""

    def __init__(self, loop, to_host, is_in_the_air):
        self._loop = loop
        self._to_host = to_host
        self._is_in_the_air = is_in_the_air
        # By advertiser and kind of report, the newest one.
        self._reports: dict[bytes, bytes] = {}
        # Counts scans: what was due in an earlier one is not told in the next.
        self._scan = 0

    def receive(self, opcode: int) -> None:
        """A command of the host: scanning begins or ends with it, and with what was heard it is over."""
        if opcode in (RESET, SCAN_ENABLE, EXTENDED_SCAN_ENABLE):
            self._scan += 1
            self._reports.clear()

    def report(self, packet: bytes) -> None:
        """The emulator has told the host of an advertisement."""
        at = REPORTS.get(packet[3])
        if at is None:
            return
        if not self._reports:
            self._again(self._scan)
        self._reports[packet[3:at + 7]] = packet

    def _again(self, scan: int) -> None:
        self._loop.at(time.monotonic() + SECONDS, lambda: self._tell(scan))

    def _tell(self, scan: int) -> None:
        if scan != self._scan:
            return
        for packet in self._reports.values():
            at = REPORTS[packet[3]]
            if self._is_in_the_air((packet[at], packet[at + 1:at + 7])):
                self._to_host(packet)
        self._again(scan)
