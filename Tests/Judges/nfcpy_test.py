"""The Python package nfcpy at the virtual PN532: another driver of the chip than libnfc, which runs ISO-DEP by itself
(ISO/IEC 14443-4) through raw frames. It sees the phone that gates see."""

import socket

import nfc.clf
import nfc.clf.pn532
import nfc.clf.transport
import nfc.tag
import pytest

from gatehouse import VirtualChip
from patience import PATIENCE, wait_until

SELECT = bytes.fromhex("00a4040009f07461707374696c65")


@pytest.fixture
def chip(programs, folder):
    with VirtualChip(programs, folder) as chip:
        yield chip


class Reader:
    """A reader by nfcpy. Its own search for ports knows those below /dev only."""

    def __init__(self, chip):
        self.clf = nfc.ContactlessFrontend()
        self.clf.device = nfc.clf.pn532.init(nfc.clf.transport.TTY(chip.link))

    def find(self):
        """The phone in the field; None when there is none."""
        target = self.clf.sense(nfc.clf.RemoteTarget("106A"))
        return target and nfc.tag.activate(self.clf, target)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.clf.close()


def sent(chip, begin):
    return [told["sent"] for told in chip.air if told.get("sent", "").startswith(begin)]


def test_the_phone_is_found_and_spoken_to(site, chip):
    with Reader(chip) as reader, site.anna.phone().lay_down("--port", chip.card_port):
        assert str(reader.clf.device.chipset_name) == "PN532v1.6"
        # The phone's program lays it down in its own time.
        tag = wait_until("the phone in the field", reader.find, pause=0)
        assert isinstance(tag, nfc.tag.tt4.Type4ATag)
        assert tag.identifier == bytes.fromhex("085a7e11")
        answer = tag.transceive(SELECT)
        # Version 1 and message_1, then what the phone has for whoever skips the protocol.
        assert answer[:1] == b"\x6f" and answer[2:3] == b"\xa5" and answer[-2:] == b"\x90\x00"
        assert tag.transceive(bytes.fromhex("80e40000 01 00")) == bytes.fromhex("6985")
        assert tag.is_present
    # Its own RATS, for frames of 256 bytes, and its own blocks.
    assert sent(chip, "e080")
    assert sent(chip, "02" + SELECT.hex())


def test_an_empty_field_is_empty(chip):
    with Reader(chip) as reader:
        assert reader.find() is None
        assert reader.find() is None
    assert {told["sent"] for told in chip.air if "sent" in told} == {"26"}


def test_a_uid_only_card_has_its_number(programs, folder):
    with VirtualChip(programs, folder, "--plain", "--uid", "04112233445566") as chip, Reader(chip) as reader:
        with socket.create_connection(("127.0.0.1", chip.card_port), PATIENCE):
            target = wait_until("the card in the field", lambda: reader.clf.sense(nfc.clf.RemoteTarget("106A")), pause=0)
        assert target.sdd_res == bytes.fromhex("04112233445566")
        assert target.sel_res == b"\x08"


def test_a_broken_chip_is_not_taken_for_a_good_one(chip):
    chip.order("fault wrong-checksum at version")
    with pytest.raises(OSError):
        Reader(chip)
    chip.order("behave")
    with Reader(chip) as reader:
        assert reader.find() is None
