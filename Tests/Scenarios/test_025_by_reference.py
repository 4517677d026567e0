"""A phone that only names its token (V2, V9): granted where the gate knows it, shown after all in the same
presentation where it does not, and asked everything again each time."""

import shutil

import pytest

# SELECT and message_2; with error 3, message_2 again and the second part of message_3.
KNOWN, SHOWN_AFTER_ALL = 2, 5


def by_reference(site, result="granted", reason="granted", person=None, options=()):
    """One tap by reference. Answers how many commands the phone's proof took."""
    told = (person or site.anna).phone("--by-reference", *options).tap()
    assert (told["result"], told["reason"]) == (result, reason), told
    return told["commandsToProof"]


def test_a_token_is_known_once_its_phone_has_proved_itself(site, gate):
    assert by_reference(site) == SHOWN_AFTER_ALL
    assert gate.status()["trust"]["knownTokens"] == 1
    told = site.anna.phone("--by-reference").tap()
    assert told["result"] == "granted"
    # docs/phone-protocol.md: at most 330 bytes and 2 commands.
    assert told["commandsToProof"] == KNOWN and told["framedBytesToProof"] <= 330, told
    first, second = gate.journal("--reason", "granted")
    assert (first["subject"], first["credential"]) == (second["subject"], second["credential"]) and first["subject"] == "anna"
    assert second["evidence"]


def test_shown_by_value_it_is_known_by_reference(site, gate):
    assert site.anna.phone().tap()["result"] == "granted"
    assert by_reference(site) == KNOWN


def test_an_import_makes_it_unknown_for_one_tap(site, gate):
    by_reference(site)
    # Everybody anew: changes upon a whole leave known what they do not concern.
    site.authority("new-epoch")
    assert gate.import_publication(site.publish())["way"] == "whole"
    assert by_reference(site) == SHOWN_AFTER_ALL
    assert by_reference(site) == KNOWN


def test_a_reload_leaves_it_known_and_a_restart_does_not(site, gate):
    by_reference(site)
    gate.run_tool("reload")
    assert by_reference(site) == KNOWN
    gate.wait_for_an_empty_field()
    assert gate.stop() == 0
    gate.start()
    gate.wait_for_reader()
    assert by_reference(site) == SHOWN_AFTER_ALL
    assert by_reference(site) == KNOWN


def test_a_gate_that_keeps_none_is_shown_it_each_time(site, start):
    gate = start(lane="cooldown-success-ms = 0", trust_more="token-cache = 0")
    assert [by_reference(site) for _ in range(2)] == [SHOWN_AFTER_ALL] * 2
    assert gate.status()["trust"]["knownTokens"] == 0


def test_the_least_recently_used_one_gives_way(site, start):
    start(lane="cooldown-success-ms = 0", trust_more="token-cache = 2")
    others = [site.person(name) for name in ("bert", "carl")]
    for person in others:
        person.give_token()
    by_reference(site)
    by_reference(site, person=others[0])
    assert by_reference(site) == KNOWN
    by_reference(site, person=others[1])
    assert by_reference(site) == KNOWN
    assert by_reference(site, person=others[0]) == SHOWN_AFTER_ALL


def test_its_scope_is_looked_at_again(site, gate):
    by_reference(site)
    assert by_reference(site, "refused", "scope-lacks-command", options=["--command", "hold"]) == KNOWN
    assert by_reference(site) == KNOWN


def test_a_stolen_token_is_of_no_use_by_reference(site, gate):
    """The thief learns nothing, not even that the gate knows it; and the owner is not disturbed."""
    by_reference(site)
    mallory = site.person("mallory")
    mallory.token = site.path("people", "mallory.token")
    shutil.copy(site.anna.token, mallory.token)
    by_reference(site, "refused", None, person=mallory, options=["--any-key"])
    assert [each["reason"] for each in gate.events.since(0, "result")] == ["granted", "bad-proof"]
    assert by_reference(site) == KNOWN


# Taken back, however it came -----------------------------------------------------------------------------


def revoke(site, gate, what, token):
    value = {"token": site.anna.token, "issued": f"{token['issuer']}:{token['cti']}", "subject": "anna",
             "key": site.anna.public_key}[what]
    site.authority(*(["ban", "--yes"] if what == "subject" else ["revoke"]), f"--{what}", value)
    gate.import_publication(site.publish())


@pytest.mark.parametrize("what", ["token", "issued", "subject", "key"])
@pytest.mark.parametrize("shown", ["value", "reference", "beside", "beside-kid"])
def test_a_token_that_was_taken_back_opens_no_more(site, gate, what, shown):
    """By its identifier, by its issuer's number, by its person, by its key; by value, by reference, beside a
    claims set. The phone has proved itself, and is told so."""
    token = site.anna.give_token()
    site.anna.enrol()
    options = {"value": [], "reference": ["--by-reference"],
               "beside": ["--ccs", site.anna.claims, "--token", site.anna.token],
               "beside-kid": ["--enrolled-kid", site.anna.claims, "--token", site.anna.token]}[shown]
    phone = site.anna.phone(*options)
    for _ in range(2):
        assert phone.tap()["reason"] == "granted"
    revoke(site, gate, what, token)
    for _ in range(2):
        told = phone.tap()
        assert (told["result"], told["reason"]) == ("refused", "revoked")
    assert gate.status()["trust"]["knownTokens"] == 0
    assert [each["reason"] for each in gate.journal("--reason", "revoked")] == ["revoked"] * 2


@pytest.mark.parametrize("what", ["token", "issued", "subject", "key"])
@pytest.mark.parametrize("option", ["--ccs", "--enrolled-kid"])
def test_an_enrolled_key_goes_with_its_person_and_with_itself(site, gate, what, option):
    """A token's revocation does not touch the key that is enrolled besides."""
    token = site.anna.give_token()
    site.anna.enrol()
    gate.import_publication(site.publish())
    assert site.anna.phone(option, site.anna.claims).tap()["reason"] == "granted"
    revoke(site, gate, what, token)
    told = site.anna.phone(option, site.anna.claims).tap()
    assert told["reason"] == ("granted" if what in ("token", "issued") else "revoked")
