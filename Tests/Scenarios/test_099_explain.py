"""The question at 3 a.m.: would this person pass, and if not, why. Each answer of the gate is held against what a real tap comes to."""

import datetime

import pytest

from gatehouse.site import in_seconds
from patience import wait_until
from test_028_uid_only_cards import NUMBER, STORAGE, answers

FAST = "cooldown-success-ms = 0\ncooldown-failure-ms = 0"


def around_now(hours):
    """A window of the day, in UTC, that begins so many hours from now and lasts two."""
    begin = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=hours)
    return f"{begin:%H:%M}-{begin + datetime.timedelta(hours=2):%H:%M}"


def rules(site, text):
    path = site.path("rules.toml")
    with open(path, "w", encoding="utf-8") as file:
        file.write('time-zone = "Etc/UTC"\n' + text)
    site.authority("rules", path)


def staff(week, member="carl"):
    return f"""
[[schedule]]
name = "shift"
week = ["daily {week}"]
[[group]]
name = "staff"
members = ["{member}"]
[[rule]]
group = "staff"
schedule = "shift"
"""


def ask(gate, *options, status=0):
    return gate.ask("explain", *options, status=status)


def answer(gate, *options, status=0):
    """The one answer there is, with its credential."""
    ((credential, answer),) = [(credential, answer) for credential in ask(gate, *options, status=status)["credentials"] for answer in credential["answers"]]
    return credential, answer


def agrees(gate, person, subject=None, known=True):
    """Asks, then taps: both come to the same. Nothing that was asked is in the journal, and no light changed. `known`: the gate's data name the person."""
    gate.wait_for_indicator("ready")
    gate.wait_for_the_journal()
    mark, before = gate.events.mark, gate.status()["journal"]["records"]
    credential, said = answer(gate, "--subject", subject or person.name, status=0 if known else 1)
    assert gate.status()["journal"]["records"] == before and gate.events.since(mark) == []
    mark = gate.events.mark
    person.phone().tap()
    event = gate.events.wait("result", since=mark)
    assert (said["result"], said["reason"], said["rule"]) == (event["result"], event["reason"], event["rule"]), (said, event)
    return credential, said


@pytest.fixture
def carl(site):
    carl = site.person("carl")
    carl.enrol()
    return carl


def test_who_passes_is_told_so(gate, site, carl):
    gate.import_publication(site.publish())
    credential, said = agrees(gate, carl)
    assert (credential["kind"], said["result"], said["lane"], said["at"]) == ("key", "granted", "entry", "entry-reader")
    text = gate.run_tool("explain", "--subject", "carl").stdout
    assert text.startswith("carl would pass at entry (entry-reader, nfc, in) now with key "), text


ENROLLED = {
    "expired": ["--not-before", -7200, "--expires", -3600],
    "not-yet-valid": ["--not-before", 3600, "--expires", 7200],
    "wrong-audience": ["--audience", "tapstile:demo/attic"],
    "scope-lacks-command": ["--scope", "hold"],
}


@pytest.mark.parametrize("reason", ENROLLED)
def test_what_is_of_the_key(gate, site, carl, reason):
    rules(site, '[people]\ncommands = ["tokn", "hold"]\n')
    carl.enrol(*[in_seconds(option) if isinstance(option, int) else option for option in ENROLLED[reason]])
    gate.import_publication(site.publish())
    _, said = agrees(gate, carl)
    assert said["reason"] == reason and said["because"]
    if reason == "not-yet-valid":
        assert said["then"] == "granted" and answer(gate, "--subject", "carl", "--at", in_seconds(5400))[1]["result"] == "granted"
    if reason == "wrong-audience":
        assert any("tapstile:demo/attic" in line for line in said["because"]), "enrolled for another place, and which"


