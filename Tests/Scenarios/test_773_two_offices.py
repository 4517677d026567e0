"""Two offices at work on copies of one folder: each replaces what the other has said. Gates tell it, the office that looks at them too, and `publish` stops (S5)."""

import contextlib
import json
import os
import shutil

import pytest

from gatehouse import Programs


@contextlib.contextmanager
def second_machine(site):
    """Whoever works there has a copy of the office and of its repository, at the same places."""
    def exchange():
        for name in ("authority", "repository"):
            os.rename(site.path(name), site.path("between"))
            os.rename(site.path(f"{name}.other"), site.path(name))
            os.rename(site.path("between"), site.path(f"{name}.other"))

    exchange()
    yield
    exchange()


def published(site, *enrolled):
    """A stick of the office that works here."""
    for subject in enrolled:
        site.person(subject).enrol()
    return site.publish()


def findings(site, gate, office):
    with open(site.path("status.json"), "w", encoding="utf-8") as file:
        file.write(gate.run_tool("status", "--json").stdout)
    run = site.programs.run("tapstile-authority", "check-gates", "--dir", office, "--status", site.path("status.json"), "--json", status=None)
    return [finding["code"] for each in json.loads(run.stdout)["gates"] for finding in each["findings"]]


def test_gates_and_the_office_tell_of_a_second_office(site, start):
    gate = start()
    office = site.path("authority")
    for name in ("authority", "repository"):
        shutil.copytree(site.path(name), site.path(f"{name}.other"))
    gate.import_publication(published(site, "erin"))
    assert "fork" not in gate.status()["trust"] and findings(site, gate, office) == []
    with second_machine(site):
        # The same number says nothing new; the next one is taken, for nobody here can say which of the two offices is right.
        assert "way" not in gate.import_publication(published(site, "frank"))
        gate.import_publication(published(site, "grace"))
        assert gate.status()["trust"]["fork"]["code"] == "trust-data-forked"
        assert "trust-data-forked: Version 3 of the site data was made without knowledge of version 2" in gate.run_tool("status").stdout
        assert "gate-data-forked" in findings(site, gate, office)
    assert "gate-data-forked" in findings(site, gate, office)
    gate.wait_for_the_journal()
    told = [json.loads(line) for line in gate.run_tool("journal", "--kind", "trust", "--json").stdout.splitlines()]
    assert "trust-data-forked" in [record.get("reason") for record in told]
    # The second one goes on alone: what follows on ends it at the gate. The first one knows that it is not the one.
    with second_machine(site):
        gate.import_publication(published(site, "heidi"))
        assert "fork" not in gate.status()["trust"] and findings(site, gate, office) == []
    assert "gate-data-forked" in findings(site, gate, office)


@pytest.fixture(scope="module")
def programs_alone():
    return Programs(os.environ["TAPSTILE_BIN"])


def test_publish_stops_at_a_second_office(programs_alone, tmp_path):
    programs, office, repo = programs_alone, tmp_path / "north", tmp_path / "repo"
    programs.run("tapstile-authority", "init", "--site", "north", "--dir", office)
    programs.run("tapstile-authority", "publish", "init", "--together", "--repo", repo, "--dir", office)
    # Yesterday's folders, brought up on a second machine.
    shutil.copytree(office, tmp_path / "second")
    shutil.copytree(repo, tmp_path / "common")
    suspend = ("tapstile-authority", "suspend", "--anyway", "--dir", office, "--subject")
    programs.run(*suspend, "anna")
    programs.run("tapstile-authority", "publish", "--dir", office)
    shutil.copytree(repo, tmp_path / "first")
    # The second machine: the same places, so that its office works where the first one did.
    for place, other in ((office, "second"), (repo, "common")):
        shutil.rmtree(place)
        shutil.copytree(tmp_path / other, place)
    programs.run(*suspend, "ben")
    programs.run("tapstile-authority", "publish", "--dir", office)
    # Both upload to one place.
    shutil.rmtree(repo)
    shutil.copytree(tmp_path / "first", repo)
    before = (repo / "metadata" / "timestamp.json").read_bytes()
    for more in ([], ["--dry-run"], ["--timestamp"]):
        refused = programs.run("tapstile-authority", "publish", "--dir", office, *more, "--json", status=1)
        assert json.loads(refused.stderr)["error"]["code"] == "office-forked"
    assert (repo / "metadata" / "timestamp.json").read_bytes() == before
    programs.run("tapstile-authority", "publish", "--dir", office, "--restored", "repository")
    listed = programs.run("tapstile-authority", "list", "revocations", "--dir", office).stdout
    assert "anna" in listed and "ben" not in listed
    programs.run("tapstile-authority", "publish", "--dir", office)
    programs.run("tapstile-authority", "verify-repo", repo)
