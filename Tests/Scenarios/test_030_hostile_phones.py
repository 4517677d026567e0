"""Phones that break every rule. The gate says no, stays shut, and serves the next one."""

import random
import threading
import time

import pytest

from gatehouse import RelayedPhone, Silence

# On a busy machine things are seen later than they happen.
SLACK_MILLISECONDS = 1000
DEADLINE_MILLISECONDS = 1500
SUCCESS = b"\x90\x00"
GET_RESPONSE = 0xC0


def outcome_of(gate, mark, presented):
    """The result of the presentation since `mark`, which must be no grant."""
    with presented:
        result = gate.events.wait("result", since=mark)
    gate.wait_for_an_empty_field()
    assert result["result"] == "denied", result
    assert gate.events.since(mark, "relay") == []
    return result["reason"]


def still_serves(gate, site):
    mark = gate.events.mark
    assert site.anna.phone().tap()["result"] == "granted"
    gate.events.wait("relay", since=mark, energised=False)


def every_attempt_is_closed(gate):
    """What was begun in the journal has an outcome: nothing is left to close at the next start."""
    gate.journal()
    gate.wait_for_an_empty_field()
    gate.stop()
    gate.start()
    assert "attempts-closed" not in gate.log


def body(response):
    return response[:-2]


def flipped(response, place):
    return response[:place] + bytes([response[place] ^ 0x10]) + response[place + 1:]


