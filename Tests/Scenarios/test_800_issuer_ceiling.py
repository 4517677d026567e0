"""A server that invites visitors is stolen, with its key: what its tokens open, and how all of them are stopped (V10, S5)."""

import json
import os
import time

import pytest

from gatehouse.fixtures import NO_COOLDOWN

HERE = "tapstile:demo/-/entry"
CEILING = f'places = ["{HERE}"]\nlongest-hours = 24'
WITHIN = ("--audience", HERE, "--valid", "12h")


class Server:
    """What has the issuer's private key: the office of a thief serves as well as the server itself."""

    def __init__(self, site):
        self.site = site
        self.folder = site.path("server")
        self.queue = site.path("revoked.json")
        self.run("init", "--site", "demo", "--issuer", "visitors")
        self.take_back()
        site.authority("issuer", "--add", "visitors", "--key", os.path.join(self.folder, "issuer.pub"), "--queue", self.queue)

    def run(self, command, *options):
        return self.site.programs.json("tapstile-authority", command, "--dir", self.folder, *options)

    def token(self, *options):
        """A visitor with a token of this server."""
        visitor = self.site.anna
        visitor.token = self.site.path("people", "visitor.token")
        self.latest = self.run("token", "--key", visitor.public_key, "--subject", "visitor", "--out", visitor.token, *options)
        return visitor

    def take_back(self, *numbers):
        revoked = [{"cti": number, "until": int(time.time()) + 86400} for number in numbers]
        with open(self.queue, "w", encoding="utf-8") as file:
            json.dump({"site": "demo", "issuer": "visitors", "revoked": revoked}, file)


@pytest.fixture
def gate(start):
    return start(lane=NO_COOLDOWN)


@pytest.fixture
def server(site):
    return Server(site)


def bound(site, gate, ceiling, before=""):
    """The site says what the server's tokens may say, and the gate has heard of it."""
    site.rules(f'{before}\n[[issuer]]\nname = "visitors"\n{ceiling}\n')
    gate.import_publication(site.publish())


def reason(visitor, *options):
    return visitor.phone(*options).tap()["reason"]


def test_a_stolen_servers_tokens_open_what_it_may_and_nothing_else(site, gate, server):
    bound(site, gate, CEILING)
    assert reason(server.token(*WITHIN)) == "granted"
    beyond = [
        (("--audience", HERE, "--valid", "25h"), "the token lasts"),
        (("--valid", "12h"), "the place 'tapstile:demo'"),
        ((*WITHIN, "--audience", "tapstile:demo/vault"), "the place 'tapstile:demo/vault'"),
        ((*WITHIN, "--scope", "tokn hold"), "the command 'hold'"),
        ((*WITHIN, "--user-verified"), "the claim of user verification"),
        # It ends soon enough, and began long ago.
        (("--audience", HERE, "--not-before", "2020-01-01T00:00:00Z", "--valid", "90000h"), "the token lasts")]
    for options, words in beyond:
        assert reason(server.token(*options)) == "beyond-ceiling", options
        record = gate.journal("--reason", "beyond-ceiling")[-1]
        assert words in record["detail"]["beyond"] and record["subject"] == "visitor", record
    assert reason(server.token(*WITHIN)) == "granted"


def test_its_time_and_its_schedule_bind_it_too(site, gate, server):
    visitor = server.token(*WITHIN)
    zone = 'time-zone = "Europe/Berlin"\n[[schedule]]\nname = "{}"\n{}'
    bound(site, gate, CEILING + '\nschedule = "once"', zone.format("once", 'open = ["2020-01-01"]'))
    assert reason(visitor) == "beyond-ceiling"
    bound(site, gate, CEILING + '\nschedule = "always"', zone.format("always", 'week = ["daily 00:00-24:00"]'))
    assert reason(visitor) == "granted"
    bound(site, gate, CEILING + "\nuntil = 2020-01-01T00:00:00Z")
    assert reason(visitor) == "beyond-ceiling"
    bound(site, gate, CEILING + "\noff = true")
    assert reason(visitor) == "beyond-ceiling"


def test_without_a_ceiling_no_gate_hears_of_it(site, gate, server):
    told = site.programs.json("tapstile-authority", "publish", "--dir", site.path("authority"), status=3)
    assert [warning.split(":")[0] for warning in told["warnings"]] == ["issuer-without-ceiling"]
    assert reason(server.token(*WITHIN)) != "granted"


def test_switching_it_off_shuts_all_of_it_also_what_the_gate_knows(site, gate, server):
    bound(site, gate, CEILING)
    visitor = server.token(*WITHIN)
    assert [reason(visitor, "--by-reference") for _ in range(2)] == ["granted"] * 2
    site.authority("issuer", "--off", "visitors")
    gate.import_publication(site.publish())
    assert reason(visitor, "--by-reference") == "revoked"
    assert reason(server.token(*WITHIN)) == "revoked"
    # Nobody else is kept out.
    bert = site.person("bert")
    bert.give_token()
    assert reason(bert) == "granted"
    site.authority("issuer", "--on", "visitors")
    gate.import_publication(site.publish())
    assert reason(visitor) == "granted"


def test_what_it_takes_back_is_taken_back_with_the_next_publication(site, gate, server):
    bound(site, gate, CEILING)
    visitor = server.token(*WITHIN)
    assert reason(visitor) == "granted"
    server.take_back(server.latest["cti"])
    gate.import_publication(site.publish())
    assert reason(visitor) == "revoked"
    assert reason(server.token(*WITHIN)) == "granted"


def test_an_emergency_names_the_issuers_that_are_believed_still(site, server):
    assert site.authority("issuer", "--emergency")["stillBelieved"] == ["visitors"]
    site.authority("issuer", "--off", "visitors")
    assert site.authority("issuer", "--emergency")["stillBelieved"] == []
