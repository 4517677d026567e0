"""What is collected stands on its own: records through a checkpoint, with what hashes and signatures cover (docs/journal.md)."""

import json

import pytest

from gatehouse.fixtures import gates_of, site_apart


@pytest.fixture(scope="module")
def collected(programs):
    """What somebody collected in the documented order, while people went on tapping."""
    with site_apart(programs) as site, gates_of(site) as start:
        gate = start(lane="cooldown-success-ms = 0\ncooldown-failure-ms = 0", audit='wait-ms = 250\ncollect = "export"')
        gate.import_publication(site.publish())
        for name, action in (("audit.pub", "audit-key"), ("before.checkpoint", "checkpoint")):
            gate.run_tool("journal", action, "--out", site.path(name))
        site.anna.phone().tap()
        gate.wait_for_the_journal()
        gate.run_tool("journal", "checkpoint", "--out", site.path("collected.checkpoint"))
        site.anna.phone().tap()
        gate.wait_for_the_journal()
        lines = gate.run_tool("journal", "--bodies", "--checkpoint", site.path("collected.checkpoint")).stdout.splitlines()
        site.answer = gate.ask("journal", "ack", "--checkpoint", site.path("collected.checkpoint"))
        site.gate, site.lines, site.records = gate, lines, [json.loads(line) for line in lines]
        yield site


def verify(site, lines, *options, status=0):
    path = site.path("collected.json")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    run = site.programs.run("tapstile-authority", "verify-journal", path, "--json", *options, status=status)
    return json.loads(run.stdout) if run.stdout else json.loads(run.stderr)["error"]["code"]


def keys(site):
    return ["--audit-key", site.path("audit.pub"), "--since-checkpoint", site.path("collected.checkpoint")]


def test_a_tap_between_the_commands_is_in_nobodys_file_and_not_collected(collected):
    site = collected
    assert [record["sequence"] for record in site.records] == list(range(1, site.answer["through"] + 1))
    assert sum(record["kind"] == "outcome" for record in site.records) == 1
    later = [record for record in site.gate.journal("--from", str(site.answer["through"] + 1)) if record["kind"] == "outcome"]
    assert len(later) == 1 and site.answer["uncollected"] >= 1


def test_it_is_verified_without_the_gate(collected):
    site = collected
    found = verify(site, site.lines, *keys(site))
    assert found["holds"] and found["outside"]["holds"] and "unproven" not in found
    assert found["main"]["sequence"] == site.answer["through"] == found["outside"]["sequence"]
    assert found["checkpoints"]["count"] >= 1 and found["gate"] == "gate-1"
    # The next part goes on where this one ended, and stands alone as well.
    middle = len(site.lines) // 2
    assert verify(site, site.lines[middle:], *keys(site))["main"]["first"] == middle + 1


@pytest.mark.parametrize("change", ["body", "subject", "time", "drop", "swap", "cut", "end"])
def test_what_somebody_changed_is_found(collected, change):
    site = collected
    lines, place = list(site.lines), next(n for n, record in enumerate(site.records) if record["kind"] == "outcome")
    record = dict(site.records[place])
    if change == "body":
        record["body"] = record["body"].replace(b"anna".hex(), b"bert".hex())
    elif change == "subject":
        # What people read is no other than what is hashed.
        record["subject"] = "bert"
    elif change == "time":
        del record["time"]
    lines[place] = json.dumps(record)
    if change == "drop":
        # Not the last one, which would be the end.
        del lines[place - 1]
    elif change == "swap":
        lines[place], lines[place - 1] = lines[place - 1], lines[place]
    elif change == "cut":
        lines[place] = site.lines[place][:-9]
    elif change == "end":
        # The end is missing: the checkpoint says so.
        assert verify(site, site.lines[:-1], *keys(site), status=1)["outside"]["code"] == "checkpoint-tail-cut"
        return
    assert verify(site, lines, *keys(site), status=1) == "journal-broken"


def test_a_grant_is_proved_by_what_was_collected_alone(collected):
    site = collected
    verify(site, site.lines, *keys(site))
    grant = next(record for record in site.records if record.get("reason") == "granted")
    check = ["verify-evidence", site.path("collected.json"), "--dir", site.path("authority")]
    record = ["--record", str(grant["sequence"]), "--audit-key", site.path("audit.pub")]
    report = site.programs.json("tapstile-authority", *check, *record, "--checkpoint", site.path("collected.checkpoint"))
    assert report["record"]["subject"] == "anna" and report["record"]["sequence"] == grant["sequence"]
    # The checkpoint through which was collected stands for it. Nothing else there that the gate signed says so: without it, it is a phone's word.
    assert report["holds"] and "checkpoint" in report["checks"][-1]["sentence"]
    for options in (record, record[:2], [*record, "--checkpoint", site.path("before.checkpoint")]):
        assert site.programs.json("tapstile-authority", *check, *options, status=4)["verdict"] == "only-phone"
    run = site.programs.run("tapstile-authority", *check, "--record", "99999", "--json", status=1)
    assert json.loads(run.stderr)["error"]["code"] == "record-missing"


def test_bodies_are_those_of_the_whole_main_chain(collected):
    gate = collected.gate
    for options in (["--unproven"], ["--lane", "entry"], ["--reason", "granted"], ["--kind", "outcome"], ["--since", "2026-01-01T00:00:00Z"]):
        gate.run_tool("journal", "--bodies", *options, status=2)
    assert all(record["body"] for record in map(json.loads, gate.run_tool("journal", "--bodies", "--from", "2", "--through", "3").stdout.splitlines()))
