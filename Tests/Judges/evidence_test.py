"""An exported grant before an independent judge: cbor2, cwt and cryptography, and nothing of ours but the documents
(docs/evidence.md, docs/phone-protocol.md, docs/credentials.md). TH_3 and TH_4, both signatures, the token."""

import base64
import hashlib

import cbor2
import cwt
import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils

KID, KCWT, KCCS = 4, 13, 14
GATE_CONTEXT, PHONE_REQUEST = -54353, -54354
SIGN1_TAG = b"\xd2"
NFC = 0


def sequence(raw):
    """The items of a CBOR sequence, each with its bytes."""
    items = []
    while raw:
        item = cbor2.loads(raw)
        length = next(n for n in range(1, len(raw) + 1) if whole(raw[:n]))
        items.append((item, raw[:length]))
        raw = raw[length:]
    return items


def whole(raw):
    try:
        cbor2.loads(raw)
    except cbor2.CBORDecodeError:
        return False
    return True


def bstr(raw):
    return cbor2.dumps(raw)


def sha256(raw):
    return hashlib.sha256(raw).digest()


def public_key(cose_key):
    assert (cose_key[1], cose_key[-1]) == (2, 1), "EC2, P-256"
    numbers = ec.EllipticCurvePublicNumbers(
        int.from_bytes(cose_key[-2], "big"), int.from_bytes(cose_key[-3], "big"), ec.SECP256R1())
    return numbers.public_key()


