"""CBOR of the page, judged by cbor2: it reads what is deterministic, writes it again byte for byte, and takes nothing else."""

import os
import random

import cbor2

SEED = int(os.environ.get("TAPSTILE_SEED", "20261123"))

READ = """(async (texts) => {
  const { decode, encode, CBORError } = await import("./cbor.js");
  const from = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (two) => parseInt(two, 16));
  const to = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return texts.map((text) => {
    try {
      return to(encode(decode(from(text))));
    } catch (error) {
      // Anything but these would be a fault of the reader.
      return error instanceof CBORError ? `refused: ${error.message}` : `fault: ${error}`;
    }
  });
})"""


def read(page, encodings):
    return page.evaluate(f"({READ})({[each.hex() for each in encodings]!r})")


def item(dice, depth=0):
    """Something that a message could have."""
    kind = dice.randrange(8 if depth < 4 else 6)
    if kind < 2:
        return dice.choice([0, 23, 24, 255, 256, 65535, 65536, 2**32 - 1, 2**32, 2**53, 2**64 - 1, -1, -24, -25, -256, -257, -2**63])
    if kind == 2:
        return dice.randbytes(dice.choice([0, 1, 23, 24, 255, 256]))
    if kind == 3:
        return dice.choice(["", "a", "Tür", "𐀀", "x" * 30])
    if kind < 6:
        return dice.choice([True, False, None])
    if kind == 6:
        return [item(dice, depth + 1) for _ in range(dice.randrange(5))]
    return {key: item(dice, depth + 1) for key in dice.sample([1, -1, 24, "a", "bb", 1000, -300], dice.randrange(5))}


def test_what_is_deterministic_is_read_and_written_again(page, server):
    page.open(server.url + "/")
    dice = random.Random(SEED)
    encodings = [cbor2.dumps(item(dice), canonical=True) for _ in range(600)]
    # cbor2 sorts keys by length first (RFC 7049); ours, and these, by their bytes.
    encodings = [each for each in encodings if deterministic(cbor2.loads(each)) == each]
    assert len(encodings) > 400
    assert read(page, encodings) == [each.hex() for each in encodings]


def deterministic(value):
    """RFC 8949, 4.2.1."""
    if isinstance(value, dict):
        entries = sorted((deterministic(key), deterministic(each)) for key, each in value.items())
        return head(5, len(entries)) + b"".join(key + each for key, each in entries)
    if isinstance(value, list):
        return head(4, len(value)) + b"".join(map(deterministic, value))
    return cbor2.dumps(value)


def head(major, count):
    return bytes([major << 5 | count]) if count < 24 else bytes([major << 5 | 24, count])


def test_bytes_that_were_changed_are_the_same_item_or_none(page, server):
    page.open(server.url + "/")
    dice = random.Random(SEED + 1)
    changed = []
    for _ in range(1500):
        data = bytearray(deterministic(item(dice)))
        for _ in range(dice.randrange(1, 4)):
            at = dice.randrange(len(data) + 1)
            data[at:at + dice.randrange(2)] = dice.randbytes(dice.randrange(2))
        changed.append(bytes(data))
    for data, answer in zip(changed, read(page, changed)):
        # Floats and tags can be read over, not written: no message of ours has any.
        assert answer == data.hex() or answer.startswith("refused: "), (data.hex(), answer)


def test_what_the_rules_refuse(page, server):
    page.open(server.url + "/")
    refused = {"indefinite": "9fff 5f4100ff bf0000ff 7f6161ff", "longer than need be": "1800 190000 1a00000000 5801ff 7801 61",
               "a key twice": "a201000100", "keys in another order": "a220000100", "cut off": "19 42ff 820 61 5bffffffffffffffff 9b0000000100000000",
               "bytes behind": "0000", "reserved": "f800 f81f fc ff", "no UTF-8": "61ff 62c328", "nothing": ""}
    for name, texts in refused.items():
        encodings = [bytes.fromhex(text) for text in texts.split(" ") if len(text) % 2 == 0]
        assert encodings and all(answer.startswith("refused") for answer in read(page, encodings)), (name, read(page, encodings))
    deep = [bytes([0x81]) * depth + b"\x00" for depth in (16, 17, 10_000)]
    assert [answer.startswith("refused") for answer in read(page, deep)] == [False, True, True]
