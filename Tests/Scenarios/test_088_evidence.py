"""A grant in dispute: exported at the gate, checked somewhere else, by somebody who believes only public keys."""

import hashlib
import json
import os
import shutil
import stat
import time

import cbor2
import pytest

from gatehouse.archive import Archive
from gatehouse.fixtures import gates_of, site_apart, site_with_anna, throw_away_folder
from patience import wait_until

NO_COOLDOWN = "cooldown-success-ms = 0\ncooldown-failure-ms = 0\nmethods = [0, 3]"


class Dispute:
    """A gate after taps of anna (token), carl (enrolled, signs), dora (enrolled, agrees) and bert, who was refused."""

    def __init__(self, site, gate):
        self.site, self.gate = site, gate
        self.people = {"anna": site.anna, "carl": site.person("carl"), "dora": site.person("dora", agrees=True),
                       "bert": site.person("bert")}
        self.people["carl"].enrol()
        self.people["dora"].enrol()
        self.people["bert"].give_token("--scope", "hold")
        gate.import_publication(site.publish())
        self.told = {name: person.phone().tap() for name, person in self.people.items()}
        self.records = {record["subject"]: record for record in gate.journal() if record["kind"] == "outcome"}

    def export(self, name, path=None):
        """The evidence of this person's tap, taken away from the gate."""
        path = path or self.site.path(f"{name}.evidence")
        if os.path.exists(path):
            os.unlink(path)
        self.gate.ask("journal", "export-evidence", self.records[name]["sequence"], "--out", path)
        return path

    def keys(self):
        """Public files only, in a folder of somebody else."""
        folder = self.site.path("elsewhere")
        os.makedirs(folder, exist_ok=True)
        for name in ("issuer.pub", "gates.phone"):
            shutil.copy(self.site.path("authority", name), folder)
        return [*self.audit(), "--issuer-key", os.path.join(folder, "issuer.pub"), "--gates", os.path.join(folder, "gates.phone")]

    def audit(self):
        """The gate's audit key, which somebody took away on the day of the installation."""
        return audit_key(self.gate, self.site)

    def check(self, path, *options, status=0):
        return self.site.programs.json("tapstile-authority", "verify-evidence", path, *options, status=status)

    def office(self):
        return [*self.audit(), "--dir", self.site.path("authority")]


def audit_key(gate, site):
    path = site.path("gate.audit.pub")
    if not os.path.exists(path):
        gate.ask("journal", "audit-key", "--out", path)
    return ["--audit-key", path]


@pytest.fixture(scope="module")
def dispute(programs):
    with site_apart(programs) as site, gates_of(site) as start:
        yield Dispute(site, start(lane=NO_COOLDOWN, audit="wait-ms = 250"))


def faults(report):
    return {check["check"]: check["code"] for check in report["checks"] if not check["holds"]}


def test_a_grant_is_proved_to_somebody_with_public_keys_only(dispute):
    path = dispute.export("anna")
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    report = dispute.check(path, *dispute.keys())
    assert report["holds"] and faults(report) == {}
    record = report["record"]
    assert (record["subject"], record["gate"], record["lane"], record["site"]) == ("anna", "gate-1", "entry", "demo")
    assert (record["command"], record["carrier"], record["method"]) == ("tokn", "nfc", 0)
    assert record["credential"] == dispute.records["anna"]["credential"]
    # Fair warning.
    assert {limit["what"] for limit in report["notProved"]} >= {"presence", "passage", "time", "journal", "issuer", "revocation"}


def test_what_the_phone_kept_binds_the_gates_owner(dispute):
    path = dispute.export("anna")
    head = dispute.told["anna"]["journalHead"]
    anna = dispute.people["anna"].public_key
    report = dispute.check(path, *dispute.keys(), "--head", head, "--phone-key", anna)
    assert report["holds"] and {"kept", "person"} <= {check["check"] for check in report["checks"]}
    other = dispute.told["carl"]["journalHead"]
    assert faults(dispute.check(path, *dispute.keys(), "--head", other, status=1)) == {"kept": "evidence-other-record"}
    bert = dispute.people["bert"].public_key
    assert faults(dispute.check(path, *dispute.keys(), "--phone-key", bert, status=1)) == {"person": "evidence-other-phone"}


def test_an_enrolled_key_is_known_to_the_office(dispute):
    path = dispute.export("carl")
    assert dispute.check(path, *dispute.office())["holds"]
    open_check = {"issuer": "evidence-enrolment-not-given"}
    assert faults(dispute.check(path, *dispute.keys(), status=1)) == open_check


