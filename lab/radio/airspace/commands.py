"""The command line: the air itself, and orders to it."""

import argparse
import contextlib
import os
import signal
import subprocess
import sys
import time

from patience import LINK, TookTooLong, wait_until

from .air import Air
from .control import FOLDER, Control, order
from .controller import SOCKETS
from .loop import Loop
from .orders import HELP, Orders, Refused

# The emulator makes its sockets in a certain order; this is the last one.
LAST_SOCKET = "/tmp/bt-server-mon"


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["run"]:
        return run(read(arguments[1:]))
    if arguments in ([], ["help"]):
        print(f"air run [--kind KIND] NAME…  controllers of these names\nair ORDER…, one of:\n\n{HELP}")
        return 0
    try:
        answer = order(" ".join(arguments))
    except (Refused, TookTooLong, OSError) as trouble:
        print(f"air: {trouble}", file=sys.stderr)
        return 1
    print(answer)
    return 0


def read(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="air run")
    parser.add_argument("--kind", choices=sorted(SOCKETS), default="legacy", help="what all of them are (%(default)s)")
    parser.add_argument("names", nargs="+", metavar="NAME")
    return parser.parse_args(arguments)


def run(options: argparse.Namespace) -> int:
    loop = Loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: sys.exit(0))
    with emulator() as ended:
        loop.watch(ended, lambda: sys.exit("air: the emulator has ended"))
        os.makedirs(FOLDER, exist_ok=True)
        air = Air(loop, write_line)
        for name in options.names:
            air.add(name, options.kind).plug()
        Control(loop, Orders(air), write_line)
        write_line("ready")
        loop.run()
    return 0


def write_line(text: str) -> None:
    """A line of the log: seconds of the monotonic clock, which every process of the board shares."""
    print(f"{time.monotonic():.4f} {text}", flush=True)


@contextlib.contextmanager
def emulator():
    """BlueZ's emulator, whose sockets have fixed names. Yields a descriptor that ends with it."""
    with contextlib.suppress(FileNotFoundError):
        os.unlink(LAST_SOCKET)
    process = subprocess.Popen(["btvirt", "-s"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        with contextlib.suppress(TookTooLong):
            wait_until("the emulator", lambda: os.path.exists(LAST_SOCKET) or process.poll() is not None, LINK)
        if not os.path.exists(LAST_SOCKET):
            sys.exit("air: no emulator (btvirt -s, package bluez-test-tools)")
        yield os.pidfd_open(process.pid)
    finally:
        process.kill()
