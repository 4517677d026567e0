"""The Python package lakers as a phone, through the virtual reader, a real pcscd and a running tapstiled. Only APDUs and
CBOR are ours here (docs/phone-protocol.md)."""

import cbor2
import lakers
import pytest
from lakers_phone import NFC, LakersPhone, known_gates

SELECT = bytes.fromhex("00a4040009f07461707374696c6500")
MESSAGE, ERROR = bytes.fromhex("80e20000"), bytes.fromhex("80e20100")
OUTCOME = bytes.fromhex("80e40000")
UNSPECIFIED, UNKNOWN_CREDENTIAL = 1, 3


def tlv(tag, value):
    """BER-TLV with a tag of one byte and a length below 128."""
    return bytes([tag, len(value)]) + value


def data_of(command):
    """The data of a short command APDU with data and Le."""
    assert len(command) == 5 + command[4] + 1
    return command[5:-1]


class CardPhone(LakersPhone):
    """Presents itself to a reader."""

    def __init__(self, gates, transfer=lakers.CredentialTransfer.ByValue):
        super().__init__(gates, NFC, transfer)

    def begin(self):
        super().begin()
        self.outcome = None
        self.error = None

    def respond(self, command):
        if command == SELECT:
            return tlv(0x6F, tlv(0xA5, tlv(0x80, b"\x01") + tlv(0x81, self.message1))) + b"\x90\x00"
        if command.startswith(MESSAGE):
            return self.message3(data_of(command)) + b"\x90\x00"
        if command.startswith(ERROR):
            # ERR_CODE, the first item of the sequence (RFC 9528, 6).
            self.error = cbor2.loads(data_of(command))
            return b"\x90\x00"
        if command.startswith(OUTCOME):
            self.outcome = data_of(command)
            return b"\x90\x00"
        return b"\x6d\x00"


@pytest.fixture
def lane(start):
    """A lane that offers methods 3 and 0, before anybody is enrolled."""
    return start(lane="methods = [3, 0]\ncooldown-success-ms = 0\ncooldown-failure-ms = 0")


@pytest.fixture
def gates(site):
    return known_gates(site.known_gates)


def tap(lane, card, phone):
    """One presentation. Answers what the gate says of it."""
    mark = lane.events.mark
    with card(phone.respond) as presented:
        result = lane.events.wait("result", since=mark)
        presented.wait_for_commands(3)
    return result


def enrol(site, phone, *options):
    return site.authority("enrol", "--ccs", phone.claims.hex(), "--use", "agree", *options)


def test_an_enrolled_key_opens_and_the_same_key_without_enrolment_does_not(site, lane, gates, card):
    phone = CardPhone(gates)
    mark = lane.events.mark
    refused = tap(lane, card, phone)
    assert (refused["result"], refused["reason"]) == ("denied", "unknown-key")
    # It learns nothing but the uniform refusal.
    assert phone.error == UNSPECIFIED and phone.outcome is None
    assert lane.events.since(mark, "relay") == []

    enrol(site, phone)
    lane.import_publication(site.publish())
    phone.begin()
    granted = tap(lane, card, phone)
    assert (granted["result"], granted["reason"]) == ("granted", "granted")
    assert phone.error is None and phone.outcome is not None
    lane.events.wait("relay", energised=True)
    lane.events.wait("relay", energised=False)
    (record,) = lane.journal("--reason", "granted")
    assert record["subject"] == "carla"

    site.authority("ban", "--subject", "carla", "--yes")
    lane.import_publication(site.publish())
    phone.begin()
    revoked = tap(lane, card, phone)
    assert (revoked["result"], revoked["reason"]) == ("denied", "revoked")


def test_by_key_identifier(site, lane, gates, card):
    phone = CardPhone(gates, lakers.CredentialTransfer.ByReference)
    refused = tap(lane, card, phone)
    assert refused["reason"] == "unknown-key"
    assert phone.error == UNKNOWN_CREDENTIAL
    enrolled = enrol(site, phone)
    assert enrolled["byKeyIdentifier"], enrolled
    lane.import_publication(site.publish())
    phone.begin()
    assert tap(lane, card, phone)["reason"] == "granted"
