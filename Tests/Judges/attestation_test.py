"""Android's key attestations: chains that real phones made, and ones made here with the package cryptography, before our Attestation room
and before a second opinion (attested.py). What the one takes the other takes, and what is refused is refused for a reason that both see.

TAPSTILE_BIN is the folder of the built programs.
"""

import base64
import datetime
import hashlib
import json
import os
import re

import pytest
from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID, ObjectIdentifier

from attested import RECORD, Record, extension, information, opinion
from patience import LONG
from processes import run

VECTORS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "AttestationTests", "Vectors")
# When each was made, or as good.
MADE = {
    "sony-tee-ec": "2026-06-04", "pixel9a-tee-ec-p384-root": "2026-02-24", "pixel9a-strongbox-ec-p384-root": "2026-02-25",
    "pixel9pro-tee-ec": "2025-09-26", "pixel9pro-strongbox-ec": "2025-09-26", "pixel8a-tee-ec-unlocked": "2024-09-26",
    "pixel8a-tee-rsa-userauth": "2024-09-26", "pixel3-tee-ec-unlocked": "2018-09-29", "pixel3-strongbox-rsa-userauth": "2020-08-29",
    "pixelxl-software-root": "2019-10-29", "pixel9-tee-mldsa": "2026-04-28", "malformed-device-locked": "2025-08-01",
    "tags-not-ascending": "2025-08-01", "test-root-p256-sha384": "2025-08-01", "allow-while-on-body": "2025-08-01",
    "sample-ec-securitylevel-tee": "2018-12-01", "sample-ec-securitylevel-strongbox": "2018-12-01",
    "sample-rsa-securitylevel-tee": "2018-12-01", "sample-rsa-securitylevel-strongbox": "2018-12-01",
}
NOW = "2026-01-01"
SIGNER = "a5" * 32


def seconds(day):
    return int(datetime.datetime.fromisoformat(day + "T18:00:00+00:00").timestamp())


def judge(questions):
    """The answers of judge-attestation."""
    program = os.path.join(os.environ["TAPSTILE_BIN"], "judge-attestation")
    lines = "".join(json.dumps(question) + "\n" for question in questions)
    judged = run([program], LONG, input=lines, capture_output=True, text=True, check=True)
    answers = [json.loads(line) for line in judged.stdout.splitlines()]
    assert len(answers) == len(questions)
    return answers


def agree(questions):
    """Holds both opinions of each question together; what ours are."""
    answers = judge(questions)
    for question, answer in zip(questions, answers):
        codes, said = opinion(question)
        if codes:
            # The package reads more of a certificate than we do, and at once: what it takes for none we may refuse for something else.
            assert answer["result"] == "refused" and (answer["code"] in codes or codes == {"attestation-certificate-malformed"}), (answer, codes)
        else:
            assert answer == said
    return answers


def real(name):
    with open(os.path.join(VECTORS, name + ".pem"), encoding="ascii") as file:
        blocks = re.findall("-----BEGIN CERTIFICATE-----(.*?)-----END CERTIFICATE-----", file.read(), re.DOTALL)
    return [base64.b64decode("".join(block.split())) for block in blocks]


def question(name):
    """What the phone itself would have asked: by its own record, key and day."""
    chain = real(name)
    challenge, application, signer = "00", "org.example.gate", SIGNER
    key = information(ec.generate_private_key(ec.SECP256R1()).public_key())
    try:
        leaf = x509.load_der_x509_certificate(chain[0])
        record = Record(extension(leaf, RECORD).value)
        challenge, application, signer = record.challenge.hex(), max(record.packages, key=len), record.signers[0]
        if isinstance(leaf.public_key(), ec.EllipticCurvePublicKey):
            key = information(leaf.public_key())
    except (ValueError, KeyError, IndexError, TypeError, UnsupportedAlgorithm):
        pass  # The package takes no such certificate or key, or there is nothing to ask for.
    return {"chain": [one.hex() for one in chain], "challenge": challenge, "key": key.hex(), "application": application, "signer": signer,
            "now": seconds(MADE[name])}


def test_all_vectors_are_judged():
    assert {name.removesuffix(".pem") for name in os.listdir(VECTORS) if name.endswith(".pem")} == set(MADE)


def test_real_chains():
    answers = dict(zip(MADE, agree([question(name) for name in MADE])))
    assert answers["sony-tee-ec"] == {"result": "attested", "level": 1, "uv": False, "patch": 202307}


