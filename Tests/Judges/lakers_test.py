"""The Python package lakers as a phone: method 3, suite 2, an enrolled claims set, through the virtual
reader, a real pcscd and a running tapstiled. Only APDUs and CBOR are ours here (docs/phone-protocol.md).

lakers cannot export keys under labels above 255, so that its phone cannot open the OUTCOME it is sent;
what the gate decided is seen at the gate.
"""

import cbor2
import lakers
import pytest
from cryptography.hazmat.primitives.asymmetric import ec

SELECT = bytes.fromhex("00a4040009f07461707374696c6500")
MESSAGE, ERROR = bytes.fromhex("80e20000"), bytes.fromhex("80e20100")
OUTCOME = bytes.fromhex("80e40000")
GATE_CONTEXT, PHONE_REQUEST = 54353, 54354
NFC = 0
CAN_USE_NFC = 4
UNSPECIFIED, UNKNOWN_CREDENTIAL = 1, 3


def tlv(tag, value):
    """BER-TLV with a tag of one byte and a length below 128."""
    return bytes([tag, len(value)]) + value


def data_of(command):
    """The data of a short command APDU with data and Le."""
    assert len(command) == 5 + command[4] + 1
    return command[5:-1]


def claims_set(subject, key_identifier, private):
    """The CCS of a key. lakers makes and needs x alone; a COSE_Key has y too (RFC 9053, 7.1.1)."""
    point = ec.derive_private_key(int.from_bytes(private, "big"), ec.SECP256R1()).public_key().public_numbers()
    key = {1: 2, 2: key_identifier, -1: 1, -2: point.x.to_bytes(32, "big"), -3: point.y.to_bytes(32, "big")}
    return cbor2.dumps({2: subject, 8: {1: key}}, canonical=True)


class LakersPhone:
    """The phone's side of one tap."""

    def __init__(self, gates, transfer=lakers.CredentialTransfer.ByValue):
        self.private, _ = lakers.p256_generate_key_pair()
        self.claims = claims_set("carla", b"\x2b", self.private)
        self.gates = gates
        self.transfer = transfer
        self.context = None
        self.outcome = None
        self.error = None
        self.begin()

    def begin(self):
        self.initiator = lakers.EdhocInitiator()
        self.message1 = self.initiator.prepare_message_1(c_i=b"\x00")

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

    def message3(self, message2):
        _, id_cred_r, ead_2 = self.initiator.parse_message_2(message2)
        (item,) = ead_2
        assert item.label() == GATE_CONTEXT and item.is_critical()
        self.context = cbor2.loads(bytes(item.value()))
        gate = self.gates[cbor2.loads(id_cred_r)[4]]
        self.initiator.verify_message_2(self.private, lakers.Credential(self.claims), lakers.Credential(gate))
        version, _, lane, carrier, *_ = self.context
        assert (version, carrier) == (1, NFC)
        request = cbor2.dumps([NFC, lane, None, CAN_USE_NFC, "en"])
        message3, _ = self.initiator.prepare_message_3(
            self.transfer, [lakers.EADItem(PHONE_REQUEST, True, request)])
        return message3


@pytest.fixture
def lane(start):
    """A lane that offers methods 3 and 0, before anybody is enrolled."""
    return start(lane="methods = [3, 0]\ncooldown-success-ms = 0\ncooldown-failure-ms = 0")


@pytest.fixture
def gates(site):
    """The gates a phone knows, by key identifier, as the authority wrote them: a CBOR sequence."""
    known = {}
    with open(site.known_gates, "rb") as file:
        raw = file.read()
    offset = 0
    while offset < len(raw):
        value = cbor2.loads(raw[offset:])
        length = len(cbor2.dumps(value, canonical=True))
        # The arrays between the claims sets are gate issuers: lakers takes no gate credential by value.
        if isinstance(value, dict):
            known.setdefault(value[8][1][2], raw[offset:offset + length])
        offset += length
    return known


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
    phone = LakersPhone(gates)
    mark = lane.events.mark
    refused = tap(lane, card, phone)
    assert (refused["result"], refused["reason"]) == ("denied", "unknown-key")
    # It learns nothing but the uniform refusal.
    assert phone.error == UNSPECIFIED and phone.outcome is None
    assert lane.events.since(mark, "relay") == []

    enrol(site, phone)
    lane.import_publication(site.publish())
    phone.begin()
    phone.error = None
    granted = tap(lane, card, phone)
    assert (granted["result"], granted["reason"]) == ("granted", "granted")
    assert phone.error is None and phone.outcome is not None
    lane.events.wait("relay", energised=True)
    lane.events.wait("relay", energised=False)
    (record,) = lane.journal("--reason", "granted")
    assert record["subject"] == "carla"

    site.authority("revoke", "--subject", "carla")
    lane.import_publication(site.publish())
    phone.begin()
    revoked = tap(lane, card, phone)
    assert (revoked["result"], revoked["reason"]) == ("denied", "revoked")


def test_by_key_identifier(site, lane, gates, card):
    phone = LakersPhone(gates, lakers.CredentialTransfer.ByReference)
    refused = tap(lane, card, phone)
    assert refused["reason"] == "unknown-key"
    assert phone.error == UNKNOWN_CREDENTIAL
    enrolled = enrol(site, phone)
    assert enrolled["byKeyIdentifier"], enrolled
    lane.import_publication(site.publish())
    phone.begin()
    phone.error = None
    assert tap(lane, card, phone)["reason"] == "granted"
