"""A gate without an authority: tapstile.toml, site.toml, and nothing else."""

import datetime
import json
import os

import pytest

from gatehouse import Gate

FAST = "cooldown-success-ms = 0\ncooldown-failure-ms = 0"


def point(person):
    """The public key of a phone as one writes it into a file."""
    return person.public_key


def site_file(site, text):
    path = site.path("site.toml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def alone(site, text):
    """A gate that has its site data from a file."""
    path = site_file(site, text)
    configuration = site.configuration(lane=FAST, source=f'site-file = "{path}"')
    return Gate(site.programs, site.folder, configuration, site.path("control"))


@pytest.fixture
def started(site):
    gates = []

    def start(text):
        gate = alone(site, text)
        gates.append(gate)
        gate.start()
        gate.wait_for_reader()
        return gate
    yield start
    for gate in gates:
        gate.stop()


def person(who, *more):
    return f'[[person]]\nsubject = "{who.name}"\nkey-file = "{who.public_key}"\n' + "".join(f"{line}\n" for line in more)


def around_now(hours):
    """A window of the day, in UTC, that begins so many hours from now and lasts two."""
    begin = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=hours)
    end = begin + datetime.timedelta(hours=2)
    return f"{begin:%H:%M}-{end:%H:%M}"


def staff(week):
    return f"""
[[schedule]]
name = "shift"
week = ["daily {week}"]
[[group]]
name = "staff"
[[rule]]
group = "staff"
schedule = "shift"
"""


def tap(site, who):
    claims = site.path("people", f"{who.name}.ccs")
    if not os.path.exists(claims):
        # What the phone shows is made by its own tool; the office only writes it down here.
        who.enrol()
    told = who.phone("--ccs", claims).tap()
    return told["result"], told["reason"]


def test_it_opens_for_whom_the_file_names_and_by_its_schedules(site, started):
    carl, dora = site.person("carl"), site.person("dora")
    people = person(carl, 'groups = ["staff"]') + person(dora)
    gate = started('time-zone = "UTC"\n' + staff(around_now(-1)) + people)
    trust = gate.status()["trust"]
    assert (trust["state"], trust["origin"], trust["version"], trust["enrolled"], trust["memberships"]) == ("ready", "site-file", 1, 2, 1)
    assert "warning" not in trust and "siteFile" not in trust
    assert tap(site, carl) == ("granted", "granted")
    assert tap(site, dora) == ("granted", "granted"), "no rule binds her"

    site_file(site, 'time-zone = "UTC"\n' + staff(around_now(6)) + people)
    gate.run_tool("reload")
    assert gate.status()["trust"]["version"] == 2
    assert tap(site, carl) == ("refused", "outside-schedule")
    assert tap(site, dora) == ("granted", "granted")

    site_file(site, 'time-zone = "UTC"\n' + person(carl))
    gate.run_tool("reload")
    assert tap(site, carl) == ("granted", "granted"), "the rule is gone"
    assert tap(site, dora)[0] == "refused"
    applied = [record for record in gate.journal() if record["kind"] == "trust"]
    assert [(record["detail"]["what"], record["detail"]["origin"]) for record in applied] == [("applied", "site-file")] * 3

    gate.run_tool("reload")
    assert gate.status()["trust"]["version"] == 3, "a file that says the same changes nothing"


def test_a_file_with_mistakes_changes_nothing(site, started):
    carl = site.person("carl")
    gate = started(person(carl))
    site_file(site, person(carl, 'grups = ["staff"]') + '[[rule]]\ngroup = "stuff"\n')
    refused = site.programs.run("tapstile", "reload", "--socket", site.path("control"), status=1)
    assert "site-file-invalid" in refused.stderr and "site.toml:4:1: error unknown-setting" in refused.stderr
    assert 'Did you mean "groups"?' in refused.stderr and "unknown-name" in refused.stderr
    status = gate.status()["trust"]
    assert status["version"] == 1 and status["siteFile"]["code"] == "site-file-invalid"
    assert tap(site, carl) == ("granted", "granted")

    # Also across a restart.
    gate.stop()
    gate.start()
    gate.wait_for_reader()
    assert gate.status()["trust"]["siteFile"]["code"] == "site-file-invalid"
    assert tap(site, carl) == ("granted", "granted")
    site_file(site, person(carl) + "# fixed\n")
    gate.run_tool("reload")
    status = gate.status()["trust"]
    assert status["version"] == 1 and "siteFile" not in status


def test_the_check_knows_the_lanes_of_the_gate(site):
    gate = alone(site, '[[group]]\nname = "staff"\nmembers = ["anna"]\n[[rule]]\ngroup = "staff"\nlanes = ["entri"]\n')
    run = site.programs.run("tapstile", "check-site", "--config", gate.configuration, status=1)
    assert "site.toml:6:10: error unknown-lane" in run.stderr and 'Did you mean "entry"?' in run.stderr
    run = site.programs.run("tapstile", "check-site", "--config", gate.configuration, "--json", status=1)
    (issue,) = [json.loads(line) for line in run.stdout.splitlines()]
    assert (issue["code"], issue["line"], issue["column"], issue["suggestion"]) == ("unknown-lane", 6, 10, "entry")
    site_file(site, "")
    assert "in order" in site.programs.run("tapstile", "check-site", "--config", gate.configuration).stdout


def test_nothing_is_imported_and_nothing_signed_is_replaced(site, started):
    carl = site.person("carl")
    gate = started(person(carl))
    assert gate.refuses_import(site.publish()) == "gate-stand-alone"
    gate.stop()

    # The same folder under an authority, and back.
    office = site.gate(lane=FAST)
    office.start()
    assert office.status()["trust"]["state"] == "absent"
    office.run_tool("import", site.publish())
    office.stop()
    gate = alone(site, person(carl))
    gate.start()
    try:
        status = gate.status()["trust"]
        assert status["state"] == "absent" and status["siteFile"]["code"] == "site-data-signed"
        assert "sudo rm" in status["siteFile"]["message"]
        gate.wait_for_reader()
        assert tap(site, carl)[0] == "refused"
    finally:
        gate.stop()
    os.unlink(site.path("state", "trust.db"))
    gate.start()
    try:
        gate.wait_for_reader()
        assert tap(site, carl) == ("granted", "granted")
    finally:
        gate.stop()


def test_the_office_takes_rules_and_a_gate_goes_by_them(site, start):
    carl = site.person("carl")
    carl.enrol()
    rules = site.path("rules.toml")
    for hours, wanted in ((6, ("refused", "outside-schedule")), (-1, ("granted", "granted"))):
        with open(rules, "w", encoding="utf-8") as file:
            file.write('time-zone = "UTC"\n' + staff(around_now(hours)).replace('name = "staff"', 'name = "staff"\nmembers-file = "staff.txt"'))
        with open(site.path("staff.txt"), "w", encoding="utf-8") as file:
            file.write("# by day\ncarl\n" + "".join(f"person {number}\n" for number in range(1000)))
        taken = site.authority("rules", rules)
        assert (taken["rules"], taken["memberships"]) == (3, 1001)
        if hours == 6:
            gate = start(lane=FAST)
        else:
            gate.run_tool("import", site.publish())
        assert tap(site, carl) == wanted
    assert gate.status()["trust"]["memberships"] == 1001