@pytest.mark.parametrize("name", ["sony-tee-ec", "pixel9a-tee-ec-p384-root", "pixel9pro-strongbox-ec", "pixel3-tee-ec-unlocked"])
def test_real_chains_asked_otherwise(name):
    """Other days, keys, challenges, apps; each certificate taken back, left out, doubled or of another phone."""
    asked = question(name)
    chain, other = asked["chain"], question("pixel9pro-tee-ec")["chain"]
    changes = [{"now": seconds(day)} for day in ("1999-12-31", "2016-05-26", "2022-01-01", "2026-02-10", "2026-05-25", "2029-01-01", "2040-01-01")]
    changes += [{"challenge": "00"}, {"application": "org.example.other"}, {"signer": SIGNER}, {"root": SIGNER}, {"strongbox": True},
                {"key": question("pixel8a-tee-ec-unlocked")["key"]}]
    for place, one in enumerate(chain):
        serial = x509.load_der_x509_certificate(bytes.fromhex(one)).serial_number
        changes.append({"revoked": serial.to_bytes(20, "big").hex()})
        changes.append({"chain": chain[:place] + chain[place + 1:]})
        changes.append({"chain": chain[:place] + [one] + chain[place:]})
        changes.append({"chain": chain[:place] + other[place:place + 1] + chain[place + 1:]})
    agree([{**asked, **change} for change in changes])


# Chains made here


def element(tag, *parts):
    content = b"".join(parts)
    count = len(content)
    length = bytes([count]) if count < 0x80 else bytes([0x81, count]) if count < 0x100 else bytes([0x82, count >> 8, count & 0xFF])
    return tag + length + content


def tagged(number, content):
    tag = bytes([0xA0 | number]) if number < 31 else bytes([0xBF, 0x80 | number >> 7, number & 0x7F])
    return element(tag, content)


