"""What earlier versions have left behind (Tests/Frozen) is opened, verified and taken by this one: today, in two years and in fourteen."""

import datetime
import hashlib
import json
import os
import shutil
import tomllib

import pytest

from gatehouse import Card, Person, Programs
from gatehouse.frozen import FOLDER, FrozenSite, filled, unpacked, versions
from gatehouse.phone import Phone
from gatehouse.verdicts import EVIDENCE, JOURNALS, Judge
from gatehouse.wall_clock import WallClock

YEAR = 366 * 24
# `trust.refuse-after-days` has no more: after them no version takes a token by what it was told then.
LONGEST_DAYS = 3650
#: What is called otherwise today than when it was frozen, in what people and programs read: settings in configurations, and words in
#: exports. Bytes that are hashed, signed or stored have no other names.
RENAMED_SETTINGS = {
    "plain-cards": "uid-only-cards", "exit-request-when-locked": "request-to-exit-when-locked", "exit-request": "request-to-exit",
    "mains-fail": "power-fail", "ble-background-rest-ms": "ble-background-cooldown-ms",
    "lights": "indicators",
}
#: What is gone, with the setting that takes its place.
GONE_SETTINGS = {"site-key": "root"}
RENAMED_WORDS = {}
#: Settings of the site's file, and fields of the status.
RENAMED_IN_SITE_FILES, RENAMED_FIELDS = {"plain-card]]": "uid-only-card]]", "[[word]]": "[[message]]"}, {"plainCards": "uidOnlyCards"}


# As CCID readers show one of ISO 14443 A (PC/SC part 3, 3.1.3.2.3).
STORAGE_CARD = bytes.fromhex("3b8f8001804f0ca000000306030001000000006a")


def number_of_card(command, number):
    return bytes.fromhex(number) + b"\x90\x00" if command == bytes.fromhex("ffca000000") else b"\x6d\x00"


def upgrade(path):
    """What whoever upgrades does to a file that is refused: puts the new names that the errors say."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for old, new in (RENAMED_SETTINGS | RENAMED_IN_SITE_FILES).items():
        text = text.replace(old, new)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


class Machine:
    """One on which a frozen version is unpacked; its clock is so many years ahead."""

    def __init__(self, programs, folder, version, years=0):
        self.folder, self.version, self.years = folder, version, years
        self.environment = {}
        if years:
            WallClock(self, years * YEAR)
        notes = {"TAPSTILE_AUTHORITY_NOTES": os.path.join(folder, "notes")}
        self.programs = Programs(programs.folder, {**programs.environment, **self.environment, **notes})
        self.site = FrozenSite(self.programs, folder)
        self.frozen = os.path.join(FOLDER, version)
        self.judge = Judge(self.site, self.frozen)
        with open(os.path.join(self.frozen, "recorded.json"), encoding="utf-8") as file:
            self.recorded = json.load(file)
        for name in ("gate", "office", "sticks"):
            unpacked(version, name, folder)
        for gate, file in (("gate", "tapstile.toml"), ("alone", "tapstile.toml"), ("alone", "site.toml")):
            upgrade(os.path.join(folder, gate, file))
        self.site.move_office(folder)

    @property
    def token_reason(self):
        """What whoever shows a token is told as long as nothing newer came."""
        age = datetime.datetime.now(datetime.UTC) - datetime.datetime.fromisoformat(self.recorded["made"])
        return "granted" if age.days + self.years * 366 < LONGEST_DAYS else "trust-data-stale"

    def start(self, name="gate"):
        gate = self.site.gate(name).start()
        gate.wait_for_reader()
        return gate

    def tap(self, name, *options):
        """The reason that the gate has."""
        gate = self.site.latest_gate
        gate.wait_for_an_empty_field()
        mark = gate.events.mark
        Phone(self.site.person(name), ()).tap(*options)
        return gate.events.wait("result", since=mark)["reason"]

    def card(self, number):
        """A UID-only card with that number is laid on the reader."""
        gate = self.site.latest_gate
        gate.wait_for_an_empty_field()
        mark = gate.events.mark
        port = int(self.programs.environment["TAPSTILE_CARD_PORT"])
        with Card(port, lambda command: number_of_card(command, number), answer_to_reset=STORAGE_CARD):
            reason = gate.events.wait("result", since=mark)["reason"]
        return reason

    def newcomer(self, name):
        person = Person(self.site, name)
        Phone.make_key(self.programs, person, agrees=False)
        return person

    def stop(self):
        gate = self.site.latest_gate
        if gate and gate.is_running:
            gate.stop()
            assert "Fatal error" not in gate.log and "internal-error" not in gate.log, gate.log


@pytest.fixture(params=versions())
def version(request):
    return request.param


@pytest.fixture
def machine(programs, folder, version):
    machine = Machine(programs, folder, version)
    yield machine
    machine.stop()


TODAY, IN_TWO_YEARS, IN_FOURTEEN_YEARS = 0, 2, 14


def by_the_clock(*years):
    """`later` is today's machine, then one of so many years later."""
    return pytest.mark.parametrize("later", years, indirect=True, ids=lambda years: f"in {years} years")


