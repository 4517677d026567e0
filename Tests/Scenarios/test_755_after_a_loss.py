"""After somebody was taken back: what operators ask next, of the gate and of the office, and whom a mistyped name may have meant."""

import json
import os
import subprocess

import pytest

from gatehouse import Programs
from patience import PATIENCE


@pytest.fixture
def carl(site):
    carl = site.person("carl")
    carl.enrol()
    return carl


# At the gate


def test_after_a_loss_the_gate_says_which_key_is_revoked(gate, site, carl):
    gate.import_publication(site.publish())
    lost = site.authority("lost", "--subject", "carl")
    gate.import_publication(site.publish())
    told = gate.run_tool("explain", "--subject", "carl").stdout
    assert told.startswith(f"carl would not pass at entry (entry-reader, nfc, in) now with key {lost['keys'][0][:8]}"), told
    assert "(revoked)" in told.splitlines()[0] and "would pass" not in told and "would open" not in told
    mark = gate.events.mark
    carl.phone().tap()
    assert gate.events.wait("result", since=mark)["reason"] == "revoked"


@pytest.mark.parametrize("name", ["nobody at all", "crl"])
def test_of_nobody_it_is_not_said_that_they_would_pass(gate, site, carl, name):
    gate.import_publication(site.publish())
    asked = gate.ask("explain", "--subject", name, status=1)
    ((answer,),) = [credential["answers"] for credential in asked["credentials"]]
    assert (asked["known"], answer["result"]) == (False, "unknown")
    told = gate.run_tool("explain", "--subject", name, status=1).stdout
    assert told.startswith(f"Nothing in the site data of this gate names {name}.") and "would pass" not in told
    assert f"If {name} has a valid token, it would open entry" in told


def test_of_a_member_without_anything_it_is_said_first_that_there_is_nothing(gate, site, tmp_path):
    rules = tmp_path / "rules.toml"
    rules.write_text('time-zone = "Etc/UTC"\n[[group]]\nname = "staff"\nmembers = ["gina"]\n[[rule]]\ngroup = "staff"\n')
    site.authority("rules", str(rules))
    gate.import_publication(site.publish())
    told = gate.run_tool("explain", "--subject", "gina").stdout.splitlines()
    assert told[0] == "This gate knows no key, card or token of gina." and told[1].startswith("If gina has a valid token, it would open entry")


def test_the_clock_on_the_wall_and_accents_typed_apart(gate, site, tmp_path):
    jose = site.person("José")
    jose.enrol()
    rules = tmp_path / "rules.toml"
    rules.write_text('time-zone = "Etc/GMT-5"\n')
    site.authority("rules", str(rules))
    gate.import_publication(site.publish())
    asked = gate.ask("explain", "--subject", "Jose\u0301", "--at", "2031-11-24 18:03")
    assert (asked["known"], asked["time"], asked["siteTime"]) == (True, "2031-11-24T13:03:00.000Z", "2031-11-24 18:03")
    assert gate.ask("explain", "--subject", "José", "--at", "2031-11-24T14:03+01:00")["time"] == asked["time"]
    assert "(2031-11-24 18:03 at the site)" in gate.run_tool("explain", "--subject", "José", "--at", "2031-11-24 18:03").stdout
    assert "18:03 or '" in gate.run_tool("explain", "--subject", "José", "--at", "18 o'clock", status=2).stderr


# In the office


class Office:
    def __init__(self, folder):
        self.programs, self.folder, self.dir = Programs(os.environ["TAPSTILE_BIN"]), folder, os.path.join(folder, "office")

    def run(self, *command, status=0):
        return self.programs.run("tapstile-authority", *command, "--dir", self.dir, status=status)

    def enrol(self, name):
        path = os.path.join(self.folder, f"{name}.key")
        self.programs.run("tapstile-phone", "key", "--out", path)
        self.run("enrol", "--key", path.replace(".key", ".pub"), "--subject", name)

    def list(self, *what, status=0):
        told = self.run("list", *what, "--json", status=status)
        return [json.loads(line) for line in told.stdout.splitlines()], told.stderr


@pytest.fixture
def office(tmp_path):
    office = Office(str(tmp_path))
    office.run("init", "--site", "north")
    office.run("gate", "--name", "main")
    for name in ("anna", "ben"):
        office.enrol(name)
    return office


def test_a_loss_can_be_looked_up_afterwards(office):
    lost = json.loads(office.run("lost", "--subject", "ben", "--json").stdout)
    ((revocation,), _) = office.list("revocations", "--subject", "ben")
    assert (revocation["thumbprint"], revocation["of"]) == (lost["keys"][0], ["ben"]) and "subject" not in revocation
    assert "before" in office.run("lost", "--subject", "ben").stdout
    office.run("suspend", "--subject", "ben")
    assert len(office.list("revocations", "--subject", "ben")[0]) == 2


def test_nobody_believes_that_gates_know_already(office):
    for command in (["suspend"], ["resume"], ["ban", "--yes"], ["lost"], ["unban", "--yes"]):
        assert "No gate knows yet: there is no repository for them" in office.run(*command, "--subject", "ben").stdout.splitlines()[-1]
    office.run("publish", "init", "--repo", os.path.join(office.folder, "repository"), "--together")
    assert "No gate knows yet: gates know after 'publish'" in office.run("suspend", "--subject", "anna").stdout.splitlines()[-1]


def test_an_empty_list_says_that_it_is_empty_and_whom_it_may_mean(office):
    lines, told = office.list("enrolled", "--subject", "annna", status=1)
    assert lines == [] and "nobody-has-it" in told and "'anna'" in told
    lines, told = office.list("tokens", "--subject", "anna")
    assert lines == [] and told.startswith("nothing")


def test_who_has_no_phone_is_one_question(office):
    assert office.list("people", "--without-phone")[0] == []
    office.run("lost", "--subject", "ben")
    assert office.list("people", "--without-phone")[0] == [{"subject": "ben", "phones": 0, "cards": 0, "state": "valid"}]
    assert [line["state"] for line in office.list("enrolled")[0]] == ["valid", "revoked"]
    office.run("list", "tokens", "--without-phone", status=2)


def test_several_look_something_up_at_once(office):
    command = [office.programs.path("tapstile-authority"), "list", "enrolled", "--json", "--dir", office.dir]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(6)]
    assert [len(process.communicate(timeout=PATIENCE)[0].splitlines()) for process in running] == [2] * 6