def whole(number, tag=b"\x02"):
    return element(tag, number.to_bytes(number.bit_length() // 8 + 1, "big"))


def record(**changes):
    """A record that a site takes; a change of an entry to None leaves it out."""
    boot = element(b"\x30", element(b"\x04", bytes(32)), element(b"\x01", b"\xff"), whole(0, b"\x0a"), element(b"\x04", bytes(32)))
    hardware = {1: element(b"\x31", whole(2)), 2: whole(3), 3: whole(256), 10: whole(1), 504: whole(2), 505: whole(30), 702: whole(0), 704: boot,
                706: whole(202611)}
    hardware.update(changes.get("hardware", {}))
    package = element(b"\x30", element(b"\x04", b"org.example.gate"), whole(1))
    application = element(b"\x30", element(b"\x31", package), element(b"\x31", element(b"\x04", bytes.fromhex(SIGNER))))
    lists = [{709: element(b"\x04", application)}, hardware]
    first, second = changes.get("levels", (1, 1))
    return element(b"\x30", whole(400), whole(first, b"\x0a"), whole(400), whole(second, b"\x0a"), element(b"\x04", b"challenge"), element(b"\x04"),
                   *[element(b"\x30", *[tagged(tag, value) for tag, value in sorted(one.items()) if value is not None]) for one in lists])


LEAF = ec.generate_private_key(ec.SECP256R1())


class Made:
    """Leaf, attestation, intermediate and root; what signs is of other kinds and with other hashes each time."""

    def __init__(self, keys, hash_functions, organisation="TEE", value=None, **changes):
        names = [[(NameOID.COMMON_NAME, "Android Keystore Key")], [(NameOID.ORGANIZATION_NAME, organisation)], [(NameOID.COMMON_NAME, "Droid CA2")],
                 [(NameOID.COMMON_NAME, "Root")]]
        if changes.get("factory"):
            names[2] = [(NameOID.SERIAL_NUMBER, "87f4514475ba0a2b")]
        names = [x509.Name([x509.NameAttribute(*one) for one in name]) for name in names]
        self.chain = []
        self.root = keys[-1]
        for place, key in enumerate([LEAF, *keys]):
            issuer = min(place + 1, 3)
            built = (x509.CertificateBuilder().subject_name(names[place]).issuer_name(names[issuer]).public_key(key.public_key())
                     .serial_number(1000 + place).not_valid_before(datetime.datetime(2025, 1, 1))
                     .not_valid_after(datetime.datetime(*changes.get("until", (2027, 1, 1)))))
            if place == 0:
                built = built.add_extension(x509.UnrecognizedExtension(RECORD, value or record()), critical=False)
            elif place != changes.get("no_authority"):
                built = built.add_extension(x509.BasicConstraints(ca=True, path_length=changes.get("path_length") if place == 2 else None), critical=True)
            if place == changes.get("critical"):
                built = built.add_extension(x509.UnrecognizedExtension(ObjectIdentifier("1.2.3.4"), b"\x05\x00"), critical=True)
            self.chain.append(built.sign([LEAF, *keys][issuer], hash_functions[place]))

    def question(self, **changes):
        asked = {"chain": [one.public_bytes(Encoding.DER).hex() for one in self.chain], "challenge": b"challenge".hex(),
                 "key": information(LEAF.public_key()).hex(), "application": "org.example.gate", "signer": SIGNER, "now": seconds(NOW),
                 "root": hashlib.sha256(information(self.root.public_key())).hexdigest()}
        asked.update(changes)
        return asked


P256, P384, RSA = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP384R1()), rsa.generate_private_key(65537, 2048)
USUAL = ([P256, P384, RSA], [hashes.SHA256(), hashes.SHA384(), hashes.SHA256(), hashes.SHA256()])


@pytest.mark.parametrize("keys, hash_functions", [
    USUAL,
    ([RSA, P256, P384], [hashes.SHA384(), hashes.SHA384(), hashes.SHA256(), hashes.SHA384()]),
    ([P384, RSA, P256], [hashes.SHA256(), hashes.SHA512(), hashes.SHA256(), hashes.SHA256()]),
])
def test_each_kind_of_key_and_hash(keys, hash_functions):
    made = Made(keys, hash_functions)
    assert agree([made.question()]) == [{"result": "attested", "level": 1, "uv": True, "patch": 202611}]
    chain = [one.public_bytes(Encoding.DER) for one in made.chain]
    for place, one in enumerate(chain):
        other = [*chain]
        other[place] = one[:-1] + bytes([one[-1] ^ 1])
        assert judge([made.question(chain=[each.hex() for each in other])])[0]["code"] == "attestation-signature-wrong"


@pytest.mark.parametrize("key, hash_function", [
    (ec.generate_private_key(ec.SECP521R1()), hashes.SHA256()), (ec.generate_private_key(ec.SECP256K1()), hashes.SHA256()),
    (rsa.generate_private_key(65537, 1024), hashes.SHA256()), (rsa.generate_private_key(65537, 5120), hashes.SHA256()), (P256, hashes.SHA512()),
])
def test_other_kinds_of_keys_and_hashes(key, hash_function):
    """cryptography takes them; Google's chains have none, and neither do we."""
    made = Made([key, P256, P256], [hash_function, hashes.SHA256(), hashes.SHA256(), hashes.SHA256()])
    assert judge([made.question()]) == [{"result": "refused", "code": "attestation-signature-unknown"}]


BOOTS = [element(b"\x30", element(b"\x04", bytes(32)), element(b"\x01", locked), whole(state, b"\x0a"), element(b"\x04", bytes(32)))
         for locked, state in ((b"\x00", 0), (b"\xff", 1), (b"\xff", 2), (b"\x00", 3), (b"\x01", 0))]


@pytest.mark.parametrize("hardware", [
    {}, {1: element(b"\x31", whole(2), whole(3))}, {1: None}, {1: element(b"\x31", whole(3))}, {702: whole(2)}, {702: None}, {704: None},
    *[{704: boot} for boot in BOOTS], {503: element(b"\x05")}, {506: element(b"\x05")}, {504: None, 505: None}, {504: None, 503: element(b"\x05")},
    {504: whole(0)}, {504: whole(0xFFFFFFFF)}, {505: whole(60)}, {505: whole(61)}, {505: whole(2**31 - 1)}, {505: None}, {600: element(b"\x05")},
    {706: None}, {724: element(b"\x04", bytes(32))},
], ids=str)
def test_records(hardware):
    agree([Made(*USUAL, value=record(hardware=hardware)).question()])


@pytest.mark.parametrize("levels", [(0, 1), (1, 0), (1, 2), (2, 1), (2, 2), (1, 1)])
@pytest.mark.parametrize("organisation", ["TEE", "StrongBox", "Google"])
@pytest.mark.parametrize("factory", [True, False])
def test_levels(levels, organisation, factory):
    made = Made(*USUAL, organisation=organisation, value=record(levels=levels), factory=factory)
    agree([made.question(), made.question(strongbox=True)])


@pytest.mark.parametrize("changes", [
    {"no_authority": 1}, {"no_authority": 2}, {"no_authority": 3}, {"path_length": 0}, {"path_length": 1}, {"until": (2025, 12, 31)},
], ids=str)
@pytest.mark.parametrize("factory", [True, False])
def test_certificates(changes, factory):
    agree([Made(*USUAL, factory=factory, **changes).question()])


@pytest.mark.parametrize("place", range(4))
def test_critical_extensions(place):
    """cryptography leaves them to whoever asks."""
    assert judge([Made(*USUAL, critical=place).question()])[0]["code"] == "attestation-certificate-extension"
