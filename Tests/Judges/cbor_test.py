"""Our CBOR against the Python package cbor2: random items, damaged items, refusals on purpose.

TAPSTILE_BIN is the folder of the built programs.
"""

import math
import os
import random
import re
import struct
from pathlib import Path

import cbor2
import pytest

from patience import LONG
from processes import run

ITEMS = 100_000
DAMAGED = 20_000
DOCUMENT = Path(__file__).parents[2] / "docs" / "encoding.md"

# Tags without a meaning of their own to cbor2: it gives them back as they are.
PLAIN_TAGS = [18, 24, 61, 98, 1_000, 70_000, 2**40]


def judge(encodings):
    """The verdicts of judge-cbor, one (deterministic, encoding, meaning) for each encoding."""
    program = os.path.join(os.environ["TAPSTILE_BIN"], "judge-cbor")
    lines = "".join(encoding.hex() + "\n" for encoding in encodings)
    judged = run([program], LONG, input=lines, capture_output=True, text=True, check=True)
    verdicts = [tuple(line.split(" ")) for line in judged.stdout.splitlines()]
    assert len(verdicts) == len(encodings)
    return verdicts


class Generator:
    """Random items, the interesting numbers more often than chance would have them."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.leaves = [
            self.integer, self.integer, self.text, self.bytes, self.float, self.constant,
        ]

    def integer(self):
        bits = self.random.choice([4, 5, 8, 9, 16, 17, 32, 33, 63, 64])
        edge = self.random.choice([0, 23, 24, 2**bits - 1, 2 ** (bits - 1), self.random.getrandbits(bits)])
        return edge if self.random.random() < 0.6 else -1 - edge

    def text(self):
        alphabet = self.random.choice(["ab", "aé水𐅑\0\"", "0123456789"])
        return "".join(self.random.choices(alphabet, k=self.length()))

    def bytes(self):
        return self.random.randbytes(self.length())

    def length(self):
        return self.random.choice([0, 1, 2, 3, 8, 23, 24, 32]) if self.random.random() < 0.97 else 300

    def float(self):
        kind = self.random.random()
        if kind < 0.3:
            return struct.unpack(">e", self.random.randbytes(2))[0]
        if kind < 0.5:
            return struct.unpack(">f", self.random.randbytes(4))[0]
        if kind < 0.7:
            return struct.unpack(">d", self.random.randbytes(8))[0]
        return self.random.choice(
            [0.0, -0.0, 1.0, 1.1, 65504.0, 65505.0, 65536.0, 2.0**-24, 2.0**-25, 2.0**-149, 2.0**-150,
             3.4028234663852886e38, 1e300, math.inf, -math.inf, math.nan])

    def constant(self):
        return self.random.choice(
            [False, True, None, cbor2.undefined] + [cbor2.CBORSimpleValue(n) for n in (0, 16, 19, 32, 255)])

    def key(self):
        """Only kinds that Python, too, keeps apart (there 1 == 1.0 == True)."""
        kind = self.random.random()
        if kind < 0.45:
            return self.integer()
        if kind < 0.8:
            return self.text()
        if kind < 0.9:
            return self.bytes()
        return tuple(self.integer() for _ in range(self.random.randrange(3)))

    def item(self, depth=0):
        kind = self.random.random()
        if depth > 3 or kind < 0.5 - 0.4 * (depth == 0):
            return self.random.choice(self.leaves)()
        count = self.random.choice([0, 1, 2, 3, 3]) if self.random.random() < 0.98 else 30
        if kind < 0.7:
            return [self.item(depth + 1) for _ in range(count)]
        if kind < 0.9:
            return {self.key(): self.item(depth + 1) for _ in range(count)}
        return cbor2.CBORTag(self.random.choice(PLAIN_TAGS), self.item(depth + 1))


def head(major, argument):
    encoded = bytearray(cbor2.dumps(argument))
    encoded[0] |= major << 5
    return bytes(encoded)


def deterministic(item):
    """RFC 8949, 4.2.1. cbor2 writes the canonical form of RFC 7049, whose maps are in another order, so
    the order of the keys is made here and everything else by cbor2."""
    if isinstance(item, cbor2.CBORSimpleValue):  # Is a tuple, too.
        return cbor2.dumps(item, canonical=True)
    if isinstance(item, (list, tuple)):
        return head(4, len(item)) + b"".join(map(deterministic, item))
    if isinstance(item, cbor2.CBORTag):
        return head(6, item.tag) + deterministic(item.value)
    if isinstance(item, (dict, cbor2.FrozenDict)):
        entries = sorted((deterministic(key), deterministic(value)) for key, value in item.items())
        return head(5, len(item)) + b"".join(key + value for key, value in entries)
    if isinstance(item, float) and 32_768 <= abs(item) <= 65_504:
        return shortest_of_largest_halves(item)
    return cbor2.dumps(item, canonical=True)


def shortest_of_largest_halves(number):
    """cbor2 5.9 never writes these in half precision. RFC 8949, appendix A does: 65504.0 is f97bff."""
    half = struct.pack(">e", number)
    if struct.unpack(">e", half)[0] == number:
        return b"\xf9" + half
    return cbor2.dumps(number, canonical=True)


def meaning(item):
    """The notation of judge-cbor."""
    if item is None or isinstance(item, bool):
        return {None: "null", True: "true", False: "false"}[item]
    if item is cbor2.undefined:
        return "undefined"
    if isinstance(item, int):
        return f"i{item}"
    if isinstance(item, float):
        return "fNaN" if math.isnan(item) else "f" + struct.pack(">d", item).hex()
    if isinstance(item, bytes):
        return "b" + item.hex()
    if isinstance(item, str):
        return "t" + item.encode().hex()
    if isinstance(item, cbor2.CBORSimpleValue):  # Is a tuple, too.
        return f"s{item.value}"
    if isinstance(item, (list, tuple)):
        return "[" + ",".join(map(meaning, item)) + "]"
    if isinstance(item, cbor2.CBORTag):
        return f"T{item.tag}({meaning(item.value)})"
    entries = sorted((deterministic(key), meaning(key), meaning(value)) for key, value in item.items())
    return "{" + ",".join(f"{key}>{value}" for _, key, value in entries) + "}"


@pytest.fixture(scope="module")
def items():
    """Items, each with its deterministic encoding and its meaning."""
    generator = Generator(seed=8949)
    items = [generator.item() for _ in range(ITEMS)]
    return [(item, deterministic(item), meaning(item)) for item in items]


def test_our_form_is_the_canonical_form_of_cbor2(items):
    verdicts = judge([expected for _, expected, _ in items])
    for (_, expected, means), verdict in zip(items, verdicts):
        assert verdict == ("ok", expected.hex(), means)


def test_we_read_what_cbor2_writes_and_write_it_in_our_form(items):
    written = [cbor2.dumps(item) for item, _, _ in items]
    in_other_form = 0
    for (_, expected, means), encoding, (strict, ours, read) in zip(items, written, judge(written)):
        assert (ours, read) == (expected.hex(), means)
        if encoding == expected:
            assert strict == "ok"
        else:
            assert strict in ("cbor-not-shortest", "cbor-unsorted-keys")
            in_other_form += 1
    assert in_other_form > ITEMS / 10


def test_where_both_orders_agree_cbor2_makes_the_whole_form():
    """Keys of one kind are in the same order in RFC 7049 and RFC 8949: no sorting of ours is needed."""
    generator = Generator(seed=7049)
    maps = []
    for _ in range(5_000):
        kind = generator.random.choice([generator.text, generator.bytes, lambda: abs(generator.integer())])
        value = generator.random.choice([generator.integer, generator.text, generator.bytes, generator.constant])
        maps.append({kind(): value() for _ in range(6)})
    expected = [cbor2.dumps(entries, canonical=True) for entries in maps]
    written = [cbor2.dumps(entries) for entries in maps]
    assert [ours for _, ours, _ in judge(written)] == [encoding.hex() for encoding in expected]


def documented_refusals():
    """The codes in the first table of the document: refused here although cbor2 takes it."""
    section = DOCUMENT.read_text().split("## Refused")[1].split("deterministic rules also")[0]
    return set(re.findall(r"^\| `(cbor-[a-z-]+)` \|", section, re.MULTILINE))


ON_PURPOSE = [
    ("5f42010243030405ff", "cbor-indefinite-length"),
    ("7f657374726561646d696e67ff", "cbor-indefinite-length"),
    ("9fff", "cbor-indefinite-length"),
    ("bf61610161629f0203ffff", "cbor-indefinite-length"),
    ("a201000101", "cbor-duplicate-key"),
    ("a20100180101", "cbor-duplicate-key"),
    ("81" * 17 + "00", "cbor-too-deep"),
    ("d7" * 17 + "00", "cbor-too-deep"),
    ("0000", "cbor-trailing-bytes"),
    ("f818", "cbor-reserved"),
]


def test_what_is_refused_on_purpose_is_what_the_document_says():
    for encoding, _ in ON_PURPOSE:
        cbor2.loads(bytes.fromhex(encoding))
    verdicts = judge([bytes.fromhex(encoding) for encoding, _ in ON_PURPOSE])
    assert [code for _, code, _ in verdicts] == [code for _, code in ON_PURPOSE]
    assert {code for _, code in ON_PURPOSE} == documented_refusals()


def damaged(generator):
    """An encoding with one thing wrong: a byte changed, put in, taken out, or the end cut off."""
    encoding = bytearray(cbor2.dumps(generator.item(), canonical=generator.random.random() < 0.5))
    place = generator.random.randrange(len(encoding))
    kind = generator.random.randrange(4)
    if kind == 0:
        encoding[place] = generator.random.randrange(256)
    elif kind == 1:
        encoding.insert(place, generator.random.randrange(256))
    elif kind == 2:
        del encoding[place]
    else:
        del encoding[place:]
    return bytes(encoding)


def comparable(means):
    """cbor2 turns some tags into Python objects, or refuses them when it cannot, and to Python some
    different keys are equal (1, 1.0, true). Those items say nothing."""
    tags = {int(tag) for tag in re.findall(r"T(\d+)\(", means)}
    return tags <= set(PLAIN_TAGS) and not re.search(r"[{,](f[0-9a-f]{16}|fNaN|true|false)>", means)


def test_of_damaged_items_we_read_only_what_cbor2_reads_and_alike():
    generator = Generator(seed=9254)
    encodings = [damaged(generator) for _ in range(DAMAGED)]
    read = refused = passed_over = 0
    for encoding, (strict, ours, means) in zip(encodings, judge(encodings)):
        try:
            theirs = cbor2.loads(encoding)
        except Exception as error:  # cbor2 raises many kinds; all of them are refusals.
            theirs = error
        if ours.startswith("cbor-"):
            assert strict.startswith("cbor-")
            assert isinstance(theirs, Exception) or ours in documented_refusals(), encoding.hex()
            refused += 1
        elif comparable(means):
            assert not isinstance(theirs, Exception), (encoding.hex(), theirs)
            assert (ours, means) == (deterministic(theirs).hex(), meaning(theirs)), encoding.hex()
            assert strict != "ok" or ours == encoding.hex()
            read += 1
        else:
            passed_over += 1
    assert read > DAMAGED / 10 and refused > DAMAGED / 10
    assert passed_over < DAMAGED / 20
