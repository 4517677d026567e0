"""An office from its ceremony to taps, and each of its keys lost or stolen: gates follow by themselves, and what a thief has is worth nothing then (S4–S6)."""

import os
import shutil

import pytest

from gatehouse.fixtures import NO_COOLDOWN
from network.ceremony import Ceremony, Thief
from network.certificates import CertificateAuthority
from network.town import sync


@pytest.fixture
def town(programs, folder):
    town = Ceremony(programs, folder, CertificateAuthority(folder))
    yield town
    town.close()


def installed(town, **keys):
    """A gate as an installer leaves it."""
    gate = town.served_gate(root=town.carried, lane=NO_COOLDOWN, relay="pulse-ms = 50", **keys)
    gate.wait_for_reader()
    return gate


@pytest.fixture
def gate(town):
    """A gate that nobody touches again. Ada's key is enrolled, anna has a token."""
    town.ada, town.anna = town.site.person("ada"), town.site.person("anna")
    town.ada.enrol()
    town.anna.give_token()
    town.publish()
    # What an installer brought once.
    town.carried = town.site.path("carried.json")
    shutil.copy(town.root, town.carried)
    return installed(town)


def tap(gate, person):
    """Why the gate let somebody in, or not: to a stranger it says less."""
    mark = gate.events.mark
    told = person.phone().tap()
    if told["result"] == "granted":
        gate.wait_for_indicator("ready")
    return gate.events.wait("result", since=mark)["reason"]


def lets_in(gate, *people):
    assert [tap(gate, person) for person in people] == ["granted"] * len(people)


def refused(gate, town, thief):
    """What the thief gives out is refused, and nothing becomes of it. Answers the code, and the role of which it is said."""
    before = gate.status()["trust"]
    with town.served(thief.repository):
        failure = sync(gate, status=1)["failure"]
    after = gate.status()["trust"]
    assert [before[name] for name in ("epoch", "version", "generation", "enrolled")] == [
        after[name] for name in ("epoch", "version", "generation", "enrolled")]
    assert tap(gate, thief.accomplice) != "granted"
    lets_in(gate, town.ada)
    return failure["code"], failure["message"].split(":")[0]


def replace(town, *roles):
    """A new key in the place of the old one, at once."""
    for role in roles:
        town.site.authority("rotate", role)
        town.site.authority("rotate", role, "--drop")


def test_a_site_goes_live(town, gate):
    lets_in(gate, town.ada, town.anna)
    bela = town.site.person("bela")
    bela.enrol()
    town.publish()
    assert sync(gate)["way"] == "changes"
    lets_in(gate, bela, town.anna)
    found = town.programs.json("tapstile-authority", "verify-repo", town.repository)
    assert found


def test_one_of_three_holders_loses_her_key(town, gate):
    town.role_key("root", "dave")
    town.site.authority("rotate", "root", "--add", town.public("dave"), "--remove", town.public("carol"))
    assert town.sign("root", "alice", status=1) == "threshold-not-met"
    town.sign("root", "alice", "bob")
    assert "failure" not in sync(gate)
    lets_in(gate, town.ada, town.anna)
    # Dave signs now; carol's key is nobody's.
    town.site.authority("rotate", "timestamp")
    town.sign("root", "bob", "dave")
    town.enrol("bela")
    town.publish()
    assert "failure" not in sync(gate)
    assert gate.status()["trust"]["enrolled"] == 2


@pytest.mark.parametrize("roles", [["timestamp"], ["timestamp", "snapshot"]], ids="-".join)
def test_a_key_that_signs_what_is_new_is_stolen(town, gate, roles):
    thief = Thief(town)
    thief.enrol()
    replace(town, *roles)
    town.sign("root", "alice", "bob")
    assert "failure" not in sync(gate)
    lets_in(gate, town.ada, town.anna)
    assert refused(gate, town, thief) == ("tuf-arbitrary-software", "timestamp")
    assert "failure" not in sync(gate), "the office is heard"


def test_all_keys_that_sign_online_are_stolen(town, gate):
    thief = Thief(town)
    thief.enrol()
    with town.served(thief.repository):
        assert "failure" not in sync(gate)
    # So much can he do, below the ceiling, and until the office acts: counted far above it, too.
    lets_in(gate, thief.accomplice, town.ada)

    replace(town, "timestamp", "snapshot", "people")
    town.site.authority("new-epoch")
    town.sign("root", "alice", "bob")
    town.sign("targets", "targets")
    assert "failure" not in sync(gate)
    trust = gate.status()["trust"]
    assert (trust["epoch"], trust["enrolled"]) == (2, 1)
    assert tap(gate, thief.accomplice) != "granted"
    lets_in(gate, town.ada, town.anna)
    assert refused(gate, town, thief) == ("tuf-arbitrary-software", "timestamp")
    assert "failure" not in sync(gate), "the office is heard"


