"""A PN532 that fails in every way it can (O5): nothing opens meanwhile, the journal stays whole, and phones are served again by itself
once the fault has ended. How soon is measured by `make bench`; here it is printed."""

import fcntl
import os
import socket
import struct
import threading
import time

import pytest

from gatehouse import ChipProgram, RelayedPhone
from gatehouse.nfc import IN_SERVICE, has_stopped_serving, is_well_again
from patience import PATIENCE, Deadline, joined


@pytest.fixture
def gate(chip_gate):
    return chip_gate


@pytest.fixture
def site(chip_gate):
    return chip_gate.site


@pytest.fixture
def mark(gate):
    """Where the events of this story begin."""
    gate.wait_for_reader()
    yield gate.events.mark
    # For those that come after a story that went wrong.
    gate.chip.order("behave")
    if not os.path.lexists(gate.chip.link):
        gate.chip.order("plug-in")


def was_noticed(event):
    """Told of the reader, or of the phone that met the fault. A phone whose number alone is wrong may pass: it proves nothing."""
    return has_stopped_serving(event) or event["event"] == "result"


# What goes wrong while nobody is there, and what the gate says of it.
AT_REST = {
    "silent": {"nfc-chip-silent", "nfc-chip-fails"},
    "acknowledge-only": {"nfc-chip-silent", "nfc-chip-fails"},
    "no-acknowledge": {"nfc-chip-silent", "nfc-chip-fails"},
    "garbage=00ff00ff55aa": {"nfc-chip-silent", "nfc-chip-fails"},
    "wrong-checksum": {"nfc-chip-silent", "nfc-chip-fails"},
    "wrong-length-checksum": {"nfc-chip-silent", "nfc-chip-fails"},
    "syntax-error": {"nfc-chip-silent", "nfc-chip-fails"},
    "oversized=300": {"nfc-chip-silent", "nfc-chip-fails"},
    "endless=55": {"nfc-chip-silent", "nfc-chip-fails"},
    "status=80 at through": {"nfc-helper-died"},
}


@pytest.mark.parametrize("fault", AT_REST)
def test_a_chip_that_fails(gate, mark, fault):
    gate.chip.order(f"fault {fault}")
    event = gate.events.wait_until("the reader out of service", has_stopped_serving, mark)
    assert event["detail"].split("(")[-1].rstrip(")") in AT_REST[fault], event
    status = gate.status()
    assert status["readers"][0]["inService"] is False and status["lanes"][0]["indicator"] == "fault"
    gate.chip.order("behave")
    ended = time.monotonic()
    gate.wait_for_reader()
    is_well_again(gate, mark, ended, fault)


# What goes wrong with a phone in the field.
UNDER_A_PHONE = [
    "status=80 at exchange", "ats-length=0 at list", "uid-length=255 at list", "oversized=200 at exchange", "oversized=60000 at exchange",
    "empty-continuation at exchange", "garbage=00ff00ff55aa at exchange", "wrong-checksum at exchange", "no-acknowledge at exchange",
    "silent at exchange after 1", "endless=00 at exchange after 1"
]


@pytest.mark.parametrize("fault", UNDER_A_PHONE)
def test_a_chip_that_fails_under_a_phone(gate, site, mark, fault):
    gate.chip.order(f"fault {fault}")
    with RelayedPhone(site.anna):
        gate.events.wait_until("the fault to be noticed", was_noticed, mark)
        gate.chip.order("behave")
        ended = time.monotonic()
    gate.wait_for_reader()
    is_well_again(gate, mark, ended, fault)


def test_a_chip_whose_bytes_come_one_by_one_serves(gate, site, mark):
    gate.chip.order("fault trickle=100")
    assert site.anna.phone().tap()["result"] == "granted"
    assert {event["state"] for event in gate.events.since(mark, "reader")} <= set(IN_SERVICE)
    gate.chip.order("behave")
    is_well_again(gate, mark, time.monotonic(), "bytes one by one")


