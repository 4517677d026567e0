"""A phone that falls silent in the middle of a conversation."""

import threading

from .events import PATIENCE


class Silence:
    """A card that stops talking at a command, and answers it only when told to; never where it is `for_good`.
    For `RelayedPhone(person, silence)`."""

    def __init__(self, step, for_good=False):
        self.step = step
        self.for_good = for_good
        self.answers = threading.Event()
        self.fell_silent = threading.Event()

    def __call__(self, number, command, response):
        if number != self.step:
            return response
        self.fell_silent.set()
        self.answers.wait(PATIENCE)
        return None if self.for_good else response