def test_the_key_of_people_is_lost(town, gate):
    os.unlink(town.site.path("authority", "roles", "people-1.key"))
    replace(town, "people")
    town.sign("targets", "targets")
    town.bela = town.site.person("bela")
    town.bela.enrol()
    town.publish()
    assert "failure" not in sync(gate)
    lets_in(gate, town.ada, town.anna, town.bela)


def test_the_key_of_targets_is_stolen(town, gate):
    thief = Thief(town)
    town.role_key("targets", "targets-2")
    town.site.authority("rotate", "targets", "--add", town.public("targets-2"), "--remove", town.public("targets"))
    town.sign("root", "alice", "carol")
    town.sign("targets", "targets-2")
    assert "failure" not in sync(gate)
    lets_in(gate, town.ada, town.anna)

    # With the old key of targets, and all keys that sign online, the thief makes issuers of his own; root's word is against it.
    with thief.at_work():
        for _ in range(3):
            thief.authority("issuer", "--emergency")
            town.sign("targets", "targets")
    thief.issue()
    thief.enrol()
    assert refused(gate, town, thief) == ("tuf-arbitrary-software", "targets")
    # His keys that sign online still count.
    replace(town, "timestamp", "snapshot", "people")
    town.sign("root", "alice", "carol")
    town.sign("targets", "targets-2")
    assert "failure" not in sync(gate)
    assert refused(gate, town, thief) == ("tuf-arbitrary-software", "timestamp")
    assert "failure" not in sync(gate)
    lets_in(gate, town.ada, town.anna)


def test_the_token_issuer_is_stolen(town, gate):
    thief = Thief(town)
    thief.issue()
    lets_in(gate, thief.accomplice, town.anna)
    town.site.authority("issuer", "--emergency")
    town.sign("targets", "targets")
    assert "failure" not in sync(gate)
    assert tap(gate, thief.accomplice) == "unknown-issuer"
    assert tap(gate, town.anna) == "unknown-issuer", "tokens of before are void, whoever issued them"
    lets_in(gate, town.ada)
    town.anna.give_token()
    lets_in(gate, town.anna)


def test_the_token_issuer_is_changed_in_time(town, gate):
    town.site.authority("issuer", "--rotate")
    town.sign("targets", "targets")
    assert "failure" not in sync(gate)
    assert gate.status()["trust"]["issuers"] == 2
    lets_in(gate, town.anna)
    town.site.authority("issuer", "--use")
    bela = town.site.person("bela")
    bela.give_token()
    lets_in(gate, bela, town.anna)


def test_the_keys_of_gates_are_stolen(town, gate):
    town.ada.keep_known_gates()
    town.site.authority("gate", "--name", "gates", "--emergency")
    assert any(warning.startswith("site-changed") for warning in town.publish()["warnings"])
    town.sign("targets", "targets")
    # Gates have keys of their own only by a hand at each.
    assert "failure" not in sync(gate)
    lets_in(gate, town.ada)
    gate.stop()
    fresh = installed(town, keys=2, gate_more=f'signing-credential = "{town.site.gate_file("gate-signing.cwt", 2)}"\n'
                                              f'agreement-credential = "{town.site.gate_file("gate-agreement.cwt", 2)}"')
    lets_in(fresh, town.ada, town.anna)
    town.site.authority("gate", "--name", "gates", "--drop-old")
    town.sign("targets", "targets")
    town.ada.keep_known_gates()
    assert "failure" not in sync(fresh)
    lets_in(fresh, town.ada)

    # Who has the old keys makes no gate for phones that came since.
    fresh.wait_for_an_empty_field()
    fresh.stop()
    thief = installed(town)
    assert town.ada.phone().tap("--timeout", 1000)["result"] == "none"
    assert thief.events.wait("result")["reason"] == "phone-declined"


def test_root_is_lost_and_a_new_line_begins(town, gate):
    thief = Thief(town)
    thief.enrol()
    # Two of three holders have lost their keys, or a thief has them: nothing helps but another root, by hand.
    for name in ("erin", "frank", "grace"):
        town.role_key("root", name)
    town.role_key("targets", "targets-2")
    fresh = town.site.path("fresh")
    town.site.authority("publish", "init", "--replace", "--repo", fresh, *town.begin("erin", "frank", "grace", targets="targets-2"))
    town.sign("root", "erin", "grace")
    town.sign("targets", "targets-2")
    # The web server gives out the new folder from now on.
    shutil.rmtree(town.repository)
    shutil.copytree(fresh, town.repository)
    assert sync(gate, status=1)["failure"]["code"] == "tuf-arbitrary-software", "gates do not believe it yet"
    lets_in(gate, town.ada, town.anna)

    gate.stop()
    shutil.copy(town.root, town.carried)
    gate.start()
    gate.wait_for_reader()
    assert "failure" not in sync(gate)
    assert gate.status()["trust"]["epoch"] == 2
    lets_in(gate, town.ada, town.anna)
    assert refused(gate, town, thief) == ("tuf-arbitrary-software", "timestamp")
    assert "failure" not in sync(gate)
