"""A site's repository, made by the real office, served by a real nginx over TLS, followed by a real gate (S1–S5)."""

import os
import random
import time

import pytest

from gatehouse import Programs
from network.certificates import CertificateAuthority
from network.town import Town, first_look, sync


@pytest.fixture(scope="module")
def programs():
    return Programs(os.environ["TAPSTILE_BIN"])


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    return CertificateAuthority(str(tmp_path_factory.mktemp("certificates")))


@pytest.fixture
def town(programs, tmp_path, authority):
    town = Town(programs, str(tmp_path), authority)
    yield town
    town.close()


def test_from_the_first_root_to_people_who_come_and_go(town):
    town.enrol(*(f"person-{number}" for number in range(16)))
    town.publish()
    gate = town.served_gate()
    trust = gate.status()["trust"]
    assert (trust["origin"], trust["enrolled"]) == ("repository", 16)
    assert gate.status()["sync"]["state"] == "waiting"

    town.enrol("newcomer")
    town.publish()
    assert sync(gate)["way"] == "changes"
    assert gate.status()["trust"]["enrolled"] == 17
    town.site.authority("ban", "--subject", "person-3", "--yes")
    town.publish()
    assert sync(gate)["way"] == "changes"
    assert gate.status()["trust"]["revocations"] >= 1


def test_nothing_new_costs_two_requests(town):
    town.publish()
    gate = town.served_gate()
    before = len(town.asked())
    answer = sync(gate)
    assert answer["requests"] == 2 and "way" not in answer
    asked = town.asked()[before:]
    assert [line[5] for line in asked] == ["/metadata/2.root.json", "/metadata/timestamp.json"]
    # One that was fetched in the second in which it was published comes whole once more: its tag is not believed.
    assert asked[0][1] == "404" and asked[1][1] in ("200", "304")
    assert sum(int(line[2]) + int(line[3]) for line in asked) <= 2000


def test_a_server_that_is_away_changes_nothing(town):
    town.enrol("ada")
    town.publish()
    gate = town.served_gate()
    town.nginx.stop()
    assert sync(gate, status=1)["failure"]["code"] == "connect-failed"
    assert gate.status()["trust"]["enrolled"] == 1
    assert gate.status()["sync"]["failure"]["count"] == 1


def test_the_wrong_certificate_and_the_wrong_address_are_named(town, programs, tmp_path):
    town.publish()
    stranger = CertificateAuthority(str(tmp_path), "stranger")
    right, town.authority = town.authority, stranger
    gate = town.gate().start()
    assert first_look(gate)["failure"]["code"] == "certificate-refused"
    gate.stop()
    town.authority = right
    gate = town.gate(url=f"https://127.0.0.1:{town.nginx.port}/elsewhere").start()
    assert first_look(gate)["failure"]["code"] == "tuf-missing-file"
    assert gate.status()["trust"]["state"] == "absent"


def test_a_root_of_another_site_believes_nothing_here(town, programs, tmp_path, authority):
    town.publish()
    os.makedirs(tmp_path / "other")
    other = Town(programs, str(tmp_path / "other"), authority)
    try:
        other.publish()
        gate = town.gate(root=other.root).start()
        assert first_look(gate)["failure"]["code"] == "tuf-arbitrary-software"
    finally:
        other.close()


def test_a_fetcher_that_is_killed_is_started_again(town):
    town.enrol("ada")
    town.publish()
    gate = town.served_gate()
    town.socket.kill()
    town.enrol("bob")
    town.publish()
    assert "failure" not in sync(gate)
    assert gate.status()["trust"]["enrolled"] == 2


def test_a_restart_needs_no_network(town):
    town.enrol("ada")
    town.publish()
    gate = town.served_gate()
    gate.stop()
    town.nginx.stop()
    gate.start()
    assert gate.status()["trust"]["enrolled"] == 1


@pytest.mark.parametrize("killed", ["tapstiled", "tapstile-net"])
def test_killed_at_any_moment_there_is_the_old_state_or_the_new_one(town, killed):
    chance = random.Random(killed)
    town.enrol(*(f"person-{number}" for number in range(16)))
    town.publish()
    gate = town.served_gate()
    for turn in range(10):
        town.enrol(f"newcomer-{turn}")
        town.publish()
        gate.ask("sync")
        # Any moment will do.
        time.sleep(chance.uniform(0, 0.4))
        if killed == "tapstiled":
            gate.kill()
            gate.start()
        else:
            town.socket.kill()
        trust = gate.status()["trust"]
        assert trust["state"] == "ready" and trust["enrolled"] in (16 + turn, 17 + turn)
        assert "failure" not in sync(gate)
        assert gate.status()["trust"]["enrolled"] == 17 + turn
