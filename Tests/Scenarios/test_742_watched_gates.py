"""The office looks at real gates, and notices one whose disk was put back (S5)."""

import json
import os
import shutil

import pytest

from gatehouse import Programs
from network.certificates import CertificateAuthority
from network.town import Town, first_look, sync


@pytest.fixture
def town(tmp_path):
    town = Town(Programs(os.environ["TAPSTILE_BIN"]), str(tmp_path), CertificateAuthority(str(tmp_path)))
    yield town
    town.close()


def shown(town, gate):
    """What an operator brings from the gate: its status and a checkpoint."""
    status, checkpoint = town.site.path("status.json"), town.site.path("checkpoint")
    gate.wait_for_the_journal()
    if os.path.exists(checkpoint):
        os.unlink(checkpoint)
    gate.ask("journal", "checkpoint", "--out", checkpoint)
    with open(status, "w", encoding="utf-8") as file:
        file.write(gate.run_tool("status", "--json").stdout)
    return status, checkpoint


def look(town, gate, *options, status=0):
    """The codes of what the office finds."""
    said, checkpoint = shown(town, gate)
    run = town.site.programs.run("tapstile-authority", "check-gates", "--dir", town.site.path("authority"), "--status", said, "--checkpoint", checkpoint,
                                 "--audit-key", town.site.path("audit.pub"), *options, "--json", status=status)
    answer = json.loads(run.stdout)
    assert answer["holds"] == (status == 0) and {each["gate"] for each in answer["gates"]} == {"gate-1"}
    return [finding["code"] for each in answer["gates"] for finding in each["findings"]]


def test_a_gate_whose_disk_was_put_back_is_noticed(town):
    town.enrol("ada")
    town.publish()
    gate = town.served_gate()
    gate.run_tool("journal", "audit-key", "--out", town.site.path("audit.pub"))
    assert gate.status()["trust"]["epoch"] == 1
    assert look(town, gate) == []

    gate.stop()
    shutil.copytree(town.site.path("state"), town.site.path("old"))
    gate.start()
    town.enrol("bob")
    town.publish()
    assert "failure" not in sync(gate)
    for _ in range(8):
        gate.ask("reload")
    assert look(town, gate) == []

    gate.stop()
    town.nginx.stop()
    shutil.rmtree(town.site.path("state"))
    shutil.move(town.site.path("old"), town.site.path("state"))
    gate.start()
    assert gate.status()["trust"]["enrolled"] == 1, "the gate itself knows nothing of it"
    # Site data, the journal's end in the status, both chains of the checkpoint or the one that had records.
    found = look(town, gate, status=1)
    assert set(found) == {"gate-went-back"} and len(found) >= 3
    assert set(look(town, gate, status=1)) == {"gate-went-back"}, "what was found is not what is known from now on"
    assert look(town, gate, "--replaced", "gate-1") == []


def test_a_gate_that_is_not_served_is_named(town):
    town.publish()
    gate = town.gate(url=f"https://127.0.0.1:{town.nginx.port}/elsewhere").start()
    assert first_look(gate)["failure"]["code"] == "tuf-missing-file"
    gate.run_tool("journal", "audit-key", "--out", town.site.path("audit.pub"))
    assert look(town, gate, status=1) == ["gate-behind"]
