"""Attacks on a TUF client from beside (S5), each with its name: odd keys and signatures, damaged files, a fetcher that lies, a kill at any moment."""

import os
import signal
import stat
import sys

import pytest
from network.attacks import FULL, accepted, refused
from network.attacks import client, known, lab, programs  # noqa: F401
from network.false_net import ENDLESS, LIES, SLOW, FalseNet, as_program
from network.fetcher import Fetcher
from network.repository import signed, signer, with_key
from network.tuf_client import TUFClient
from securesystemslib.signer import CryptoSigner

# Keys and signatures


def der(signature, change):
    """The two numbers of an ECDSA signature, changed, as DER."""
    from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature
    return encode_dss_signature(*change(*decode_dss_signature(signature)))


@pytest.mark.parametrize("make", [CryptoSigner.generate_ed25519, CryptoSigner.generate_ecdsa, CryptoSigner.generate_rsa],
                         ids=["ed25519", "ecdsa", "rsa"])
def test_57_keys_of_every_kind_sign(lab, client, make):
    key = make()
    lab.signers["timestamp"] = [key]
    lab.root.add_key(key.public_key, "timestamp")
    lab.new_root()
    lab.put("timestamp")
    accepted(client.refresh())


P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


@pytest.mark.parametrize("change, counts", [
    (lambda raw: raw, True), (lambda raw: der(raw, lambda r, s: (r, P256_ORDER - s)), True), (lambda raw: der(raw, lambda r, s: (0, 0)), False),
    (lambda raw: der(raw, lambda r, s: (r, s + P256_ORDER)), False), (lambda raw: raw + b"\0", False), (lambda raw: raw[:-1], False),
    (lambda raw: b"\x30\x81" + raw[1:], False), (lambda raw: b"", False), (lambda raw: b"\0" * 64, False)
], ids=["as it is", "the other s", "zeros", "s + n", "longer", "shorter", "long length", "empty", "raw"])
def test_57_signatures_of_ecdsa(lab, client, change, counts):
    key = CryptoSigner.generate_ecdsa()
    lab.root.add_key(key.public_key, "timestamp")
    lab.new_root()
    lab.edit("timestamp", lambda content: None, lambda told: {"keyid": key.public_key.keyid, "sig": change(bytes.fromhex(key.sign(told).signature)).hex()})
    if counts:
        accepted(client.refresh())
    else:
        refused(client.refresh(), "arbitrary-software", client, timestamp=0)


@pytest.mark.parametrize("public", ["00" * 31 + "0", "zz" * 32, "", "00" * 33, 1])
def test_57_a_key_that_is_none_signs_nothing(lab, client, public):
    def change(content):
        content["version"] = 2
        with_key(content, "broken", {"keytype": "ed25519", "scheme": "ed25519", "keyval": {"public": public}})
        content["roles"]["timestamp"] = {"keyids": ["broken"], "threshold": 1}

    lab.edit("root", change, version=2)
    lab.edit("timestamp", lambda content: None, lambda told: {"keyid": "broken", "sig": "00" * 64})
    refused(client.refresh(), "arbitrary-software", client, root=2, timestamp=0)


@pytest.mark.parametrize("salt, bits, counts", [(0, 2048, True), (32, 2048, True), ("max", 2048, True), (32, 1024, False)])
def test_57_signatures_of_rsa(lab, client, salt, bits, counts):
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import padding, rsa
    key = rsa.generate_private_key(65_537, bits)
    public = key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode()

    def change(content):
        content["version"] = 2
        with_key(content, "rsa", {"keytype": "rsa", "scheme": "rsassa-pss-sha256", "keyval": {"public": public}})
        content["roles"]["timestamp"] = {"keyids": ["rsa"], "threshold": 1}

    def sign(told):
        length = padding.PSS.MAX_LENGTH if salt == "max" else salt
        return {"keyid": "rsa", "sig": key.sign(told, padding.PSS(padding.MGF1(hashes.SHA256()), length), hashes.SHA256()).hex()}

    lab.edit("root", change, version=2)
    lab.edit("timestamp", lambda content: None, sign)
    if counts:
        accepted(client.refresh())
    else:
        refused(client.refresh(), "arbitrary-software", client, timestamp=0)


def test_57_a_key_of_p384_is_none_of_p256(lab, client):
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    key = ec.generate_private_key(ec.SECP384R1())
    public = key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode()

    def change(content):
        content["version"] = 2
        with_key(content, "ec", {"keytype": "ecdsa", "scheme": "ecdsa-sha2-nistp256", "keyval": {"public": public}})
        content["roles"]["timestamp"] = {"keyids": ["ec"], "threshold": 1}

    lab.edit("root", change, version=2)
    lab.edit("timestamp", lambda content: None, lambda told: {"keyid": "ec", "sig": key.sign(told, ec.ECDSA(hashes.SHA256())).hex()})
    refused(client.refresh(), "arbitrary-software", client, timestamp=0)


# What is on the disk


