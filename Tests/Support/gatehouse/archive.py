"""A publication in one file, as offices before the first release made them with `export`: archives have them, and evidence is held against them."""

import base64
import hashlib
import os
from io import BytesIO

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

ISSUER, GATE, ENROLLED, REVOCATION, MEMBERSHIP, CARD, CEILING = 1, 2, 3, 4, 11, 12, 13


def number(value):
    return value.to_bytes(32, "big")


class Archive:
    """The key of a site, which signed such files, and whoever wrote them down."""

    def __init__(self, site):
        self.site = site
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.versions = 0
        point = self.key.public_key().public_numbers()
        public = cbor2.dumps({1: 2, 4: [2], -1: 1, -2: number(point.x), -3: number(point.y), -65537: "site"}, canonical=True)
        self.public_key = site.path("old.site.pub")
        with open(self.public_key, "w", encoding="ascii") as file:
            file.write(f"-----BEGIN TAPSTILE PUBLIC KEY-----\n{base64.b64encode(public).decode()}\n-----END TAPSTILE PUBLIC KEY-----\n")

    def of(self, stick):
        """The path of a file of the same time that says what this stick says."""
        told = [record for part in ("site", "people") for record in records(os.path.join(stick, "targets", part)) if record[0] != CEILING]
        body, kinds = b"".join(data for _, data in told), [kind for kind, _ in told]
        made, self.versions = int(os.path.getmtime(stick)), self.versions + 1
        manifest = {1: 1, 2: self.site.name, 3: self.versions, 4: made, 5: made + 86400, 6: len(body), 7: hashlib.sha256(body).digest(),
                    8: [kinds.count(kind) for kind in (ISSUER, GATE, ENROLLED, REVOCATION)]}
        rules = [len([kind for kind in kinds if 5 <= kind < MEMBERSHIP or kind > CEILING]), kinds.count(MEMBERSHIP)]
        if any(rules):
            manifest[9] = rules
        if CARD in kinds:
            manifest[10] = kinds.count(CARD)
        path = self.site.path(f"archived-{self.versions}")
        with open(path, "wb") as file:
            file.write(self.signed(cbor2.dumps(manifest, canonical=True)) + body)
        return path

    def signed(self, payload):
        """COSE_Sign1 (RFC 9052, 4.2)."""
        protected = cbor2.dumps({1: -7, 3: "application/tapstile-publication"}, canonical=True)
        signature = self.key.sign(cbor2.dumps(["Signature1", protected, b"", payload]), ec.ECDSA(hashes.SHA256()))
        signature = b"".join(number(part) for part in decode_dss_signature(signature))
        return cbor2.dumps([protected, {}, payload, signature])


def items(path):
    """What stands in a bundle, header first, each decoded and as bytes."""
    with open(path, "rb") as file:
        data = file.read()
    stream = BytesIO(data)
    decoder = cbor2.CBORDecoder(stream)
    while (begin := stream.tell()) < len(data):
        item = decoder.decode()
        yield item, data[begin:stream.tell()]


def records(folder):
    """The records of the bundle there that is whole, and those that changes since put beside them, with their kinds."""
    names = os.listdir(folder)
    (whole,) = [name for name in names if name.endswith((".full", ".data"))]
    header, *rest = items(os.path.join(folder, whole))
    for item, data in rest:
        yield item[0], data
    for name in names:
        if name.endswith(f".since-{header[0][5]}"):
            for item, data in list(items(os.path.join(folder, name)))[1:]:
                assert item[0] == 0, "nothing is gone"
                yield item[1][0], data[2:]
