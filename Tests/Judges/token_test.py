"""Tokens of the Python package cwt, an independent issuer, before our verification, and ours before its.

TAPSTILE_BIN is the folder of the built programs.
"""

import hashlib
import json
import os

import cbor2
import cwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from patience import LONG
from processes import run

# Order of P-256 (SEC 2, 2.4.2).
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
NOW = 1_800_000_000
TAG_SIGN1 = b"\xd2"


def judge(*questions):
    """The answers of judge-token."""
    program = os.path.join(os.environ["TAPSTILE_BIN"], "judge-token")
    lines = "".join(json.dumps(question) + "\n" for question in questions)
    judged = run([program], LONG, input=lines, capture_output=True, text=True, check=True)
    answers = [json.loads(line) for line in judged.stdout.splitlines()]
    assert len(answers) == len(questions)
    return answers


def coordinates(key):
    numbers = key.public_key().public_numbers()
    return numbers.x.to_bytes(32, "big"), numbers.y.to_bytes(32, "big")


class Site:
    """One issuer made with cwt, and one person's phone key."""

    def __init__(self):
        self.issuer = ec.generate_private_key(ec.SECP256R1())
        self.phone = ec.generate_private_key(ec.SECP256R1())

    def key(self, kid=None):
        pem = self.issuer.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        return cwt.COSEKey.from_pem(pem, alg="ES256", kid=kid)

    def claims(self, changes=None):
        x, y = coordinates(self.phone)
        claims = {
            1: "issuer-1", 2: "alice", 3: "tapstile:hq/lobby", 4: NOW + 1000, 5: NOW - 1000, 6: NOW - 1000,
            7: b"\x01\x02", 8: {1: {1: 2, -1: 1, -2: x, -3: y}},
        }
        claims.update(changes or {})
        return claims

    def token(self, changes=None, kid=None):
        """A token by cwt. It writes tag 18, which the profile leaves out."""
        encoded = cwt.encode(self.claims(changes), self.key(kid))
        assert encoded[:1] == TAG_SIGN1
        return encoded[1:]

    def question(self, token, revoked=(), **changes):
        x, y = coordinates(self.issuer)
        question = {
            "token": token.hex(), "issuer": {"name": "issuer-1", "x": x.hex(), "y": y.hex()}, "now": NOW,
            "site": "hq", "zone": "lobby", "lane": "main", "command": "tokn", "revoked": list(revoked),
        }
        question.update(changes)
        return question

    def verdict(self, token, revoked=(), **changes):
        return judge(self.question(token, revoked, **changes))[0]


@pytest.fixture
def site():
    return Site()


def identifier(token):
    """SHA-256 of the Sig_structure, computed without our code."""
    protected, _, payload, _ = cbor2.loads(token)
    return hashlib.sha256(cbor2.dumps(["Signature1", protected, b"", payload])).hexdigest()


def rebuilt(token, **parts):
    names = ["protected", "unprotected", "payload", "signature"]
    values = dict(zip(names, cbor2.loads(token)))
    values.update(parts)
    return cbor2.dumps([values[name] for name in names], canonical=True)


def malleated(token):
    """The same signature with n - s in the place of s: everybody can make it."""
    signature = cbor2.loads(token)[3]
    s = int.from_bytes(signature[32:], "big")
    return rebuilt(token, signature=signature[:32] + (ORDER - s).to_bytes(32, "big"))


def refused(reason, token=None):
    answer = {"result": "refused", "reason": reason}
    if token is not None:
        answer["identifier"] = identifier(token)
    return answer


def test_tokens_of_an_independent_issuer_are_accepted(site):
    for changes in [{}, {3: ["somewhere", "tapstile:hq"]}, {9: "hold tokn"}, {3: "tapstile:hq/lobby/main"}]:
        for kid in [None, "issuer-1"]:
            token = site.token(changes, kid)
            assert site.verdict(token) == {"result": "verified", "identifier": identifier(token), "subject": "alice"}


def test_its_claims_count(site):
    assert site.verdict(site.token({1: "issuer-2"}))["reason"] == "unknown-issuer"
    assert site.verdict(site.token({5: NOW + 1}))["reason"] == "not-yet-valid"
    assert site.verdict(site.token({4: NOW, 5: 0}))["reason"] == "expired"
    assert site.verdict(site.token({3: "tapstile:hq/garage"}))["reason"] == "wrong-audience"
    assert site.verdict(site.token(), command="hold")["reason"] == "scope-lacks-command"
    assert site.verdict(site.token({9: "hold"}))["reason"] == "scope-lacks-command"


def test_another_issuers_key_is_a_bad_signature(site):
    token = Site().token()
    assert site.verdict(token) == refused("bad-signature", token)


def test_tampered_tokens_are_refused(site):
    """Every byte of the token changed, in one run."""
    token = site.token()
    changed = [token[:place] + bytes([token[place] ^ 1]) + token[place + 1:] for place in range(len(token))]
    for place, answer in enumerate(judge(*(site.question(each) for each in changed))):
        assert answer["result"] == "refused", place
        assert answer["reason"] in ("malformed", "unknown-issuer", "bad-signature"), (place, answer)


