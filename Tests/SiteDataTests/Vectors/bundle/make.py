"""Makes the bundles of this folder and what is in them, with PyPI's cbor2 and cryptography and nothing of this product:

    python3 make.py

Everything comes from constants: a second run makes the same bytes.
"""
import hashlib
import json
import os
import struct

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec, x25519
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import ChaCha20
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

HERE = os.path.dirname(os.path.abspath(__file__))
SITE = "hq"


def cbor(item):
    return cbor2.dumps(item, canonical=True)


def sha256(data):
    return hashlib.sha256(data).digest()


def person(subject):
    return sha256(subject.encode())[:16]


def p256(number):
    point = ec.derive_private_key(number, ec.SECP256R1()).public_key().public_numbers()
    return point.x.to_bytes(32, "big"), point.y.to_bytes(32, "big")


def thumbprint(record):
    """RFC 9679."""
    _, _, _, curve, x, y = record[:6]
    return sha256(cbor({1: 2, -1: curve, -2: x, -3: y} if y is not None else {1: 1, -1: curve, -2: x}))


def enrolled(number, subject, scope=("tokn",), audiences=(), end=None, attested=False):
    x, y = p256(number)
    return [3, b"kid%d" % number, 1, 1, x, y, subject, list(scope), list(audiences), None, end] + ([True] if attested else [])


def agreeing(number, subject):
    key = x25519.X25519PrivateKey.from_private_bytes(bytes([number]) * 32).public_key()
    return [3, b"", 2, 4, key.public_bytes(Encoding.Raw, PublicFormat.Raw), None, subject, ["tokn"], [], 5, None]


def revocation_value(record):
    kind, value = record[1], record[2]
    if kind == 2:
        return cbor(value) + cbor(record[3])
    return value.encode() if isinstance(value, str) else value


def key_of(record):
    """The bytes by which a record is known among its kind."""
    kind = record[0]
    if kind == 3:
        return thumbprint(record)
    if kind == 4:
        return bytes([record[1]]) + revocation_value(record)
    if kind == 11:
        return person(record[2]) + record[1].encode()
    if kind == 9:
        return cbor(record)
    if kind in (5, 13):
        return b""
    if kind == 14:
        return record[1].encode() + b"\0" + record[2].encode()
    return record[1].encode() if isinstance(record[1], str) else record[1]


def order(record):
    return record[0], key_of(record)


def element(record):
    form = cbor([11, record[1], person(record[2])]) if record[0] == 11 else cbor(record)
    # The library's nonce is the block counter and the nonce of RFC 8439.
    stream = Cipher(ChaCha20(sha256(b"tapstile-element-1" + form), bytes(16)), mode=None).encryptor()
    return stream.update(bytes(2048))


def total(records):
    lanes = [0] * 1024
    for record in records:
        for lane, value in enumerate(struct.unpack("<1024H", element(record))):
            lanes[lane] = (lanes[lane] + value) % 65536
    return struct.pack("<1024H", *lanes)


def counts(records):
    def of(*kinds):
        return sum(record[0] in kinds for record in records)
    return [of(1), of(2), of(3), of(4), of(5, 6, 7, 8, 9, 10, 13, 14), of(11), of(12)]


def digest(records):
    return sha256(cbor(["tapstile-state-1", SITE, counts(records), total(records)]))


def zones_of(record):
    """The zones that a record of people concerns; the empty one is the whole site."""
    audiences = record[8] if record[0] == 3 else record[3] if record[0] == 12 else []
    paths = [audience.removeprefix("tapstile:").split("/") for audience in audiences if audience.startswith("tapstile:")]
    names = {path[1] for path in paths if path[0] == SITE and len(path) > 1}
    return {""} if not audiences or [SITE] in paths else names


