"""Signed checkpoints: what an auditor keeps elsewhere, and what is found with it (docs/journal.md)."""

import json
import os
import shutil
import sqlite3
import stat
from contextlib import closing

import pytest

from patience import wait_until


def state(gate, name):
    return os.path.join(os.path.dirname(gate.configuration), "state", name)


def code_of(run):
    return json.loads(run.stderr)["error"]["code"]


def verdict(gate, *options, status=0):
    return json.loads(gate.run_tool("journal", "verify", "--json", *options, status=status).stdout)


def audit(gate, path, *options, status=0):
    """A copy of the journal in the hands of somebody who has no gate."""
    return gate.programs.run("tapstile-authority", "verify-journal", path, "--json", *options, status=status)


@pytest.fixture
def audited(start, tmp_path):
    """A gate with some records, its public audit key and a checkpoint kept elsewhere."""
    gate = start()
    gate.key, gate.kept = str(tmp_path / "audit.pub"), str(tmp_path / "kept.checkpoint")
    gate.run_tool("journal", "audit-key", "--out", gate.key)
    for _ in range(5):
        gate.ask("reload")
    gate.wait_for_the_journal()
    gate.checkpoint = gate.ask("journal", "checkpoint", "--out", gate.kept)
    yield gate


def test_the_key_is_the_gates_alone(audited):
    gate = audited
    assert stat.S_IMODE(os.stat(state(gate, "audit.key")).st_mode) == 0o600
    with open(gate.key, encoding="utf-8") as file:
        public = file.read()
    assert public == gate.run_tool("journal", "audit-key").stdout and "PUBLIC" in public
    assert gate.status()["journal"]["auditKey"] == {"thumbprint": gate.ask("journal", "audit-key")["thumbprint"]}
    # No key is written over, and neither is a checkpoint.
    for action, path in (("audit-key", gate.key), ("checkpoint", gate.kept)):
        assert code_of(gate.run_tool("journal", action, "--json", "--out", path, status=1)) == "file-exists"


def test_it_holds_against_what_was_kept(audited, tmp_path):
    gate = audited
    names = {name: gate.status()[name] for name in ("site", "gate")}
    gate.ask("reload")
    found = verdict(gate, "--since-checkpoint", gate.kept, "--audit-key", gate.key)
    assert found["holds"] and found["checkpoints"]["count"] == 1 and not found["checkpoints"]["findings"]
    assert found["outside"] == {"holds": True, "sequence": gate.checkpoint["sequence"]}
    assert {name: found[name] for name in names} == names
    # So does a copy of a gate that was killed, whose newest records are in the log; it is left as it is, also where nobody may write.
    gate.kill()
    copy = tmp_path / "copy"
    copy.mkdir()
    for suffix in ("", "-wal"):
        shutil.copy(state(gate, "journal.db" + suffix), copy)
    before = {path.name: path.read_bytes() for path in copy.iterdir()}
    options = ["--audit-key", gate.key, "--since-checkpoint", gate.kept]
    assert json.loads(audit(gate, str(copy / "journal.db"), *options).stdout)["holds"]
    assert json.loads(audit(gate, str(copy / "journal.db"), *options, "--gate", "another", status=1).stdout)["outside"]["code"] == "checkpoint-other-gate"
    assert {path.name: path.read_bytes() for path in copy.iterdir()} == before
    gate.start()
    text = gate.run_tool("journal", "verify").stdout
    assert "The main chain is whole" in text and "not found, whatever holds: Without a checkpoint from outside" in text
    assert "The audit key came from the gate" in text


def test_a_cut_tail_is_found_by_what_was_kept(audited, tmp_path):
    gate = audited
    gate.stop()
    path = str(tmp_path / "journal.db")
    shutil.copy(state(gate, "journal.db"), path)
    assert json.loads(audit(gate, path, "--since-checkpoint", gate.kept, "--audit-key", gate.key).stdout)["holds"]
    with closing(sqlite3.connect(path, isolation_level=None)) as journal:
        journal.execute("DELETE FROM main_record WHERE sequence >= ?", (gate.checkpoint["sequence"],))
    before = {name: (tmp_path / name).read_bytes() for name in os.listdir(tmp_path) if name.startswith("journal.db")}
    without = json.loads(audit(gate, path, "--audit-key", gate.key).stdout)
    assert before == {name: (tmp_path / name).read_bytes() for name in os.listdir(tmp_path) if name.startswith("journal.db")}
    assert any("whose journal" in limit for limit in without["limits"])
    assert without["holds"] and any("cut off at the end" in limit for limit in without["limits"])
    found = json.loads(audit(gate, path, "--since-checkpoint", gate.kept, "--audit-key", gate.key, status=1).stdout)
    assert found["outside"]["code"] == "checkpoint-tail-cut"
    # The gate itself, started on what is left, writes on; the checkpoint still tells.
    shutil.copy(path, state(gate, "journal.db"))
    gate.start()
    found = verdict(gate, "--since-checkpoint", gate.kept, "--audit-key", gate.key, status=1)
    assert found["outside"]["code"] in ("checkpoint-tail-cut", "checkpoint-head-differs")
    assert "journal-cut" in gate.log


