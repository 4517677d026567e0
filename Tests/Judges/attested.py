"""A second opinion on Android's key attestations, by the package cryptography and the rules of docs/phone-protocol.md alone: which codes an
attestation may be refused with. An empty set is one that has to be taken.

The record of the extension is read here by hand: nothing in cryptography knows it.
"""

import datetime
import hashlib

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from cryptography.x509.oid import ExtensionOID, NameOID

RECORD = x509.ObjectIdentifier("1.3.6.1.4.1.11129.2.1.17")
GOOGLE = {
    "feb2ea7551ee316ed4bb443c8293b884dbfdea40b603ee3e4f4a897e4580fbae",
    "3ee44512a1af2beb39c889490c60ea3f82e43f5d5a5532f5ab9419f676cd07ec",
}


def elements(data):
    """Tag number, whether it holds elements, and content of each element in a row."""
    found = []
    place = 0
    while place < len(data):
        first = data[place]
        place += 1
        number = first & 0x1F
        if number == 0x1F:
            number = 0
            while True:
                byte = data[place]
                place += 1
                number = number << 7 | byte & 0x7F
                if byte < 0x80:
                    break
        length = data[place]
        place += 1
        if length > 0x80:
            size = length & 0x7F
            length = int.from_bytes(data[place:place + size], "big")
            place += size
        if place + length > len(data):
            raise ValueError("an element goes beyond the end")
        found.append((number, first, data[place:place + length]))
        place += length
    return found


def inside(data):
    [(_, _, content)] = elements(data)
    return elements(content)


def entries(content):
    """An authorization list: what is inside each [tag]."""
    tags = [(number, value) for number, first, value in elements(content) if first & 0xE0 == 0xA0]
    numbers = [number for number, _ in tags]
    if len(tags) != len(elements(content)) or numbers != sorted(set(numbers)):
        raise ValueError("tags are there twice, or in another order")
    return dict(tags)


def integer(element):
    [(_, _, content)] = elements(element)
    return int.from_bytes(content, "big", signed=True)


class Record:
    """KeyDescription (source.android.com/docs/security/features/keystore/attestation)."""

    def __init__(self, data):
        fields = inside(data)
        if len(fields) != 8:
            raise ValueError("a record has eight fields")
        values = [value for _, _, value in fields]
        self.levels = [int.from_bytes(values[1], "big"), int.from_bytes(values[3], "big")]
        self.challenge = values[4]
        software, hardware = entries(values[6]), entries(values[7])
        self.purposes = [int.from_bytes(value, "big") for _, _, value in inside(hardware[1])] if 1 in hardware else []
        self.origin = integer(hardware[702]) if 702 in hardware else None
        self.boot = self._boot(hardware[704]) if 704 in hardware else None
        self.kinds = integer(hardware[504]) if 504 in hardware else 0
        self.timeout = integer(hardware[505]) if 505 in hardware else 0
        self.patch = integer(hardware[706]) if 706 in hardware else 0
        self.is_unclear = 503 in hardware or 506 in hardware
        self.is_any_application = 600 in hardware
        self.packages, self.signers = self._application(software[709]) if 709 in software else (None, None)

    @staticmethod
    def _boot(element):
        fields = inside(element)
        if fields[1][2] not in (b"\x00", b"\xff"):
            raise ValueError("a boolean in DER is 00 or FF")
        return fields[1][2] == b"\xff", fields[2][2][0]

    @staticmethod
    def _application(element):
        [(_, _, content)] = elements(element)
        packages, signers = inside(content)
        return [elements(value)[0][2].decode() for _, _, value in elements(packages[2])], [value.hex() for _, _, value in elements(signers[2])]


def information(key):
    return key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


def is_signed_by(certificate, issuer):
    key = issuer.public_key()
    try:
        if isinstance(key, rsa.RSAPublicKey):
            key.verify(certificate.signature, certificate.tbs_certificate_bytes, padding.PKCS1v15(), certificate.signature_hash_algorithm)
        elif isinstance(key, ec.EllipticCurvePublicKey):
            key.verify(certificate.signature, certificate.tbs_certificate_bytes, ec.ECDSA(certificate.signature_hash_algorithm))
        else:
            return False
    except (InvalidSignature, UnsupportedAlgorithm):
        return False
    return True


def extension(certificate, oid):
    try:
        return certificate.extensions.get_extension_for_oid(oid).value
    except x509.ExtensionNotFound:
        return None


