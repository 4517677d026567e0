"""Whoever asks a run to end: it hears that where it can do something about it, and neither twice nor in the middle of its summary."""

import contextlib
import signal
from collections.abc import Iterator

WISHES = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)


@contextlib.contextmanager
def asked() -> Iterator[list[signal.Signals]]:
    """What has come, in its order."""
    come: list[signal.Signals] = []
    before = {number: signal.signal(number, lambda number, _: come.append(signal.Signals(number))) for number in WISHES
              if signal.getsignal(number) is not signal.SIG_IGN}
    try:
        yield come
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
