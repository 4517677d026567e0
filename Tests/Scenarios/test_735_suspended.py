"""Somebody is suspended and comes back: the next state of the site says so, and every tap after it goes by that (S4, V2, V9)."""

import pytest

from gatehouse.fixtures import NO_COOLDOWN

from test_028_uid_only_cards import NUMBER, tap  # noqa: F401

GRANTED, REVOKED = ("granted", "granted"), ("refused", "revoked")


@pytest.fixture
def people(site, tap):  # noqa: F811
    """Somebody with a token, somebody with an enrolled key, somebody with a UID-only card; and how each of them fares at a gate."""
    bert = site.person("bert")
    bert.enrol()
    site.authority("card", "--uid", NUMBER, "--subject", "carla")

    def fare(gate):
        mark = gate.events.mark
        told = [phone.tap() for phone in (site.anna.phone(), site.anna.phone("--by-reference"), bert.phone())]
        found = {(answer["result"], answer["reason"]) for answer in told}
        card, _, relay = tap(gate, NUMBER)
        found.add(("granted" if card["result"] == "granted" else "refused", card["reason"]))
        assert bool(relay) == (card["result"] == "granted")
        # What phones hear is what everybody hears.
        assert {event["reason"] for event in gate.events.since(mark, "result")} == {reason for _, reason in found}
        (result,) = found
        return result
    return fare


def everybody(site, verb):
    for subject in ("anna", "bert", "carla"):
        site.authority(verb, "--subject", subject)


def recorded(gate, reason):
    return {record["subject"] for record in gate.journal("--reason", reason)}


def test_by_a_repository(site, start, people):
    rules, repository = site.path("rules.toml"), site.path("repository")
    with open(rules, "w", encoding="utf-8") as file:
        file.write("[people]\nuid-only-cards = true\n")
    site.authority("rules", rules)
    site.authority("publish", "init", "--repo", repository, "--together")
    gate = start(publish=False, source=f'root = "{repository}/metadata/1.root.json"', lane=f"uid-only-cards = true\n{NO_COOLDOWN}")
    sticks = iter(range(10))

    def bring():
        stick = site.path(f"stick-{next(sticks)}")
        site.authority("publish", "--stick", stick)
        return gate.ask("import", stick)["way"]

    # As part of the whole, and then by what has changed.
    everybody(site, "suspend")
    assert bring() == "whole" and people(gate) == REVOKED
    assert recorded(gate, "revoked") == {"anna", "bert", "carla"}
    everybody(site, "resume")
    assert bring() == "changes" and people(gate) == GRANTED
    everybody(site, "suspend")
    assert bring() == "changes" and people(gate) == REVOKED
    site.authority("resume", "--subject", "bert")
    assert bring() == "changes"
    assert site.anna.phone().tap()["reason"] == "revoked", "one alone comes back"
    for subject in ("anna", "carla"):
        site.authority("resume", "--subject", subject)
    assert bring() == "changes" and people(gate) == GRANTED
    gate.wait_until_nobody_is_there()
    gate.stop()
    gate.start()
    gate.wait_for_reader()
    assert people(gate) == GRANTED
