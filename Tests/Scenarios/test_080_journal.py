"""The audit journal as those who answer for the gate read it."""

import json

import pytest

from gatehouse.fixtures import gates_of, site_apart

NO_COOLDOWN = "cooldown-success-ms = 0\ncooldown-failure-ms = 0"


@pytest.fixture(scope="module")
def told(programs):
    """A gate after four taps: anna, bert whose token is for something else, a stranger, anna; and what
    the phones were told."""
    with site_apart(programs) as site, gates_of(site) as start:
        # However slow the disk is, the phone is told the head.
        gate = start(lane=NO_COOLDOWN, audit="wait-ms = 250")
        bert, carl = site.person("bert"), site.person("carl")
        bert.give_token("--scope", "hold")
        carl.enrol()
        gate.told = [person.phone().tap() for person in (site.anna, bert, carl, site.anna)]
        yield gate


def test_filters(told):
    gate = told
    assert [record["subject"] for record in gate.journal("--reason", "granted")] == ["anna", "anna"]
    (refused,) = gate.journal("--reason", "scope-lacks-command")
    assert refused["subject"] == "bert" and refused["detail"]["command"] == "tokn"
    assert gate.journal("--lane", "nowhere") == []
    everything = gate.journal()
    assert {record["kind"] for record in everything} >= {"outcome", "service", "trust"}
    assert len(gate.journal("--lane", "entry")) == 3
    last = everything[-1]
    assert gate.journal("--since", last["time"])[-1] == last
    assert gate.journal("--since", "2099-01-01T00:00:00Z") == []
    assert gate.journal("--from", str(last["sequence"])) == [last]


def test_both_chains_are_whole_from_end_to_end(told):
    found = told.ask("journal", "verify")
    last = told.journal()[-1]
    assert found["holds"]
    assert found["main"] == {"first": 1, "sequence": last["sequence"], "head": last["hash"]}
    assert found["unproven"]["sequence"] == told.journal("--unproven")[-1]["sequence"]


def test_a_kind_can_be_chosen(told):
    assert {record["kind"] for record in told.journal("--kind", "outcome")} == {"outcome"}
    assert len(told.journal("--kind", "outcome")) == 3
    assert [record["reason"] for record in told.journal("--kind", "outcome", "--reason", "granted")] == ["granted", "granted"]
    assert told.journal("--kind", "nonsense") == []


def test_what_a_record_says(told):
    first = told.journal("--reason", "granted")[0]
    assert first["kind"] == "outcome" and first["lane"] == "entry" and first["reader"] == "entry-reader"
    assert first["carrier"] == "nfc" and first["attempt"] and first["began"] <= first["time"]
    assert len(first["credential"]) == len(first["transcript"]) == len(first["hash"]) == 64
    assert first["evidence"]
    # A refusal proves nothing that would have to be kept.
    assert "evidence" not in told.journal("--reason", "scope-lacks-command")[0]


def test_the_head_in_the_phones_outcome_is_that_of_the_journal(told):
    """An outside party can notice a cut tail (docs/architecture.md)."""
    hashes = [record["hash"] for record in told.journal("--reason", "granted")]
    assert [told.told[0]["journalHead"], told.told[3]["journalHead"]] == hashes
    # Strangers get none.
    assert told.told[2]["journalHead"] is None


def test_the_head_in_status_is_the_last_record(told):
    records = told.journal()
    status = told.status()["journal"]
    assert (status["sequence"], status["head"]) == (records[-1]["sequence"], records[-1]["hash"])


def test_paging(told):
    """Pages of one record give the same as all at once."""
    everything = told.journal()
    paged, start = [], 1
    with told.connect() as client:
        while True:
            request = {"v": 1, "id": start, "do": "journal", "from": start, "limit": 1}
            page = client.ask(json.dumps(request).encode() + b"\n")["body"]
            paged += page["records"]
            if not page["more"]:
                break
            start = page["next"]
    assert paged == everything
    assert told.journal("--limit", "2") == everything[:2]
    # Whoever asks at three in the morning means the newest.
    assert told.journal("--last", "2") == everything[-2:]
    assert told.journal("--last", "9999") == everything
    named = [record for record in everything if record.get("subject") == "anna"]
    assert named and told.journal("--subject", "anna") == named
    assert told.journal("--subject", "anna", "--last", "1") == named[-1:]


def test_more_than_one_page(told):
    """The tool asks for as many pages as there are: reloads make records quickly."""
    for _ in range(210):
        told.ask("reload")
    records = told.journal()
    assert len(records) > 200
    assert [record["sequence"] for record in records] == list(range(records[0]["sequence"], records[-1]["sequence"] + 1))
    assert len(told.journal("--limit", "205")) == 205
    assert told.journal("--last", "205") == records[-205:]


def test_it_says_when_it_was_started_and_stopped(start):
    gate = start()
    gate.stop()
    gate.start()
    what = [record["detail"]["what"] for record in gate.journal() if record["kind"] == "service"]
    assert [word for word in what if word != "clock-confirmed"] == ["started", "stopped", "started"]


def test_for_people(told):
    lines = told.run_tool("journal").stdout.splitlines()
    assert len(lines) == len(told.journal())
    assert any("anna" in line and "granted" in line for line in lines)