@pytest.mark.parametrize("under_a_phone", [False, True])
def test_a_port_that_goes_away_and_comes_back_under_another_name(gate, site, mark, under_a_phone):
    before = os.path.realpath(gate.chip.link)
    unplugging = threading.Thread(target=gate.chip.order, args=("unplug",))

    def unplugs(number, command, response):
        if number == 2:
            # The chip obeys when the phone has answered.
            unplugging.start()
        return response

    if under_a_phone:
        with RelayedPhone(site.anna, unplugs):
            gate.events.wait_until("the reader out of service", has_stopped_serving, mark)
        # The gate hears that the port has gone before its link has.
        joined(unplugging)
    else:
        gate.chip.order("unplug")
    event = gate.events.wait_until("nfc-port-absent", lambda event: "nfc-port-absent" in event.get("detail", ""), mark)
    assert event["state"] == "reader-failed" and not os.path.lexists(gate.chip.link)
    gate.chip.order("plug-in")
    ended = time.monotonic()
    assert os.path.realpath(gate.chip.link) != before
    gate.wait_for_reader()
    is_well_again(gate, mark, ended, "unplugged under a phone" if under_a_phone else "unplugged")


# Two programs on one port


class Intruder:
    """A second program of ours that is told to open the same chip, by whoever speaks its protocol."""

    HEADER = struct.Struct(">BBH")
    SET_UP, STATE = 0x01, 0x81
    OPEN, FAILED, PORT_HELD = 1, 2, 3

    def __init__(self, programs, folder, device):
        self.program = ChipProgram(programs, folder, "intruder")
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(self.program.socket)
        name = f"pn532_uart:{device}:115200".encode()
        body = bytes([len(name)]) + name + bytes([0]) + struct.pack(">HHBB", 200, 1600, 0, 0)
        self.socket.sendall(self.HEADER.pack(1, self.SET_UP, len(body)) + body)

    def state(self):
        """What it says of the chip in the end."""
        deadline = Deadline("what becomes of the intruder's chip")
        while deadline.left:
            _, kind, length = self.HEADER.unpack(self._exactly(self.HEADER.size))
            body = self._exactly(length)
            if kind == self.STATE and body[0]:
                return body
        raise deadline.missed(f"the last it said was of kind {kind}: {body.hex()}")

    def _exactly(self, count):
        data = b""
        while len(data) < count:
            piece = self.socket.recv(count - len(data))
            assert piece, "the program has hung up"
            data += piece
        return data

    def close(self):
        self.socket.close()
        self.program.stop()


def test_a_second_program_does_not_get_the_port(gate, site, mark, folder):
    intruder = Intruder(site.programs, folder, gate.chip.link)
    try:
        assert intruder.state() == bytes([Intruder.FAILED, Intruder.PORT_HELD])
        assert site.anna.phone().tap()["result"] == "granted"
        assert {event["state"] for event in gate.events.since(mark, "reader")} <= set(IN_SERVICE)
    finally:
        intruder.close()


def any_program(site, folder, device):
    """One that locks the port that it uses, as those do that mind others."""
    port = open(device, "rb", buffering=0, opener=lambda path, _: os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK))
    fcntl.flock(port, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return port


def one_of_ours(site, folder, device):
    intruder = Intruder(site.programs, folder, device)
    assert intruder.state()[0] == Intruder.OPEN
    return intruder


@pytest.mark.parametrize("other", [any_program, one_of_ours])
def test_a_port_that_another_program_has_is_taken_once_it_is_free(gate, site, mark, folder, other):
    with gate.program.held_up():
        gate.program.kill()
        holder = other(site, folder, gate.chip.link)
    event = gate.events.wait_until("nfc-port-held", lambda event: "nfc-port-held" in event.get("detail", ""), mark)
    assert event["state"] == "reader-failed"
    holder.close()
    ended = time.monotonic()
    gate.wait_for_reader()
    is_well_again(gate, mark, ended, "another program had the port")
