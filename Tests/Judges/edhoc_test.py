"""A phone written from RFC 9528 and our page for app authors (edhoc_phone.py) at the real gate: the credentials that no
library of others can carry yet. First it is judged itself, by the RFC's trace and by lakers."""

import base64
import io
import os
import threading
import time

import cbor2
import lakers
import pytest
from edhoc_phone import Curve25519, Initiator, compact, private_key, sign, x_of
from patience import wait_for

SELECT = bytes.fromhex("00a4040009f07461707374696c6500")
MESSAGE, ERROR, OUTCOME, GET_RESPONSE = (bytes.fromhex(head) for head in ("80e20000", "80e20100", "80e40000", "00c00000"))
GATE_CONTEXT, PHONE_REQUEST, TOKEN = -54353, -54354, -54355
NFC, CAN_USE_NFC = 0, 4
GRANTED = 0
FIRST_PART = 250
VECTORS = os.path.join(os.path.dirname(__file__), "..", "PhoneProtocolTests", "Vectors")


def trace_of(chapter):
    """RFC 9529."""
    with open(os.path.join(VECTORS, f"rfc9529-chapter-{chapter}.txt"), encoding="utf-8") as lines:
        pairs = [line.rstrip("\n").split(" = ") for line in lines if " = " in line and not line.startswith("#")]
    return {name: bytes.fromhex(value) for name, value in pairs}


@pytest.fixture(scope="module")
def trace():
    return trace_of(3)


def test_the_judges_x25519_is_that_of_the_rfcs_trace():
    values = trace_of(2)
    key = Curve25519.private(values["X"])
    assert Curve25519.x_of(key) == values["G_X"]
    assert Curve25519.agree(key, values["G_Y"]) == values["G_XY"]


def test_the_judge_makes_the_rfcs_messages(trace):
    phone = Initiator(3, [6, 2], ephemeral=trace["X"], c_i=trace["C_I"])
    assert phone.message_1 == trace["message_1"]
    assert phone.receive_message_2(trace["message_2"], {b"\x32": trace["CRED_R"]}.__getitem__) == []
    message_3 = phone.make_message_3(private_key(trace["SK_I"]), trace["ID_CRED_I"], trace["CRED_I"], b"")
    assert message_3 == trace["message_3"]
    assert (phone.th_4, phone.prk_out) == (trace["TH_4"], trace["PRK_out"])
    assert phone.export(0, 16) == trace["OSCORE Master Secret"]


def test_lakers_agrees_with_the_judge():
    """Method 3, by value, with an item: what lakers can take of the profile."""
    gate_private, _ = lakers.p256_generate_key_pair()
    private, _ = lakers.p256_generate_key_pair()
    gate_claims, claims = (claims_set(kid, key) for kid, key in ((b"\x01", gate_private), (b"\x2b", private)))
    gate = lakers.EdhocResponder(gate_private, lakers.Credential(gate_claims))
    phone = Initiator(3, [2])
    gate.process_message_1(phone.message_1)
    message_2 = gate.prepare_message_2(lakers.CredentialTransfer.ByReference, None, [])
    phone.receive_message_2(message_2, {b"\x01": gate_claims}.__getitem__)
    message_3 = phone.make_message_3(private_key(private), b"\xa1\x0e" + claims, claims, items((PHONE_REQUEST, b"\x80")))
    _, (item,) = gate.parse_message_3(message_3)
    assert (item.label(), item.is_critical(), bytes(item.value())) == (-PHONE_REQUEST, True, b"\x80")
    gate.verify_message_3(lakers.Credential(claims))


def claims_set(kid, private):
    numbers = private_key(private).public_key().public_numbers()
    key = {1: 2, 2: kid, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}
    return cbor2.dumps({2: "c", 8: {1: key}}, canonical=True)


def items(*pairs):
    return b"".join(cbor2.dumps(label) + (b"" if value is None else cbor2.dumps(value)) for label, value in pairs)


def secret_of(person):
    """The private number of a person's key."""
    return secret_in(person.key)


def secret_in(path):
    """The private number in a key file: a COSE_Key in text armour."""
    with open(path, encoding="ascii") as file:
        armour = "".join(line for line in file.read().splitlines() if not line.startswith("-"))
    return cbor2.loads(base64.b64decode(armour))[-4]


def known_gates(site):
    """CCS by `kid`; arrays in that file are gate issuers."""
    known = {}
    with open(site.known_gates, "rb") as file:
        while file.tell() < os.fstat(file.fileno()).st_size:
            at = file.tell()
            item = cbor2.load(file)
            end = file.tell()
            file.seek(at)
            raw = file.read(end - at)
            if isinstance(item, dict):
                known[item[8][1][2]] = raw
    return known


