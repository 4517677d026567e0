"""How long anything is waited for, in one place: nothing of the kit or of the tests waits for ever.

Bounds are for safety only: nothing waits for them that works. TAPSTILE_WAIT_SECONDS says another number of whole seconds in the
place of 60, for a slow machine; all the others grow with it.
"""

import os
import socket
import time

VARIABLE, USUAL = "TAPSTILE_WAIT_SECONDS", 60


def _seconds():
    text = os.environ.get(VARIABLE) or str(USUAL)
    if not text.isdecimal() or not 1 <= int(text) <= 86_400:
        raise ValueError(f"{VARIABLE} is {text!r}, and no number of seconds from 1 to 86400")
    return int(text)


#: For whatever happens by itself.
PATIENCE = _seconds()
#: For whoever was told to end.
GRACE = PATIENCE / 3
#: For whatever waits for something that has PATIENCE itself: who knows more speaks first.
OUTER = 2 * PATIENCE
#: For whatever computes, downloads or boots.
LONG = 5 * PATIENCE
#: For one test, for what it is given, and for the tidying up.
TEST = 10 * PATIENCE

# Between two looks where nothing tells of the moment.
PAUSE = 0.005


class NothingHappened(Exception):
    """What was waited for did not come: what that was, and what came instead."""


class Deadline:
    """A moment until which something is waited for. `what` says for what."""

    def __init__(self, what, seconds=PATIENCE):
        self.what, self.seconds = what, seconds
        self._end = time.monotonic() + seconds

    @property
    def left(self):
        """In seconds; none when it is over."""
        return max(0.0, self._end - time.monotonic())

    def missed(self, instead=None):
        """What is raised then. `instead` is what came."""
        return NothingHappened(f"waited {self.seconds:g} s for {self.what}" + (f"; {instead}" if instead else ""))


def wait_until(what, condition, seconds=PATIENCE, pause=PAUSE, instead=None):
    """Looks again and again until `condition` answers something true, and answers that. `instead` says what there was in its place."""
    deadline = Deadline(what, seconds)
    while not (answer := condition()):
        if not deadline.left:
            raise deadline.missed(instead and instead())
        time.sleep(pause)
    return answer


def wait_for(event, what, seconds=PATIENCE):
    """Until somebody sets the `threading.Event`."""
    if not event.wait(seconds):
        raise Deadline(what, seconds).missed()


def joined(thread, seconds=OUTER):
    """Until the thread has ended."""
    thread.join(seconds)
    if thread.is_alive():
        raise Deadline(f"the end of the thread {thread.name}", seconds).missed()


def connected(path):
    """A stream to a Unix socket. For a socket with a bound a full queue is an error and no wait: it is tried again."""
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(PATIENCE)

    def has_room():
        try:
            connection.connect(path)
        except BlockingIOError:
            return False
        return True

    try:
        wait_until(f"room in the queue of {path}", has_room)
    except BaseException:
        connection.close()
        raise
    return connection
