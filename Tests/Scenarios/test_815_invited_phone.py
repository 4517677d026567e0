"""A visitor is sent a link, and their phone opens the gate."""

import os
import time

import pytest

from network.visitors import ISSUER, Visitors
from processes import ProgramFailed

NO_COOLDOWN = "cooldown-success-ms = 0\ncooldown-failure-ms = 0"
CEILING = f'[[issuer]]\nname = "{ISSUER}"\nlongest-hours = 48\n'


@pytest.fixture
def visitors(site):
    """The site's server of invitations, which the office knows and the site's rules bound."""
    with Visitors(site.programs, os.path.join(site.folder, "visitors"), site.name, site.known_gates) as visitors:
        site.authority("issuer", "--add", ISSUER, "--key", visitors.public_key, "--queue", os.path.join(visitors.desk, "queue", "revoked.json"))
        site.rules(CEILING)
        yield visitors


def redeem(visitor, visitors, *options):
    invited = visitors.invite(visitor.name, *options)
    return invited, visitor.keep("redeem", invited["link"], "--ca", visitors.ca)


def test_from_the_invitation_to_the_first_grant_in_three_commands(site, visitors, start):
    gate = start(lane=NO_COOLDOWN)
    ben = site.visitor("ben")
    begun = time.monotonic()
    invited, kept = redeem(ben, visitors)
    redeemed = time.monotonic()
    told = ben.phone().tap()
    print(f"from invite to the first grant {time.monotonic() - begun:.2f} s, of which to the redeemed link {redeemed - begun:.2f} s")
    assert (told["result"], told["reason"]) == ("granted", "granted")
    assert (kept["site"], kept["subject"], kept["result"]) == (site.name, "ben", "received")
    (record,) = gate.journal("--reason", "granted")
    assert record["subject"] == "ben"
    # What was good for one phone is nowhere any more.
    code = invited["link"].partition("#")[2]
    assert code not in visitors.said and code not in gate.log


def test_a_token_by_reference_and_a_renewed_one_open_too(site, visitors, start):
    start(lane=NO_COOLDOWN)
    ben = site.visitor("ben")
    redeem(ben, visitors)
    assert ben.phone().tap("--by-reference")["result"] == "granted"
    assert ben.keep("renew", "--all", "--now", "--ca", visitors.ca)["result"] == "received"
    assert ben.phone().tap("--by-reference")["result"] == "granted"


def test_whoever_is_suspended_gets_no_token_and_with_the_next_publication_not_in(site, visitors, start):
    gate = start(lane=NO_COOLDOWN)
    ben = site.visitor("ben")
    invited, _ = redeem(ben, visitors)
    assert ben.phone().tap()["result"] == "granted"
    visitors.change("suspend", invited)
    with pytest.raises(ProgramFailed) as refused:
        ben.keep("renew", "--all", "--now", "--ca", visitors.ca)
    assert '"suspended"' in refused.value.run.stderr
    gate.import_publication(site.publish())
    assert ben.phone().tap()["result"] == "refused"
    visitors.change("resume", invited)
    assert ben.keep("renew", "--all", "--now", "--ca", visitors.ca)["result"] == "received"
    gate.import_publication(site.publish())
    assert ben.phone().tap()["result"] == "granted"


def test_two_visitors_at_one_gate_have_nothing_of_each_other(site, visitors, start):
    gate = start(lane=NO_COOLDOWN)
    for name in ("ben", "carl"):
        visitor = site.visitor(name)
        redeem(visitor, visitors)
        assert visitor.phone().tap()["result"] == "granted"
    assert [record["subject"] for record in gate.journal("--reason", "granted")] == ["ben", "carl"]


def test_a_phone_invited_twice_shows_what_is_good(site, visitors, start):
    start(lane=NO_COOLDOWN)
    ben = site.visitor("ben")
    first, kept = redeem(ben, visitors)
    redeem(ben, visitors)
    visitors.change("revoke", first)
    # The wallet has both; one of them is deleted, the other opens.
    ben.site.programs.json("tapstile-phone", "delete", "--access", kept["access"], "--keys", ben.wallet)
    assert ben.phone().tap()["result"] == "granted"
