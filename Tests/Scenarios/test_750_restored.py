"""Backups of an office are restored: alone, with its repository, and on another machine. No timer lets anybody in again."""

import json
import os
import shutil

import pytest

from gatehouse import Programs

RESTORED = "office-restored"


class Machine:
    """An office as the package lays it out: folder and repository side by side, in one backup; notes elsewhere."""

    def __init__(self, folder):
        self.programs = Programs(os.environ["TAPSTILE_BIN"])
        self.folder, self.data, self.backup = folder, os.path.join(folder, "data"), os.path.join(folder, "backup")
        self.dir, self.repository, self.notes = (os.path.join(folder, name) for name in ("data/office", "data/repository", "cache"))
        for made in (self.data, self.notes):
            os.mkdir(made)

    def run(self, *command, status=0):
        return self.programs.run("tapstile-authority", *command, "--dir", self.dir, status=status)

    def code(self, *command):
        """Why it was not done."""
        told = self.run(*command, "--json", status=1)
        return json.loads(told.stderr.splitlines()[-1])["error"]["code"]

    def key(self, name):
        path = os.path.join(self.folder, name)
        self.programs.run("tapstile-phone", "key", "--out", f"{path}.key")
        return f"{path}.pub"

    def save(self):
        shutil.copytree(self.data, self.backup)

    def restore(self, part=""):
        shutil.rmtree(os.path.join(self.data, part))
        shutil.copytree(os.path.join(self.backup, part), os.path.join(self.data, part))


@pytest.fixture
def machine(tmp_path, monkeypatch):
    monkeypatch.setenv("TAPSTILE_AUTHORITY_NOTES", str(tmp_path / "cache"))
    machine = Machine(str(tmp_path))
    machine.run("init", "--site", "north")
    machine.run("gate", "--name", "main")
    machine.run("enrol", "--key", machine.key("ben"), "--subject", "ben")
    machine.run("publish", "init", "--repo", machine.repository, "--together")
    machine.run("publish")
    machine.save()
    return machine


def versions(machine):
    return json.loads(machine.programs.run("tapstile-authority", "verify-repo", machine.repository, "--json").stdout)


def test_750_what_was_restored_together_un_revokes_nobody(machine, tmp_path):
    machine.run("ban", "--subject", "ben", "--yes")
    machine.run("publish")
    served = shutil.copytree(machine.repository, tmp_path / "served")
    machine.restore()
    for command in (["publish"], ["publish", "--dry-run"], ["publish", "--timestamp"], ["publish", "--restored", "repository"],
                    ["publish", "--stick", str(tmp_path / "stick")], ["ceremony", str(tmp_path / "carried")], ["draft", "targets", "--out", str(tmp_path / "d")]):
        assert machine.code(*command) == RESTORED, command
    # What the web server gives out is brought back, and a person sees what the office had forgotten.
    shutil.rmtree(machine.repository)
    shutil.copytree(served, machine.repository)
    told = machine.run("publish", status=1)
    assert "'ben' (banned)" in told.stderr
    machine.run("publish", "--restored", "repository")
    machine.run("publish")
    assert machine.code("enrol", "--key", machine.key("next"), "--subject", "ben") == "subject-revoked"


def test_751_where_nobody_has_it_any_more_gates_are_not_left_behind(machine):
    machine.run("ban", "--subject", "ben", "--yes")
    machine.run("publish")
    before = versions(machine)
    machine.restore()
    machine.run("publish", "--restored", "office")
    after = versions(machine)
    assert after["version"] > before["version"]
    machine.run("publish")


def test_752_on_another_machine_a_person_says_what_counts(machine):
    shutil.rmtree(machine.notes)
    os.mkdir(machine.notes)
    assert machine.code("publish") == RESTORED
    assert "web server" in machine.run("publish", status=1).stderr
    machine.run("publish", "--restored", "repository")
    machine.run("publish")


def test_754_lost_does_not_say_that_all_was_ended(machine):
    machine.run("lost", "--subject", "ben")
    machine.run("token", "--key", machine.key("olga"), "--subject", "olga")
    machine.run("publish")
    shutil.rmtree(machine.backup)
    machine.save()
    machine.run("token", "--key", machine.key("second"), "--subject", "olga")
    machine.run("publish")
    machine.restore("office")
    told = machine.run("lost", "--subject", "olga").stdout
    assert "not known here" in told and "'ban'" in told
    machine.run("publish")
    assert "not known here" in machine.run("lost", "--subject", "olga").stdout
    # A ban is for whatever they have.
    machine.run("ban", "--subject", "olga", "--yes")


def test_753_no_ceremony_brings_a_stolen_issuer_back(machine, tmp_path):
    machine.run("issuer", "--emergency")
    machine.run("publish")
    machine.restore("office")
    assert machine.code("ceremony", str(tmp_path / "carried")) == RESTORED
    assert machine.code("publish") == RESTORED
    # A new one gets no name that gates believe already.
    assert json.loads(machine.run("issuer", "--emergency", "--json").stdout)["issuer"] == "north-3"
    machine.run("publish", "--restored", "repository")
    issuers = machine.run("list", "issuers", "--json").stdout
    assert '"north-2"' in issuers and '"north-3"' in issuers
    # Of the one that was made since it is not known who has its tokens.
    assert machine.code("issuer", "--drop-old") == "issuer-tokens-unknown"
    machine.run("issuer", "--drop-old", "--anyway")
    machine.run("publish")