def test_an_enrolled_key_is_known_by_what_the_site_has_published(dispute):
    path, site = dispute.export("carl"), dispute.site
    archive = Archive(site)
    first, second = (archive.of(site.path(f"publication-{number}")) for number in (1, 2))
    archived = [*dispute.audit(), "--site-key", archive.public_key, "--publication"]
    assert dispute.check(path, *archived, second)["holds"]
    assert dispute.check(dispute.export("anna"), *archived, first)["holds"]
    # The first one was made before carl was enrolled.
    before = dispute.check(path, *dispute.keys(), *archived, first, status=1)
    assert faults(before) == {"issuer": "evidence-enrolment-not-given"}
    with open(second, "rb") as whole, open(site.path("changed"), "wb") as changed:
        changed.write(whole.read()[:-1] + b"?")

    def error(*options, status=1):
        run = site.programs.run("tapstile-authority", "verify-evidence", path, *dispute.keys(), *options, "--json", status=status)
        return json.loads(run.stderr)["error"]["code"]

    assert error(*archived, site.path("changed")).startswith("publication-")
    assert error("--publication", second, status=2) == "option-missing"
    assert error("--site-key", site.path("authority", "issuer.pub"), "--publication", second) == "key-wrong-role"


def test_a_token_by_reference_is_in_the_evidence_whole(dispute):
    """Its bytes did not travel: the gate has kept them, and keeps them for whoever asks later."""
    person = dispute.site.person("emil")
    person.give_token()
    for _ in range(2):
        assert person.phone("--by-reference").tap()["status"] == 0
    dispute.records["emil"] = [record for record in dispute.gate.journal() if record.get("subject") == "emil"][-1]
    path = dispute.export("emil")
    with open(path, "rb") as file:
        evidence = cbor2.loads(cbor2.loads(cbor2.loads(file.read())[3])[EVIDENCE])
    assert list(cbor2.loads(evidence[2])) == [4], "ID_CRED_I is a kid"
    assert dispute.check(path, *dispute.keys())["holds"]


def test_a_mac_is_said_to_prove_nothing(dispute):
    path = dispute.site.path("dora.evidence")
    run = dispute.gate.run_tool("journal", "export-evidence", dispute.records["dora"]["sequence"], "--out", path)
    assert "proves nothing" in run.stderr
    assert faults(dispute.check(path, *dispute.office(), status=1)) == {"phone": "evidence-only-mac"}
    text = dispute.site.programs.run("tapstile-authority", "verify-evidence", path, *dispute.office(), status=1).stdout
    assert "FAILS phone" in text and "evidence-only-mac" in text and "proves nothing to anybody else" in text


def test_every_check_has_a_line_of_its_own(dispute):
    path = dispute.export("anna")
    run = dispute.site.programs.run("tapstile-authority", "verify-evidence", path, *dispute.office())
    lines = run.stdout.splitlines()
    held = [line.split()[1] for line in lines if line.startswith("holds ")]
    assert held == [check["check"] for check in dispute.check(path, *dispute.office())["checks"]]
    assert len(held) == 16 and lines[0].startswith("The gate 'gate-1' granted 'tokn' to 'anna' at lane 'entry'")
    assert lines[0].endswith("all 16 checks hold.")
    # What remains is said before everything else.
    assert lines[1].startswith("What remains: whoever has the gate's audit key, the gate's key and the phone's key can make all of it at a desk")
    assert sum(line.startswith("not proved, whatever holds: ") for line in lines) == 7


def test_without_keys_it_is_not_proved(dispute):
    path = dispute.export("anna")
    audit, issuer, gates = (dispute.keys()[index:index + 2] for index in (0, 2, 4))
    assert faults(dispute.check(path, *audit, *issuer, status=1)) == {"gate": "evidence-gate-not-given"}
    assert faults(dispute.check(path, *audit, *gates, status=1)) == {"issuer": "evidence-issuer-not-given"}
    assert faults(dispute.check(path, *issuer, *gates, status=1)) == {"outcome": "evidence-audit-key-not-given"}


def test_a_file_without_the_gates_signature_is_a_phones_word(dispute):
    """So it is what an earlier version exported, and what anybody can make with a phone and one visit to the reader."""
    path = dispute.export("anna")
    with open(path, "rb") as file:
        mark, _, *record, _ = cbor2.loads(file.read())
    earlier = path + ".earlier"
    with open(earlier, "wb") as file:
        file.write(cbor2.dumps([mark, 1, *record], canonical=True))
    report = dispute.check(earlier, *dispute.office(), status=4)
    assert (report["holds"], report["verdict"], faults(report)) == (False, "only-phone", {"outcome": "evidence-only-phone"})
    run = dispute.site.programs.run("tapstile-authority", "verify-evidence", earlier, *dispute.office(), status=4)
    assert run.stdout.startswith("evidence-only-phone: ")
    # What else is wrong weighs more.
    assert faults(dispute.check(earlier, *dispute.keys()[:4], status=1)).keys() == {"gate", "outcome"}


