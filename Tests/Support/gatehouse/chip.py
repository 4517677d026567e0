"""A PN532 that exists in this machine only: the real program tapstile-phone plays it."""

import json
import os
import subprocess
import threading

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
            self._told.wait_for(lambda: self._answers, 60)
            answer = self._answers.pop(0)
        assert answer == {"done": text}, answer

    @property
    def air(self):
        """Everything that was on the air so far."""
        with self._told:
            return list(self._air)

    def wait_for_air(self, wanted):
        """Waits until something was on the air that `wanted` says yes to, and answers with it."""
        with self._told:
            self._told.wait_for(lambda: any(map(wanted, self._air)), 60)
            return next(filter(wanted, self._air))

    def stop(self):
        self._process.stdin.close()
        end(self._process)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
