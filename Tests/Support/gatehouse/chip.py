"""A PN532 that exists in this machine only: the real program tapstile-phone plays it."""

import json
import os
import subprocess
import threading

from .events import PATIENCE, NothingHappened
from .programs import end


class VirtualChip:
    """A virtual PN532 at a serial port. Phones are put onto it with `--port` and its `card_port`."""

    def __init__(self, programs, folder, *options):
        self.link = os.path.join(folder, "pn532")
        self._process = programs.start("tapstile-phone", "reader", "--link", self.link, "--air", *map(str, options), stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, text=True)
        self._told = threading.Condition()
        self._air, self._answers = [], []
        begun = json.loads(self._process.stdout.readline())
        self.card_port = begun["port"]
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        for line in self._process.stdout:
            told = json.loads(line)
            with self._told:
                (self._air if "us" in told else self._answers).append(told)
                self._told.notify_all()

    def order(self, text):
        """Tells the chip what to do wrong, to be unplugged, and so on, and waits until it is so."""
        self._process.stdin.write(text + "\n")
        self._process.stdin.flush()
        with self._told:
            if not self._told.wait_for(lambda: self._answers, PATIENCE):
                raise NothingHappened(f"the virtual chip does not obey: {text}")
            answer = self._answers.pop(0)
        assert answer == {"done": text}, answer

    @property
    def air(self):
        """Everything that was on the air so far."""
        with self._told:
            return list(self._air)

    def wait_for_air(self, wanted, since=0, count=1):
        """Waits until something was on the air, from `since` on, that `wanted` says yes to, so many times; answers with the last of them."""
        with self._told:
            def seen():
                return [told for told in self._air[since:] if wanted(told)]

            if not self._told.wait_for(lambda: len(seen()) >= count, PATIENCE):
                raise NothingHappened(f"waited for something on the air; there was {self._air[since:][-8:]}")
            return seen()[count - 1]

    @property
    def mark(self):
        """How much was on the air so far."""
        with self._told:
            return len(self._air)

    def stop(self):
        self._process.stdin.close()
        end(self._process)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
