"""Dates that others sign: an office whose clock is wrong, and thieves who date what they like. Gates whose own clocks are right go on (S5)."""

import contextlib
import json
import os

import pytest

from gatehouse import Programs
from gatehouse.fixtures import NO_COOLDOWN
from gatehouse.wall_clock import OfficeMachine
from network.certificates import CertificateAuthority
from network.town import Town, sync

HOURS_OF_A_YEAR = 366 * 24


@pytest.fixture
def town(programs, folder):
    town = Town(programs, folder, CertificateAuthority(folder))
    yield town
    town.close()


@contextlib.contextmanager
def machine(town, **facts):
    """What the office does meanwhile it does on a machine whose clock is that."""
    there = OfficeMachine(town.site.path(""), **facts)
    before = town.site.programs
    town.site.programs = Programs(before.folder, {**before.environment, **there.environment})
    try:
        yield there
    finally:
        town.site.programs = before


def refusal(town, command, *options):
    """The code with which the office's program refuses."""
    run = town.site.programs.run("tapstile-authority", command, "--dir", town.site.path("authority"), *options, "--json", status=1)
    return json.loads(run.stderr)["error"]["code"]


def passes(person):
    return person.phone().tap()["result"]


def served(town):
    anna = town.site.person("anna")
    anna.give_token()
    town.publish()
    gate = town.served_gate(lane=NO_COOLDOWN, relay="pulse-ms = 50")
    gate.wait_for_reader()
    assert passes(anna) == "granted"
    return anna, gate


@pytest.mark.parametrize("hours", [2, HOURS_OF_A_YEAR])
def test_an_office_whose_clock_was_ahead_fixes_it_by_publishing(town, hours):
    """Two hours ahead every token was refused for two hours; a year ahead no gate came back by itself."""
    anna, gate = served(town)
    with machine(town, hours=hours):
        # The kernel vouches for it; nobody publishes for a month, and then somebody says that it is right.
        town.site.authority("rotate", "root", "--clock-checked")
        town.publish("--clock-checked")
    assert sync(gate, status=1)["failure"]["code"] == "issued-in-future"
    assert gate.status()["clock"]["trust"] == "synchronised"
    assert passes(anna) == "granted"
    assert refusal(town, "publish") == "clock-behind"
    published = town.publish("--clock-checked")
    assert "root" in published["signed"] or published["versions"]["root"] == 3
    assert "failure" not in sync(gate)
    assert gate.status()["clock"]["trust"] == "synchronised"
    assert passes(anna) == "granted"
    # And by itself from then on.
    town.publish()
    assert "failure" not in sync(gate)


def test_a_gate_that_is_ahead_of_nobody_takes_all(town):
    _, gate = served(town)
    with machine(town):
        town.site.authority("suspend", "--subject", "ben", "--anyway")
        town.publish()
    assert sync(gate)["way"] == "changes"


def test_an_office_signs_nothing_by_a_clock_that_nobody_vouches_for(town):
    anna = town.site.person("anna")
    token = ("--key", anna.public_key, "--subject", "anna", "--out", town.site.path("anna.token"))
    draft, signature, key = (town.site.path(name) for name in ("draft", "sig", "authority/roles/root-1.key"))
    with machine(town, synchronised=False):
        for command in (["publish"], ["publish", "--timestamp"], ["token", *token], ["draft", "root", "--out", draft], ["rotate", "timestamp"],
                        ["publish", "--dry-run"]):
            assert refusal(town, *command) == "clock-not-vouched-for", command
        town.publish("--clock-checked")
        town.site.authority("token", *token, "--clock-checked")
        # What signs no date needs nobody's word.
        town.site.authority("suspend", "--subject", "ben", "--anyway")
        town.site.authority("draft", "root", "--out", draft, "--clock-checked")
        run = town.site.programs.run("tapstile-authority", "sign", draft, "--key", key, "--out", signature, "--yes", "--uncompared", "--json", status=1)
        assert json.loads(run.stderr)["error"]["code"] == "clock-not-vouched-for"
        assert not os.path.exists(signature)
        town.site.programs.json("tapstile-authority", "sign", draft, "--key", key, "--out", signature, "--yes", "--uncompared", "--clock-checked")
    # On a machine that is synchronised, as most are, nothing is asked.
    with machine(town):
        town.publish()


def test_a_draft_of_another_time_is_not_signed_unseen(town):
    draft, signature, key = (town.site.path(name) for name in ("draft", "sig", "root.key"))
    town.site.authority("draft", "root", "--out", draft)
    town.site.programs.json("tapstile-authority", "role-key", "--role", "root", "--out", key)
    for hours, code in ((-1, "clock-behind"), (31 * 24, "clock-far-ahead")):
        with machine(town, hours=hours):
            run = town.site.programs.run("tapstile-authority", "sign", draft, "--key", key, "--out", signature, "--yes", "--uncompared", "--json", status=1)
            assert json.loads(run.stderr)["error"]["code"] == code


def test_an_office_whose_clock_went_astray_asks_a_person(town):
    with machine(town, hours=-1):
        assert refusal(town, "publish") == "clock-behind"
    with machine(town, hours=31 * 24):
        assert refusal(town, "publish") == "clock-far-ahead"
        assert refusal(town, "publish", "--timestamp") == "clock-far-ahead"
    with machine(town, hours=24):
        town.publish()