def test_the_signature_over_another_outcome_is_none(dispute):
    def items(name):
        with open(dispute.export(name), "rb") as file:
            return cbor2.loads(file.read())

    anna, carl = items("anna"), items("carl")
    grafted = dispute.site.path("grafted.evidence")
    with open(grafted, "wb") as file:
        file.write(cbor2.dumps([*anna[:-1], carl[-1]], canonical=True))
    assert faults(dispute.check(grafted, *dispute.office(), status=1)) == {"outcome": "evidence-outcome-differs"}


def test_whoever_gives_nothing_is_told_what_to_give(dispute, tmp_path):
    run = dispute.site.programs.run(
        "tapstile-authority", "verify-evidence", dispute.export("anna"), "--json", status=2, cwd=tmp_path)
    error = json.loads(run.stderr)["error"]
    assert error["code"] == "one-option-needed" and "--dir" in error["message"] and "--publication" in error["message"]


def test_another_site_does_not_know_it(dispute, programs):
    with throw_away_folder() as folder:
        other = site_with_anna(programs, folder)
        found = faults(dispute.check(dispute.export("anna"), *dispute.audit(), "--dir", other.path("authority"), status=1))
    assert found == {"issuer": "evidence-issuer-unknown", "gate": "evidence-gate-unknown"}


def rewritten(path, change):
    """The file with its record changed and hashed anew, as whoever owns the gate can do."""
    with open(path, "rb") as file:
        mark, version, previous, record, _, outcome = cbor2.loads(file.read())
    fields = cbor2.loads(record)
    change(fields)
    record = cbor2.dumps(fields, canonical=True)
    forged = path + ".forged"
    with open(forged, "wb") as file:
        file.write(cbor2.dumps([mark, version, previous, record, hashlib.sha256(previous + record).digest(), outcome], canonical=True))
    return forged


LANE, TRANSCRIPT, SUBJECT, CREDENTIAL, EVIDENCE, WALL = 8, 11, 13, 14, 17, 5


@pytest.mark.parametrize("label, value, code", [
    (LANE, "exit", "evidence-place-differs"), (SUBJECT, "bert", "evidence-credential-differs"),
    (CREDENTIAL, bytes(32), "evidence-credential-differs"), (TRANSCRIPT, bytes(32), "evidence-transcript-differs"),
    (WALL, 1_700_000_000_000, "evidence-time-differs"),
])
def test_a_record_that_says_otherwise_is_found(dispute, label, value, code):
    forged = rewritten(dispute.export("anna"), lambda fields: fields.update({label: value}))
    assert code in faults(dispute.check(forged, *dispute.office(), status=1)).values()


def test_somebody_elses_evidence_does_not_fit(dispute):
    with open(dispute.export("carl"), "rb") as file:
        other = cbor2.loads(cbor2.loads(file.read())[3])[EVIDENCE]
    forged = rewritten(dispute.export("anna"), lambda fields: fields.update({EVIDENCE: other}))
    found = faults(dispute.check(forged, *dispute.office(), status=1))
    assert {"attempt", "transcript", "credential"} <= set(found)


