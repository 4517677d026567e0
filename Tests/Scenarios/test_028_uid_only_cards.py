"""Cards that are known by their number alone, at a real pcscd: only where somebody switched them on, and marked (V8)."""

import json

import pytest

from gatehouse.card import ANSWER

# A storage card of ISO 14443 A, as CCID readers show it (PC/SC part 3, 3.1.3.2.3).
STORAGE = bytes.fromhex("3b8f8001804f0ca000000306030001000000006a")
GET_NUMBER = bytes.fromhex("ffca000000")
NUMBER = "04a1b2c3d4e5f6"
OPEN = "uid-only-cards = true\ncooldown-success-ms = 0\ncooldown-failure-ms = 0"


def answers(number):
    """What the reader answers for a card without ISO-DEP."""
    return lambda command: bytes.fromhex(number) + b"\x90\x00" if command == GET_NUMBER else b"\x6d\x00"


@pytest.fixture
def tap(card):
    """Lays a card on the reader and returns what became of it."""
    def tap(gate, number, answer_to_reset=STORAGE):
        mark = gate.events.mark
        with card(answers(number), answer_to_reset=answer_to_reset) as laid:
            event = gate.events.wait("result", since=mark)
        gate.wait_for_an_empty_field()
        return event, laid.commands, gate.events.since(mark, "relay")
    return tap


def enrol(site, *options):
    site.rules("[people]\nuid-only-cards = true\n")
    site.authority("card", "--uid", NUMBER, "--subject", "carla", *options)


def test_a_card_of_the_list_opens_and_is_marked(site, start, tap):
    enrol(site)
    gate = start(lane=OPEN)
    event, commands, relay = tap(gate, NUMBER)
    assert (event["result"], event["reason"], event["assurance"]) == ("granted", "granted", "low")
    assert commands == [GET_NUMBER], "nothing else is said to it"
    assert relay and relay[0]["energised"]
    (record,) = gate.journal("--reason", "granted")
    assert record["subject"] == "carla" and record["detail"]["assurance"] == "low" and "evidence" not in record
    assert gate.status()["trust"]["uidOnlyCards"] == 1
    assert site.anna.phone().tap()["result"] == "granted", "phones are served as ever"
    told = gate.log + json.dumps(gate.journal() + gate.journal("--unproven") + [gate.status()] + gate.events.since(0))
    assert NUMBER not in told.lower() and NUMBER[2:8] not in told.lower()


def test_without_the_switch_it_opens_nothing_and_nobody_waits_for_it(site, start, tap):
    enrol(site)
    gate = start(lane="cooldown-failure-ms = 60000")
    event, _, relay = tap(gate, NUMBER)
    assert (event["result"], event["reason"]) == ("denied", "plain-cards-off")
    assert relay == []
    assert site.anna.phone().tap()["result"] == "granted"


@pytest.mark.parametrize("number", ["04a1b2c3d4e5f7", "04a1b2c3", "08a1b2c3", "04a1b2c3d4"])
def test_any_other_number_is_a_strangers(site, start, tap, number):
    enrol(site)
    gate = start(lane=OPEN)
    event, _, relay = tap(gate, number)
    assert (event["result"], event["reason"]) == ("denied", "unknown-key")
    assert relay == []


def test_whoever_has_iso_dep_is_never_known_by_a_number(site, start, tap):
    """A smart card with an enrolled number, of which the reader would tell it."""
    enrol(site)
    gate = start(lane=OPEN)
    event, commands, relay = tap(gate, NUMBER, answer_to_reset=ANSWER)
    assert (event["result"], event["reason"]) == ("denied", "no-application")
    assert "assurance" not in event
    assert GET_NUMBER not in commands and relay == []


def test_a_lane_that_wants_more_than_a_card_does_not_tell_which_numbers_are_listed(site, start, tap):
    enrol(site)
    gate = start(lane=OPEN + '\nsecond-factor = "always"')
    for number in (NUMBER, "04a1b2c3d4e5f7"):
        event = tap(gate, number)[0]
        assert event["reason"] == "second-factor" and "credential" not in event


def test_guessing_during_a_cooldown_tells_no_number(site, start, tap):
    enrol(site)
    gate = start(lane="uid-only-cards = true\ncooldown-failure-ms = 60000")
    assert tap(gate, "04a1b2c3d4e5f7")[0]["reason"] == "unknown-key"
    listed, unlisted = (tap(gate, number)[0] for number in (NUMBER, "04a1b2c3d4e5f8"))
    for event in (listed, unlisted):
        assert 0 < event.pop("retryAfter") <= 60000
        # When it happened, and when the test heard of it.
        del event["time"], event["heard"]
    assert listed == unlisted and listed["reason"] == "cooldown-failure"


def test_what_is_against_a_card(site, start, tap):
    enrol(site)
    gate = start(lane=OPEN)
    site.authority("ban", "--subject", "carla", "--yes")
    gate.import_publication(site.publish())
    assert tap(gate, NUMBER)[0]["reason"] == "revoked"
    site.authority("card", "--uid", NUMBER, "--remove")
    gate.import_publication(site.publish())
    assert tap(gate, NUMBER)[0]["reason"] == "unknown-key"
