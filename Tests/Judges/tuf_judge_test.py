"""Our TUF metadata against python-tuf and securesystemslib: what is signed, by whom, patterns, names of files.

TAPSTILE_BIN is the folder of the built programs.
"""

import datetime
import json
import os
import random
import string
from urllib.parse import quote

import pytest
from securesystemslib.formats import encode_canonical
from securesystemslib.signer import CryptoSigner
from tuf.api.exceptions import UnsignedMetadataError
from tuf.api.metadata import DelegatedRole, Delegations, Metadata, MetaFile, Root, Snapshot, TargetFile, Targets, Timestamp
from tuf.api.serialization.json import JSONSerializer

from patience import LONG
from processes import run

VALUES = 10_000
PATTERNS = 20_000
FILES = 300
LATER = datetime.datetime(2040, 1, 31, 8, 30, 0, tzinfo=datetime.timezone.utc)

# Characters with a meaning somewhere, some beyond U+FFFF (their order differs from that of UTF-16), and one in two spellings.
ALPHABETS = ["ab", "abc*?[]!-/.", "\"\\/\b\n\t\x00\x1f\x7f", "\ufb33\U0001f6aa\ue000\U00010000z", "ée\u0301%~+ #", string.printable]


def judge(questions):
    """The answers of judge-tuf, one line for each question: a word, and texts or bytes."""
    program = os.path.join(os.environ["TAPSTILE_BIN"], "judge-tuf")
    encoded = [[word, *((text.encode() if isinstance(text, str) else text).hex() for text in texts)] for word, *texts in questions]
    judged = run([program], LONG, input="".join(" ".join(words) + "\n" for words in encoded), capture_output=True, text=True, check=True)
    answers = judged.stdout.splitlines()
    assert len(answers) == len(questions)
    return answers


class Generator:
    """Random values, the same for the same seed."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def text(self, longest=6):
        alphabet = self.random.choice(ALPHABETS)
        return "".join(self.random.choices(alphabet, k=self.random.randint(0, longest)))

    def value(self, depth=0):
        kind = self.random.random()
        if depth > 4 or kind < 0.4:
            number = self.random.choice([0, -1, 1, 2**53 + 1, 2**63 - 1, -(2**63), self.random.getrandbits(40)])
            return self.random.choice([number, self.text(), True, False, None, self.text()])
        count = self.random.randint(0, 5)
        if kind < 0.6:
            return [self.value(depth + 1) for _ in range(count)]
        return {self.text(): self.value(depth + 1) for _ in range(count)}

    def pattern(self):
        pieces = ["a", "b", "c", "*", "?", "[", "]", "!", "-", "/", "[ab]", "[!a]", "[a-c]", "[]a]", "[!]-a]", "[c-a]", "[a-b-c]", "[--a]", "é", "**", "\\"]
        return "".join(self.random.choices(pieces, k=self.random.randint(0, 7)))

    def path(self):
        return "".join(self.random.choices(["a", "b", "c", "-", "!", "/", "]", "[", "é", "*", "ab"], k=self.random.randint(1, 6)))


def test_what_is_signed_is_the_same():
    generator = Generator(1)
    values = [generator.value() for _ in range(VALUES)]
    answers = judge([("signed", json.dumps(value, ensure_ascii=generator.random.random() < 0.5)) for value in values])
    for value, answer in zip(values, answers):
        assert answer == encode_canonical(value).encode().hex(), value


def test_numbers_that_have_no_text_are_not_signed():
    assert judge([("signed", text) for text in ("1.0", "[1e0]", '{"a":1.5}', "9223372036854775808")]) == ["refused"] * 4


def test_patterns_fit_the_same_paths():
    generator = Generator(2)
    pairs = [(generator.pattern(), generator.path()) for _ in range(PATTERNS)]
    # Near misses: a path as its own pattern, with one piece made general.
    pairs += [(path.replace(generator.random.choice(path), generator.random.choice(["*", "?", "[!x]", "[a-z]"]), 1), path)
              for path in (generator.path() for _ in range(PATTERNS))]
    answers = judge([("fits", *pair) for pair in pairs])
    seen = set()
    for (pattern, path), answer in zip(pairs, answers):
        if answer == "no-path":
            assert "" in path.split("/")
            continue
        fits = DelegatedRole._is_target_in_pathpattern(path, pattern)
        assert answer == ("yes" if fits else "no"), (pattern, path)
        seen.add((answer, any(character in pattern for character in "*?[")))
    assert len(seen) == 4, "both answers must occur, for patterns and for plain texts"


def test_names_become_the_same_files():
    generator = Generator(3)
    texts = [generator.text(12) for _ in range(VALUES)]
    for text, answer in zip(texts, judge([("quoted", text) for text in texts])):
        assert bytes.fromhex(answer).decode() == quote(text, ""), text


@pytest.fixture(scope="module")
def signers():
    return [CryptoSigner.generate_ed25519(), CryptoSigner.generate_ecdsa(), CryptoSigner.generate_rsa(size=2048),
            CryptoSigner.generate_ed25519(), CryptoSigner.generate_ecdsa()]


def body(generator, role):
    """Metadata of a role with random contents."""
    version = generator.random.choice([1, 7, 2**40, 2**63 - 1])
    if role == "root":
        made = Root(version=version, expires=LATER)
    elif role == "timestamp":
        made = Timestamp(version=version, expires=LATER, snapshot_meta=MetaFile(version, generator.random.choice([None, 5])))
    elif role == "snapshot":
        made = Snapshot(version=version, expires=LATER)
        made.meta[f"{generator.text() or 'x'}.json"] = MetaFile(version)
    else:
        made = Targets(version=version, expires=LATER)
        for _ in range(3):
            path = generator.text()
            made.targets[path] = TargetFile.from_data(path, path.encode(), ["sha256", "sha512"])
    made.unrecognized_fields = {f"x-{generator.text()}": generator.value() for _ in range(2)}
    return made


@pytest.mark.parametrize("role", ["root", "timestamp", "snapshot", "targets", "people"])
def test_signatures_count_the_same(role, signers):
    generator = Generator(role)
    questions, expected = [], []
    for number in range(FILES // 5):
        keys = generator.random.sample(signers, generator.random.randint(1, 4))
        names = [signer.public_key.keyid for signer in keys]
        threshold = generator.random.randint(1, len(keys))
        if role == "people":
            delegator = Targets(expires=LATER)
            entry = DelegatedRole(role, [], threshold, False, paths=["*"])
            delegator.delegations = Delegations({}, {role: entry})
        else:
            delegator = Root(expires=LATER)
            delegator.roles[role].threshold = threshold
        for signer in keys:
            delegator.add_key(signer.public_key, role)
        made = Metadata(body(generator, role))
        for signer in generator.random.sample(signers, generator.random.randint(1, len(signers))):
            made.sign(signer, append=True)
        if number % 4 == 0:
            # Something that is signed is not what it was.
            made.signed.version = 3
        data = made.to_bytes(JSONSerializer(compact=number % 2 == 0))
        questions.append(("count", role, data, Metadata(delegator).to_bytes()))
        try:
            delegator.verify_delegate(role, made.signed_bytes, made.signatures)
            reached = True
        except UnsignedMetadataError:
            reached = False
        expected.append((reached, threshold, len(names)))
    answers = [tuple(map(int, answer.split())) for answer in judge(questions)]
    assert {reached for reached, _, _ in expected} == {True, False}
    for (signed, needed), (reached, threshold, known) in zip(answers, expected):
        assert needed == threshold and signed <= known
        assert (signed >= needed) == reached