@pytest.mark.parametrize("command, what", [(("ban", "--subject", "carl", "--yes"), "subject"), (("suspend", "--subject", "carl"), "suspended"), (("revoke", "--key"), "key")])
def test_a_revocation_and_the_publication_that_brought_it(gate, site, carl, command, what):
    gate.import_publication(site.publish())
    site.authority(*command, *([carl.public_key] if what == "key" else []))
    version = gate.import_publication(site.publish())["version"]
    credential, said = agrees(gate, carl)
    assert said["reason"] == "revoked" and "until" not in said
    assert [(revoked["what"], revoked["version"]) for revoked in credential["revoked"]] == [(what, version)]
    assert f"and up to {version} (issued" in gate.run_tool("explain", "--subject", "carl").stdout


def test_schedules_and_when_they_turn(site, start, carl):
    rules(site, staff(around_now(6)))
    gate = start(lane=FAST)
    _, said = agrees(gate, carl)
    assert (said["reason"], said["rule"], said["then"]) == ("outside-schedule", "schedule", "granted")
    assert answer(gate, "--subject", "carl", "--at", said["until"])[1]["result"] == "granted"
    rules(site, staff(around_now(-1)))
    gate.import_publication(site.publish())
    _, said = agrees(gate, carl)
    assert (said["reason"], said["then"]) == ("granted", "outside-schedule")
    assert answer(gate, "--subject", "carl", "--at", said["until"])[1]["reason"] == "outside-schedule"
    assert ask(gate, "--subject", "carl")["groups"] == ["staff"]
    rules(site, '[[group]]\nname = "staff"\nmembers = ["carl"]\n[[rule]]\ngroup = "staff"\nlanes = ["other"]\n')
    gate.import_publication(site.publish())
    _, said = agrees(gate, carl)
    assert said["reason"] == "outside-schedule" and "in no group for this lane" in said["because"][0]


def test_a_lane_that_is_closed_and_who_closed_it(gate, site, carl):
    gate.import_publication(site.publish())
    gate.ask("lane", "entry", "close", "--for", "30m")
    credential, said = answer(gate, "--subject", "carl")
    mark = gate.events.mark
    carl.phone().tap()
    assert gate.events.wait("result", since=mark)["reason"] == said["reason"] == "lane-closed"
    assert said["then"] == "granted" and "by operator (user" in said["because"][0]
    gate.ask("lane", "entry", "normal")
    assert agrees(gate, carl)[1]["reason"] == "granted"


def test_a_second_factor(site, start, carl):
    gate = start(lane=FAST + '\nsecond-factor = "always"')
    assert agrees(gate, carl)[1]["reason"] == "second-factor"
    carl.enrol("--user-verified")
    gate.import_publication(site.publish())
    assert agrees(gate, carl)[1]["reason"] == "granted"


def test_who_is_inside(site, start, carl):
    rules(site, '[[zone]]\nname = "hall"\npassback = "hard"\n')
    gate = start(lane=FAST + '\nzone = "hall"\npassage-wait-ms = 1500')
    assert agrees(gate, carl)[1]["reason"] == "granted"
    wait_until("carl to be inside", lambda: ask(gate, "--subject", "carl")["inside"])
    _, said = agrees(gate, carl)
    assert said["reason"] == "anti-passback" and "carl is in hall since" in said["because"][0]
    assert ask(gate, "--subject", "carl")["inside"][0]["zone"] == "hall"
    gate.ask("passback", "reset", "--subject", "carl")
    assert agrees(gate, carl)[1]["reason"] == "granted"


def test_a_cooldown(site, start, carl):
    gate = start(lane="cooldown-success-ms = 600000")
    assert agrees(gate, carl)[1]["reason"] == "granted"
    _, said = answer(gate, "--subject", "carl")
    mark = gate.events.mark
    carl.phone().tap()
    event = gate.events.wait("result", since=mark)
    assert said["reason"] == event["reason"] == "cooldown-success" and 0 < event["retryAfter"] <= said["retryAfter"]
    assert answer(gate, "--subject", "carl", "--at", in_seconds(3600))[1]["result"] == "granted"