@pytest.fixture
def later(request, programs, folder, version):
    machine = Machine(programs, folder, version, request.param)
    yield machine
    machine.stop()


def renamed(text):
    for old, new in RENAMED_WORDS.items():
        text = text.replace(old, new)
    return text


# The gate ---------------------------------------------------------------------------------------


def told(gate):
    """What was recorded of the status, now."""
    status = gate.status()
    trust = {name: status["trust"].get(RENAMED_FIELDS.get(name, name)) for name in ("origin", "version", "enrolled", "plainCards", "revocations")}
    return {"site": status["site"], "gate": status["gate"], "trust": trust, "auditKey": status["journal"]["auditKey"]["thumbprint"],
            "lanes": {lane["name"]: lane["mode"]["mode"] for lane in status["lanes"]}}


@by_the_clock(TODAY, IN_TWO_YEARS, IN_FOURTEEN_YEARS)
def test_a_gate_goes_on_where_it_was_left(later):
    gate = later.start()
    assert told(gate) == later.recorded["status"]
    assert gate.ask("passback", "show")["people"] == later.recorded["inside"]
    journal = gate.status()["journal"]
    assert "warning" not in journal["auditKey"], journal
    for name in ("carl", "tina"):
        assert later.tap(name) == "granted"
    for name in ("mallory", "nina"):
        assert later.tap(name) == "revoked"
    assert later.tap("wanda") == "unknown-key"
    assert later.tap("nora") == "outside-schedule"
    assert [later.card(number) for number in ("04a1b2c3d4e5f6", "04a1b2c3d4e5f7")] == ["granted", "unknown-key"]
    assert later.tap("anna") == later.token_reason
    begun = later.recorded["journals"]["state"]["main"]["sequence"] + 1
    told_of = {record["subject"]: record["reason"] for record in gate.journal("--kind", "outcome", "--from", begun) if "subject" in record}
    assert told_of == {"carl": "granted", "tina": "granted", "mallory": "revoked", "nina": "revoked", "nora": "outside-schedule", "carla": "granted",
                       "anna": later.token_reason}
    # What came after it was left comes as changes, and what came before is none.
    assert gate.ask("import", later.site.path("sticks", "3"))["way"] == "changes"
    assert later.tap("tina") == "revoked"
    assert later.tap("wanda") == "granted"
    assert gate.refuses_import(later.site.path("sticks", "1")) == "tuf-rollback"
    whole = json.loads(gate.run_tool("journal", "verify", "--json", "--audit-key", later.judge.file("audit.pub"), "--since-checkpoint",
                                 later.judge.file("kept.checkpoint")).stdout)
    assert whole["holds"] and whole["outside"]["holds"] and whole["checkpoints"]["findings"] == []


def hashed(text):
    return [[record[name] for name in ("sequence", "body", "hash")] for record in map(json.loads, text.splitlines())]


def test_records_are_shown_as_they_were(machine):
    gate, judge = machine.start(), machine.judge
    lines = judge.text("journal.jsonl").splitlines()
    upto = ["--through", str(json.loads(lines[-1])["sequence"])]
    assert gate.run_tool("journal", "--json", *upto).stdout == renamed(judge.text("journal.jsonl"))
    assert gate.run_tool("journal", *upto).stdout == renamed(judge.text("journal.txt"))
    collected = gate.run_tool("journal", "--bodies", "--checkpoint", judge.file("collected.checkpoint")).stdout
    # Words may get other names; what was hashed may not.
    assert hashed(collected) == hashed(judge.text("journal.bodies.jsonl"))
    assert collected == renamed(judge.text("journal.bodies.jsonl"))
    for name, options in (("unproven.jsonl", ["--json"]), ("unproven.txt", [])):
        shown = gate.run_tool("journal", "--unproven", *options).stdout
        assert shown[:len(judge.text(name))] == renamed(judge.text(name)), name


