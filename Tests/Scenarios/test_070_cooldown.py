"""The delays between runs (T7, T8): whom they stop, whom not, and a phone that is left lying."""

import time

from gatehouse import RelayedPhone


def test_a_second_tap_rests_and_is_told_for_how_long(site, start):
    gate = start(lane="cooldown-success-ms = 6000")
    assert site.anna.phone().tap()["result"] == "granted"
    relay = gate.events.wait("relay", energised=True)
    mark = gate.events.mark
    told = site.anna.phone().tap()
    event = gate.events.wait("result", since=mark)
    assert told["reason"] == event["reason"] == "cooldown-success"
    assert told["retryAfterMilliseconds"] == event["retryAfter"]
    # Counted from the relay; the two clocks round.
    assert abs(relay["time"] + 6000 - (event["time"] + event["retryAfter"])) <= 50
    assert [each for each in gate.events.since(mark, "relay") if each["energised"]] == []


def test_a_refusal_by_cooldown_starts_and_extends_nothing(site, start):
    gate = start(lane="cooldown-success-ms = 3000\ncooldown-failure-ms = 60000")
    assert site.anna.phone().tap()["result"] == "granted"
    mark = gate.events.mark
    refused = site.anna.phone().tap()
    assert refused["reason"] == "cooldown-success"
    wait_out(gate, mark)
    assert site.anna.phone().tap()["result"] == "granted"


def test_a_stranger_learns_nothing_from_a_cooldown(site, start):
    gate = start(lane="cooldown-success-ms = 60000")
    assert site.anna.phone().tap()["result"] == "granted"
    carl = site.person("carl")
    carl.enrol()
    mark = gate.events.mark
    told = carl.phone().tap()
    assert told["reason"] is None and told["retryAfterMilliseconds"] is None
    assert gate.events.wait("result", since=mark)["reason"] == "unknown-key"


def test_after_a_failure(site, start):
    """T8: the reader rests, and repeats do not extend it."""
    gate = start(lane="cooldown-success-ms = 0\ncooldown-failure-ms = 60000")
    bert = site.person("bert")
    bert.give_token("--scope", "hold")
    assert bert.phone().tap()["reason"] == "scope-lacks-command"
    first = site.anna.phone().tap()
    second = site.anna.phone().tap()
    assert first["reason"] == second["reason"] == "cooldown-failure"
    assert second["retryAfterMilliseconds"] < first["retryAfterMilliseconds"]


def test_a_phone_left_in_the_field_is_served_when_the_cooldown_ends(site, start):
    """Without being lifted; and after its own result it is left alone."""
    gate = start(lane="cooldown-success-ms = 4000")
    assert site.anna.phone().tap()["result"] == "granted"
    bert = site.person("bert")
    bert.give_token()
    mark = gate.events.mark
    with bert.phone().lay_down() as phone:
        assert phone.result()["reason"] == "cooldown-success"
        granted = phone.result()
        assert granted["result"] == "granted"
    gate.events.wait("result", since=mark, result="granted")
    refused, served = gate.events.since(mark, "result")
    # It is not too early, and nobody had to do anything.
    assert served["time"] - refused["time"] >= refused["retryAfter"] - 50
    assert len(gate.events.since(mark, "started")) == 2


def test_a_granted_phone_left_lying_is_not_run_again(site, start):
    """It is when it comes back after being away for 300 ms."""
    gate = start(lane="cooldown-success-ms = 0")
    mark = gate.events.mark
    with RelayedPhone(site.anna) as phone:
        gate.events.wait("result", since=mark, reason="granted")
        gate.events.wait("indicator", since=mark, indicator="ready")
        # What tells "not yet" from "never" is the reader itself: it looks at the field twice more.
        phone.wait_for_polls(6)
        assert len(gate.events.since(mark, "started")) == 1
    gate.wait_for_reader("reader-ready")
    assert site.anna.phone().tap()["result"] == "granted"
    assert len(gate.events.since(mark, "started")) == 2


def wait_out(gate, mark):
    """Until the cooldown that refused the first tap since `mark` is over. Nothing else tells of that: it is a time that the gate compares with."""
    refused = gate.events.wait("result", since=mark)
    time.sleep(max(0, refused["heard"] + refused["retryAfter"] / 1000 - time.monotonic()))