def test_a_changed_record_is_named(audited):
    gate = audited
    gate.stop()
    with closing(sqlite3.connect(state(gate, "journal.db"), isolation_level=None)) as journal:
        rows = journal.execute("SELECT sequence, body FROM main_record").fetchall()
        sequence, body = [row for row in rows if b"reloaded" in row[1]][2]
        journal.execute("UPDATE main_record SET body = ? WHERE sequence = ?", (body.replace(b"reloaded", b"relOaded"), sequence))
    run = audit(gate, state(gate, "journal.db"), status=1)
    assert code_of(run) == "journal-broken" and f"Record {sequence} of the main chain" in run.stderr


def test_files_that_are_no_checkpoint_or_key(audited, tmp_path):
    gate = audited
    cut = tmp_path / "cut"
    with open(gate.kept, "rb") as file:
        cut.write_bytes(file.read()[:-1])
    assert code_of(gate.run_tool("journal", "verify", "--json", "--since-checkpoint", str(cut), status=1)) == "checkpoint-malformed"
    gate_issuer = os.path.join(os.path.dirname(gate.configuration), "authority", "gate-issuer.pub")
    assert code_of(gate.run_tool("journal", "verify", "--json", "--audit-key", gate_issuer, status=1)) == "key-file-role"


def test_a_lost_key_is_loud_and_the_old_one_still_counts(audited):
    gate = audited
    gate.stop()
    os.unlink(state(gate, "audit.key"))
    gate.start()
    assert gate.status()["journal"]["auditKey"]["warning"]["code"] == "audit-key-lost"
    assert "audit-key-lost" in gate.log and "audit-key-lost" in gate.run_tool("status").stdout
    whats = [record["detail"]["what"] for record in gate.journal("--reason", "audit-key")]
    assert whats == ["audit-key-made", "audit-key-replaced"]
    gate.ask("journal", "checkpoint")
    # The gate's own word: both keys count. Who kept the first one alone sees that something changed.
    assert verdict(gate, "--since-checkpoint", gate.kept)["holds"]
    found = verdict(gate, "--since-checkpoint", gate.kept, "--audit-key", gate.key, status=1)
    assert found["outside"]["holds"] and {finding["code"] for finding in found["checkpoints"]["findings"]} == {"checkpoint-key-unknown"}


def test_a_journal_that_was_taken_away_is_told_by_the_key_that_stayed(audited):
    gate = audited
    gate.stop()
    for name in os.listdir(os.path.dirname(state(gate, "journal.db"))):
        if name.startswith("journal."):
            os.unlink(state(gate, name))
    gate.start()
    assert gate.status()["journal"]["auditKey"]["warning"]["code"] == "journal-gone"
    assert "journal-gone" in gate.log and gate.journal("--reason", "journal-gone")
    # Once: the next start finds the new one.
    gate.stop()
    gate.start()
    assert "warning" not in gate.status()["journal"]["auditKey"]


def test_collecting(start, tmp_path):
    gate = start(audit='collect = "export"')
    head = gate.journal()[-1]["sequence"]
    answer = gate.ask("journal", "ack", "--through", str(head))
    assert answer["through"] == head and answer["overwritten"] == 0
    collection = gate.status()["journal"]["collection"]
    assert collection["through"] == head and "warning" not in collection
    record = gate.journal("--reason", "journal-collected")[-1]
    assert record["detail"]["through"] == head and record["detail"]["user"] == os.getuid()
    for sequence, code in ((head - 1, "journal-collected-already"), (10**6, "journal-not-that-far")):
        assert code_of(gate.run_tool("journal", "ack", "--json", "--through", str(sequence), status=1)) == code
    kept = str(tmp_path / "kept")
    sequence = gate.ask("journal", "checkpoint", "--out", kept)["sequence"]
    assert gate.ask("journal", "ack", "--checkpoint", kept)["through"] == sequence
    gate.stop()
    gate.start()
    assert gate.status()["journal"]["collection"]["through"] == sequence


def test_an_end_that_was_none_is_signed_at_the_next_start(start):
    gate = start()
    gate.wait_for_the_journal()
    gate.kill()
    gate.start()
    wait_until("the checkpoint", lambda: gate.journal("--kind", "checkpoint"), pause=0, instead=lambda: f"there is {gate.journal()[-8:]}")
    assert verdict(gate)["checkpoints"]["count"] >= 1