def test_a_grant_of_then_is_exported_as_it_was(machine):
    gate = machine.start()
    for name in ("anna", "carl"):
        verdict = machine.recorded["evidence"][f"{name}/office"]
        path = machine.site.path(f"{name}.evidence")
        gate.ask("journal", "export-evidence", verdict["record"]["sequence"], "--out", path)
        assert machine.judge.evidence(f"{name}/office", path) == verdict
        with open(path, "rb") as now, open(machine.judge.path_of(name), "rb") as then:
            # The end is a signature of today.
            now, then = now.read(), then.read()
            assert now[:len(then) - 200] == then[:-200]


@by_the_clock(TODAY, IN_FOURTEEN_YEARS)
def test_a_gate_that_has_nothing_takes_the_whole(later):
    shutil.rmtree(later.site.path("gate", "state"))
    os.mkdir(later.site.path("gate", "state"), 0o700)
    gate = later.start()
    answer = gate.ask("import", later.site.path("sticks", "1"))
    assert answer["way"] == "whole"
    assert later.tap("mallory") == "granted"
    # With a newer root, newer keys of people, and as a web server has it.
    assert gate.ask("import", later.site.path("repository"))["way"] == "changes"
    assert later.tap("mallory") == "revoked"
    assert later.tap("wanda") == "granted"
    assert later.tap("anna") == later.token_reason


def test_a_gate_goes_on_after_a_power_cut(machine):
    site = machine.site
    shutil.rmtree(site.path("gate", "state"))
    shutil.copytree(site.path("killed"), site.path("gate", "state"))
    gate = machine.start()
    judge = machine.judge
    for name in ("carl", "anna"):
        assert machine.tap(name) == ("granted" if name == "carl" else machine.token_reason)
    assert machine.tap("mallory") == "revoked"
    found = json.loads(gate.run_tool("journal", "verify", "--json", "--audit-key", judge.file("audit.pub"), "--since-checkpoint",
                                 judge.file("kept.checkpoint")).stdout)
    assert found["holds"] and "warning" not in gate.status()["journal"]["auditKey"]
    # Every record that was on the disk is there.
    until = machine.recorded["journals"]["killed"]["main"]
    (last,) = gate.journal("--from", until["sequence"], "--through", until["sequence"])
    assert last["hash"] == until["head"]


@by_the_clock(TODAY, IN_FOURTEEN_YEARS)
def test_a_gate_without_an_authority_goes_on(later):
    gate = later.start("alone")
    assert gate.ask("lane", "entry")["mode"]["mode"] == "held-open"
    gate.ask("lane", "entry", "normal")
    assert later.tap("carl") == "granted"
    assert later.tap("mallory") == "revoked"


# The office -------------------------------------------------------------------------------------


@by_the_clock(TODAY, IN_TWO_YEARS, IN_FOURTEEN_YEARS)
def test_an_office_goes_on(later):
    site = later.site
    for what, known in later.recorded["lists"].items():
        # What lists say besides since then is news.
        assert [{key: row[key] for key in then} for row, then in zip(site.listed(what), known, strict=True)] == known, what
    later.programs.run("tapstile-authority", "verify-repo", site.path("repository"))
    gate = later.start()
    new = later.newcomer("xenia")
    site.authority("enrol", "--key", new.public_key, "--subject", "xenia", "--out", site.path("people", "xenia.ccs"))
    site.authority("resume", "--subject", "nina")
    site.authority("publish", "--clock-checked")
    site.authority("publish", "--stick", site.path("sticks", "new"), "--clock-checked")
    assert gate.ask("import", site.path("sticks", "new"))["way"] == "changes"
    for name in ("xenia", "nina", "wanda"):
        assert later.tap(name) == "granted"
    for name in ("mallory", "tina"):
        assert later.tap(name) == "revoked"
    status = site.path("status.json")
    with open(status, "w", encoding="utf-8") as file:
        json.dump(gate.status(), file)
    # It has gone forward since the office of then looked at it.
    site.authority("check-gates", "--status", status)
    # What was signed now is new, and so a token of then counts again; so does one of today, by the same issuer.
    assert later.tap("anna") == "granted"
    later.newcomer("yves")
    site.authority("token", "--key", site.path("people", "yves.pub"), "--subject", "yves", "--out", site.path("people", "yves.token"), "--clock-checked")
    assert later.tap("yves") == "granted"


# What was exported ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EVIDENCE)
def test_evidence_is_judged_as_it_was(machine, name):
    assert machine.judge.evidence(name) == machine.recorded["evidence"][name]


