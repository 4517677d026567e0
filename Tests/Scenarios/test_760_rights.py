"""Who may pass is what somebody has said: nothing is opened by what a list leaves out, nor by what a gate does not look at."""

import csv
import json
import os
import sqlite3
from contextlib import closing

from gatehouse import without_sums
from test_099_explain import agrees, rules

SIDE_DOOR = "tapstile:demo/side"
BOUND = '[[group]]\nname = "late"\nmembers = ["nobody"]\n[[rule]]\ngroup = "late"\nlanes = ["elsewhere"]\n'
CLUBS = [f"club {number}" for number in range(64)]


def point(person):
    """The person's key, as a spreadsheet has it."""
    with open(person.public_key, encoding="utf-8") as file:
        return file.read()


def people(site, header, *rows):
    path = site.path("people.csv")
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    return path


def apply(site, path, *options):
    return site.authority("import", path, *options)


def codes(site, path):
    told = site.programs.run("tapstile-authority", "import", path, "--json", "--dir", site.path("authority"), status=1)
    return [error["code"] for error in json.loads(told.stdout)["errors"]]


def enrolled(site, *options):
    told = site.programs.run("tapstile-authority", "list", "enrolled", "--json", "--dir", site.path("authority"), *options)
    return [json.loads(line) for line in told.stdout.splitlines()]


# More groups than are looked at


def test_a_group_beyond_those_that_gates_look_at_lets_nobody_in(site, start):
    gate = start(lane="cooldown-success-ms = 0\ncooldown-failure-ms = 0")
    rules(site, BOUND)
    carl = site.person("carl")
    carl.enrol()
    assert apply(site, people(site, ["subject", "groups"], ["carl", ";".join(CLUBS)]))["joined"] == 64
    gate.import_publication(site.publish())
    assert agrees(gate, carl)[1]["result"] == "granted", "64 groups bind nothing"
    # The office does not take the group that keeps her out; an older one did.
    assert codes(site, people(site, ["subject", "groups"], ["carl", "late"])) == ["too-many-groups"]
    with closing(sqlite3.connect(os.path.join(site.path("authority"), "authority.db"))) as database, database:
        database.execute("INSERT INTO membership (member_of, subject, source, state_version) VALUES ('late', 'carl', 2, 1)")
        without_sums(database)
    # An older office published what its database said, whoever had changed it; this one names it, too.
    for command in (["new-epoch"], ["publish", "--stick", site.path("crowded")]):
        told = site.programs.json("tapstile-authority", *command, "--dir", site.path("authority"), status=3)
        assert any("too-many-groups" in warning for warning in told["warnings"])
    gate.import_publication(site.path("crowded"))
    _, said = agrees(gate, carl)
    assert said["reason"] == "outside-schedule" and any("too-many-groups" in line for line in said["because"])
    assert apply(site, people(site, ["subject", "groups", "action"], ["carl", "late", "remove"]))["left"] == 1
    gate.import_publication(site.publish())
    assert agrees(gate, carl)[1]["result"] == "granted"


# What a list leaves out


def test_the_next_nights_list_without_columns_opens_no_other_door(site, gate):
    carl = site.person("carl")
    carl.enrol("--audience", SIDE_DOOR)
    key = point(carl)
    whole = people(site, ["subject", "key", "audiences", "expires", "user-verified"], ["carl", key, SIDE_DOOR, "2099-01-31", "yes"])
    assert apply(site, whole)["changed"] == 1
    before = enrolled(site)
    assert apply(site, people(site, ["subject", "key"], ["carl", key]))["unchanged"] == 1
    assert enrolled(site) == before
    gate.import_publication(site.publish())
    assert agrees(gate, carl)[1]["reason"] == "wrong-audience"
    # With the column an empty cell says the whole site, and a check says so before.
    opened = people(site, ["subject", "key", "audiences"], ["carl", key, ""])
    gains = apply(site, opened, "--check")["gains"]
    assert gains["count"] == 1 and gains["first"][0]["subject"] == "carl" and "the whole site" in gains["first"][0]["what"][0]
    told = site.programs.run("tapstile-authority", "import", opened, "--check", "--dir", site.path("authority")).stdout
    assert "gains: carl: key " in told
    assert enrolled(site) == before, "a check keeps nothing"


def test_what_is_hardly_meant_is_told(site):
    carl = site.person("carl")
    told = carl.enrol("--audience", "tapstile:other/hall", "--expires", "2020-01-31")["warnings"]
    assert [warning.split(":")[0] for warning in told] == ["audience-of-other-site", "expires-in-past"]
    told = apply(site, people(site, ["subject", "key", "audiences"], ["carl", point(carl), "tapstile:other"]))["warnings"]
    assert [warning.split(": ")[1] for warning in told] == ["audience-of-other-site", "expires-in-past"]
