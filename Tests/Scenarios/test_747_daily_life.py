"""The office from day to day: phones are lost, names mistyped, backups restored, and others forget to sign. Whoever looks at exit statuses sees it."""

import json
import os
import pty
import shutil
import subprocess

import pytest

from gatehouse import Programs
from patience import PATIENCE

NOTHING_KNOWN, BEN = "nobody-has-it", "'ben'"


class Office:
    """One whose keys of root and targets are elsewhere, with the clock of whoever runs it."""

    def __init__(self, folder):
        self.programs = Programs(os.environ["TAPSTILE_BIN"])
        self.folder, self.dir, self.repository = folder, os.path.join(folder, "office"), os.path.join(folder, "repository")

    def run(self, *command, status=0):
        return self.programs.run("tapstile-authority", *command, "--dir", self.dir, status=status)

    def json(self, *command, status=0):
        return json.loads(self.run(*command, "--json", status=status).stdout)

    def code(self, *command):
        """Why it was not done."""
        told = self.run(*command, "--json", status=1)
        return json.loads(told.stderr.splitlines()[-1])["error"]["code"]

    def list(self, *command):
        told = self.run("list", *command, "--json")
        return [json.loads(line) for line in told.stdout.splitlines()], told.stderr

    def key(self, name):
        path = os.path.join(self.folder, name)
        self.programs.run("tapstile-phone", "key", "--out", f"{path}.key")
        return f"{path}.pub"


@pytest.fixture
def office(tmp_path):
    office = Office(str(tmp_path))
    office.run("init", "--site", "north")
    office.run("gate", "--name", "main")
    return office


@pytest.fixture
def ben(office):
    key = office.key("ben")
    office.run("enrol", "--key", key, "--subject", "ben")
    office.run("token", "--key", key, "--subject", "ben", "--out", os.path.join(office.folder, "ben.token"))
    return key


# Revocation


@pytest.mark.parametrize("command", ["ban", "suspend", "lost"])
def test_a_name_that_was_mistyped_is_not_said_to_be_taken_back(office, ben, command):
    yes = ["--yes"] if command == "ban" else []
    refused = office.run(command, "--subject", "ben ", *yes, status=1)
    assert NOTHING_KNOWN in refused.stderr and BEN in refused.stderr
    assert office.list("revocations")[0] == []
    office.run(command, "--subject", "ben", *yes)


def test_a_key_or_token_of_nobody_is_told_so(office, ben, tmp_path):
    stranger = office.key("stranger")
    assert office.code("revoke", "--key", stranger) == NOTHING_KNOWN
    assert office.code("revoke", "--token", "07" * 32) == NOTHING_KNOWN
    office.run("revoke", "--key", stranger, "--anyway")
    office.run("revoke", "--key", ben)
    office.run("revoke", "--token", str(tmp_path / "ben.token"))
    # For a person there are commands that say what becomes of them.
    office.run("revoke", "--subject", "ben", status=2)


def test_a_lost_phone_is_one_command(office, ben):
    told = office.json("lost", "--subject", "ben")
    assert len(told["keys"]) == 1 and told["tokens"] == 1
    assert office.code("enrol", "--key", ben, "--subject", "ben") == "key-revoked"
    office.run("enrol", "--key", office.key("next"), "--subject", "ben")


def answered(office, answer, *arguments):
    """What a person sees who is asked, and how it ended."""
    leader, follower = pty.openpty()
    try:
        command = [office.programs.path("tapstile-authority"), *arguments, "--dir", office.dir]
        process = subprocess.Popen(command, stdin=follower, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        os.write(leader, f"{answer}\n".encode())
        output, errors = process.communicate(timeout=PATIENCE)
        return process.returncode, output, errors
    finally:
        os.close(leader)
        os.close(follower)


def test_nobody_is_banned_without_being_asked_about(office, ben):
    office.run("ban", "--subject", "ben", status=2)
    status, shown, errors = answered(office, "no", "ban", "--subject", "ben")
    assert status == 1 and "for good" in shown and "not-confirmed" in errors
    assert office.list("revocations")[0] == []
    assert answered(office, "yes", "ban", "--subject", "ben")[0] == 0
    assert office.code("enrol", "--key", ben, "--subject", "ben") == "subject-revoked"
    assert answered(office, "yes", "unban", "--subject", "ben")[0] == 0
    office.run("enrol", "--key", ben, "--subject", "ben")


def test_a_long_list_is_read_page_by_page(office, ben):
    for number in range(5):
        office.run("token", "--key", office.key(f"key {number}"), "--subject", f"person {number}", "--valid", f"{number + 1}d")
    pages = [office.list("tokens", "--limit", "4", "--skip", skip) for skip in ("0", "4")]
    assert [len(lines) for lines, _ in pages] == [4, 2]
    assert "--skip 4" in pages[0][1] and pages[1][1] == ""
    assert [line["subject"] for line in office.list("tokens", "--subject", "ben")[0]] == ["ben"]
    assert [line["subject"] for line in office.list("tokens", "--key", ben)[0]] == ["ben"]
    assert len(office.list("tokens", "--expiring", "60h")[0]) == 2
    assert [line["subject"] for line in office.list("enrolled", "--subject", "ben", "--key", ben)[0]] == ["ben"]
    office.run("list", "gates", "--subject", "ben", status=2)


# What a timer would not notice


def test_a_backup_that_was_restored_lets_nobody_in_again(office, ben):
    office.run("publish", "init", "--repo", office.repository, "--together")
    office.run("publish")
    backup = shutil.copytree(office.dir, os.path.join(office.folder, "backup"))
    office.run("lost", "--subject", "ben")
    office.run("publish")
    shutil.rmtree(office.dir)
    shutil.copytree(backup, office.dir)
    for command in (["publish"], ["publish", "--dry-run"], ["publish"]):
        refused = office.run(*command, status=1)
        assert "office-restored" in refused.stderr and BEN in refused.stderr
    office.run("publish", "--restored", "repository")
    office.run("publish")
    assert office.code("enrol", "--key", ben, "--subject", "ben") == "key-revoked"
    office.programs.run("tapstile-authority", "verify-repo", office.repository)


def test_a_timer_fails_before_gates_refuse_what_it_publishes(office):
    keys = {}
    for role in ("root", "targets"):
        keys[role] = os.path.join(office.folder, f"{role}.key")
        office.programs.run("tapstile-authority", "role-key", "--role", role, "--out", keys[role])
    public = [word for role, path in keys.items() for word in (f"--{role}-key", path.replace(".key", ".pub"))]
    office.run("publish", "init", "--repo", office.repository, *public, "--expires-targets", "40d")

    def sign(role):
        draft, signature = os.path.join(office.folder, "draft"), os.path.join(office.folder, "signature")
        office.run("draft", role, "--out", draft)
        office.programs.run("tapstile-authority", "sign", draft, "--key", keys[role], "--out", signature, "--yes", "--uncompared")
        office.run("accept", draft, "--signature", signature)

    sign("root")
    sign("targets")
    assert "warnings" not in office.json("publish") or office.json("publish")["warnings"] is None
    warned = office.json("publish", "--warn-before", "50d", status=3)
    assert [warning.split(":")[0] for warning in warned["warnings"]] == ["role-expires"]
    assert office.json("publish", "--dry-run", "--warn-before", "50d", status=3)["warnings"]
