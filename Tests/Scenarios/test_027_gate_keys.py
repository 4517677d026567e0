"""Gates change their keys, in time or in an emergency, and nobody stays outside who has what phones are given."""

import json

import pytest

from gatehouse.site import in_seconds
from patience import wait_until

QUICK = "cooldown-success-ms = 0\ncooldown-failure-ms = 0"
FAR = in_seconds(86400)


@pytest.fixture
def bela(site):
    """Somebody who comes after the new keys were made."""
    bela = site.person("bela")
    bela.give_token()
    return bela


def change(site, *options, status=0):
    """What the office does about the keys of its gates."""
    return site.authority("gate", "--name", "gates", *options)


def refusal(site, *options):
    run = site.programs.run("tapstile-authority", "gate", "--dir", site.path("authority"), "--name", "gates", *options, "--json", status=1)
    return json.loads(run.stderr)["error"]["code"]


def next_keys(site, switch_at):
    return (f'next-signing-key = "{site.gate_file("gate-signing.key", 2)}"\n'
            f'next-agreement-key = "{site.gate_file("gate-agreement.key", 2)}"\nswitch-at = "{switch_at}"')


def credentials(site, generation):
    return (f'signing-credential = "{site.gate_file("gate-signing.cwt", generation)}"\n'
            f'agreement-credential = "{site.gate_file("gate-agreement.cwt", generation)}"')


def configure(site, gate, **configuration):
    """The installer edits the file of a running gate."""
    site.configuration(lane=QUICK, **configuration)
    gate.run_tool("reload")


def granted(gate, person, *options):
    told = person.phone(*options).tap()
    assert (told["result"], told["reason"]) == ("granted", "granted"), told
    gate.wait_for_indicator("ready")
    return told


def stays_outside(gate, person, *options):
    """The phone takes the gate for none of its own, and says nothing of who it is."""
    mark = gate.events.mark
    told = person.phone(*options).tap("--timeout", 1000)
    assert told["result"] == "none", told
    assert gate.events.wait("result", since=mark)["reason"] == "phone-declined"


def in_force(gate):
    """Thumbprints of the keys in force, and how they are shown."""
    keys = gate.status()["gateKeys"]
    return [(keys[use]["inForce"]["thumbprint"], keys[use]["inForce"]["shown"]) for use in ("signing", "agreement")]


def listed(site, generation):
    """The thumbprints that the office lists of one generation."""
    run = site.programs.run("tapstile-authority", "list", "gates", "--dir", site.path("authority"), "--json")
    keys = [json.loads(line) for line in run.stdout.splitlines()]
    return [key["thumbprint"] for key in keys if key["generation"] == generation]


def test_all_gates_change_at_a_date_and_nobody_stays_outside(site, start, bela):
    site.anna.keep_known_gates()
    gate = start(lane=QUICK)
    answer = change(site, "--rotate")
    assert answer["generation"] == 2 and answer["enrolledWithoutEnd"] == 0
    assert answer["safeFrom"] >= in_seconds(29 * 86400), "anna's and bela's tokens are valid for 30 days"
    bela.keep_known_gates()

    configure(site, gate, gate_more=next_keys(site, FAR))
    keys = gate.status()["gateKeys"]
    assert (keys["switchAt"], keys["switched"], keys["warnings"]) == (FAR, False, [])
    assert [thumbprint for thumbprint, _ in in_force(gate)] == listed(site, 1)
    assert [keys[use]["next"]["thumbprint"] for use in ("signing", "agreement")] == listed(site, 2)
    assert f"from {FAR} signing: {listed(site, 2)[0][:16]}" in gate.run_tool("status").stdout
    granted(gate, site.anna)
    granted(gate, bela)

    # The date comes while the gate runs, and nobody is there.
    soon = in_seconds(2)
    configure(site, gate, gate_more=next_keys(site, soon))
    granted(gate, bela)
    wait_until("the gate to change its keys", lambda: gate.status()["gateKeys"]["switched"], pause=0.05, instead=lambda: gate.status()["gateKeys"])
    assert in_force(gate) == [(thumbprint, "reference") for thumbprint in listed(site, 2)]
    granted(gate, bela)
    stays_outside(gate, site.anna)

    # With the next token anna gets what the site knows its gates by now.
    site.anna.give_token()
    site.anna.keep_known_gates()
    granted(gate, site.anna)

    # A power cut takes no gate back.
    gate.wait_for_an_empty_field()
    gate.kill()
    gate.start()
    gate.wait_for_reader()
    granted(gate, bela)

    # The installer tidies up; the office keeps the old keys among those for phones as long as somebody may need them.
    configure(site, gate, keys=2)
    assert [thumbprint for thumbprint, _ in in_force(gate)] == listed(site, 2)
    granted(gate, bela)
    assert refusal(site, "--drop-old") == "old-keys-needed"
    assert refusal(site, "--rotate") == "rotation-under-way"


