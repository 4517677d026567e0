"""A gate that is killed in the middle of a pulse, and what puts its lines at their safe level again (L6)."""

import pytest

from gatehouse.programs import Programs


@pytest.fixture
def unit(site):
    """The programs as the unit runs them: systemd names the state folder."""
    return Programs(site.programs.folder, {**site.programs.environment, "STATE_DIRECTORY": site.path("state")})


def killed_in_a_pulse(site, start):
    gate = start(relay="pulse-ms = 60000")
    assert site.anna.phone().tap()["result"] == "granted"
    gate.events.wait("relay", energised=True)
    gate.kill()
    return gate


def spoil(gate):
    """Somebody is editing the file."""
    with open(gate.configuration, "a", encoding="utf-8") as file:
        file.write("[[lane")


def test_what_the_unit_runs_after_every_end(site, start, unit):
    gate = killed_in_a_pulse(site, start)
    assert unit.run("tapstiled", "--lines-at-safe-level", "--config", gate.configuration).stdout == "1 of 1 lines are at their safe level.\n"
    spoil(gate)
    assert unit.run("tapstiled", "--lines-at-safe-level", "--config", gate.configuration).stdout == "1 of 1 lines are at their safe level.\n"


def test_a_start_that_fails_for_its_configuration_puts_the_lines_at_their_safe_level(site, start, unit):
    gate = killed_in_a_pulse(site, start)
    spoil(gate)
    run = unit.run("tapstiled", "--config", gate.configuration, status=1)
    assert "1 of 1 lines are at their safe level." in run.stdout
    assert "error syntax" in run.stderr and "configuration-invalid" in run.stderr


def test_a_gate_without_a_past_or_a_configuration_says_that_it_knows_no_lines(site, unit):
    path = site.configuration()
    with open(path, "w", encoding="utf-8") as file:
        file.write("[[lane")
    assert "lines-unknown" in unit.run("tapstiled", "--lines-at-safe-level", "--config", path, status=1).stderr
    # At a start the error of the configuration is all there is to say.
    run = unit.run("tapstiled", "--config", path, status=1)
    assert "lines-unknown" not in run.stderr and "configuration-invalid" in run.stderr
