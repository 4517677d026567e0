"""Anti-passback over two lanes into one zone (V5): passage contacts, restarts, capacity, resets; and who may look."""

import json
import os

import pytest

OTHER = "Tapstile Virtual Reader 00 01"

# The second lane leads into the same zone; its reader lets people out.
SIDE = f"""
[[lane]]
name = "side"
zone = "hall"
cooldown-success-ms = 0
cooldown-failure-ms = 0
passage-wait-ms = 1500
[lane.relay]
chip = "simulated"
line = 11
[lane.inputs.passage-in]
chip = "simulated"
line = 12
[[reader]]
name = "side-reader"
lane = "side"
direction = "%s"
[reader.match]
name = "{OTHER}"
"""
LANE = "zone = \"hall\"\ncooldown-success-ms = 0\ncooldown-failure-ms = 0\npassage-wait-ms = 1500"
CONTACT = '[lane.inputs.passage-in]\nchip = "simulated"\nline = 5'


@pytest.fixture
def hall(site, start):
    """Starts a gate with a hall: `hall('passback = "hard"')`."""
    def begin(zone, side="out"):
        path = site.path("rules.toml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f'time-zone = "Europe/Berlin"\n[[group]]\nname = "guards"\nmembers = ["gina"]\n[[zone]]\nname = "hall"\n{zone}\n')
        site.authority("rules", path)
        gate = start(lane=LANE, relay=CONTACT, more=SIDE % side)
        return gate
    return begin


def tap(gate, person, lane="entry", passes=True):
    """Presents a phone at a lane; the person also passes, unless not. Answers the reason."""
    mark = gate.events.mark
    person.phone(*([] if lane == "entry" else ["--slot", "2"])).tap()
    result = gate.events.wait("result", since=mark, lane=lane)
    if result["result"] == "granted" and passes:
        gate.pass_through(lane)
        gate.events.wait("passage", since=mark, lane=lane, finding="passed")
    return result["reason"]


def inside(gate, *options):
    return len(gate.ask("passback", "show", *options)["people"])


def kill_and_start(gate):
    # Whoever has just passed is inside once that is on the disk, some milliseconds later.
    gate.wait_for_the_journal()
    gate.kill()
    gate.start()
    gate.wait_for_reader()


def test_hard_refuses_whoever_is_inside_until_they_have_left(site, hall):
    gate = hall('passback = "hard"')
    assert tap(gate, site.anna) == "granted"
    assert tap(gate, site.anna) == "anti-passback"
    kill_and_start(gate)
    assert tap(gate, site.anna) == "anti-passback"
    assert tap(gate, site.anna, "side") == "granted"
    assert inside(gate) == 0
    assert tap(gate, site.anna) == "granted"
    passages = [record["reason"] for record in gate.journal() if record["kind"] == "passage"]
    assert passages == ["passed", "passed", "passed"]


def test_whoever_does_not_pass_is_not_inside(site, hall):
    gate = hall('passback = "hard"')
    mark = gate.events.mark
    assert tap(gate, site.anna, passes=False) == "granted"
    gate.events.wait("passage", since=mark, finding="passage-timeout")
    assert inside(gate) == 0
    assert tap(gate, site.anna) == "granted"


def test_two_phones_of_one_person_at_two_lanes_before_either_passes(site, hall):
    gate = hall('passback = "hard"', side="in")
    again = site.person("anna-again")
    again.name = "anna"
    again.give_token(out=site.path("people", "second.token"))
    mark = gate.events.mark
    assert tap(gate, site.anna, passes=False) == "granted"
    assert tap(gate, again, "side", passes=False) == "anti-passback"
    gate.events.wait("passage", since=mark, finding="passage-timeout")
    assert tap(gate, again, "side") == "granted"
    assert tap(gate, site.anna) == "anti-passback"


def test_soft_lets_in_and_notes_it(site, hall):
    gate = hall('passback = "soft"')
    assert tap(gate, site.anna) == "granted"
    assert tap(gate, site.anna) == "granted"
    outcomes = [record for record in gate.journal() if record["kind"] == "outcome"]
    assert [record["detail"].get("notes") for record in outcomes] == [None, "anti-passback"]


def test_timed_refuses_for_a_while_and_whoever_left_need_not_wait(site, hall):
    gate = hall('passback = "timed"\nminutes = 600')
    assert tap(gate, site.anna) == "granted"
    kill_and_start(gate)
    assert tap(gate, site.anna) == "anti-passback"
    assert tap(gate, site.anna, "side") == "granted"
    assert tap(gate, site.anna) == "granted"


def test_a_full_zone_takes_nobody_more(site, hall):
    bert, gina = site.person("bert"), site.person("gina")
    bert.give_token()
    gina.give_token()
    gate = hall('passback = "hard"\ncapacity = 2\nexempt = ["guards"]')
    assert tap(gate, site.anna) == "granted"
    assert tap(gate, gina) == "granted"
    assert tap(gate, gina) == "granted", "anti-passback does not bind guards, and she takes no second place"
    assert tap(gate, bert) == "zone-full"
    assert tap(gate, site.anna, "side") == "granted"
    assert tap(gate, bert) == "granted"
    zone = gate.ask("passback", "show")["zones"][0]
    assert (zone["zone"], zone["mode"], zone["present"], zone["capacity"]) == ("hall", "hard", 2, 2)


def test_an_operator_counts_people_as_gone(site, hall):
    gate = hall('passback = "hard"')
    assert tap(gate, site.anna) == "granted"
    assert inside(gate, "--subject", "anna") == 1 and inside(gate, "--subject", "bert") == 0
    assert gate.ask("passback", "reset", "--subject", "anna")["forgotten"] == 1
    assert gate.run_tool("passback", "reset", status=2).stderr
    kill_and_start(gate)
    assert tap(gate, site.anna) == "granted"
    assert gate.ask("passback", "reset", "--all") == {"forgotten": 1, "journalled": True}
    resets = [record["detail"] for record in gate.journal("--reason", "passback-reset")]
    assert [reset["forgotten"] for reset in resets] == [1, 1]
    assert all(reset["user"] == os.geteuid() for reset in resets)
    assert "anna" not in json.dumps(resets)


def test_a_lane_that_stood_open_makes_nothing_certain(site, hall):
    gate = hall('passback = "hard"')
    assert tap(gate, site.anna) == "granted"
    mark = gate.events.mark
    gate.ask("lane", "side", "hold-open", "out")
    gate.events.wait("mode", since=mark, mode="held-open")
    gate.ask("lane", "side", "normal")
    gate.events.wait("mode", since=mark, mode="normal")
    assert [person["sure"] for person in gate.ask("passback", "show")["people"]] == [False]
    kill_and_start(gate)
    assert [person["sure"] for person in gate.ask("passback", "show")["people"]] == [False]
    assert tap(gate, site.anna) == "granted"
    assert tap(gate, site.anna) == "anti-passback"


def test_a_journal_set_aside_forgets_and_says_so(site, hall):
    gate = hall('passback = "hard"')
    assert tap(gate, site.anna) == "granted"
    gate.ask("lane", "entry", "lock-down")
    gate.stop()
    with open(site.path("state", "journal.db"), "r+b") as file:
        file.seek(100)
        file.write(bytes(4000))
    gate.start()
    gate.wait_for_reader()
    assert "state-forgotten" in gate.log
    assert gate.ask("lane", "entry")["mode"]["mode"] == "normal"
    assert tap(gate, site.anna) == "granted"
