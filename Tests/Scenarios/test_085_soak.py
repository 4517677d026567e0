"""The long run in short: every way in which a tap can end, many times over, on one gate in process."""

import json

# Bars that each run must keep. Memory counts only after many more taps than these.
BARS = {"soak-descriptors-growth", "soak-threads-growth", "soak-journal-size-largest", "soak-journal-records-kept",
        "soak-journal-records-lost", "soak-wrongly-granted", "soak-unexpected", "soak-journal-faults"}
# The ends of taps that a run must have seen.
ENDS = {"granted", "revoked", "expired", "bad-proof", "unknown-issuer", "unknown-key", "card-removed", "no-application",
        "protocol-error", "timeout"}


def test_two_thousand_taps_leave_nothing_behind(programs, folder):
    run = programs.run("tapstile-bench", "--soak", 1200, "--warm-up", 800, "--enrolled", 1000, "--revocations", 100,
                       "--dir", folder, "--cache", f"{folder}/cache", status=None)
    measured = {line["name"]: line for line in map(json.loads, run.stdout.splitlines())}
    missed = [line for line in measured.values() if not line["ok"]]
    assert run.returncode == 0 and not missed, f"{missed}\n{run.stderr}"
    assert {name for name, line in measured.items() if line["bar"] is not None} == BARS
    assert {f"soak-{end}" for end in ENDS} <= set(measured)
    assert sum(measured[f"soak-{end}"]["value"] for end in ENDS) == 2000
