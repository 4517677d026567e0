"""Everybody who is not let in, and why (V2). Who has proved a key is told the reason; strangers are all
told the same."""

import shutil

import pytest

from gatehouse import Site
from gatehouse.site import in_seconds

PROVED = {
    "expired": ["--not-before", -7200, "--expires", -3600],
    "not-yet-valid": ["--not-before", 3600, "--expires", 7200],
    "wrong-audience": ["--audience", "tapstile:somewhere"],
    "scope-lacks-command": ["--scope", "hold"],
}


def refusal(site, gate, *options, person=None):
    """One refused tap: what the phone was told and what the gate knows. Nothing moves."""
    gate.wait_for_indicator("ready")
    mark = gate.events.mark
    told = (person or site.anna).phone(*options).tap()
    event = gate.events.wait("result", since=mark)
    assert (event["result"], told["result"], told["status"]) == ("denied", "refused", 3), (event, told)
    gate.events.wait("indicator", since=mark, indicator="denied")
    assert gate.events.since(mark, "relay") == []
    return told, event


@pytest.mark.parametrize("reason", PROVED)
def test_a_proved_phone_is_told_why(site, gate, reason):
    options = [in_seconds(option) if isinstance(option, int) else option for option in PROVED[reason]]
    site.anna.give_token(*options)
    told, event = refusal(site, gate)
    assert told["reason"] == event["reason"] == reason
    (record,) = gate.journal("--reason", reason)
    assert record["subject"] == "anna"


def test_a_command_that_the_token_does_not_allow(site, gate):
    told, event = refusal(site, gate, "--command", "hold")
    assert told["reason"] == event["reason"] == "scope-lacks-command"
    site.anna.give_token("--scope", "tokn hold")
    told, event = refusal(site, gate, "--command", "hold")
    assert told["reason"] == event["reason"] == "command-not-allowed"
    assert event["command"] == "hold"


@pytest.mark.parametrize("scope", ["maintenance", "lock-down", "hold-open"])
def test_a_token_for_something_else_that_is_asked_for_by_name_moves_no_relay(site, gate, scope):
    site.anna.give_token("--scope", scope)
    told, event = refusal(site, gate, "--command", scope)
    assert told["reason"] == event["reason"] == "command-not-allowed"
    (record,) = gate.journal("--reason", "command-not-allowed")
    assert record["command"] == scope if "command" in record else record["detail"]["command"] == scope


@pytest.mark.parametrize("what", ["token", "issued", "subject", "key"])
def test_revoked(site, gate, what):
    token = site.anna.give_token()
    assert site.anna.phone().tap()["result"] == "granted"
    value = {"token": site.anna.token, "issued": f"{token['issuer']}:{token['cti']}", "subject": "anna",
             "key": site.anna.public_key}[what]
    site.authority(*(["ban", "--yes"] if what == "subject" else ["revoke"]), f"--{what}", value)
    gate.import_publication(site.publish())
    told, event = refusal(site, gate)
    assert told["reason"] == event["reason"] == "revoked"


def test_the_first_of_several_reasons_counts(site, gate):
    site.anna.give_token("--not-before", in_seconds(-7200), "--expires", in_seconds(-3600),
                         "--audience", "tapstile:somewhere")
    site.authority("ban", "--subject", "anna", "--yes")
    gate.import_publication(site.publish())
    assert refusal(site, gate)[0]["reason"] == "expired"


class TestStrangers:
    """All of them see the same."""

    @staticmethod
    def check(told, event, reason):
        assert event["reason"] == reason
        assert told["reason"] is None and told["journalHead"] is None and told["retryAfterMilliseconds"] is None

    def test_unknown_issuer(self, site, gate, folder, programs):
        other = Site(programs, folder + "/other", name="elsewhere")
        other.authority("token", "--key", site.anna.public_key, "--subject", "anna", "--audience", "tapstile:demo",
                        "--out", site.anna.token)
        self.check(*refusal(site, gate), "unknown-issuer")

    def test_bad_signature(self, site, gate):
        """The same issuer's name, another key: a second authority that calls itself like ours."""
        with open(site.anna.token, "r+b") as token:
            token.seek(-1, 2)
            last = token.read(1)[0]
            token.seek(-1, 2)
            token.write(bytes([last ^ 1]))
        self.check(*refusal(site, gate), "bad-signature")

    def test_not_enrolled(self, site, gate):
        carl = site.person("carl")
        carl.enrol()
        self.check(*refusal(site, gate, person=carl), "unknown-key")
        self.check(*refusal(site, gate, "--enrolled-kid", carl.claims, person=carl), "unknown-key")

    def test_stolen_token(self, site, gate):
        """Mallory has Anna's token, and not her key."""
        mallory = site.person("mallory")
        shutil.copy(site.anna.token, site.path("people", "mallory.token"))
        mallory.token = site.path("people", "mallory.token")
        self.check(*refusal(site, gate, "--any-key", person=mallory), "bad-proof")
        # The token itself has not been used.
        assert site.anna.phone().tap()["result"] == "granted"

    def test_no_trust_data(self, site, start):
        gate = start(publish=False)
        self.check(*refusal(site, gate), "no-trust-data")
        assert gate.status()["trust"]["state"] == "absent"

    def test_no_application(self, site, gate):
        mark = gate.events.mark
        site.anna.phone().tap("--misbehave", "wrong-aid", "--timeout", "1500")
        assert gate.events.wait("result", since=mark)["reason"] == "no-application"


def test_a_phone_stops_at_a_gate_it_does_not_know(site, start, folder, programs):
    """A false gate learns nothing of the phone: it stops before it says who it is."""
    other = Site(programs, folder + "/other")
    gate = start(lane="cooldown-failure-ms = 0")
    mark = gate.events.mark
    shutil.copy(other.known_gates, site.known_gates)
    told = site.anna.phone().tap()
    assert told["result"] != "granted" and told["reason"] in ("unknown-gate", "edhoc-proof-failed", "proof-failed")
    assert gate.events.wait("result", since=mark)["reason"] == "phone-declined"