@pytest.mark.parametrize("lane, reason", [("", "plain-cards-off"), ("uid-only-cards = true", "granted"), ('uid-only-cards = true\nsecond-factor = "always"', "second-factor")])
def test_a_uid_only_card(site, start, card, lane, reason):
    rules(site, "[people]\nuid-only-cards = true\n")
    site.authority("card", "--uid", NUMBER, "--subject", "carla")
    gate = start(lane=f"{FAST}\n{lane}")
    credential, said = answer(gate, "--subject", "carla")
    assert (credential["kind"], said["reason"]) == ("card", reason)
    mark = gate.events.mark
    with card(answers(NUMBER), answer_to_reset=STORAGE):
        event = gate.events.wait("result", since=mark)
    assert (event["result"], event["reason"]) == (said["result"], reason)
    assert NUMBER not in gate.run_tool("explain", "--subject", "carla", "--json").stdout


def test_tokens_are_known_once_they_were_shown(gate, site):
    asked = ask(gate, "--subject", "anna", status=1)
    assert [credential["kind"] for credential in asked["credentials"]] == ["unseen-token"]
    assert "tokens-unseen" in [note["code"] for note in asked["notes"]]
    assert site.anna.phone().tap()["result"] == "granted"
    credential, said = agrees(gate, site.anna)
    assert (credential["kind"], said["then"]) == ("token", "expired")
    shown = gate.events.since(0, "result")[-1]["credential"]
    assert ask(gate, "--key", shown)["credentials"][0]["identifier"] == credential["identifier"]
    site.authority("revoke", "--token", site.anna.token)
    gate.import_publication(site.publish())
    # With new data the gate forgets every token; by its identifier it is known to be revoked all the same.
    asked = ask(gate, "--key", credential["identifier"], status=1)
    assert [note["code"] for note in asked["notes"]] == ["key-unknown", "revoked-unseen"]
    assert [tap["reason"] for tap in asked["taps"]] == ["granted", "granted"], "the journal has it still"
    site.authority("ban", "--subject", "anna", "--yes")
    gate.import_publication(site.publish())
    assert agrees(gate, site.anna)[1]["reason"] == "revoked", "of the person it is known without a token"


def test_site_data_too_old_for_tokens(gate, site):
    assert site.anna.phone().tap()["result"] == "granted"
    assert answer(gate, "--subject", "anna", "--at", in_seconds(31 * 86400))[1]["reason"] == "trust-data-stale"


def test_a_clock_that_nobody_vouches_for(site, start, carl):
    gate = start(lane=FAST, clock='when-untrusted = "enrolled-only"')
    if gate.status()["clock"]["trust"] != "untrusted":
        pytest.skip("the kernel of this machine says that its clock is synchronised")
    assert agrees(gate, carl)[1]["reason"] == "granted"
    _, said = agrees(gate, site.anna, known=False)
    assert said["reason"] == "clock-untrusted" and "clock-not-synchronised" in said["because"][0]


def test_a_reader_that_is_not_there(site, start, carl):
    gate = start(lane=FAST, match='name = "No Such Reader"', reader_state=None)
    _, said = answer(gate, "--subject", "carl")
    assert said["result"] == "denied" and said["reason"] in ("lane-fault", "reader-fault")
    assert any("reader-absent" in line for line in said["because"]), said


def test_without_site_data(site, start):
    gate = start(lane=FAST, publish=False)
    assert answer(gate, "--subject", "anna", status=1)[1]["reason"] == "no-trust-data"
    assert "no-trust-data" in [note["code"] for note in ask(gate, "--subject", "anna", status=1)["notes"]]


def test_a_name_that_was_mistyped(gate, site, carl):
    gate.import_publication(site.publish())
    asked = ask(gate, "--subject", "cral", status=1)
    assert (asked["known"], asked["nearest"]) == (False, "carl")
    assert gate.run_tool("explain", "--subject", "cral", status=1).stdout.startswith("Nothing in the site data of this gate names cral. Did you mean carl?")
    assert "there are entry" in gate.run_tool("explain", "--subject", "carl", "--lane", "exit", status=1).stderr
    assert gate.run_tool("explain", "--key", "12", status=2).stderr and gate.run_tool("explain", status=2).stderr
    assert gate.run_tool("explain", "--subject", "carl", "--at", "tomorrow", status=2).stderr