def attribute(certificate, oid):
    return [value.value for value in certificate.subject.get_attributes_for_oid(oid)]


def faults_of_chain(certificates, question):
    found = set()
    roots = {question["root"]} if "root" in question else GOOGLE
    now = datetime.datetime.fromtimestamp(question["now"], datetime.timezone.utc)
    if hashlib.sha256(information(certificates[-1].public_key())).hexdigest() not in roots:
        found.add("attestation-root-unknown")
    is_factory = bool(attribute(certificates[-2], NameOID.SERIAL_NUMBER))
    for place, certificate in enumerate(certificates):
        issuer = certificates[min(place + 1, len(certificates) - 1)]
        if certificate.issuer.public_bytes() != issuer.subject.public_bytes():
            found.add("attestation-names-differ")
        if not is_signed_by(certificate, issuer):
            found |= {"attestation-signature-wrong", "attestation-signature-unknown"}
        constraints, usage = extension(issuer, ExtensionOID.BASIC_CONSTRAINTS), extension(issuer, ExtensionOID.KEY_USAGE)
        is_authority = constraints is not None and constraints.ca and (usage is None or usage.key_cert_sign)
        is_within = issuer is certificates[-1] or constraints is None or constraints.path_length is None or constraints.path_length >= place
        if not (is_authority and is_within) and not (place == 0 and is_factory):
            found.add("attestation-issuer-no-authority")
        if 0 < place < len(certificates) - 1:
            if now < certificate.not_valid_before_utc:
                found.add("attestation-not-yet-valid")
            if now > certificate.not_valid_after_utc and not is_factory:
                found.add("attestation-expired")
        if place > 0 and extension(certificate, RECORD) is not None:
            found.add("attestation-record-elsewhere")
        if "revoked" in question and certificate.serial_number == int(question["revoked"], 16):
            found.add("attestation-revoked")
    return found


def names_level(certificates, level):
    if not attribute(certificates[-2], NameOID.SERIAL_NUMBER):
        return attribute(certificates[1], NameOID.ORGANIZATION_NAME) == [{1: "TEE", 2: "StrongBox"}.get(level)]
    return any("strongbox" in one.subject.rfc4514_string().lower() for one in (certificates[1], certificates[-2])) == (level == 2)


def faults_of_record(record, certificates, question):
    level = record.levels[1]
    checks = {
        "attestation-challenge-differs": record.challenge.hex() != question["challenge"],
        "attestation-software-level": 0 in record.levels,
        "attestation-levels-differ": record.levels[0] != level or not names_level(certificates, level),
        "attestation-no-strongbox": level != 2 and question.get("strongbox", False),
        "attestation-purpose-differs": record.purposes != [2],
        "attestation-key-imported": record.origin != 0,
        "attestation-any-application": record.is_any_application,
        "attestation-boot-unknown": record.boot is None,
        "attestation-boot-unlocked": record.boot is not None and not record.boot[0],
        "attestation-boot-not-verified": record.boot is not None and record.boot[1] != 0,
        "attestation-application-differs": record.packages != [question["application"]] or record.signers != [question["signer"]],
        "attestation-authentication-unclear": record.kinds != 0 and record.is_unclear,
        "attestation-timeout-too-long": record.kinds != 0 and record.timeout > 60,
    }
    return {code for code, is_wrong in checks.items() if is_wrong}


def opinion(question):
    """The codes, and what an attestation says that is taken."""
    chain = [bytes.fromhex(one) for one in question["chain"]]
    if not 3 <= len(chain) <= 8:
        return {"attestation-chain-length"}, None
    try:
        certificates = [x509.load_der_x509_certificate(one) for one in chain]
        value = extension(certificates[0], RECORD)
    except (ValueError, x509.DuplicateExtension):
        return {"attestation-certificate-malformed"}, None
    if value is None:
        return {"attestation-record-missing"}, None
    try:
        record = Record(value.value)
    except (ValueError, IndexError, KeyError):
        return {"attestation-record-malformed"}, None
    found = faults_of_chain(certificates, question) | faults_of_record(record, certificates, question)
    try:
        is_key = information(certificates[0].public_key()).hex() == question["key"]
    except (ValueError, UnsupportedAlgorithm):
        is_key = False
    if not is_key:
        found.add("attestation-key-differs")
    return found, {"result": "attested", "level": record.levels[1], "uv": record.kinds != 0, "patch": record.patch}
