"""A throw-away gate made of the real programs: a site, a private pcscd with the virtual reader, the
daemon, phones. Shared by the demonstration and the scenario tests; Python's own library only.
"""

from patience import NothingHappened

from .card import Card
from .chip import VirtualChip
from .events import EventStream
from .gate import Gate
from .nfc import ChipProgram, ChipReader
from .pcscd import PrivatePCSCD
from .programs import ProgramFailed, Programs
from .relay import RelayedPhone
from .silence import Silence
from .site import Person, Site, without_sums

__all__ = ["Card", "ChipProgram", "ChipReader", "EventStream", "Gate", "NothingHappened", "Person", "PrivatePCSCD", "ProgramFailed",
           "Programs", "RelayedPhone", "Silence", "Site", "VirtualChip", "without_sums"]
