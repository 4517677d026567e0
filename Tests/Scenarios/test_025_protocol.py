"""What phones and lanes may choose: method, suite, connection identifiers, items to ignore and not to
ignore, and a phone that is known at several sites."""

import pytest

from gatehouse import Site

QUICK = "cooldown-success-ms = 0\ncooldown-failure-ms = 0"


def tap(gate, phone, *options):
    """One tap: what the phone was told and what the gate knows."""
    mark = gate.events.mark
    told = phone.tap(*options)
    return told, gate.events.wait("result", since=mark)


def granted(gate, phone, *options):
    told, event = tap(gate, phone, *options)
    assert (event["result"], told["result"], told["status"]) == ("granted", "granted", 0), (event, told)
    gate.wait_for_indicator("ready")
    return told


def refused(gate, phone, reason, *options):
    """Refused before any proof: the gate knows why, the phone is told nothing."""
    mark = gate.events.mark
    told, event = tap(gate, phone, *options)
    assert (event["result"], event["reason"]) == ("denied", reason), (event, told)
    assert told["result"] == "refused" and told["reason"] is None and told["journalHead"] is None, told
    assert gate.events.since(mark, "relay") == []
    return told


@pytest.fixture
def bela(site):
    """Somebody whose key agrees, with a token."""
    bela = site.person("bela", agrees=True)
    bela.give_token()
    return bela


class TestMethods:
    def test_a_lane_that_offers_all_four_takes_all_four(self, site, start, bela):
        gate = start(lane=f"methods = [0, 1, 2, 3]\n{QUICK}")
        for person, method in [(site.anna, 0), (site.anna, 1), (bela, 2), (bela, 3)]:
            granted(gate, person.phone("--method", method))

    def test_a_lane_refuses_what_it_does_not_offer(self, site, start, bela):
        gate = start(lane=f"methods = [0]\n{QUICK}")
        for person, method in [(site.anna, 1), (bela, 2), (bela, 3)]:
            told = refused(gate, person.phone("--method", method), "protocol-version")
            # SELECT and the refusal: nobody has said who they are.
            assert told["commands"] == 2
        granted(gate, site.anna.phone())

    def test_another_lane_another_method(self, site, start, bela):
        gate = start(lane=f"methods = [3]\n{QUICK}")
        refused(gate, site.anna.phone(), "protocol-version")
        granted(gate, bela.phone())


class TestSuites:
    def test_a_phone_is_told_which_suites_a_lane_has(self, site, start):
        gate = start(lane=f"suites = [2]\n{QUICK}")
        negotiated = granted(gate, site.anna.phone("--suite", "3,2"))
        at_once = granted(gate, site.anna.phone("--suite", "2,3"))
        assert negotiated["commands"] == at_once["commands"] + 1, "SELECT, error 2, and then as ever"
        # A token that this gate has not seen, by reference: error 2, error 3, and then by value.
        site.anna.give_token()
        repeated = granted(gate, site.anna.phone("--suite", "3,2", "--by-reference"))
        names = [step["command"] for step in repeated["steps"]]
        assert names.count("EXCHANGE") == 4, names
        told = refused(gate, site.anna.phone("--suite", "3"), "protocol-version")
        assert told["commands"] == 2

    def test_the_default_has_all_four_at_once(self, site, start):
        gate = start(lane=QUICK)
        commands = [granted(gate, site.anna.phone("--suite", suite))["commands"] for suite in ("2", "3", "5", "6", "6,5,2")]
        assert len(set(commands)) == 1, commands

    def test_suite_6_is_not_for_keys_that_agree(self, site, start, bela):
        """They are on P-256: the gate names what can be had before anything is computed."""
        gate = start(lane=f"methods = [0, 3]\n{QUICK}")
        told = refused(gate, bela.phone("--suite", "6"), "protocol-version")
        assert told["commands"] == 2
        granted(gate, bela.phone("--suite", "6,5"))
        granted(gate, site.anna.phone("--suite", "6"))

    def test_suites_for_traces_are_for_traces(self, site, start):
        gate = start(lane=QUICK)
        # Error 2, and the suite that both have.
        granted(gate, site.anna.phone("--suite", "0,2"))
        refused(gate, site.anna.phone("--suite", "1"), "protocol-version")


def test_connection_identifiers_of_every_form(site, start):
    gate = start(lane=QUICK)
    for identifier in ("", "00", "17", "18", "2d", "38", "ff", "0000", "11" * 16):
        granted(gate, site.anna.phone(f"--connection-id={identifier}"))


def test_items_that_nobody_knows(site, start):
    """RFC 9528, 3.8: passed over, unless they are critical."""
    gate = start(lane=QUICK)
    granted(gate, site.anna.phone("--ead-1", "4711:00ff", "--ead-1", "0:0000", "--ead-3", "4711", "--ead-3", "0"))
    refused(gate, site.anna.phone("--ead-1", "4711!"), "protocol-error")
    refused(gate, site.anna.phone("--ead-3", "4711!:00"), "protocol-error")


def test_another_lane_and_another_carrier(site, start):
    gate = start(lane=QUICK)
    refused(gate, site.anna.phone("--lane", "exit"), "wrong-lane")
    told, event = tap(gate, site.anna.phone("--carrier", "ble"))
    assert (told["reason"], event["reason"]) == ("wrong-carrier", "phone-declined")
    granted(gate, site.anna.phone("--no-nfc", "--language", "de-AT"))


def test_a_phone_of_two_sites_shows_each_what_is_its_own(programs, folder, site, start):
    other = Site(programs, folder + "/other", name="elsewhere")
    anna_there = other.person("anna")
    anna_there.give_token()
    gate = start(lane=QUICK)
    there = f"key={anna_there.key},gates={other.known_gates},token={anna_there.token}"
    here = f"key={site.anna.key},gates={site.known_gates},reference={site.anna.token}"
    granted(gate, site.anna.phone("--also", there))
    # The other site's things first: the gate that proves itself decides all the same.
    phone = site.anna.phone("--also", here)
    phone.person = anna_there
    gate.wait_for_an_empty_field()
    granted(gate, phone)
    # Without what this site gave, the phone says nothing.
    alone = anna_there.phone()
    gate.wait_for_an_empty_field()
    told, event = tap(gate, alone)
    assert told["reason"] in ("unknown-gate", "edhoc-proof-failed") and event["reason"] == "phone-declined"