class JudgesPhone:
    """The phone's side of one tap at a reader. `shown` is (ID_CRED_I, CRED_I, more items for EAD_3)."""

    def __init__(self, site, private, method, suites, shown, c_i=b"\x00"):
        self.gates = known_gates(site)
        self.private = private_key(private)
        self.method, self.suites, self.c_i = method, suites, c_i
        self.shown = shown
        self.rest = b""
        self.context = self.outcome = self.error = self.told = None
        self.is_told = threading.Event()

    def respond(self, command):
        if command == SELECT:
            self.exchange = Initiator(self.method, self.suites, c_i=self.c_i)
            message = self.exchange.message_1
            versions = bytes.fromhex("800101")
            inner = versions + bytes([0x81, len(message)]) + message
            return bytes([0x6F, len(inner) + 2, 0xA5, len(inner)]) + inner + b"\x90\x00"
        if command.startswith(GET_RESPONSE):
            return self.part(command[4] or 256)
        data = command[5:5 + command[4]]
        if command.startswith(MESSAGE):
            self.rest = self.message_3(data)
            return self.part(FIRST_PART)
        if command.startswith(OUTCOME):
            self.outcome = self.exchange.open_outcome(data)
            self.is_told.set()
        if command.startswith(ERROR):
            stream = io.BytesIO(data)
            self.error, self.told = cbor2.load(stream), cbor2.load(stream)
            self.is_told.set()
        return b"\x90\x00"

    def part(self, count):
        part, self.rest = self.rest[:count], self.rest[count:]
        left = min(len(self.rest), 255)
        return part + (bytes([0x61, left]) if left else b"\x90\x00")

    def message_3(self, message_2):
        ((label, value),) = self.exchange.receive_message_2(message_2, self.gates.__getitem__)
        assert label == GATE_CONTEXT
        self.context = cbor2.loads(value)
        version, _, lane, carrier, *_ = self.context
        assert (version, carrier) == (1, NFC)
        request = cbor2.dumps([NFC, lane, None, CAN_USE_NFC, "en"])
        id_cred, credential, more = self.shown
        return self.exchange.make_message_3(self.private, id_cred, credential, items((PHONE_REQUEST, request), *more))


@pytest.fixture
def lane(start):
    return start(lane="methods = [0, 1, 2, 3]\ncooldown-success-ms = 0\ncooldown-failure-ms = 0")


def tap(lane, card, phone):
    lane.wait_for_an_empty_field()
    mark = lane.events.mark
    with card(phone.respond):
        result = lane.events.wait("result", since=mark)
        wait_for(phone.is_told, "the phone to be told what came of it")
    return result


def token_of(person):
    person.give_token()
    with open(person.token, "rb") as file:
        return file.read()


def granted(lane, card, phone):
    result = tap(lane, card, phone)
    assert (result["result"], result["reason"]) == ("granted", "granted"), (result, phone.error)
    version, told, reason, _, head, addition = phone.outcome
    assert (version, told, reason, addition) == (1, GRANTED, 0, None)
    # Null where the record was not on the disk in time.
    assert head is None or len(head) == 32
    lane.wait_for_indicator("ready")


# Keys that agree are on P-256, which suite 6 is not.
WAYS = [(method, suite) for method in range(4) for suite in (2, 3, 5, 6) if suite != 6 or method == 0]


@pytest.mark.parametrize("method, suite", WAYS)
def test_a_token_by_value(site, lane, card, method, suite):
    person = site.person("carla", agrees=method > 1)
    token = token_of(person)
    shown = (b"\xa1\x0d" + token, token, [])
    granted(lane, card, JudgesPhone(site, secret_of(person), method, [suite], shown, c_i=b"\x18"))


@pytest.mark.parametrize("method", [0, 3])
def test_a_token_beside_a_claims_set(site, lane, card, method):
    """By value, and by a `kid` from which the gate makes the claims set itself."""
    person = site.person("carla", agrees=method > 1)
    token, private = token_of(person), secret_of(person)
    claims = claims_set(b"\x2b", private)
    granted(lane, card, JudgesPhone(site, private, method, [2], (b"\xa1\x0e" + claims, claims, [(TOKEN, token)])))
    named = cbor2.loads(claims)
    named[2] = "carla"
    implied = cbor2.dumps(named, canonical=True)
    granted(lane, card, JudgesPhone(site, private, method, [2], (cbor2.dumps({4: b"\x2b"}), implied, [(TOKEN, token)])))
    # Somebody else's token beside the same claims set proves nothing.
    dora = site.person("dora", agrees=method > 1)
    phone = JudgesPhone(site, private, method, [2], (b"\xa1\x0e" + claims, claims, [(TOKEN, token_of(dora))]))
    assert tap(lane, card, phone)["reason"] == "unknown-key"
    assert (phone.error, phone.outcome) == (1, None)


def forged_token(site, issuer, key):
    """What a dishonest issuer could sign: a token of this site for any key."""
    now = int(time.time())
    claims = {1: site.name, 2: "mallory", 3: f"tapstile:{site.name}", 4: now + 3600, 5: now - 3600, 7: b"\x01", 8: {1: key}}
    protected, payload = cbor2.dumps({1: -7}), cbor2.dumps(claims, canonical=True)
    signature = sign(issuer, cbor2.dumps(["Signature1", protected, b"", payload]))
    return cbor2.dumps([protected, {}, payload, signature])