def test_the_journal_says_when_other_keys_came_into_force(site, start, bela):
    change(site, "--rotate")
    gate = start(lane=QUICK, gate_more=next_keys(site, FAR))
    configure(site, gate, gate_more=next_keys(site, in_seconds(-1)))
    told = [record for record in gate.journal() if record["detail"].get("what") == "gate-keys-changed"]
    assert [record["detail"]["keys"] for record in told] == [" ".join(listed(site, 2))]


def test_a_start_says_with_which_keys(site, start):
    """They may have changed while the gate was off."""
    change(site, "--rotate")
    gate = start(lane=QUICK, gate_more=next_keys(site, in_seconds(-1)))
    told = [record for record in gate.journal() if record["detail"].get("what") == "started"]
    assert [record["detail"]["keys"] for record in told] == [" ".join(listed(site, 2))]


def test_a_next_key_that_is_not_there_is_refused_by_name(site, gate):
    site.configuration(lane=QUICK, gate_more=next_keys(site, FAR))
    run = gate.run_tool("reload", "--json", status=1)
    error = json.loads(run.stderr)["error"]
    assert error["code"] == "key-file-missing" and "gate --rotate" in error["message"]
    granted(gate, site.anna)


def test_in_an_emergency_phones_believe_keys_they_have_never_seen(site, start, bela):
    """Anna's phone has the file of last week; the keys in it were stolen."""
    site.anna.keep_known_gates()
    bela.keep_known_gates()
    gate = start(lane=f"methods = [0, 3]\n{QUICK}")
    usual = granted(gate, site.anna)
    answer = change(site, "--emergency")
    assert answer["withoutGateIssuer"] == 0
    site.configuration(lane=f"methods = [0, 3]\n{QUICK}", keys=2, gate_more=credentials(site, 2))
    gate.run_tool("reload")
    assert in_force(gate) == [(thumbprint, "value") for thumbprint in listed(site, 2)]

    told = granted(gate, site.anna)
    # docs/phone-protocol.md: message_2 takes two commands then.
    assert told["commandsToProof"] == usual["commandsToProof"] + 1
    assert 150 < told["framedBytesToProof"] - usual["framedBytesToProof"] < 260, told
    carl = site.person("carl", agrees=True)
    carl.give_token()
    carl.known_gates = site.anna.known_gates
    granted(gate, carl)

    # A phone goes by its own clock, not by that of the gate; what was issued an hour ago is no hurdle for a slow one.
    stays_outside(gate, site.anna, "--clock", in_seconds(31 * 86400))
    granted(gate, site.anna, "--clock", in_seconds(-3000))

    # When all gates have the new keys, nobody is given the stolen ones any more.
    change(site, "--drop-old")
    site.anna.keep_known_gates()
    granted(gate, site.anna)
    gate.wait_for_an_empty_field()
    assert gate.stop() == 0
    thief = start(lane=QUICK, keys=1)
    stays_outside(thief, site.anna)
    # Why the new file is urgent: bela's phone still believes the thief.
    assert bela.phone().tap()["gate"] is not None


def test_a_phone_that_does_not_know_the_issuer_stays_outside(site, start):
    """Its file is from before there was one: the office counts such phones."""
    with open(site.known_gates, "rb") as file:
        known = file.read()
    site.anna.known_gates = site.path("people", "anna.gates")
    with open(site.anna.known_gates, "wb") as file:
        file.write(known[:known.index(b"\x84\x6bgate-issuer")])
    change(site, "--emergency")
    gate = start(lane=QUICK, keys=2, gate_more=credentials(site, 2))
    stays_outside(gate, site.anna)
    site.anna.keep_known_gates()
    granted(gate, site.anna)


def test_the_credentials_of_another_site_are_named(site, start):
    change(site, "--emergency")
    other = site.path("elsewhere")
    site.programs.run("tapstile-authority", "init", "--site", "elsewhere", "--dir", other)
    site.programs.run("tapstile-authority", "gate", "--name", "gates", "--dir", other)
    site.programs.run("tapstile-authority", "gate", "--name", "gates", "--credential", "--dir", other)
    gate = start(lane=QUICK, keys=2, gate_more=f'signing-credential = "{other}/gates/gates/gate-signing.cwt"')
    assert [(key["key"], key["code"]) for key in gate.status()["keys"]] == [("gate.signing-credential", "gate-token-other-site")]
    granted(gate, site.anna)
