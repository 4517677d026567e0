"""What an office publishes in a repository arrives at a gate, part by part, and each shows at the next tap (S4); and what a gate keeps of it."""

import datetime

import pytest

from gatehouse.card import Card
from network.certificates import CertificateAuthority
from network.town import Town, sync
from patience import wait_until
from test_028_uid_only_cards import NUMBER, STORAGE, answers

LANE = "zone = \"hall\"\nuid-only-cards = true\ncooldown-success-ms = 0\ncooldown-failure-ms = 0\npassage-wait-ms = 1500"
CONTACT = '[lane.inputs.passage-in]\nchip = "simulated"\nline = 5'
CARDS = "[people]\nuid-only-cards = true\n"


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    return CertificateAuthority(str(tmp_path_factory.mktemp("certificates")))


@pytest.fixture
def town(programs, folder, authority):
    town = Town(programs, folder, authority)
    yield town
    town.close()


def served(town, **more):
    gate = town.served_gate(lane=LANE, relay=CONTACT, **more)
    gate.wait_for_reader()
    return gate


def update(town, gate):
    """What the office knows, at the gate."""
    town.publish()
    assert "failure" not in sync(gate)


def tap(gate, phone, passes=False):
    """The event of the result."""
    mark = gate.events.mark
    phone.tap()
    result = gate.events.wait("result", since=mark)
    if passes and result["result"] == "granted":
        gate.pass_through()
        gate.events.wait("passage", since=mark, finding="passed")
    return result


def lay_card(gate, pcscd):
    gate.wait_for_an_empty_field()
    mark = gate.events.mark
    with Card(pcscd.port, answers(NUMBER), answer_to_reset=STORAGE):
        event = gate.events.wait("result", since=mark)
    gate.wait_for_an_empty_field()
    return event["reason"]


def reason(gate, person, **options):
    return tap(gate, person.phone(), **options)["reason"]


def enrolled(town, name, *options):
    person = town.site.person(name)
    person.enrol(*options)
    return person


def test_people_cards_and_what_is_taken_back(town, pcscd):
    """Issuers, enrolled credentials, UID-only card numbers, suspended subjects, revocations of both kinds, words."""
    town.rules(CARDS)
    anna, ben, dora = town.site.person("anna"), town.site.person("ben"), town.site.person("dora")
    anna.give_token()
    town.publish()
    gate = served(town)
    assert reason(gate, anna) == "granted", "the issuer"

    dora.enrol()
    ben.enrol()
    assert reason(gate, ben) == "unknown-key"
    assert lay_card(gate, pcscd) == "unknown-key"
    town.site.authority("card", "--uid", NUMBER, "--subject", "carla")
    update(town, gate)
    assert reason(gate, ben) == "granted"
    assert reason(gate, dora) == "granted"
    assert lay_card(gate, pcscd) == "granted"

    town.site.authority("suspend", "--subject", "ben")
    update(town, gate)
    assert reason(gate, ben) == "revoked"
    town.site.authority("resume", "--subject", "ben")
    town.site.authority("revoke", "--token", anna.token)
    town.site.authority("ban", "--subject", "carla", "--yes")
    update(town, gate)
    assert reason(gate, ben) == "granted"
    assert reason(gate, anna) == "revoked"
    assert lay_card(gate, pcscd) == "revoked"

    # What the site itself takes back, and its words: another part, signed by another role.
    town.rules(CARDS + '[[revocation]]\nsubject = "dora"\n[[message]]\nreason = "revoked"\nlanguage = "de"\ntext = "Bitte zum Empfang"\n'
               + '[[message]]\nreason = "granted"\nlanguage = "en"\ntext = "Welcome"\n')
    town.publish()
    assert sync(gate)["way"] == "site"
    event = tap(gate, dora.phone())
    assert (event["reason"], event["shown"]) == ("revoked", {"de": "Bitte zum Empfang"})
    event = tap(gate, ben.phone())
    assert (event["reason"], event["shown"]) == ("granted", {"en": "Welcome"})


def test_rules_schedules_holidays_and_zones(town):
    """Where somebody may pass and when: the same person, and one decision after the other."""
    ben, carl = enrolled(town, "ben"), enrolled(town, "carl")
    town.publish()
    gate = served(town)
    assert reason(gate, ben) == "granted", "no rule speaks of him"

    head = 'time-zone = "Etc/UTC"\n[[group]]\nname = "staff"\nmembers = ["ben"]\n[[rule]]\ngroup = "staff"\nschedule = "times"\n'
    daily = '[[schedule]]\nname = "times"\nweek = ["daily"]\n'
    town.rules(head + '[[schedule]]\nname = "times"\nopen = ["2099-05-04"]\n')
    update(town, gate)
    assert reason(gate, ben) == "outside-schedule"
    assert reason(gate, carl) == "granted"

    town.rules(head + daily)
    update(town, gate)
    assert reason(gate, ben) == "granted"

    today = datetime.datetime.now(datetime.timezone.utc).date()
    days = ", ".join(f'"{today + datetime.timedelta(days=number)}"' for number in (0, 1))
    town.rules(head + daily + f'holidays = ["off"]\n[[holiday]]\nname = "off"\ndates = [{days}]\n')
    update(town, gate)
    assert reason(gate, ben) == "outside-schedule"

    town.rules(head + daily + '[[zone]]\nname = "hall"\ncapacity = 1\n')
    update(town, gate)
    assert reason(gate, ben, passes=True) == "granted"
    assert reason(gate, carl) == "zone-full"


def test_a_gate_keeps_the_people_of_its_zones(town, pcscd):
    """`trust.keep`: whoever could pass a lane of the gate passes, and of the others nothing is there."""
    site = f"tapstile:{town.site.name}"
    anywhere, here = enrolled(town, "anywhere"), enrolled(town, "here", "--audience", f"{site}/hall")
    lane, elsewhere = enrolled(town, "lane", "--audience", f"{site}/hall/entry"), enrolled(town, "elsewhere", "--audience", f"{site}/lab")
    town.publish()
    gate = served(town, trust_more='keep = "own-zones"')
    trust = gate.status()["trust"]
    assert (trust["enrolled"], trust["zones"]) == (3, {"kept": ["hall"]})
    assert [reason(gate, person) for person in (anywhere, here, lane, elsewhere)] == ["granted", "granted", "granted", "unknown-key"]

    # Changes lead on, zone by zone.
    both = enrolled(town, "both", "--audience", f"{site}/hall", "--audience", f"{site}/lab")
    enrolled(town, "stranger", "--audience", f"{site}/lab")
    here.enrol("--audience", f"{site}/lab")
    town.publish()
    assert sync(gate)["way"] == "changes"
    assert gate.status()["trust"]["enrolled"] == 3
    assert [reason(gate, person) for person in (here, both)] == ["unknown-key", "granted"]

    # The lane comes to lead into another zone: the gate fetches the whole by itself.
    gate.stop()
    gate = town.gate(lane=LANE.replace("hall", "lab"), relay=CONTACT, trust_more='keep = "own-zones"').start()
    gate.wait_for_reader()
    wait_until("the people of the other zone", lambda: gate.status()["trust"]["zones"].get("kept") == ["lab"], pause=0.1,
               instead=lambda: gate.status()["trust"])
    assert "code" not in gate.status()["trust"]["zones"]
    assert [reason(gate, person) for person in (here, elsewhere, lane)] == ["granted", "granted", "unknown-key"]
