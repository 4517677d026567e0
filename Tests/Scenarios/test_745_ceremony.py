"""Three people begin a site, and change it: the office's command before and after, and one at the machine without a network."""

import contextlib
import json
import os
import pty
import subprocess

import pytest

from patience import PATIENCE


class Table:
    """A site's office, a stick, and a medium for each person."""

    def __init__(self, programs, folder):
        self.programs, self.folder = programs, folder
        self.stick = os.path.join(folder, "stick")
        for name in ("alice", "bob", "carol", "tom"):
            os.makedirs(os.path.join(folder, name))
        programs.run("tapstile-authority", "init", "--site", "south", "--dir", self.path("south"))

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def key(self, name):
        return self.path(name, f"{name}.key")

    def office(self, *options, status=0):
        run = self.programs.run("tapstile-authority", "ceremony", self.stick, "--dir", self.path("south"), "--json", *options, status=status)
        return json.loads(run.stdout) if status == 0 else json.loads(run.stderr)["error"]["code"]

    def begin(self):
        holders = [word for name in ("alice", "bob", "carol") for word in ("--root-holder", name)]
        return self.office("--repo", self.path("repository"), *holders, "--root-threshold", "2", "--targets-holder", "tom")

    def on_a_screen(self, answers, *arguments):
        """One command at a terminal, where somebody writes these lines: what it showed, and how it ended."""
        leader, follower = pty.openpty()
        try:
            command = [self.programs.path("tapstile-authority"), "ceremony", self.stick, *arguments]
            process = subprocess.Popen(command, stdin=follower, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            os.write(leader, "".join(f"{line}\n" for line in answers).encode())
            output, errors = process.communicate(timeout=PATIENCE)
            return process.returncode, output, errors
        finally:
            os.close(leader)
            os.close(follower)


@pytest.fixture
def table(programs, tmp_path):
    return Table(programs, str(tmp_path))


def test_one_command_serves_all_who_sit_at_the_machine_without_a_network(table):
    told = table.begin()
    assert told["turn"] == "holders" and [line.split()[0] for line in told["next"]] == ["alice", "bob", "carol", "tom"]

    # Everybody in turn puts a medium in and writes where the key lies; who signs writes yes. Once the wrong stick is in. Tom's key is the last to be
    # made, so that he signs at once.
    answers = [table.key("alice"), table.path("nobody.key"), table.key("bob"), table.key("carol"), table.key("tom"), "yes",
               table.key("carol"), "yes", table.key("alice"), "yes"]
    status, shown, errors = table.on_a_screen(answers)
    assert status == 0, errors
    assert "ceremony-holder-unknown" in errors
    assert "next: the office: tapstile-authority ceremony FOLDER" in shown
    for name in ("alice", "bob", "carol"):
        identifier = next(line for line in shown.splitlines() if line.startswith(f"{name}'s key of root is")).split()[5].rstrip(":")
        assert f"key of root: {identifier}" in shown
    assert "root needs 2 of 3 keys" in shown and "token issuer 'south'" in shown

    published = table.office("--yes")
    assert published["versions"]["timestamp"] == 1
    table.programs.run("tapstile-authority", "verify-repo", table.path("repository"))


def test_no_is_an_answer_and_nothing_is_signed(table):
    table.begin()
    everybody = [word for name in ("alice", "bob", "carol", "tom") for word in ("--key", table.key(name))]
    status, shown, errors = table.on_a_screen(["no", ""], *everybody)
    assert status == 1 and "not-signed" in errors and "option" not in errors
    assert "2 of alice, bob, carol must sign root version 1" in shown
    # The same without a terminal: the answer is heard, and a yes of a program is none.
    folder = ["ceremony", table.stick, "--key", table.key("bob")]
    for answer, code in (("no\n", "not-signed"), ("y\n", "not-signed"), ("yes\n", "option-missing"), ("", "option-missing")):
        run = table.programs.run("tapstile-authority", *folder, status=None, input=answer)
        assert run.returncode != 0 and code in run.stderr
    assert not [name for name in os.listdir(table.stick) if name.endswith(".sig")]


def test_a_ceremony_that_is_killed_goes_on_by_the_same_command(table):
    table.begin()
    everybody = [word for name in ("alice", "bob", "carol", "tom") for word in ("--key", table.key(name))]
    holders = [table.programs.path("tapstile-authority"), "ceremony", table.stick, *everybody, "--yes", "--json"]
    office = [table.programs.path("tapstile-authority"), "ceremony", table.stick, "--dir", table.path("south"), "--yes", "--json"]
    kills, environment = 0, table.programs.environment
    for command in (holders, office):
        for milliseconds in (5, 10, 15, 20, 30, 45, 60, 90, 130):
            with contextlib.suppress(subprocess.TimeoutExpired):
                subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=milliseconds / 1000, check=False, env=environment)
                break
            kills += 1
        subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE, check=True, env=environment)
    assert kills
    table.programs.run("tapstile-authority", "verify-repo", table.path("repository"))
    assert table.office()["turn"] is None


def test_a_later_change_takes_one_command_for_the_office_before_and_after_and_one_for_the_holder(table):
    table.begin()
    everybody = [word for name in ("alice", "bob", "carol", "tom") for word in ("--key", table.key(name))]
    table.programs.run("tapstile-authority", "ceremony", table.stick, *everybody, "--yes")
    table.office("--yes")
    table.programs.run("tapstile-authority", "gate", "--name", "main", "--dir", table.path("south"))
    assert table.office()["next"] == [f"tom must sign targets version 2: tapstile-authority ceremony {table.stick} --key MEDIUM/NAME.key"]
    status, shown, errors = table.on_a_screen(["yes", ""], "--key", table.key("tom"))
    assert status == 0, errors
    assert "compared with version 1, which this key has signed" in shown and "+ gate key" in shown
    assert table.office()["versions"]["targets"] == 2
