"""Two offices at work on copies of one folder: each replaces what the other has said. Gates tell it, the office that looks at them too, and `publish` stops (S5)."""

import json
import os
import shutil

import pytest

from gatehouse import Programs


def export(site, office, name, *enrolled):
    """The publication of one of the offices."""
    for subject in enrolled:
        person = site.person(subject)
        site.programs.run("tapstile-authority", "enrol", "--dir", office, "--key", person.public_key, "--subject", subject)
    path = site.path(name)
    site.programs.run("tapstile-authority", "export", "--dir", office, "--out", path)
    return path


def findings(site, gate, office):
    with open(site.path("status.json"), "w", encoding="utf-8") as file:
        file.write(gate.tell("status", "--json").stdout)
    run = site.programs.run("tapstile-authority", "check-gates", "--dir", office, "--status", site.path("status.json"), "--json", status=None)
    return [finding["code"] for each in json.loads(run.stdout)["gates"] for finding in each["findings"]]


def test_gates_and_the_office_tell_of_a_second_office(site, start):
    site.by_files = True
    gate = start()
    ours, theirs = site.path("authority"), site.path("copy")
    shutil.copytree(ours, theirs)
    gate.import_publication(export(site, ours, "ours-2", "erin"))
    assert "fork" not in gate.status()["trust"] and findings(site, gate, ours) == []
    # The second office publishes the same number, which is refused as ever, and the next one, which is taken: nobody here can say which of the two is right.
    refused = gate.tell("import", export(site, theirs, "theirs-2", "frank"), status=1)
    assert "publication-version-reused" in refused.stderr
    gate.import_publication(export(site, theirs, "theirs-3"))
    assert gate.status()["trust"]["fork"]["code"] == "trust-data-forked"
    assert "trust-data-forked: Version 3 of the site data was made without knowledge of version 2" in gate.tell("status").stdout
    assert "gate-data-forked" in findings(site, gate, ours) and "gate-data-forked" in findings(site, gate, theirs)
    gate.wait_for_the_journal()
    told = [json.loads(line) for line in gate.tell("journal", "--kind", "trust", "--json").stdout.splitlines()]
    assert "trust-data-forked" in [record.get("reason") for record in told]
    # The second one goes on alone: what follows on ends it at the gate. The first one knows that it is not the one.
    gate.import_publication(export(site, theirs, "theirs-4"))
    assert "fork" not in gate.status()["trust"] and "gate-data-forked" in findings(site, gate, ours) and findings(site, gate, theirs) == []


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
