"""A lane that wants a second factor (V6): the key proves it, because its attestation was seen when the token was
issued or the key enrolled. Nothing that the phone says of itself does."""

import pytest

ALWAYS = 'second-factor = "always"\ncooldown-success-ms = 0\ncooldown-failure-ms = 60000'


@pytest.fixture
def gate(start):
    """Failures cost a minute here: whatever is tried twice must have cost nothing."""
    return start(lane=ALWAYS)


def test_the_person_unlocks_the_phone_and_taps_again(site, gate):
    """Two keys in one phone: one that is always usable, and one that asks for the person."""
    for _ in range(2):
        told = site.anna.phone().tap()
        assert (told["result"], told["reason"], told["retryAfterMilliseconds"]) == ("refused", "second-factor", None)
        assert told["gate"]["wantsSecondFactor"]
    site.anna.give_token("--user-verified")
    assert site.anna.phone().tap()["reason"] == "granted"
    results = gate.events.since(0, "result")
    assert [(each["reason"], each["rule"]) for each in results] == [("second-factor", "second-factor")] * 2 + [("granted", "verification")]
    assert [each["subject"] for each in gate.journal("--reason", "second-factor")] == ["anna", "anna"]


def test_a_phone_that_only_says_so_stays_outside(site, gate):
    assert site.anna.phone("--manual", "--foreground").tap()["reason"] == "second-factor"


@pytest.mark.parametrize("option", ["--ccs", "--enrolled-kid"])
def test_an_enrolled_key_needs_its_record_to_say_so(site, gate, option):
    carl = site.person("carl")
    carl.enrol()
    gate.import_publication(site.publish())
    assert carl.phone(option, carl.claims).tap()["reason"] == "second-factor"
    assert carl.enrol("--user-verified")["userVerified"]
    gate.import_publication(site.publish())
    assert carl.phone(option, carl.claims).tap()["reason"] == "granted"


def test_however_the_token_comes(site, gate):
    for flag, reason in (((), "second-factor"), (("--user-verified",), "granted")):
        site.anna.give_token(*flag)
        site.anna.enrol()
        for options in ((), ("--by-reference",), ("--by-reference",), ("--ccs", site.anna.claims, "--token", site.anna.token)):
            assert site.anna.phone(*options).tap()["reason"] == reason, options


def test_who_would_never_pass_is_told_that(site, gate):
    site.anna.give_token("--audience", "tapstile:somewhere")
    assert site.anna.phone().tap()["reason"] == "wrong-audience"


def test_a_schedule_that_the_gate_does_not_have_is_in_force(site, start):
    gate = start(lane='second-factor = "scheduled"\nsecond-factor-schedule = "night"\ncooldown-failure-ms = 0')
    told = site.anna.phone().tap()
    assert told["reason"] == "second-factor" and told["gate"]["wantsSecondFactor"]
    (warning,) = gate.status()["lanes"][0]["warnings"]
    assert warning["code"] == "schedule-unknown" and "night" in warning["message"]
    assert "schedule-unknown" in gate.run_tool("status").stdout and "schedule-unknown" in gate.log


def test_a_reload_changes_what_the_next_phone_is_asked_for(site, start):
    gate = start(lane="cooldown-success-ms = 0")
    assert site.anna.phone().tap()["reason"] == "granted"
    site.configuration(lane=ALWAYS)
    gate.run_tool("reload")
    assert site.anna.phone().tap()["reason"] == "second-factor"
