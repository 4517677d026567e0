"""A PN532 that exists in this machine only: the real program tapstile-phone plays it."""

import json
import os
import subprocess
import threading

from patience import Deadline
from processes import end


class VirtualChip:
    """A virtual PN532 at a serial port. Phones are put onto it with `--port` and its `card_port`."""

    def __init__(self, programs, folder, *options):
        self.link = os.path.join(folder, "pn532")
        self._process = programs.start("tapstile-phone", "reader", "--link", self.link, "--air", *map(str, options), stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, text=True)
        self._told = threading.Condition()
        # One order after the other: an answer is that of the last one.
        self._ordering = threading.Lock()
        self._air, self._answers = [], []
        self._is_over = False
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        try:
            self.card_port = self._next_answer("the virtual chip's first word")["port"]
        except BaseException:
            self.stop()
            raise

    def _listen(self):
        for line in self._process.stdout:
            told = json.loads(line)
            with self._told:
                (self._air if "us" in told else self._answers).append(told)
                self._told.notify_all()
        with self._told:
            self._is_over = True
            self._told.notify_all()

    def _next_answer(self, what):
        deadline = Deadline(what)
        with self._told:
            self._told.wait_for(lambda: self._answers or self._is_over, deadline.left)
            if not self._answers:
                raise deadline.missed(f"it {'has ended' if self._is_over else 'runs'}; on the air was {self._air[-8:]}")
            return self._answers.pop(0)

    def order(self, text):
        """Tells the chip what to do wrong, to be unplugged, and so on, and waits until it is so."""
        with self._ordering:
            self._process.stdin.write(text + "\n")
            self._process.stdin.flush()
            answer = self._next_answer(f"the virtual chip to obey: {text}")
        assert answer == {"done": text}, answer

    @property
    def air(self):
        """Everything that was on the air so far."""
        with self._told:
            return list(self._air)

    def wait_for_air(self, wanted, since=0, count=1):
        """Waits until something was on the air, from `since` on, that `wanted` says yes to, so many times; answers with the last of them."""
        deadline = Deadline(f"something on the air, {count} times")
        with self._told:
            def seen():
                return [told for told in self._air[since:] if wanted(told)]

            if not self._told.wait_for(lambda: len(seen()) >= count, deadline.left):
                raise deadline.missed(f"it came {len(seen())} times; there was {self._air[since:][-8:]}")
            return seen()[count - 1]

    @property
    def mark(self):
        """How much was on the air so far."""
        with self._told:
            return len(self._air)

    def stop(self):
        self._process.stdin.close()
        end(self._process, reader=self._listener)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
