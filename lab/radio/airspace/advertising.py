"""What a host has its controller advertise, as the commands say it (Bluetooth Core 5.3, volume 4, part E, 7.8)."""

import struct
from dataclasses import dataclass

LEGACY_PARAMETERS, LEGACY_DATA, LEGACY_SCAN_RESPONSE, LEGACY_ENABLE = 0x2006, 0x2008, 0x2009, 0x200A
SET_PARAMETERS, SET_DATA, SET_SCAN_RESPONSE, SET_ENABLE = 0x2036, 0x2037, 0x2038, 0x2039
# Intervals are counted in these.
MILLISECONDS = 0.625


@dataclass
class Advertising:
    """`interval`: the shortest and the longest, in milliseconds."""

    is_on: bool = False
    interval: tuple[float, float] = (0, 0)
    data: bytes = b""
    scan_response: bytes = b""

    def receive(self, opcode: int, parameters: bytes) -> bool:
        """Whether advertising was begun or ended by this command."""
        if opcode == LEGACY_PARAMETERS:
            self._interval(*struct.unpack_from("<HH", parameters))
        elif opcode == SET_PARAMETERS:
            self._interval(*(int.from_bytes(parameters[at:at + 3], "little") for at in (3, 6)))
        elif opcode == LEGACY_DATA:
            self.data = parameters[1:1 + parameters[0]]
        elif opcode == SET_DATA:
            self.data = parameters[4:4 + parameters[3]]
        elif opcode == LEGACY_SCAN_RESPONSE:
            self.scan_response = parameters[1:1 + parameters[0]]
        elif opcode == SET_SCAN_RESPONSE:
            self.scan_response = parameters[4:4 + parameters[3]]
        elif opcode in (LEGACY_ENABLE, SET_ENABLE):
            self.is_on = parameters[0] != 0
            return True
        return False

    def _interval(self, shortest: int, longest: int) -> None:
        self.interval = (shortest * MILLISECONDS, longest * MILLISECONDS)

    def picture(self) -> dict:
        return {"on": self.is_on, "interval": self.interval, "data": self.data.hex(), "scan-response": self.scan_response.hex()}
