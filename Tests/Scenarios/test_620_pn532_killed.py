"""The program of a PN532 is killed under taps (O5), as often as a test may take; `make soak` does it five hundred times."""

import time

from gatehouse import RelayedPhone
from gatehouse.nfc import has_stopped_serving, is_well_again

KILLS = 20


def test_its_program_is_killed_under_taps(chip_gate):
    """At each step of a conversation; the phone that lies there is served by the next one."""
    gate = chip_gate
    for round in range(KILLS):
        start = gate.events.mark
        killed = []

        def kills(number, command, response):
            if number == round % 4 + 1 and not killed:
                killed.append(gate.program.kill())
            return response

        with RelayedPhone(gate.site.anna, kills):
            gate.events.wait("result", since=start, result="granted")
            gate.events.wait_until("the reader out of service", has_stopped_serving, start)
            gate.wait_for_reader("reader-card-present")
        gate.wait_for_an_empty_field()
        assert len(killed) == 1 and gate.program.server not in killed
        # The kill at the last step comes when the gate has opened.
        results = [event["reason"] for event in gate.events.since(start, "result")]
        assert results.count("granted") == 1 and len(results) <= 2, results
    assert gate.status()["readers"][0]["recovery"]["restart"] >= KILLS
    is_well_again(gate, 0, time.monotonic(), f"killed {KILLS} times")