def test_a_damaged_file_is_said_to_be(dispute):
    path = dispute.export("anna")
    with open(path, "rb") as file:
        whole = file.read()
    half = path + ".half"
    with open(half, "wb") as file:
        file.write(whole[: len(whole) // 2])
    run = dispute.site.programs.run("tapstile-authority", "verify-evidence", half, *dispute.keys(), "--json", status=1)
    assert json.loads(run.stderr)["error"]["code"] == "evidence-malformed"


def refusal(dispute, *operands, status=1):
    run = dispute.gate.run_tool("journal", *operands, "--json", status=status)
    return json.loads(run.stderr)["error"]["code"]


def test_what_cannot_be_proved_is_named(dispute):
    out = dispute.site.path("nothing.evidence")
    assert refusal(dispute, "export-evidence", dispute.records["bert"]["sequence"], "--out", out) == "record-without-evidence"
    assert refusal(dispute, "export-evidence", 1_000_000, "--out", out) == "record-missing"
    assert not os.path.exists(out)
    path = dispute.export("anna")
    assert refusal(dispute, "export-evidence", dispute.records["carl"]["sequence"], "--out", path) == "file-exists"
    assert dispute.check(path, *dispute.keys())["record"]["subject"] == "anna"
    assert refusal(dispute, "export-evidence", status=2) == "operand-missing"
    assert refusal(dispute, "export-evidence", "first", status=2) == "operand-not-wanted"
    assert refusal(dispute, "disprove", status=2) == "operand-not-wanted"
    assert refusal(dispute, "export-evidence", 1, "--lane", "entry", status=2) == "options-exclude-each-other"
    assert refusal(dispute, "--out", out, status=2) == "operand-missing"


def test_who_asked_is_noted(dispute):
    dispute.export("anna")
    sequence = dispute.records["anna"]["sequence"]
    assert f"journal-prove of record {sequence}, asked by user {os.getuid()}" in dispute.gate.log


def prove(gate, person):
    """The evidence of the newest grant."""
    path = person.site.path(f"{person.name}.evidence")
    assert gate.ask("journal", "export-evidence", gate.journal("--reason", "granted")[-1]["sequence"], "--out", path)["outcomeSigned"]
    audit_key(gate, person.site)
    return path


def checked(site, path, *options, status=0):
    options = options or ["--dir", site.path("authority")]
    return site.programs.json(
        "tapstile-authority", "verify-evidence", path, "--audit-key", site.path("gate.audit.pub"), *options, status=status)


def test_a_grant_after_a_revocation_is_found(site, start):
    """Of a gate that did not have it yet; the office knows, and so does whoever keeps publications."""
    gate, archive = start(lane=NO_COOLDOWN), Archive(site)
    public = ["--issuer-key", site.path("authority", "issuer.pub"), "--gates", site.known_gates, "--site-key", archive.public_key]
    before = archive.of(site.path("publication-1"))
    site.authority("revoke", "--token", site.anna.token)
    revoked = archive.of(site.publish())
    assert site.anna.phone().tap()["status"] == 0, "nobody brought it to the gate"
    path = prove(gate, site.anna)
    assert faults(checked(site, path, status=1)) == {"revocation": "evidence-revoked"}
    assert faults(checked(site, path, *public, "--publication", revoked, status=1)) == {"revocation": "evidence-revoked"}
    # The one before was not in force any more.
    both = [*public, "--publication", before, "--publication", revoked]
    assert faults(checked(site, path, *both, status=1)) == {"revocation": "evidence-revoked"}
    report = checked(site, path, *public, "--publication", before)
    assert report["holds"] and "revocation" in {check["check"] for check in report["checks"]}


def test_a_grant_before_a_revocation_holds(site, start):
    gate = start(lane=NO_COOLDOWN)
    assert site.anna.phone().tap()["status"] == 0
    path = prove(gate, site.anna)
    # Seconds are what both are kept in.
    sequence_time = checked(site, path)["record"]["time"]
    wait_until("the next second", lambda: time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()) > sequence_time)
    site.authority("revoke", "--token", site.anna.token)
    assert checked(site, path)["holds"]


def test_a_gate_with_a_credential_by_value_is_known_by_its_issuer(site, start):
    site.authority("gate", "--name", "gates", "--emergency")
    gate = start(lane=NO_COOLDOWN, keys=2, gate_more=f'signing-credential = "{site.gate_file("gate-signing.cwt", 2)}"')
    assert site.anna.phone().tap()["status"] == 0
    path = prove(gate, site.anna)
    assert checked(site, path)["holds"]
    public = ["--issuer-key", site.path("authority", "issuer.pub"), "--gates", site.known_gates]
    assert checked(site, path, *public)["holds"]


def test_a_stolen_gate_key_proves_nothing_after_it_was_dropped(site, start):
    """Anna's phone still believes the thief's gate, and signs what it says."""
    site.anna.keep_known_gates()
    gate = start(lane=NO_COOLDOWN)
    site.authority("gate", "--name", "gates", "--emergency")
    site.authority("gate", "--name", "gates", "--drop-old")
    assert site.anna.phone().tap()["status"] == 0
    path = prove(gate, site.anna)
    assert faults(checked(site, path, status=1)) == {"gate": "evidence-gate-dropped"}
    # The file of today does not have the key at all; that of anna's phone is why editions are kept.
    issuer = ["--issuer-key", site.path("authority", "issuer.pub")]
    assert faults(checked(site, path, *issuer, "--gates", site.known_gates, status=1)) == {"gate": "evidence-gate-unknown"}
    assert checked(site, path, *issuer, "--gates", site.anna.known_gates)["holds"]