CHANGES = {
    "truncated": lambda response, earlier: response[: len(response) // 2] + response[-2:],
    "no data": lambda response, earlier: response[-2:],
    "nothing at all": lambda response, earlier: b"",
    "one byte": lambda response, earlier: b"\x90",
    "oversized": lambda response, earlier: bytes(2000) + SUCCESS,
    "longer by a byte": lambda response, earlier: body(response) + b"\x00" + response[-2:],
    "the one before again": lambda response, earlier: earlier,
    "a bit turned over": lambda response, earlier: flipped(response, len(response) // 2),
    "random": lambda response, earlier: random.Random(len(response)).randbytes(200) + SUCCESS,
    "an unknown status": lambda response, earlier: b"\x12\x34",
}


@pytest.mark.parametrize("step", [1, 2, 3])
def test_answers_that_were_changed(site, gate, step):
    """Of SELECT, of EXCHANGE with message_3 in two parts, of GET RESPONSE."""
    for name, change in CHANGES.items():
        earlier = [SUCCESS]

        def changed(number, command, response):
            sent = change(response, earlier[-1]) if number == step else response
            earlier.append(response)
            return sent

        reason = outcome_of(gate, gate.events.mark, RelayedPhone(site.anna, changed))
        assert reason in ("malformed", "protocol-error", "bad-proof", "phone-declined", "no-application",
                          "card-removed", "reader-fault", "unknown-issuer", "bad-signature", "timeout"), (name, reason)
    still_serves(gate, site)
    every_attempt_is_closed(gate)


def test_answers_in_another_order(site, gate):
    """The two parts of message_3 change places."""
    parts = []

    def swapped(number, command, response):
        if number == 2:
            parts.append(response)
            # The phone is asked for the second part already now.
            return phone.ask(bytes([0, GET_RESPONSE, 0, 0, 0]))[:-2] + response[-2:]
        return parts[0][:-2] + SUCCESS if number == 3 else response

    phone = RelayedPhone(site.anna, swapped)
    assert outcome_of(gate, gate.events.mark, phone) in ("malformed", "protocol-error", "bad-proof")
    still_serves(gate, site)


def test_a_granted_tap_played_again(site, gate, card):
    """Every byte of a tap that opened the gate, from a recording: it was for that once only."""
    recording = []

    def record(number, command, response):
        recording.append(response)
        return response

    mark = gate.events.mark
    with RelayedPhone(site.anna, record):
        assert gate.events.wait("result", since=mark)["result"] == "granted"
        gate.events.wait("relay", since=mark, energised=False)
    gate.wait_for_reader("reader-ready")
    played = iter(recording)
    assert outcome_of(gate, gate.events.mark, card(lambda command: next(played, SUCCESS))) == "protocol-error"


def test_random_answers(site, gate, card):
    chance = random.Random(4711)
    for _ in range(8):
        status = chance.choice([SUCCESS, SUCCESS, b"\x61\x10", b"\x6c\x05"])
        answer = chance.randbytes(chance.choice([0, 1, 7, 37, 255, 600])) + status
        outcome_of(gate, gate.events.mark, card(lambda command: answer))
    still_serves(gate, site)


def test_an_outcome_that_is_answered_badly_changes_nothing(site, gate):
    """The gate has opened by then."""
    for answer in (b"", b"\x6f\x00", bytes(2000) + SUCCESS):
        mark = gate.events.mark
        with RelayedPhone(site.anna, lambda number, command, response: answer if command[1] == 0xE4 else response):
            assert gate.events.wait("result", since=mark)["result"] == "granted"
            gate.events.wait("relay", since=mark, energised=False)
        gate.wait_for_reader("reader-ready")


@pytest.mark.parametrize("step", [1, 2, 3, 4])
def test_pulled_away(site, gate, step):
    """At every command. The outcome (4) comes after the relay."""
    mark = gate.events.mark
    phone = RelayedPhone(site.anna, lambda number, command, response: phone.remove() if number == step else response)
    phone.insert()
    result = gate.events.wait("result", since=mark)
    phone.remove()
    if step == 4:
        assert result["result"] == "granted"
        gate.events.wait("relay", since=mark, energised=False)
    else:
        assert (result["result"], result["reason"]) == ("denied", "card-removed")
        assert gate.events.since(mark, "relay") == []
    still_serves(gate, site)
    every_attempt_is_closed(gate)


@pytest.mark.parametrize("step", [1, 2, 3])
def test_a_silent_card_is_given_up(site, gate, step):
    """1.5 s, indicators go on, and the answer that comes after 4 s opens nothing."""
    silence = Silence(step)
    mark = gate.events.mark
    with RelayedPhone(site.anna, silence):
        result = gate.events.wait("result", since=mark)
        assert (result["result"], result["reason"]) == ("denied", "timeout")
        started = gate.events.wait("started", since=mark)
        waited = result["time"] - started["time"]
        assert DEADLINE_MILLISECONDS - 10 <= waited <= DEADLINE_MILLISECONDS + SLACK_MILLISECONDS
        # The indicators change while the driver still waits for the card.
        denied = gate.events.wait("indicator", since=mark, indicator="denied")
        assert abs(denied["time"] - result["time"]) <= SLACK_MILLISECONDS
        gate.events.wait("indicator", since=mark, indicator="ready")
        assert gate.status()["lanes"][0]["faults"] == []
        # So does everything else: 4 s of silence.
        silence.answers.wait(4 - waited / 1000 - 1)
        silence.answers.set()
        late = gate.events.mark
    back_in_time(gate, late)
    assert gate.events.since(mark, "relay") == []
    still_serves(gate, site)
    every_attempt_is_closed(gate)


def back_in_time(gate, mark):
    """The reader is back within a second after the driver has given up."""
    began = time.monotonic()
    gate.wait_for_reader("reader-ready")
    assert time.monotonic() - began <= 1 + SLACK_MILLISECONDS / 1000


def test_a_reader_that_is_stuck_is_a_fault(site, start):
    """After 10 s, here 2 s; and it comes back by itself when the card goes."""
    gate = start(lane="cooldown-success-ms = 0\ncooldown-failure-ms = 0", reader="stuck-after-ms = 2000")
    silence = Silence(2)
    mark = gate.events.mark
    phone = RelayedPhone(site.anna, silence).insert()
    gate.events.wait("reader", since=mark, state="reader-stuck")
    gate.events.wait("lane", since=mark, faults=["reader-stuck"])
    gate.events.wait("indicator", since=mark, indicator="fault")
    status = gate.status()
    assert status["readers"][0]["inService"] is False
    assert "Take the phone or card away" in status["readers"][0]["message"]
    assert status["lanes"][0]["faults"][0]["code"] == "reader-stuck"
    mark = gate.events.mark
    silence.answers.set()
    phone.remove()
    back_in_time(gate, mark)
    gate.events.wait("lane", since=mark, faults=[])
    still_serves(gate, site)


def test_other_readers_do_not_wait(site, start):
    """A card is silent at one reader; at the second slot of the device, another lane, Anna passes."""
    second = """
[[lane]]
name = "exit"
[lane.relay]
chip = "simulated"
line = 1
[[reader]]
name = "exit-reader"
lane = "exit"
[reader.match]
name = "Tapstile Virtual Reader 00 01"
"""
    gate = start(more=second)
    silence = Silence(2)
    mark = gate.events.mark
    with RelayedPhone(site.anna, silence):
        silence.wait_for_it()
        site.anna.phone("--slot", "2").tap()
        assert gate.events.wait("result", since=mark, lane="exit")["result"] == "granted"
        silence.answers.set()


@pytest.mark.parametrize("pace", ["at once", "slowly"])
def test_more_is_promised_for_ever(site, gate, card, pace):
    """61xx again and again, with nothing or a byte in it: the deadline stands."""
    pause = threading.Event()

    def promise(command):
        if pace == "slowly":
            pause.wait(0.3)
        return b"\x61\x10" if pace == "slowly" else b"\x00\x61\xff"

    mark = gate.events.mark
    reason = outcome_of(gate, mark, card(promise))
    assert reason in ("timeout", "protocol-error")
    waited = gate.events.wait("result", since=mark)["time"] - gate.events.wait("started", since=mark)["time"]
    assert waited <= DEADLINE_MILLISECONDS + SLACK_MILLISECONDS
    still_serves(gate, site)


def test_a_slow_phone_is_served_within_the_deadline(site, gate):
    """Half a second for message_3 is no reason to refuse."""
    pause = threading.Event()
    mark = gate.events.mark

    def slow(number, command, response):
        if number == 2:
            pause.wait(0.5)
        return response

    with RelayedPhone(site.anna, slow):
        assert gate.events.wait("result", since=mark)["result"] == "granted"


def test_a_card_without_a_valid_answer_to_reset(gate, card, site):
    mark = gate.events.mark
    with card(lambda command: SUCCESS, answer_to_reset=b"\x00\xff") as presented:
        presented.wait_for_polls(3)
    # pcscd looks every 400 ms: who comes before it has seen the card leave is not seen.
    gate.wait_for_an_empty_field()
    assert gate.events.since(mark, "relay") == []
    still_serves(gate, site)