def test_the_gates_own_key_opens_nothing(site, lane, card):
    """Somebody has copied the gate's key: shown as the claims set that phones know the gate by, and in a token that the
    site's own issuer was made to sign. The proof is good both times; a gate is no person."""
    private = secret_in(site.path("authority", "gates", "gates", "gate-signing.key"))
    credential = next(raw for raw in known_gates(site).values() if -2 in cbor2.loads(raw)[8][1]
                      and cbor2.loads(raw)[8][1][-2] == x_of(private_key(private)))
    key = {name: value for name, value in cbor2.loads(credential)[8][1].items() if name in (1, -1, -2, -3)}
    issuer = private_key(secret_in(site.path("authority", "issuer.key")))
    token = forged_token(site, issuer, key)
    for shown in [(b"\xa1\x0e" + credential, credential, []), (b"\xa1\x0d" + token, token, [])]:
        phone = JudgesPhone(site, private, 0, [2], shown)
        assert tap(lane, card, phone)["reason"] == "wrong-role"
        # A stranger's refusal.
        assert (phone.error, phone.outcome) == (1, None)
        lane.wait_for_indicator("ready")
    # The same issuer, a person's key: so it was the key.
    person = site.person("carla")
    numbers = private_key(secret_of(person)).public_key().public_numbers()
    key[-2], key[-3] = numbers.x.to_bytes(32, "big"), numbers.y.to_bytes(32, "big")
    token = forged_token(site, issuer, key)
    granted(lane, card, JudgesPhone(site, secret_of(person), 0, [2], (b"\xa1\x0d" + token, token, [])))


@pytest.mark.parametrize("method, lacking, named, suite", [
    (0, 4, [2, 3, 5, 6], 6), (0, 4, [2, 3, 5, 6], 5), (3, 6, [2, 3, 5], 5), (2, 6, [2, 3, 5], 2)])
def test_the_suite_is_negotiated(site, lane, card, method, lacking, named, suite):
    """A suite that cannot be had in this method, alone: error 2 with those that can."""
    person = site.person("carla", agrees=method > 1)
    token = token_of(person)
    phone = JudgesPhone(site, secret_of(person), method, [lacking], (b"\xa1\x0d" + token, token, []))
    lane.wait_for_an_empty_field()
    mark = lane.events.mark
    with card(phone.respond):
        assert lane.events.wait("result", since=mark)["reason"] == "protocol-version"
    assert (phone.error, phone.told) == (2, named)
    granted(lane, card, JudgesPhone(site, secret_of(person), method, [lacking, suite], (b"\xa1\x0d" + token, token, [])))


def test_lakers_cannot_carry_a_token_beside_its_claims(site, lane, card):
    """Why docs/phone-protocol.md says so: beyond 255 bytes lakers writes wrong lengths, that of message_3 among them.
    When this fails, lakers has been fixed and the page can say more."""
    person = site.person("carla", agrees=True)
    token, private = token_of(person), secret_of(person)
    claims = claims_set(b"\x2b", private)
    gates = known_gates(site)
    phone = lakers.EdhocInitiator()
    message_1 = phone.prepare_message_1(c_i=b"\x00")

    class Card(JudgesPhone):
        def respond(self, command):
            if command != SELECT:
                return super().respond(command)
            inner = bytes.fromhex("800101") + bytes([0x81, len(message_1)]) + message_1
            return bytes([0x6F, len(inner) + 2, 0xA5, len(inner)]) + inner + b"\x90\x00"

        def message_3(self, message_2):
            _, id_cred_r, ead_2 = phone.parse_message_2(message_2)
            self.context = cbor2.loads(bytes(ead_2[0].value()))
            kid = cbor2.loads(id_cred_r)[4]
            phone.verify_message_2(private, lakers.Credential(claims), lakers.Credential(gates[kid]))
            request = cbor2.dumps([NFC, self.context[2], None, CAN_USE_NFC, "en"])
            more = [lakers.EADItem(-PHONE_REQUEST, True, request), lakers.EADItem(-TOKEN, True, token)]
            return phone.prepare_message_3(lakers.CredentialTransfer.ByValue, more)[0]

    judged = Card(site, private, 3, [2], None)
    assert tap(lane, card, judged)["reason"] == "protocol-error"
    assert "edhoc-malformed: message" in lane.log
    # The very same things, by the book.
    shown = (b"\xa1\x0e" + claims, claims, [(TOKEN, token)])
    granted(lane, card, JudgesPhone(site, private, 3, [2], shown))


def test_compact_identifiers():
    """RFC 9528, 3.3.2, since everything above rests on it."""
    assert [compact(bytes.fromhex(each)).hex() for each in ("", "17", "18", "20", "37", "38", "abcd")] == [
        "40", "17", "4118", "20", "37", "4138", "42abcd"]