def is_signed(key, signature, identifier, external, payload):
    """ES256 over the Sig_structure of RFC 9052, 4.4."""
    signed = cbor2.dumps(["Signature1", identifier, external, payload])
    der = utils.encode_dss_signature(int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big"))
    try:
        key.verify(der, signed, ec.ECDSA(hashes.SHA256()))
    except InvalidSignature:
        return False
    return True


class Evidence:
    """What docs/phone-protocol.md says it is."""

    def __init__(self, raw):
        (self.format, self.method, self.id_cred_i, self.th_2, self.plaintext_2, self.mac_2, self.cred_r, self.cred_i, self.ead_3,
         self.mac_3, self.proof_3) = cbor2.loads(raw)
        assert self.format == 2
        identifier = cbor2.loads(self.id_cred_i)
        if self.cred_i is None:
            # A1 0D and the CWT, or A1 0E and the CCS.
            assert self.id_cred_i[0] == 0xA1 and self.id_cred_i[1] in (KCWT, KCCS)
            self.cred_i = self.id_cred_i[2:]
        # ID_CRED_I as it travels in PLAINTEXT_3.
        self.wire_i = self.compact(identifier[KID]) if set(identifier) == {KID} else self.id_cred_i
        (_, _), (named, wire_r), (self.proof_2, _), *ead_2 = sequence(self.plaintext_2)
        self.ead_2_raw = b"".join(raw for _, raw in ead_2)
        self.id_cred_r = wire_r if isinstance(named, dict) else b"\xa1\x04" + bstr(self.expand(named))
        self.ead_2 = [item for item, _ in ead_2]

    @staticmethod
    def compact(kid):
        """RFC 9528, 3.5.3.2 and 3.3.2."""
        is_integer = len(kid) == 1 and (kid[0] <= 0x17 or 0x20 <= kid[0] <= 0x37)
        return kid if is_integer else bstr(kid)

    @staticmethod
    def expand(named):
        return cbor2.dumps(named) if isinstance(named, int) else named

    @property
    def th_3(self):
        return sha256(bstr(self.th_2) + self.plaintext_2 + self.cred_r)

    @property
    def th_4(self):
        plaintext_3 = self.wire_i + bstr(self.proof_3) + self.ead_3
        return sha256(bstr(self.th_3) + plaintext_3 + self.cred_i)

    def phone_signed(self, key):
        return is_signed(key, self.proof_3, self.id_cred_i, bstr(self.th_3) + self.cred_i + self.ead_3, self.mac_3)

    def gate_signed(self, key):
        return is_signed(key, self.proof_2, self.id_cred_r, bstr(self.th_2) + self.cred_r + self.ead_2_raw, self.mac_2)


def value(ead, label):
    items = list(ead)
    return cbor2.loads(items[items.index(label) + 1])


def armoured_key(path):
    """The COSE_Key in a public key file of the office."""
    with open(path, encoding="ascii") as file:
        body = "".join(line.strip() for line in file if not line.startswith("-----"))
    return cbor2.loads(base64.b64decode(body))


@pytest.fixture
def gate(start):
    """However slow the disk is, the phone is told the head."""
    return start(lane="cooldown-success-ms = 0\ncooldown-failure-ms = 0", audit="wait-ms = 250")


@pytest.fixture
def exported(site, gate):
    """Somebody's grant, as bytes, and what the phone was told."""

    def export(person, *options):
        told = person.phone(*options).tap()
        assert told["status"] == 0, told
        record = gate.journal("--reason", "granted")[-1]
        path = site.path(f"{person.name}.evidence")
        gate.ask("journal", "export-evidence", record["sequence"], "--out", path)
        with open(path, "rb") as file:
            return file.read(), told

    return export


def record_of(raw):
    mark, version, previous, record, found, _ = cbor2.loads(raw)
    assert (mark, version) == ("tapstile-evidence", 2)
    assert sha256(previous + record) == found
    return cbor2.loads(record), found


def granted_by(raw, audit, gate):
    """Whether the gate's audit key signed that this gate granted this."""
    *_, record, found, outcome = cbor2.loads(raw)
    protected, unprotected, payload, signature = cbor2.loads(outcome)
    thumbprint = sha256(cbor2.dumps({label: audit[label] for label in (1, -1, -2, -3)}, canonical=True))
    assert cbor2.loads(protected) == {1: -7, 4: thumbprint, 16: "tapstile-outcome"} and unprotected == {}
    said = cbor2.loads(payload)
    assert (said[0], said[2], said[3], said[4], said[5]) == (1, gate, found, cbor2.loads(record)[11], "granted")
    return is_signed(public_key(audit), signature, protected, b"", payload)


@pytest.fixture
def audit_key(site, gate):
    gate.ask("journal", "audit-key", "--out", site.path("audit.pub"))
    return armoured_key(site.path("audit.pub"))


def test_a_grant_by_token_is_proved_from_the_documents_alone(site, exported, audit_key):
    raw, told = exported(site.anna)
    # Deterministic all the way down.
    assert cbor2.dumps(cbor2.loads(raw), canonical=True) == raw
    record, found = record_of(raw)
    assert found.hex() == told["journalHead"]
    assert (record[1], record[4], record[13], record[15], record[16]) == ("main", "outcome", "anna", "granted", True)
    evidence = Evidence(record[17])
    assert evidence.method == 0
    attempt = cbor2.loads(record[19])
    assert attempt[11] == evidence.th_2 and attempt[2] == record[12]
    assert record[11] == evidence.th_4

    # The gate, by the key that signs nothing else but its journal.
    assert granted_by(raw, audit_key, "gate-1")

    # The token: the issuer signed it, and it names the person and the phone's key.
    issuer = armoured_key(site.path("authority", "issuer.pub"))
    pem = public_key(issuer).public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    protected, _, payload, signature = cbor2.loads(evidence.cred_i)
    # cwt wants a kid; anybody may add one without breaking the signature (docs/credentials.md).
    named = cbor2.dumps([protected, {KID: b"any"}, payload, signature])
    claims = cwt.decode(SIGN1_TAG + named, cwt.COSEKey.from_pem(pem, alg="ES256", kid="any"))
    assert claims[2] == "anna"
    assert sha256(cbor2.dumps(["Signature1", protected, b"", payload])) == record[14]
    phone = public_key(claims[8][1])
    assert evidence.phone_signed(phone)

    # The gate: one that phones were given, and it signed too.
    with open(site.known_gates, "rb") as file:
        known = [raw for item, raw in sequence(file.read()) if isinstance(item, dict)]
    assert evidence.cred_r in known
    gate = public_key(cbor2.loads(evidence.cred_r)[8][1])
    assert evidence.gate_signed(gate)
    assert not evidence.phone_signed(gate) and not evidence.gate_signed(phone)

    # What both said of the place.
    version, name, lane, carrier, _, time, _, _ = value(evidence.ead_2, GATE_CONTEXT)
    assert (version, name, lane, carrier) == (1, "gate-1", site.lane, NFC)
    assert abs(record[5] // 1000 - time) <= 10
    request = value((item for item, _ in sequence(evidence.ead_3)), PHONE_REQUEST)
    assert request[:3] == [NFC, site.lane, None] and record[18]["command"] == "tokn"

    # It can fail: another lane in what the gate said.
    forged = evidence.plaintext_2.replace(site.lane.encode(), site.lane.upper().encode())
    assert forged != evidence.plaintext_2
    evidence.plaintext_2 = forged
    assert not evidence.phone_signed(phone) and evidence.th_4 != record[11]


def test_a_grant_to_an_enrolled_key_is_proved_too(site, gate, exported):
    carl = site.person("carl")
    carl.enrol()
    gate.import_publication(site.publish())
    raw, _ = exported(carl, "--enrolled-kid", carl.claims)
    record, _ = record_of(raw)
    evidence = Evidence(record[17])
    # By key identifier: CRED_I did not travel, and is in the evidence.
    assert set(cbor2.loads(evidence.id_cred_i)) == {KID}
    with open(carl.claims, "rb") as file:
        assert evidence.cred_i == file.read()
    claims = cbor2.loads(evidence.cred_i)
    key = claims[8][1]
    thumbprint = sha256(cbor2.dumps({label: key[label] for label in (1, -1, -2, -3)}, canonical=True))
    assert record[14] == thumbprint and record[13] == claims[2] == "carl"
    assert evidence.phone_signed(public_key(key))
    assert record[11] == evidence.th_4


