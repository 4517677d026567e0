"""What `tapstile events --json` says, kept by a thread and waited for."""

import json
import subprocess
import threading
import time

from patience import Deadline
from processes import end, unheard


class EventStream:
    """All events since it was opened, in order. Each has `heard`, a monotonic time in seconds."""

    def __init__(self, programs, socket, listener=None):
        self._changed = threading.Condition()
        self._events = []
        self._listener = listener
        self.is_over = False
        self._process = programs.start("tapstile", "events", "--json", "--socket", socket,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self):
        for line in self._process.stdout:
            event = json.loads(line)
            event["heard"] = time.monotonic()
            # First, so that whoever waits finds it told already.
            if self._listener:
                self._listener(event)
            with self._changed:
                self._events.append(event)
                self._changed.notify_all()
        with self._changed:
            self.is_over = True
            self._changed.notify_all()

    @property
    def mark(self):
        """The number of events so far: where `wait` shall begin to look."""
        with self._changed:
            return len(self._events)

    def since(self, mark=0, kind=None):
        with self._changed:
            return [event for event in self._events[mark:] if kind in (None, event["event"])]

    def wait(self, kind, since=0, deadline=None, **fields):
        """The first event of a kind, from `since` on, whose fields are these. `deadline`: that of something larger."""
        def is_wanted(event):
            return event["event"] == kind and all(event.get(name) == value for name, value in fields.items())

        wanted = " ".join([kind, *(f"{name}={value}" for name, value in fields.items())])
        return self._wait(is_wanted, since, deadline or Deadline(f"the event {wanted}"))

    def wait_until(self, what, wanted, since=0):
        """The first event from `since` on that `wanted` says yes to; `what` is its name for people."""
        return self._wait(wanted, since, Deadline(what))

    def _wait(self, wanted, since, deadline):
        def found():
            return next(filter(wanted, self._events[since:]), None)

        with self._changed:
            self._changed.wait_for(lambda: found() or self.is_over, deadline.left)
            if event := found():
                return event
            raise deadline.missed(self._instead(since))

    def _instead(self, since):
        ended = f"the event stream has ended and {unheard(self._process)}\n" if self.is_over else ""
        return f"{ended}heard: {json.dumps(self._events[since:][-8:])}"

    def wait_for_any(self, seconds):
        """Returns with the next event, or after a while."""
        with self._changed:
            self._changed.wait(seconds)

    def close(self):
        end(self._process, reader=self._thread)
