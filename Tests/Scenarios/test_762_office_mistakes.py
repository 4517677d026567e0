"""What somebody mistypes in the office, and what its disk forgets, ends in a sentence and not in a door that stands open."""

import json
import os
import shutil
import sqlite3
from contextlib import closing

import pytest

from test_747_daily_life import Office, office  # noqa: F401


def told(office, *command, status=1):
    run = office.run(*command, "--json", status=status)
    return json.loads(run.stderr.splitlines()[-1])["error"]


def test_a_site_that_no_gate_takes_is_not_made(tmp_path):
    office = Office(str(tmp_path))
    assert told(office, "init", "--site", "a b")["code"] == "bad-name"
    assert not os.path.exists(office.dir)
    office.run("init", "--site", "a-b")


def test_numbers_and_dates_that_nothing_can_count_beyond(office):  # noqa: F811
    out = os.path.join(office.folder, "site")
    office.run("export", "--out", out, "--above", str(2**63 - 2), status=2)
    assert office.json("export", "--out", out, "--above", str(2**53 - 1))["version"] == 2**53
    assert office.json("export", "--out", out)["version"] == 2**53 + 1
    key = office.key("anna")
    for command in (["token", "--out", os.path.join(office.folder, "token")], ["enrol"]):
        assert told(office, *command, "--key", key, "--subject", "anna", "--not-before", "9999-12-31", "--valid", "30d")["code"] == "times-too-late"


def test_a_repository_that_was_begun_says_how_to_go_on(office):  # noqa: F811
    keys = {}
    for role in ("root", "targets"):
        keys[role] = os.path.join(office.folder, f"{role}.key")
        office.programs.run("tapstile-authority", "role-key", "--role", role, "--out", keys[role])
    begin = ["publish", "init", "--repo", office.repository]
    begin += [word for role, path in keys.items() for word in (f"--{role}-key", path.replace(".key", ".pub"))]
    office.run(*begin)
    again = told(office, *begin)
    assert again["code"] == "repository-exists" and "'draft root'" in again["message"] and "'publish' goes on" in again["message"]


@pytest.mark.parametrize("damage", ["places = x'8281058164746f6b6e'", "kid = x''", "user_verification = 7", "subject = 'anna of another'"])
def test_a_bit_that_flipped_is_not_signed(office, damage):  # noqa: F811
    office.run("enrol", "--key", office.key("anna"), "--subject", "anna", "--audience", "tapstile:north/side")
    office.run("publish", "init", "--repo", office.repository, "--together")
    with closing(sqlite3.connect(os.path.join(office.dir, "authority.db"))) as database, database:
        database.execute(f"UPDATE enrolled SET {damage}")
    error = told(office, "export", "--out", os.path.join(office.folder, "site"))
    assert error["code"] == "database-corrupt" and "anna" in error["message"]
    office.run("enrol", "--key", office.key("ben"), "--subject", "ben")
    assert told(office, "new-epoch")["code"] == "database-corrupt"
    assert not os.path.exists(os.path.join(office.folder, "site"))


def test_a_rehearsal_above_a_restored_backup_says_who_would_be_let_in(office):  # noqa: F811
    for name in ("anna", "ben"):
        office.run("enrol", "--key", office.key(name), "--subject", name)
    office.run("publish", "init", "--repo", office.repository, "--together")
    backup = shutil.copytree(office.dir, os.path.join(office.folder, "backup"))
    office.run("ban", "--subject", "ben", "--yes")
    office.run("publish")
    shutil.rmtree(office.dir)
    shutil.copytree(backup, office.dir)
    rehearsed = office.json("publish", "--dry-run", "--restored", "office")
    assert any("'ben' (banned)" in line for line in rehearsed["letIn"]) and rehearsed["shutOut"] is None
    assert rehearsed["changes"] == 2 and rehearsed["full"] is True
    learned = office.json("publish", "--dry-run", "--restored", "repository")
    assert any("'ben' (banned)" in line for line in learned["shutOut"]) and learned["letIn"] is None
    done = office.json("publish", "--restored", "repository")
    assert {name: value for name, value in done.items() if name != "expires"} == {name: value for name, value in learned.items() if name != "expires"}
