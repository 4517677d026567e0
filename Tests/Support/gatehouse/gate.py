"""One running gate: the real daemon, asked and listened to by the real tool."""

import json
import os
import select
import socket as sockets
import subprocess
import time

from patience import PATIENCE, Deadline, NothingHappened, connected, wait_until
from processes import ProgramFailed, end, ended, kill

from .events import EventStream

# So long must a phone be away to be another one.
AWAY_SECONDS = 0.3


class Gate:
    """tapstiled with one configuration. `events` hears everything from the first moment on."""

    def __init__(self, programs, folder, configuration, socket):
        self.programs = programs
        self.folder = folder
        self.configuration = configuration
        self.socket = socket
        self.log_path = os.path.join(folder, "tapstiled.log")
        self.process = None
        self.events = None
        self.started_in = None
        # The daemon's alone.
        self.environment = {}

    # Life

    def start(self, listener=None):
        """Starts the daemon and returns once it has said, as to systemd, that it is ready."""
        notices = sockets.socket(sockets.AF_UNIX, sockets.SOCK_DGRAM)
        address = os.path.join(self.folder, "notify")
        if os.path.exists(address):
            os.unlink(address)
        notices.bind(address)
        began = time.monotonic()
        with open(self.log_path, "ab") as log, notices:
            # Not for those whom the daemon would start: it starts nobody.
            environment = {**self.programs.environment, **self.environment, "NOTIFY_SOCKET": address}
            self.process = subprocess.Popen(
                [self.programs.path("tapstiled"), "--config", self.configuration],
                env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
            self._wait_until_ready(notices)
        os.unlink(address)
        self.started_in = time.monotonic() - began
        self.listen(listener)
        return self

    def listen(self, listener=None):
        self.events = EventStream(self.programs, self.socket, listener)
        self.events.wait("subscribed")

    def _wait_until_ready(self, notices):
        # Whether it has ended is looked at in between.
        notices.settimeout(0.1)

        def is_ready():
            try:
                return b"READY=1" in notices.recv(4096)
            except TimeoutError:
                if self.process.poll() is not None:
                    raise RuntimeError(f"tapstiled ended with status {self.process.returncode}: {self.log.strip()}") from None
                return False

        wait_until("tapstiled to be ready", is_ready, pause=0, instead=lambda: f"its log says:\n{self.log.strip()}")

    @property
    def is_running(self):
        return self.process is not None and self.process.poll() is None

    @property
    def log(self):
        with open(self.log_path, encoding="utf-8", errors="replace") as log:
            return log.read()

    def signal(self, number):
        self.process.send_signal(number)

    def stop(self):
        """An orderly end. Answers the exit status."""
        if self.process is None:
            return None
        end(self.process)
        if self.events:
            self.events.close()
        return self.process.returncode

    def kill(self):
        """As a power cut for the process."""
        kill(self.process)
        self.events.close()

    def ended(self):
        """The exit status of a gate that ends without our doing."""
        try:
            return ended(self.process)
        except NothingHappened as nothing:
            raise NothingHappened(f"{nothing}\nits log says:\n{self.log.strip()}") from None

    # Asking

    def ask(self, command, *operands, status=0, seconds=PATIENCE):
        """A command of the tool, its answer as JSON."""
        return self.programs.json("tapstile", command, *operands, "--socket", self.socket, status=status, seconds=seconds)

    def pass_through(self, lane="entry"):
        """Somebody passes a simulated contact. Returns once the gate has seen it rest again: a passage that begins
        within the debounce time of the one before is the same passage to a gate."""
        mark = self.events.mark
        self.ask("simulate", f"{lane}-passage-in", "on", "--for", 60)
        self.events.wait("input", since=mark, lane=lane, input="passage-in", state="inactive")

    def run_tool(self, command, *operands, status=0):
        """A command of the tool, as text."""
        return self.programs.run("tapstile", command, *operands, "--socket", self.socket, status=status)

    def status(self):
        return self.ask("status")

    def journal(self, *options):
        """Records of the journal, oldest first, with everything that has happened so far."""
        self.wait_for_the_journal()
        lines = self.run_tool("journal", "--json", *options).stdout.splitlines()
        return [json.loads(line) for line in lines]

    def wait_for_the_journal(self):
        """Returns once every record so far is on the disk."""
        # To ask takes its time.
        wait_until("every record to be on the disk", lambda: not self.status()["journal"]["waiting"], pause=0,
                   instead=lambda: self.status()["journal"])

    def import_publication(self, path):
        return self.ask("import", path)

    def refuses_import(self, path):
        """The error code with which a publication is refused."""
        run = self.run_tool("import", path, "--json", status=1)
        return json.loads(run.stderr)["error"]["code"]

    def wait_for_reader(self, state="reader-ready"):
        """Returns once the reader is in this state."""
        deadline = Deadline(f"the reader to be {state}")
        mark = self.events.mark
        while True:
            reader = self.status()["readers"][0]
            if reader["state"] == state:
                return reader
            self._check(deadline)
            event = self.events.wait("reader", since=mark, deadline=deadline)
            mark = self.events.mark
            if event["state"] == state:
                return event

    def wait_until_nobody_is_there(self):
        """Returns once the reader has seen the last phone leave: those that poll need 400 ms for it."""
        def nobody_is():
            return self.status()["readers"][0]["state"] not in ("reader-starting", "reader-card-present")

        self.wait_with_events("nobody at the reader", nobody_is, "reader")

    def wait_for_an_empty_field(self):
        """The same, and for so long that the gate takes the next phone for another one, however late the machine
        lets it see the two."""
        self.wait_until_nobody_is_there()
        seen = self.events.since(kind="reader")
        if seen and seen[-1]["state"] == "reader-card-present":
            seen.append(self.events.wait("reader", since=self.events.since().index(seen[-1]), state="reader-ready"))
        if seen:
            # That it is away counts from what it has seen; it tells of nothing more.
            time.sleep(max(0, seen[-1]["heard"] + AWAY_SECONDS - time.monotonic()))

    def wait_for_indicator(self, indicator):
        """Returns once the lane shows this indicator and its relay is de-energised."""
        def is_shown():
            lane = self.status()["lanes"][0]
            return lane["indicator"] == indicator and not lane["relay"]

        self.wait_with_events(f"the indicator {indicator} and a relay de-energised", is_shown, "indicator", indicator=indicator)

    def wait_with_events(self, what, condition, kind, **fields):
        """Until `condition` holds: it is asked again after each event of that kind."""
        deadline = Deadline(what)
        while True:
            mark = self.events.mark
            if condition():
                return
            self._check(deadline)
            self.events.wait(kind, since=mark, deadline=deadline, **fields)

    def _check(self, deadline):
        """Events may come for ever."""
        if not deadline.left:
            raise deadline.missed(f"heard: {json.dumps(self.events.since()[-8:])}")

    def connect(self):
        """The control socket itself, for what the tool would never send."""
        return ControlLine(self.socket)


class ControlLine:
    """A raw connection to the control socket."""

    def __init__(self, path):
        self.socket = connected(path)
        self._input = b""

    def send(self, data):
        self.socket.sendall(data)

    def line(self):
        """The next line; None at the end of the connection."""
        deadline = Deadline("a line of the control socket")
        while b"\n" not in self._input:
            if not select.select([self.socket], [], [], deadline.left)[0]:
                raise deadline.missed(f"there was {self._input!r}")
            try:
                piece = self.socket.recv(65536)
            except ConnectionResetError:
                piece = b""
            if not piece:
                return None
            self._input += piece
        line, self._input = self._input.split(b"\n", 1)
        return json.loads(line)

    def ask(self, data):
        self.send(data)
        return self.line()

    def close(self):
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


__all__ = ["ControlLine", "Gate", "ProgramFailed"]
