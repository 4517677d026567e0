"""The long run in short: every way in which a tap can end, many times over, on one gate in process."""

import json

from patience import LONG

# Bars that each run must keep. Memory counts only after many more taps than these.
BARS = {"soak-descriptors-growth", "soak-threads-growth", "soak-journal-size-largest", "soak-journal-records-kept",
        "soak-journal-records-lost", "soak-wrongly-granted", "soak-unexpected", "soak-journal-faults"}
# The ends of taps that a run must have seen.
ENDS = {"granted", "revoked", "expired", "bad-proof", "unknown-issuer", "unknown-key", "card-removed", "no-application",
        "protocol-error", "timeout"}


def test_two_thousand_taps_leave_nothing_behind(programs, folder):
    run = programs.run("tapstile-bench", "--soak", 1200, "--warm-up", 800, "--enrolled", 1000, "--revocations", 100,
                       "--dir", folder, "--cache", f"{folder}/cache", status=None, seconds=LONG)
    measured = {line["name"]: line for line in map(json.loads, run.stdout.splitlines())}
    missed = [line for line in measured.values() if not line["ok"]]
    assert run.returncode == 0 and not missed, f"{missed}\n{run.stderr}"
    assert {name for name, line in measured.items() if line["bar"] is not None} == BARS
    assert {f"soak-{end}" for end in ENDS} <= set(measured)
    assert sum(measured[f"soak-{end}"]["value"] for end in ENDS) == 2000


# What a PN532 and its program must keep to, however short the run. How long all of it takes is told, and not judged.
READER_BARS = {"kill-descriptors-growth", "kill-threads-growth", "kill-wrongly-opened", "kill-journal-faults", "polling-odd-cycles",
               "polling-faults", "polling-memory-growth", "polling-descriptors-growth", "polling-threads-growth"}


def test_a_reader_that_is_killed_and_one_that_looks_for_phones_leave_nothing_behind(programs, folder):
    """The program of a PN532 under taps, and twelve minutes of its polling in a hundredth of the time."""
    run = programs.run("tapstile-bench", "--kills", 4, "--polling", 12, "--enrolled", 1000, "--revocations", 100, "--memberships", 1000,
                       "--dir", folder, "--cache", f"{folder}/cache", status=None, seconds=LONG)
    measured = {line["name"]: line for line in map(json.loads, run.stdout.splitlines())}
    missed = [measured[name] for name in READER_BARS if name not in measured or not measured[name]["ok"]]
    assert not missed, f"{missed}\n{run.stderr}"
    # Each tenth has some; how many there are in so short a time depends on what else the machine does.
    assert measured["polling-cycles"]["value"] > 100
