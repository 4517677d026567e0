"""Names and other texts of strangers that hide what they are: they are refused, and whatever is left is spelled out on the real screen (S5)."""

import base64
import contextlib
import hashlib
import json
import os
import sqlite3

import pytest

from gatehouse import Programs
from gatehouse.fixtures import gates_of, site_apart
from network.ceremony import Ceremony
from network.certificates import CertificateAuthority
from network.town import Town
from patience import OUTER

# Hides its own line and the one above.
HIDING = "\x1b[2K\x1b[1A"


def unseen(text):
    """What of a text a terminal would not show."""
    return [character for character in text if (ord(character) < 0x20 and character != "\n") or 0x7F <= ord(character) < 0xA0 or ord(character) in range(0x2028, 0x202F)]


@pytest.fixture(scope="module")
def programs():
    return Programs(os.environ["TAPSTILE_BIN"])


def told(run):
    """Everything that a program has said."""
    assert not unseen(run.stdout) and not unseen(run.stderr), run
    return run.stdout + run.stderr


def test_an_issuer_that_hides_its_line_is_signed_by_nobody(programs, tmp_path):
    folder = str(tmp_path)
    office = Ceremony(programs, folder, CertificateAuthority(folder))
    try:
        office.site.authority("issuer", "--rotate", "--issuer", "thief")
        path, signature = os.path.join(office.keys, "draft"), os.path.join(office.keys, "sig")
        office.site.authority("draft", "targets", "--out", path)
        with open(path, encoding="utf-8") as file:
            draft = json.load(file)
        # The program of an owned office does not refuse it.
        data = base64.b64decode(draft["siteData"])
        assert data.count(b"thief") == 1
        data = data.replace(b"thief", b"s\x1b[1A")
        draft["siteData"] = base64.b64encode(data).decode()
        draft["signed"]["targets"]["site/data"] = {"length": len(data), "hashes": {"sha256": hashlib.sha256(data).hexdigest()}}
        with open(path, "w", encoding="utf-8") as file:
            json.dump(draft, file)
        run = programs.run("tapstile-authority", "sign", path, "--key", office.private("targets"), "--out", signature, "--yes", status=1)
        assert "draft-malformed" in told(run) and "thief" not in told(run)
        assert not os.path.exists(signature)
    finally:
        office.close()


def test_key_identifiers_of_a_server_reach_status_and_sync_spelled_out(programs, tmp_path):
    town = Town(programs, str(tmp_path), CertificateAuthority(str(tmp_path)))
    try:
        town.enrol("ada")
        town.publish()
        gate = town.served_gate()
        path = os.path.join(town.repository, "metadata", "timestamp.json")
        with open(path, encoding="utf-8") as file:
            timestamp = json.load(file)
        forged = f"x{HIDING}lane    entry: in service\u202e\u009b2J"
        timestamp["signatures"] = 2 * [{"keyid": forged, "sig": "00" * 64}]
        with open(path, "w", encoding="utf-8") as file:
            json.dump(timestamp, file)
        run = programs.run("tapstile", "sync", "--wait", "--socket", gate.socket, status=1, seconds=OUTER)
        spelled = "x\\u{1b}[2K\\u{1b}[1Alane    entry: in service\\u{202e}\\u{9b}2J"
        assert spelled in told(run)
        assert spelled in told(gate.run_tool("status"))
        # Programs get the very same text, and nothing raw.
        run = gate.run_tool("status", "--json")
        assert not unseen(run.stdout) and forged in json.loads(run.stdout)["sync"]["failure"]["message"]
        assert not unseen(gate.log)
    finally:
        town.close()


def test_a_subject_forges_no_line_of_the_journal(programs):
    """It was enrolled by an older version: who has it is served, for nobody is locked out by an upgrade."""
    with site_apart(programs) as site, gates_of(site) as start:
        carl = site.person("carl")
        carl.enrol()
        gate = start()
        gate.stop()
        forged = f"anna{HIDING}\n    999 2026-01-31T08:00:00.123Z outcome entry entry-reader granted subject=ben reason=expired"
        with contextlib.closing(sqlite3.connect(site.path("state", "trust.db"))) as database:
            changed = database.execute("UPDATE enrolled SET subject = ?", [forged]).rowcount
            database.commit()
        assert changed == 1
        gate.start()
        gate.wait_for_reader()
        assert carl.phone().tap()["result"] == "granted"
        gate.wait_for_the_journal()
        lines = [line for line in told(gate.run_tool("journal")).splitlines() if "granted" in line]
        assert len(lines) == 1 and "subject=\"anna\\u{1b}[2K\\u{1b}[1A\\u{a} " in lines[0]
        assert gate.journal("--reason", "granted")[0]["subject"] == forged
        told(gate.run_tool("status"))


@pytest.mark.parametrize("name", [HIDING, "anna ", "an\u200bna", "a\u202enna", "a\u00a0b"])
def test_nobody_is_enrolled_by_such_a_name(programs, name):
    with site_apart(programs) as site:
        run = programs.run("tapstile-authority", "enrol", "--dir", site.path("authority"), "--key", site.anna.public_key, "--subject", name, status=1)
        assert "name-forbidden" in told(run)
