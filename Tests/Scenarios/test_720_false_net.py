"""A gate whose tapstile-net lies in every way there is: nothing counts, nothing fills up, and taps go on (S5)."""

import hashlib
import os

import pytest

from gatehouse import Programs
from network.certificates import CertificateAuthority
from network.false_net import LIES, SLOW, FalseNet
from network.town import Town, sync

# Who is only slow is given up after half a minute, each: `tuf-client` is tried with these too, in less.
QUICK = [name for name, (_, code) in LIES.items() if code != SLOW]


@pytest.fixture
def town(tmp_path):
    town = Town(Programs(os.environ["TAPSTILE_BIN"]), str(tmp_path), CertificateAuthority(str(tmp_path)))
    yield town
    town.close()


def kept(town):
    """What the gate has for good of its site, and how much lies beside it."""
    state = town.site.path("state")
    names = ["trust.db", "trust.floor", "trust.versions", *(f"tuf/{name}" for name in sorted(os.listdir(os.path.join(state, "tuf"))))]
    digests = {}
    for name in names:
        with open(os.path.join(state, name), "rb") as file:
            digests[name] = hashlib.sha256(file.read()).hexdigest()
    return digests, sum(os.path.getsize(os.path.join(folder, name)) for folder, _, files in os.walk(state) for name in files)


def test_no_lie_is_believed_and_the_next_honest_word_is(town):
    town.enrol("ada")
    town.publish()
    gate = town.served_gate()
    town.socket.close()
    before, size = kept(town)
    for name in QUICK:
        with FalseNet(town.socket.path, name):
            assert sync(gate, status=1)["failure"]["code"] == LIES[name][1], name
        os.unlink(town.socket.path)
        after, grown = kept(town)
        assert after == before, name
        assert grown < size + (8 << 20), name
    assert gate.status()["trust"]["enrolled"] == 1
    assert gate.ask("journal", "verify")

    town.socket = town.fetcher()
    # The last liar failed in order, so that the gate is still connected to it.
    sync(gate, status=None)
    town.enrol("bob")
    town.publish()
    assert "failure" not in sync(gate)
    assert gate.status()["trust"]["enrolled"] == 2
