"""Who spoofs the time neither opens nor closes a lane by it: the real daemon, whose machine's clock is set by hours."""

import datetime

import pytest

from gatehouse import Gate
from gatehouse.wall_clock import WallClock
from patience import wait_until

FAST = "cooldown-success-ms = 0\ncooldown-failure-ms = 0"


def window(hours):
    """Two hours of the day, in UTC, in whose middle it is so many hours from now."""
    middle = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=hours)
    begin, end = middle - datetime.timedelta(hours=1), middle + datetime.timedelta(hours=1)
    return f"{begin:%H:%M}-{end:%H:%M}"


def site_file(site, carl):
    """In six hours the lane stands open; Carl may pass now, and at no other time."""
    path = site.path("site.toml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"""\
time-zone = "Etc/UTC"
[[schedule]]
name = "office"
week = ["daily {window(6)}"]
[[schedule]]
name = "now"
week = ["daily {window(0)}"]
[[lane]]
name = "entry"
[[lane.plan]]
schedule = "office"
mode = "free-passage"
[[group]]
name = "staff"
members = ["carl"]
[[rule]]
group = "staff"
schedule = "now"
[[person]]
subject = "carl"
key-file = "{carl.public_key}"
""")
    return path


@pytest.fixture
def carl(site):
    carl = site.person("carl")
    carl.enrol()
    return carl


@pytest.fixture
def stand_alone(site, carl):
    """A gate that stands alone, and its machine's clock."""
    gates = []

    def start(hours=0, after_boot="confirm"):
        configuration = site.configuration(source=f'site-file = "{site_file(site, carl)}"', lane=FAST,
                                           clock=f'source = "installer"\nafter-boot = "{after_boot}"')
        gate = Gate(site.programs, site.folder, configuration, site.path("control"))
        gates.append(gate)
        clock = WallClock(gate, hours)
        gate.start()
        gate.wait_for_reader()
        return gate, clock
    yield start
    for gate in gates:
        gate.stop()


def tap(person):
    told = person.phone("--ccs", person.claims).tap()
    return told["result"], told["reason"]


def lane(gate):
    return gate.ask("lane", "entry")


def wait_for_clock(gate, what, holds):
    wait_until(what, lambda: holds(gate.status()["clock"]), instead=lambda: gate.status()["clock"])


def test_a_spoofed_time_server_opens_no_lane_and_keeps_nobody_out(carl, stand_alone):
    gate, clock = stand_alone()
    gate.ask("clock", "confirm")
    mark = gate.events.mark
    clock.set(6)
    wait_for_clock(gate, "the jump to be seen", lambda clock: clock.get("code") == "clock-jump")
    told = gate.events.wait("service", since=mark, state="clock-jump")
    status = gate.status()
    assert status["clock"]["trust"] == "holdover" and status["clock"]["machine"] > status["clock"]["time"]
    assert told["machine"][:13] == status["clock"]["machine"][:13]
    # The plan of nine o'clock does not begin at three, and who may pass at three passes.
    assert lane(gate)["mode"] == {"mode": "normal", "source": "standard"}
    assert tap(carl) == ("granted", "granted")
    whats = [record["detail"]["what"] for record in gate.journal("--kind", "service")]
    assert [what for what in whats if "clock" in what and what != "clock-set"] == ["clock-confirmed", "clock-jump"]
    # Who set it leaves a record; those of the jump keep the machine's own reading and the monotonic one.
    wait_until("the record of the setting", lambda: gate.journal("--reason", "clock-set"), instead=lambda: gate.journal()[-5:])
    was, now = (gate.journal("--reason", "clock-set")[0]["detail"][name] for name in ("from", "to"))
    assert was < now
    gate.wait_for_the_journal()
    record = next(record for record in reversed(gate.journal()) if record["kind"] == "outcome")
    assert record["machine"] > record["time"] and record["monotonic"] > 0 and len(record["boot"]) == 32
    assert "clock-jump" in gate.log

    clock.set(0)
    gate.events.wait("service", since=mark, state="clock-believed")
    assert gate.status()["clock"]["trust"] == "synchronised"
    # Nothing of the jump is left: neither a floor nor a mode.
    assert tap(carl) == ("granted", "granted")
    gate.wait_for_the_journal()
    assert "machine" not in next(record for record in reversed(gate.journal()) if record["kind"] == "outcome")
    wait_until("the record of the way back", lambda: len(gate.journal("--reason", "clock-set")) == 2, instead=lambda: gate.journal()[-5:])
    assert not [event for event in gate.events.since(mark) if event["event"] == "mode"]


def test_a_restart_of_the_daemon_does_not_make_a_jump_true(stand_alone):
    gate, clock = stand_alone()
    gate.ask("clock", "confirm")
    gate.kill()
    clock.set(6)
    gate.start()
    gate.wait_for_reader()
    assert gate.status()["clock"]["code"] == "clock-jump"
    assert lane(gate)["mode"]["mode"] == "normal"


def test_root_says_that_the_jump_is_right(stand_alone):
    gate, clock = stand_alone()
    gate.ask("clock", "confirm")
    clock.set(6)
    wait_for_clock(gate, "the jump to be seen", lambda clock: clock.get("code") == "clock-jump")
    assert "confirmed" in gate.run_tool("clock", "confirm").stdout
    wait_until("the lane to be open by its plan", lambda: lane(gate)["mode"] == {"mode": "free-passage", "source": "schedule"}, instead=lambda: lane(gate))


def test_the_first_time_after_a_start_serves_and_opens_nothing(carl, stand_alone):
    """At the first start nobody knows better than the machine: it is served, and the plan waits."""
    gate, _ = stand_alone(hours=6)
    status = gate.status()
    assert status["clock"]["trust"] == "synchronised" and status["clock"]["confirmed"] is False
    assert lane(gate)["mode"]["mode"] == "normal"
    assert [warning["code"] for warning in lane(gate)["warnings"]] == ["plan-unconfirmed"]
    assert "not confirmed since the start" in gate.run_tool("status").stdout
    assert tap(carl) == ("refused", "outside-schedule")
    gate.ask("clock", "confirm")
    wait_until("the lane to be open by its plan", lambda: lane(gate)["mode"]["mode"] == "free-passage", instead=lambda: lane(gate))


def test_an_installer_may_have_the_first_time_open_lanes(site, stand_alone):
    gate, clock = stand_alone(hours=6, after_boot="believe")
    assert lane(gate)["mode"] == {"mode": "free-passage", "source": "schedule"}
    checked = site.programs.run("tapstile", "check-config", gate.configuration)
    assert "time-believed-at-once" in checked.stdout + checked.stderr
    clock.set(12)
    wait_for_clock(gate, "the jump to be seen", lambda clock: clock.get("code") == "clock-jump")
    assert lane(gate)["mode"]["mode"] == "free-passage"