@pytest.mark.parametrize("content", [b"", b"{", None, b"\0" * 100, b" " * 600_000], ids=["empty", "half", "another role's", "zeros", "long"])
@pytest.mark.parametrize("role", ["timestamp", "snapshot", "targets", "people"])
def test_58_a_damaged_file_is_fetched_again(lab, known, role, content):
    other = "snapshot" if role == "timestamp" else "timestamp"
    known.edit(role, known.kept(other) if content is None else content)
    accepted(known.download("people/full"))
    assert known.kept(role) == lab.files[lab.name(role)]


@pytest.mark.parametrize("content", [b"", b"{", b"\0" * 100, b" " * 600_000])
def test_58_a_damaged_root_is_not_replaced_by_itself(lab, known, content):
    known.edit("root", content)
    lab.requests.clear()
    refused(known.refresh(), "no-trusted-root" if len(content) > 512_000 else "bad-trusted-root")
    assert lab.requests == []


def test_58_nothing_to_begin_with(lab, client):
    os.remove(os.path.join(client.metadata, "root.json"))
    refused(client.refresh(), "no-trusted-root")
    assert lab.requests == []


@pytest.mark.parametrize("root", [b"{}", None])
def test_a_root_that_is_not_signed_by_itself_is_never_trusted(programs, tmp_path, lab, root):
    client = TUFClient(programs, str(tmp_path), lab, root or signed(lab.root, signer()))
    refused(client.beginning, "bad-trusted-root")
    assert not os.path.exists(client.metadata) and lab.requests == []


def test_a_folder_that_cannot_be_written_is_told_of(lab, client, tmp_path):
    os.rename(client.metadata, client.metadata + "2")
    os.mkdir(client.metadata)
    os.rename(os.path.join(client.metadata + "2", "root.json"), os.path.join(client.metadata, "root.json"))
    os.mkdir(os.path.join(client.metadata, "timestamp.json"))
    refused(client.refresh(), "disk")


@pytest.mark.parametrize("kind", ["folder", "link", "pipe"])
def test_what_lies_in_the_place_of_a_target_is_not_followed(lab, client, tmp_path, kind):
    place, elsewhere = os.path.join(client.targets, FULL), tmp_path / "elsewhere"
    elsewhere.write_bytes(b"mine")
    if kind == "folder":
        os.mkdir(place)
    elif kind == "link":
        os.symlink(elsewhere, place)
    else:
        os.mkfifo(place)
    outcome = client.download("people/full")
    assert elsewhere.read_bytes() == b"mine"
    if kind == "folder":
        assert outcome.status == 1
    else:
        accepted(outcome)
        assert stat.S_ISREG(os.lstat(place).st_mode) and client.has(FULL) == b"anna and bert"


# A fetcher that lies


@pytest.mark.parametrize("name", LIES)
def test_60_a_fetcher_that_lies(lab, client, tmp_path, name):
    code = LIES[name][1]
    outcome = client.refresh("--stall-timeout", "1", "--fetch", as_program(str(tmp_path / "liar"), name))
    if code in (ENDLESS, SLOW):
        refused(outcome, code, client, root=1, timestamp=0)
    else:
        assert code in refused(outcome, "unavailable", client, root=1, timestamp=0).said
    accepted(client.refresh())


def test_60_a_fetcher_that_lies_at_a_socket_to_one_after_the_other(folder):
    path = os.path.join(folder, "s")
    with FalseNet(path, "gives up") as false:
        for number in (1, 2):
            with Fetcher.at(path) as fetcher:
                assert fetcher.set_up().fetch("http://a/").code == "connection-lost"
            assert false.connections == number


def test_60_a_fetcher_that_is_not_there(client):
    assert "fetcher-died" in refused(client.refresh("--fetch", "/nothing/there"), "unavailable").said


KILLER = """#!{python}
import os, subprocess, sys
sys.path.insert(0, {support!r})
from network.false_net import Wire
from network.fetcher import END, FAILED, FETCH, frame
honest = subprocess.Popen([{fetch!r}, "fetch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
asking, asked = Wire(sys.stdin.buffer, sys.stdout.buffer), Wire(honest.stdout, honest.stdin)
files = 0
while True:
    kind, body = asking.receive()
    files += kind == FETCH
    if files == {after}:
        os.kill(os.getppid(), 9)
        os._exit(0)
    asked.raw(frame(kind, body))
    while kind == FETCH:
        report, content = asked.receive()
        asking.raw(frame(report, content))
        if report in (END, FAILED):
            break
"""


@pytest.mark.parametrize("after", range(1, 7))
def test_56_killed_between_two_files(lab, client, tmp_path, programs, after):
    accepted(client.refresh())
    lab.rotate("snapshot")
    lab.rotate("timestamp")
    lab.release("targets")
    killer = tmp_path / "killer"
    support = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Support")
    killer.write_text(KILLER.format(python=sys.executable, support=support, fetch=programs.path("tapstile-net"), after=after))
    killer.chmod(0o755)
    killed = client.refresh("--fetch", str(killer))
    assert killed.status == -signal.SIGKILL
    # The second root makes timestamp and snapshot void, and is there only when they are not.
    assert client.versions["root"] == min(after, 3) and ("snapshot" in client.versions) == (after in (1, 6))
    accepted(client.refresh())
    assert client.versions == {"root": 3, "timestamp": 2, "snapshot": 2, "targets": 2}
