"""A journal before an independent auditor (auditor.py), who knows nothing of ours but the documents: his verdict and ours are one."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing

import auditor
import pytest

from gatehouse.fixtures import gates_of, site_apart

FAST = "cooldown-success-ms = 0\ncooldown-failure-ms = 0"


@pytest.fixture(scope="module")
def site(programs):
    """A gate's journal after some taps, with what an auditor took away: the key, and a checkpoint from before the last tap."""
    with site_apart(programs) as site, gates_of(site) as start:
        gate = start(lane=FAST, audit="wait-ms = 250")
        bert = site.person("bert")
        bert.give_token("--scope", "hold")
        gate.import_publication(site.publish())
        for person in (site.anna, bert, site.anna):
            person.phone().tap()
        gate.wait_for_the_journal()
        gate.run_tool("journal", "audit-key", "--out", site.path("audit.pub"))
        gate.run_tool("journal", "checkpoint", "--out", site.path("kept.checkpoint"))
        site.anna.phone().tap()
        gate.wait_for_the_journal()
        with open(site.path("collected.json"), "w", encoding="utf-8") as file:
            file.write(gate.run_tool("journal", "--bodies", "--checkpoint", site.path("kept.checkpoint")).stdout)
        # Its newest records are in the log alone.
        gate.kill()
        site.state = os.path.join(os.path.dirname(gate.configuration), "state")
        yield site


@pytest.fixture
def copy(site, tmp_path):
    path = str(tmp_path / "journal.db")
    for suffix in ("", "-wal"):
        shutil.copy(os.path.join(site.state, "journal.db" + suffix), path + suffix)
    return path


def theirs(site, path):
    with open(site.path("audit.pub"), encoding="ascii") as key, open(site.path("kept.checkpoint"), "rb") as kept:
        try:
            auditor.journal(path).verify(dict([auditor.key_file(key.read())]), outside=kept.read())
        except auditor.Finding as finding:
            return str(finding)
    return None


def ours(site, path):
    run = subprocess.run(
        [site.programs.path("tapstile-authority"), "verify-journal", path, "--json", "--audit-key", site.path("audit.pub"),
         "--since-checkpoint", site.path("kept.checkpoint")], capture_output=True, text=True, check=False)
    if not run.stdout:
        return json.loads(run.stderr)["error"]["code"]
    said = json.loads(run.stdout)
    codes = [said["outside"]["code"]] if "code" in said["outside"] else []
    return None if said["holds"] else {*codes, *(finding["code"] for finding in said["checkpoints"]["findings"])}


def test_it_holds_from_the_documents_alone(site, copy):
    assert theirs(site, copy) is None and ours(site, copy) is None
    command = [sys.executable, auditor.__file__, copy, "--audit-key", site.path("audit.pub"), "--since-checkpoint", site.path("kept.checkpoint")]
    assert "checkpoints hold" in subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_the_journal_names_its_key_as_the_page_says(site, copy):
    with open(site.path("audit.pub"), encoding="ascii") as key:
        assert list(auditor.journal(copy).named_keys()) == [auditor.key_file(key.read())[0]]


def test_what_was_collected_holds_and_has_everything(site):
    path = site.path("collected.json")
    assert theirs(site, path) is None and ours(site, path) is None
    found = auditor.journal(path)
    grant = next(record for record in found.chains["main"].records.values() if record.get(15) == "granted")
    # Boot, evidence and the attempt inside.
    assert len(grant[3]) == 16 and grant[17] and grant[19]


DROP = """INSERT OR REPLACE INTO anchor SELECT 'main', sequence, hash FROM main_record WHERE sequence = 3;
    DELETE FROM main_record WHERE sequence <= 3"""


@pytest.mark.parametrize("change, code", [
    ("UPDATE main_record SET wall = wall + 1 WHERE sequence = 3", "journal-broken"),
    ("UPDATE main_record SET body = (SELECT body FROM main_record WHERE sequence = 2) WHERE sequence = 3", "journal-broken"),
    ("DELETE FROM main_record WHERE sequence = 3", "journal-broken"),
    ("INSERT OR REPLACE INTO anchor SELECT 'main', sequence, hash FROM main_record WHERE sequence = 3", "journal-broken"),
    (DROP, "checkpoint-first-differs"),
    ("DELETE FROM main_record WHERE sequence > 5", "checkpoint-tail-cut"),
    ("CREATE TRIGGER swallow BEFORE INSERT ON main_record BEGIN SELECT RAISE(IGNORE); END", "journal-schema-differs"),
    ("DROP INDEX main_record_by_reason; CREATE INDEX main_record_by_reason ON main_record (reason) WHERE reason = 'x'", "journal-schema-differs"),
])
def test_both_find_what_somebody_did(site, copy, change, code):
    with closing(sqlite3.connect(copy, isolation_level=None)) as journal:
        journal.executescript(change)
    assert theirs(site, copy) == code
    found = ours(site, copy)
    assert found == code or code in found
