"""A phone that falls silent in the middle of a conversation."""

import threading

from patience import PATIENCE, wait_for


class Silence:
    """A card that stops talking at a command, and answers it only when told to; never where it is `for_good`.
    For `RelayedPhone(person, silence)`."""

    def __init__(self, step, for_good=False):
        self.step = step
        self.for_good = for_good
        self.answers = threading.Event()
        self._fell_silent = threading.Event()

    def __call__(self, number, command, response):
        if number != self.step:
            return response
        self._fell_silent.set()
        # A test that failed before it said so holds nobody up for longer.
        self.answers.wait(PATIENCE)
        return None if self.for_good else response

    def wait_for_it(self):
        """Returns once it has fallen silent."""
        wait_for(self._fell_silent, f"the phone to be asked so far that it falls silent: command {self.step}")
