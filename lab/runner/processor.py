"""Which processor of the machine a board runs on."""

import contextlib
import os
import socket
from collections.abc import Iterator

# More boards than processors share them, as evenly as they come.
MOST_ON_ONE = 64


@contextlib.contextmanager
def a_processor() -> Iterator[list[str]]:
    """The command in front of a board's kernel that keeps it on one processor, the one with the fewest boards.

    The kernel and the program that it runs take turns at every system call. Where each stays on a processor of its
    own, every turn wakes a sleeping processor: in a virtual machine that takes ten times as long as the turn itself.
    Whoever holds a name here holds the processor; names go with the process that took them."""
    with contextlib.closing(socket.socket(socket.AF_UNIX)) as name:
        yield ["taskset", "--cpu-list", str(_take(name))]


def _take(name: socket.socket) -> int:
    processors = sorted(os.sched_getaffinity(0))
    for place in range(MOST_ON_ONE):
        for processor in processors:
            with contextlib.suppress(OSError):
                name.bind(f"\0tapstile-board-{processor}-{place}")
                return processor
    return processors[0]
