"""One board: a user-mode Linux kernel with its console, its bounded time and its certain end."""

import contextlib
import os
import re
import selectors
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

from .needs import isolation, memory_folder
from .patience import GRACE, ended
from .processor import a_processor

# What systemd sends a terminal before it writes to it.
TERMINAL_SEQUENCE = re.compile(r"\x1b(\[[0-9;?!]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)|[@-Z\\-_c7-8=>]|P[^\x1b]*\x1b\\)")
# The kernel's last line, when a guest has switched itself off.
POWERED_DOWN = "reboot: Power down"
_console_lock = threading.Lock()


class Machine:
    """A kernel process. `name` stands before every line of its console."""

    def __init__(self, name: str, kernel: Path, folder: Path, memory: int, arguments: list[str]):
        self.name = name
        self.kernel = kernel
        self.folder = folder
        self.memory = memory
        self.arguments = arguments
        self.process: subprocess.Popen | None = None
        self.started = 0.0
        self.powered_down = False

    def run(self, seconds: float, stop: threading.Event) -> str | None:
        """Boots and follows the console until the guest has switched itself off. A sentence when it did not."""
        with a_processor() as on_a_processor:
            self._start(on_a_processor)
            try:
                trouble = self._follow(seconds, stop)
                if trouble is None:
                    trouble = self._status()
            finally:
                self.kill()
        return trouble

    def log(self, text: str) -> None:
        with _console_lock:
            sys.stdout.write(f"[{self.name} {time.monotonic() - self.started:6.1f}] {text}\n")
            sys.stdout.flush()

    def kill(self) -> None:
        """Pulls the plug: every process of the board ends at once, and is gone when this returns."""
        process = self.process
        if process is None:
            return
        # The first process of the board's namespace takes all others along and ends last; ours waits for it.
        with contextlib.suppress(OSError):
            for first in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split():
                os.kill(int(first), signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(GRACE)
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        ended(process, f"the killed board {self.name}")

    def _start(self, on_a_processor: list[str]) -> None:
        command = [
            *on_a_processor, *isolation(), str(self.kernel), f"mem={self.memory}M", f"uml_dir={self.folder}/uml", "umid=board",
            "con0=fd:0,fd:1", "con=null", "ssl=null", "quiet", "loglevel=3", *self.arguments,
        ]
        environment = dict(os.environ, TMPDIR=str(memory_folder(self.memory, self.folder)))
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env=environment, start_new_session=True,
        )

    def _follow(self, seconds: float, stop: threading.Event) -> str | None:
        pipe = self.process.stdout
        os.set_blocking(pipe.fileno(), False)
        rest = b""
        with selectors.DefaultSelector() as selector:
            selector.register(pipe, selectors.EVENT_READ)
            while True:
                if stop.is_set():
                    return "it was interrupted"
                left = self.started + seconds - time.monotonic()
                if left <= 0:
                    self._tell_lines(rest + b"\n")
                    return f"it did not end within {seconds:.0f} s"
                if not selector.select(min(left, 0.5)):
                    continue
                data = pipe.read()
                if data == b"":
                    self._tell_lines(rest + b"\n")
                    return None
                rest = self._tell_lines(rest + (data or b""))

    def _tell_lines(self, data: bytes) -> bytes:
        *lines, rest = data.split(b"\n")
        for line in lines:
            text = TERMINAL_SEQUENCE.sub("", line.decode(errors="replace")).replace("\r", "")
            if text.strip():
                self.log(text)
            self.powered_down = self.powered_down or text.endswith(POWERED_DOWN)
        return rest

    def _status(self) -> str | None:
        try:
            status = self.process.wait(GRACE)
        except subprocess.TimeoutExpired:
            return "its console was closed, but it ran on"
        # The guest's part is over with its last line. A kernel that is a process tidies up its own threads after it, and on a busy machine
        # one of them may be met on its way out: abort(3), as a shell tells it.
        tolerated = (0, 128 + signal.SIGABRT) if self.powered_down else (0,)
        return None if status in tolerated else f"its kernel ended with status {status}"
