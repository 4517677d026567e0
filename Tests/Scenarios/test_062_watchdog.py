"""What the watchdog is told: every loop of the real daemon is watched over, and what hangs outside is shown instead."""

import contextlib
import ctypes
import os
import select
import signal
import socket
import struct
import subprocess

import pytest

from patience import Deadline, wait_until
from processes import end

# The heartbeat itself, and the thread that the program began with.
NO_LOOPS = {"heartbeat", "tapstiled"}
LOOPS = {"control", "control-work", "housekeeper", "journal", "journal-log", "journal-sign", "journal-watch", "lane-entry",
         "log", "pcsc-entry-read", "pcsc-supervisor", "pcsc-watcher", "schedules", "signals", "sync"}


class Notices:
    """The end of the notify socket that systemd has."""

    def __init__(self, folder):
        self.address = os.path.join(folder, "notices")
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(self.address)

    def wait_for(self, *wanted):
        """Reads on until one of these has come, and answers it."""
        deadline, came = Deadline(f"one of {wanted}"), []
        while deadline.left and select.select([self.socket], [], [], deadline.left)[0]:
            lines = self.socket.recv(4096).decode().split("\n")
            if found := [line for line in lines if line in wanted]:
                return found[0]
            came += lines
        raise deadline.missed(f"there came {came[-8:]}")

    def fill(self):
        """Nothing more fits in, as where nobody has read for long."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as other:
            other.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                while True:
                    other.sendto(b"STATUS=full", self.address)

    def forget(self):
        self.socket.setblocking(False)
        try:
            while self.socket.recv(4096):
                pass
        except BlockingIOError:
            pass

    def are_silent(self, seconds):
        self.forget()
        self.socket.settimeout(seconds)
        try:
            return not self.socket.recv(4096)
        except TimeoutError:
            return True


@pytest.fixture
def watched(site):
    """Starts a daemon as systemd does, with a watchdog of 2 s."""
    started = []

    def start(prepare=lambda gate: None):
        gate = site.gate()
        prepare(gate)
        notices = Notices(gate.folder)
        environment = {**site.programs.environment, "NOTIFY_SOCKET": notices.address, "WATCHDOG_USEC": "2000000"}
        with open(gate.log_path, "ab") as log:
            gate.process = subprocess.Popen([site.programs.path("tapstiled"), "--config", gate.configuration],
                                            env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        started.append(gate)
        return gate, notices

    yield start
    for gate in started:
        gate.process.send_signal(signal.SIGCONT)
        end(gate.process)


def threads(process):
    folder = f"/proc/{process.pid}/task"
    names = set()
    for task in os.listdir(folder):
        with open(f"{folder}/{task}/comm", encoding="utf-8") as name:
            names.add(name.read().strip())
    return names


def test_every_thread_that_stays_is_a_loop_or_the_heartbeat(watched):
    gate, notices = watched()
    notices.wait_for("READY=1")
    # A thread names itself when it first runs, which on a busy machine may be after the rest is ready.
    wait_until("the threads to be these", lambda: threads(gate.process) - NO_LOOPS == LOOPS,
               instead=lambda: f"they are {sorted(threads(gate.process))}, wanted beside {sorted(NO_LOOPS)}: {sorted(LOOPS)}")


def test_it_is_fed_from_the_start_on_and_not_while_the_process_is_stopped(watched):
    gate, notices = watched()
    notices.wait_for("READY=1")
    for _ in range(4):
        assert notices.wait_for("WATCHDOG=1", "WATCHDOG=trigger") == "WATCHDOG=1"
    gate.signal(signal.SIGSTOP)
    wait_until("the gate to be stopped", lambda: os.waitid(os.P_PID, gate.process.pid, os.WSTOPPED | os.WNOWAIT | os.WNOHANG))
    assert notices.are_silent(2)
    gate.signal(signal.SIGCONT)
    assert notices.wait_for("WATCHDOG=1", "WATCHDOG=trigger") == "WATCHDOG=1", "it was not the gate that hung"


def test_a_notify_socket_that_nobody_reads_keeps_no_gate_from_its_stop(watched):
    gate, notices = watched()
    notices.wait_for("READY=1")
    notices.fill()
    gate.signal(signal.SIGTERM)
    assert gate.ended() == 0


def test_a_pcscd_that_hangs_is_shown_and_the_watchdog_fed(watched, pcscd):
    gate, notices = watched()
    notices.wait_for("READY=1")
    gate.listen()
    gate.wait_for_reader()
    os.kill(pcscd.process, signal.SIGSTOP)
    try:
        gate.wait_for_reader("reader-service-silent")
        notices.forget()
        for _ in range(4):
            assert notices.wait_for("WATCHDOG=1", "WATCHDOG=trigger") == "WATCHDOG=1"
        assert gate.status()["lanes"][0]["indicator"] == "fault"
    finally:
        os.kill(pcscd.process, signal.SIGCONT)
    gate.wait_for_reader()
    gate.events.close()


class HeldFile:
    """Whoever opens the file waits, as for a disk, until it is let go: fanotify(7), FAN_OPEN_PERM."""

    CLASS_CONTENT, MARK_ADD, OPEN_PERM, ALLOW = 0x4, 0x1, 0x10000, 1
    EVENT = struct.Struct("=IBBHQii")

    def __init__(self, path):
        libc = ctypes.CDLL(None, use_errno=True)
        self.descriptor = libc.fanotify_init(self.CLASS_CONTENT, os.O_RDONLY)
        marked = libc.fanotify_mark(self.descriptor, self.MARK_ADD, ctypes.c_uint64(self.OPEN_PERM), -1, path.encode())
        assert self.descriptor >= 0 and marked == 0, os.strerror(ctypes.get_errno())

    def let_go(self):
        """Once somebody waits there."""
        wait_until("the gate to open it", lambda: select.select([self.descriptor], [], [], 0)[0])
        *_, opened, _ = self.EVENT.unpack_from(os.read(self.descriptor, self.EVENT.size))
        os.write(self.descriptor, struct.pack("=iI", opened, self.ALLOW))
        os.close(opened)
        # Nobody else is held up from here on.
        os.close(self.descriptor)


def test_a_start_that_waits_for_the_disk_asks_for_more_time(watched, site):
    memory, held = site.path("state", "clock"), []

    def block(_):
        with open(memory, "a", encoding="utf-8"):
            pass
        held.append(HeldFile(memory))

    _, notices = watched(block)
    notices.wait_for("EXTEND_TIMEOUT_USEC=15000000")
    held[0].let_go()
    notices.wait_for("READY=1")