@pytest.mark.parametrize("name", JOURNALS)
def test_journals_are_judged_as_they_were(machine, name):
    assert machine.judge.journal(name) == machine.recorded["journals"][name]


@by_the_clock(IN_TWO_YEARS, IN_FOURTEEN_YEARS)
def test_no_verdict_depends_on_the_day(later):
    assert {name: later.judge.evidence(name) for name in EVIDENCE} == later.recorded["evidence"]
    assert {name: later.judge.journal(name) for name in JOURNALS} == later.recorded["journals"]


# Configurations ---------------------------------------------------------------------------------


def settings(table, path=""):
    """All of them, each with its value; tables of a list have numbers."""
    found = {}
    for key, value in table.items():
        name = f"{path}{key}"
        if isinstance(value, list) and value and isinstance(value[0], dict):
            value = {str(number): entry for number, entry in enumerate(value)}
        found |= settings(value, name + ".") if isinstance(value, dict) else {name: value}
    return found


def configuration(machine, name):
    """A frozen one, beside everything that it names."""
    for file in ("gate-signing.cwt", "gate-agreement.cwt", "gate-signing-2.key", "gate-agreement-2.key", "site.pub"):
        path = machine.site.path("gate", "keys", file)
        with open(path, "w", encoding="ascii"):
            os.chmod(path, 0o600)
    with open(machine.judge.file("configuration", name), encoding="utf-8") as file:
        text = filled(file.read(), machine.folder)
    path = machine.site.path(name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path, text


def names_what_is_new(line):
    return any(f'"{old}"' in line and f'"{new}"' in line for old, new in RENAMED_SETTINGS.items()) or any(
        f'"{old}"' in line and f"{new} = " in line for old, new in GONE_SETTINGS.items())


@pytest.mark.parametrize("name", ["gate.toml", "alone.toml", "publications.toml", "everything.toml"])
def test_a_configuration_of_then_is_read_or_names_what_is_called_otherwise(machine, name):
    path, text = configuration(machine, name)
    run = machine.programs.run("tapstile", "check-config", path, status=None)
    errors = [line for line in run.stderr.splitlines() if " error " in line]
    for line in errors:
        # Whoever upgrades reads the new name beside the old one.
        assert names_what_is_new(line), line
    for old, new in (RENAMED_SETTINGS | GONE_SETTINGS).items():
        text = text.replace(old, new)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    machine.programs.run("tapstile", "check-config", path)
    wanted, found = settings(tomllib.loads(text)), settings(tomllib.loads(machine.programs.run("tapstile", "effective-config", path).stdout))
    assert wanted == {name: found.get(name) for name in wanted}


# What is frozen stays what it was ---------------------------------------------------------------


def sums(path):
    with open(path, encoding="ascii") as file:
        return dict(reversed(line.split()) for line in file if not line.startswith("#"))


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def changed(folder):
    return {name for name, held in sums(os.path.join(folder, "SHA256SUMS")).items() if digest(os.path.join(folder, name)) != held}


def test_nobody_has_changed_what_is_frozen(version):
    folder = os.path.join(FOLDER, version)
    assert not changed(folder)
    held = sums(os.path.join(folder, "SHA256SUMS"))
    there = {os.path.relpath(os.path.join(where, name), folder) for where, _, names in os.walk(folder) for name in names}
    assert there == {*held, "SHA256SUMS"}


def test_seeds_and_recorded_exchanges_are_the_same():
    """Seeds may come; those that are there stay."""
    top = os.path.dirname(os.path.dirname(FOLDER))
    held = sums(os.path.join(FOLDER, "SEEDS"))
    assert len(held) > 350
    assert held == {name: os.path.exists(os.path.join(top, name)) and digest(os.path.join(top, name)) for name in held}


def test_the_adversary_draws_from_the_same_seed():
    with open(os.path.join(FOLDER, "..", "..", "scripts", "suite", "steps"), encoding="utf-8") as file:
        steps = file.read()
    assert "seed=${TAPSTILE_SEED:-20261123}" in steps and 'Fuzzing/run adversary 100000 "$seed"' in steps


# A byte that is another one ---------------------------------------------------------------------


def flip(path, offset):
    """The lowest bit of one byte."""
    with open(path, "r+b") as file:
        file.seek(offset, os.SEEK_SET if offset >= 0 else os.SEEK_END)
        byte = file.read(1)[0]
        file.seek(-1, os.SEEK_CUR)
        file.write(bytes([byte ^ 1]))


def flipped_at(path, piece):
    """Within the first place that has these bytes."""
    with open(path, "rb") as file:
        flip(path, file.read().index(piece) + len(piece) // 2)


@pytest.mark.parametrize("name", [name for name in EVIDENCE if not name.startswith("collected")])
def test_evidence_with_another_byte_is_judged_otherwise(machine, name):
    path = shutil.copy(machine.judge.path_of(name.split("/")[0]), machine.site.path("other.evidence"))
    flip(path, os.path.getsize(path) // 2)
    assert machine.judge.evidence(name, path) != machine.recorded["evidence"][name]


@pytest.mark.parametrize("name", JOURNALS)
def test_a_journal_with_another_byte_is_judged_otherwise(machine, name):
    path = machine.judge.path_of(name)
    # A grant's record; what a killed gate has written lies in the log.
    flipped_at(path + ("-wal" if name == "killed" else ""), b"616e6e61" if name == "collected" else b"anna")
    assert machine.judge.journal(name, path) != machine.recorded["journals"][name]


def test_a_checkpoint_with_another_byte_is_none(machine):
    kept = shutil.copy(machine.judge.file("kept.checkpoint"), machine.site.path("other.checkpoint"))
    flip(kept, -1)
    assert machine.judge.journal("state", kept=kept) != machine.recorded["journals"]["state"]


@pytest.mark.parametrize("role", ["timestamp", "snapshot", "people", "targets", "people/", "site/"])
def test_a_repository_with_another_byte_is_not_taken(machine, role):
    stick = machine.site.path("sticks", "3")
    folder = os.path.join(stick, "targets", role) if role.endswith("/") else os.path.join(stick, "metadata")
    files = [name for name in os.listdir(folder) if role.endswith("/") or name.endswith(f"{role}.json")]
    shutil.rmtree(machine.site.path("gate", "state"))
    os.mkdir(machine.site.path("gate", "state"), 0o700)
    gate = machine.start()
    for name in files:
        flip(os.path.join(folder, name), -40)
    assert gate.refuses_import(stick)


def test_a_key_in_the_state_folder_with_another_byte_is_noticed(machine):
    site = machine.site
    with open(site.path("people", "carl.ccs"), "rb") as file:
        flipped_at(site.path("gate", "state", "trust.db"), file.read()[-32:])
    flip(site.path("gate", "state", "audit.key"), 120)
    flip(site.path("gate", "state", "clock"), 20)
    gate = machine.start()
    assert machine.tap("carl") == "no-trust-data"
    assert told(gate) != machine.recorded["status"] and gate.status()["journal"]["auditKey"]["warning"]["code"] == "audit-key-lost"
    assert "state/clock is damaged" in gate.log


def test_a_record_in_the_state_folder_with_another_byte_is_noticed(machine):
    flipped_at(machine.site.path("gate", "state", "journal.db"), b"anna")
    error = machine.start().run_tool("journal", "verify", "--json", status=1).stderr
    assert json.loads(error)["error"]["code"] == "journal-broken"


def test_a_key_of_gate_or_phone_with_another_byte_opens_nothing(machine):
    flipped_at(machine.site.path("people", "carl.key"), b"ECBI")
    flip(machine.site.path("gate", "keys", "gate-signing.key"), 120)
    machine.start()
    with pytest.raises(RuntimeError, match="key-file"):
        machine.site.person("carl").phone().tap()
    assert machine.tap("tina") != "granted"


def test_an_office_with_another_byte_is_noticed(machine):
    site = machine.site
    flipped_at(site.path("office", "authority.db"), b"carla")
    assert any(site.listed(what) != known for what, known in machine.recorded["lists"].items())
    flip(site.path("office", "roles", "timestamp-1.key"), 120)
    machine.programs.run("tapstile-authority", "publish", "--timestamp", "--clock-checked", "--dir", site.path("office"), status=1)


def test_a_configuration_with_another_letter_names_no_new_name(machine):
    path, text = configuration(machine, "everything.toml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace("holdover-days", "holdower-days"))
    errors = machine.programs.run("tapstile", "check-config", path, status=1).stderr.splitlines()
    (error,) = [line for line in errors if "holdower-days" in line]
    assert "unknown-setting" in error and not names_what_is_new(error)


def test_a_frozen_file_with_another_byte_is_found(version, tmp_path):
    folder = shutil.copytree(os.path.join(FOLDER, version), tmp_path / version)
    for name in sums(folder / "SHA256SUMS"):
        flip(folder / name, os.path.getsize(folder / name) // 2)
        assert changed(folder) == {name}
        flip(folder / name, os.path.getsize(folder / name) // 2)
