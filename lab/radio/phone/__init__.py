"""A phone for tests: BlueZ's kernel sockets and Python's standard library, nothing of Tapstile's.

    from phone import Phone
    with Phone("anna", "gate") as phone:
        phone.use_mtu(517)
        characteristic = phone.find(ON_TOUCH)
        phone.write(characteristic, bytes.fromhex("00…"))
        answer = phone.read(characteristic)
"""

from .attributes import Attributes, RequestRefused, Silence
from .channel import Channel, ChannelClosed, Unreachable
from .controller import LocalController
from .conversation import ERROR, MESSAGE, OUTCOME, Conversation, Ended
from .phone import CLASSIC, ON_TOUCH, Phone, air

__all__ = [
    "CLASSIC", "ERROR", "MESSAGE", "ON_TOUCH", "OUTCOME", "Attributes", "Channel", "ChannelClosed", "Conversation", "Ended",
    "LocalController", "Phone", "RequestRefused", "Silence", "Unreachable", "air",
]