def test_changed_claims_are_a_bad_signature(site):
    token = site.token()
    claims = site.claims({4: NOW + 10_000_000})
    changed = rebuilt(token, payload=cbor2.dumps(claims, canonical=True))
    assert site.verdict(changed) == refused("bad-signature", changed)


def test_malleated_token_is_the_same_token(site):
    # The independent implementation takes it too. (It looks at the real clock, and wants a kid.)
    token = site.token({4: 4_000_000_000, 5: 1_000}, kid="issuer-1")
    other = malleated(token)
    assert other != token
    cwt.decode(TAG_SIGN1 + other, site.key(kid="issuer-1"))
    assert site.verdict(other) == {"result": "verified", "identifier": identifier(token), "subject": "alice"}
    assert site.verdict(other, [{"token": identifier(token)}]) == refused("revoked", token)


def test_added_key_identifier_is_the_same_token(site):
    token = site.token()
    other = rebuilt(token, unprotected={4: b"somebody"})
    assert site.verdict(other) == {"result": "verified", "identifier": identifier(token), "subject": "alice"}
    assert site.verdict(other, [{"token": identifier(token)}]) == refused("revoked", token)


@pytest.mark.parametrize("header", [{5: b"x"}, {4: b"x", 5: b"x"}, {4: "text"}, {1: -7}, {"x": 1}, {2: [4]}])
def test_any_other_added_header_is_malformed(site, header):
    answer = site.verdict(rebuilt(site.token(), unprotected=header))
    assert answer["reason"] == "malformed"


def test_issued_again_is_another_token(site):
    first, again = site.token(), site.token({7: b"\x01\x03"})
    revoked = [{"token": identifier(first)}]
    assert site.verdict(first, revoked) == refused("revoked", first)
    assert site.verdict(again, revoked)["result"] == "verified"
    assert site.verdict(again, revoked)["identifier"] != identifier(first)
    # What takes both: the person, or the key (RFC 9679 thumbprint).
    x, y = coordinates(site.phone)
    key = cbor2.dumps({1: 2, -1: 1, -2: x, -3: y}, canonical=True)
    for revocation in [{"subject": "alice"}, {"key": hashlib.sha256(key).hexdigest()}]:
        for token in [first, again]:
            assert site.verdict(token, [revocation]) == refused("revoked", token)
    assert site.verdict(again, [{"issuer": "issuer-1", "cti": "0103"}]) == refused("revoked", again)
    assert site.verdict(first, [{"issuer": "issuer-1", "cti": "0103"}])["result"] == "verified"


def test_the_same_claims_signed_twice_are_the_same_token(site):
    """ES256 is randomised: other bytes, same Sig_structure, same identifier."""
    first, second = site.token(), site.token()
    assert first != second
    assert site.verdict(first)["identifier"] == site.verdict(second)["identifier"]


def test_forms_outside_the_profile_are_malformed(site):
    token = site.token()
    x, y = coordinates(site.phone)
    unsorted = dict(reversed(site.claims().items()))
    outside = {
        "tag 18": TAG_SIGN1 + token,
        "tag 61": cwt.encode(site.claims(), site.key(), tagged=True),
        "claims not in deterministic order": cwt.encode(unsorted, site.key())[1:],
        "y as sign bit": site.token({8: {1: {1: 2, -1: 1, -2: x, -3: bool(y[31] & 1)}}}),
        "key by reference": rebuilt(token, payload=cbor2.dumps(site.claims({8: {3: b"kid"}}), canonical=True)),
        "signature in DER": rebuilt(token, signature=b"\x30" + bytes(69)),
        "no expiry": rebuilt(token, payload=cbor2.dumps({k: v for k, v in site.claims().items() if k != 4}, canonical=True)),
        "something behind it": token + b"\x00",
        "half of it": token[: len(token) // 2],
    }
    for name, raw in outside.items():
        assert site.verdict(raw)["reason"] == "malformed", name


def test_our_tokens_are_read_by_the_independent_implementation():
    answer = judge({"issue": {"subject": "bob", "audience": "tapstile:hq", "scope": "tokn hold"}})[0]
    raw = bytes.fromhex(answer["token"])
    numbers = ec.EllipticCurvePublicNumbers(int(answer["x"], 16), int(answer["y"], 16), ec.SECP256R1())
    pem = numbers.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    claims = cwt.decode(TAG_SIGN1 + raw, cwt.COSEKey.from_pem(pem, alg="ES256", kid="issuer-1"))
    assert claims[1] == "issuer-1" and claims[2] == "bob" and claims[3] == "tapstile:hq"
    assert claims[4] == 4_000_000_000 and claims[5] == 1_000 and claims[6] == 2_000 and claims[7] == b"\x07\x08"
    assert claims[9] == "tokn hold"
    assert claims[8][1][-2].hex() == answer["phone"]
    key = cbor2.dumps(claims[8][1], canonical=True)
    assert hashlib.sha256(key).hexdigest() == answer["thumbprint"]
    assert identifier(raw) == answer["identifier"]
    # It is deterministic all the way down.
    assert cbor2.dumps(cbor2.loads(raw), canonical=True) == raw
    payload = cbor2.loads(raw)[2]
    assert cbor2.dumps(cbor2.loads(payload), canonical=True) == payload
