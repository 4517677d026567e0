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


def test_dates_that_nothing_can_count_beyond(office):  # noqa: F811
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
    office.run("enrol", "--key", office.key("ben"), "--subject", "ben")
    for command in (["publish"], ["new-epoch"]):
        error = told(office, *command)
        assert error["code"] == "database-corrupt" and "anna" in error["message"]


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


# Whom somebody means at three in the morning


def test_somebody_with_nearly_the_same_name_is_named_by_what_takes_back(office):  # noqa: F811
    office.run("enrol", "--key", office.key("anna"), "--subject", "anna")
    (warning,) = office.json("enrol", "--key", office.key("other"), "--subject", "Anna")["warnings"]
    assert warning.startswith("name-alike: 'anna'")
    for command in (["suspend"], ["resume"], ["ban", "--yes"], ["unban", "--yes"], ["lost"]):
        (warning,) = office.json(*command, "--subject", "anna")["warnings"]
        assert warning.startswith("name-alike: 'Anna'"), command
    assert [person["phones"] for person in office.list("people")[0]] == [1, 0], "the other one keeps hers"
    office.run("enrol", "--key", office.key("ben"), "--subject", "ben")
    assert "warnings" not in office.json("suspend", "--subject", "ben")


def test_it_is_not_said_of_old_news_that_no_gate_knows(office):  # noqa: F811
    office.run("enrol", "--key", office.key("ben"), "--subject", "ben")
    for command in (["suspend"], ["ban", "--yes"], ["lost"]):
        assert "No gate knows yet" in office.run(*command, "--subject", "ben").stdout, command
        if command == ["suspend"]:
            assert "No gate knows yet" not in office.run(*command, "--subject", "ben").stdout
    for command in (["ban", "--yes"], ["lost"]):
        assert "Nothing is new" in office.run(*command, "--subject", "ben").stdout.splitlines()[-1], command


def test_a_list_that_would_shut_out_everybody_is_refused_by_name(office):  # noqa: F811
    def cards(action, *options, status=0):
        path = os.path.join(office.folder, "cards.csv")
        with open(path, "w", encoding="utf-8") as file:
            file.write("subject,uid,action\n" + "".join(f"p{number},040000000000{number},{action}\n" for number in range(10, 30)))
        return office.run("import", path, *options, status=status)

    cards("set")
    assert "list-takes-much" in cards("remove", status=1).stderr and "--anyway" in cards("remove", status=1).stderr
    assert "list-takes-much" in cards("remove", "--check").stdout
    assert len(office.list("cards")[0]) == 20
    cards("remove", "--anyway")
    assert office.list("cards")[0] == []


def test_what_a_banned_person_holds_is_refused_under_another_name(office):  # noqa: F811
    key = office.key("carl")
    office.run("enrol", "--key", key, "--subject", "carl")
    office.run("ban", "--subject", "carl", "--yes")
    for command in (["enrol"], ["token", "--out", os.path.join(office.folder, "token")]):
        error = told(office, *command, "--key", key, "--subject", "carla")
        assert error["code"] == "holder-taken-back" and "unban --subject 'carl'" in error["message"]