def zone_digests(before, after):
    """What each zone comes to of which anything has changed."""
    digests = {}
    for zone in set().union(*(zones_of(record) for record in before + after)):
        old, new = ([record for record in records if zone in zones_of(record)] for records in (before, after))
        if sorted(map(cbor, old)) != sorted(map(cbor, new)):
            digests[zone] = sha256(cbor(["tapstile-zone-1", SITE, zone, counts(new), total(new)]))
    return digests


def header(part, version, records, **more):
    fields = {1: 2, 2: part, 3: SITE, 4: 3, 5: version, 6: counts(records), 8: "0.7.0"}
    if part == "people":
        fields[7] = digest(records)
    if "since" in more:
        fields[9] = more["since"]
        fields[10] = more["zones"]
    return cbor(fields)


def whole(part, version, records):
    return header(part, version, records) + b"".join(cbor(record) for record in sorted(records, key=order))


def changes(since, version, before, after):
    old = {order(record): record for record in before}
    new = {order(record): record for record in after}
    items = b""
    for key in sorted(old.keys() | new.keys()):
        if old.get(key) == new.get(key):
            continue
        items += cbor([0, new[key]] if key in new else [1, key[0], key[1]])
    return header("people", version, after, since=since, zones=zone_digests(before, after)) + items


def main():
    issuer_x, issuer_y = p256(100)
    site = [
        [1, "issuer-1", {1: 2, -1: 1, -2: issuer_x, -3: issuer_y}], [2, b"\xa0"], [5, "Europe/Berlin"],
        [7, "day", [[[480, 1080]] if day < 5 else [] for day in range(7)], [], []],
        [9, "staff", ["north"], "day"], [9, "guests", [], None], [4, 4, bytes([9]) * 32],
        [13, ["tokn", "hold"], ["tapstile:hq/lobby", "tapstile:hq/yard"], ["staff", "guests"], 86400 * 400, True, True],
        [14, "de", "granted", "Bitte durchgehen"], [14, "en", "granted", "Please pass"],
    ]
    lobby = ("tapstile:hq/lobby/north",)
    first = [
        enrolled(1, "alice", audiences=lobby, end=1830000000),
        enrolled(2, "bob", scope=("tokn", "hold"), audiences=("tapstile:hq/yard",), end=1820000000, attested=True),
        enrolled(3, "carol", audiences=lobby, end=1830000000),
        [4, 1, bytes([7]) * 32], [4, 2, "issuer-1", b"\x09"], [4, 3, "mallory"], [4, 4, bytes([8]) * 32], [4, 5, "dave"],
        [11, "staff", "alice"], [11, "guests", "alice"], [11, "staff", "b\u00f6rje"],
        [12, bytes([4, 1, 2, 3]), "erin", list(lobby), None, 1830000000],
    ]
    second = [record for record in first if record not in ([4, 5, "dave"], [11, "guests", "alice"])]
    second[0] = enrolled(1, "alice", scope=("hold",), audiences=lobby, end=1831000000)
    second += [enrolled(4, "frank", audiences=lobby, end=1830000000), [4, 5, "carol"], [12, bytes([1] * 7), "grace", list(lobby), 7, 1830000000]]

    everything = site + first + second + [agreeing(5, "heidi")]
    facts = {
        "elements": [{"form": cbor(record).hex(), "sha256": sha256(element(record)).hex(), "begins": element(record)[:16].hex()}
                     for record in everything],
        "keys": [{"form": cbor(record).hex(), "kind": record[0], "key": key_of(record).hex()} for record in everything],
        "sums": [total(records).hex() for records in (first, second)],
        "digests": [digest(records).hex() for records in (first, second)],
        "records": {"site": [cbor(record).hex() for record in sorted(site, key=order)],
                    "full": [cbor(record).hex() for record in sorted(first, key=order)],
                    "second": [cbor(record).hex() for record in sorted(second, key=order)]},
        "site": whole("site", 12, site).hex(),
        "full": whole("people", 5, first).hex(),
        "changes": changes(5, 7, first, second).hex(),
    }
    with open(os.path.join(HERE, "bundles.json"), "w", encoding="ascii") as file:
        json.dump(facts, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
