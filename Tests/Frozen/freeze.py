"""Makes the folder of one version, with the programs of that version, and nothing that is there already.

    TAPSTILE_BIN=FOLDER python Tests/Frozen/freeze.py VERSION

It needs what the scenario tests need, and cbor2. README.md says what it makes.
"""

import contextlib
import hashlib
import json
import lzma
import os
import shutil
import sys
import tarfile
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "Support"))

import cbor2  # noqa: E402

from gatehouse import PrivatePCSCD, Programs  # noqa: E402
from gatehouse.frozen import PLACE  # noqa: E402
from gatehouse.verdicts import EVIDENCE, JOURNALS, Judge  # noqa: E402
from life import STORY, Story  # noqa: E402

#: Everything that the office lists.
LISTS = ("gates", "issuers", "people", "tokens", "enrolled", "cards", "revocations", "memberships")


class Keeper:
    """Takes away what a story has made."""

    def __init__(self, story):
        self.story, self.site, self.programs, self.out = story, story.site, story.programs, story.out

    def exports(self):
        gate, keep = self.story.gate, self.story.keep
        last = gate.journal()[-1]["sequence"]
        upto = ["--through", str(last)]
        keep("journal.txt", gate.tell("journal", *upto).stdout)
        keep("journal.jsonl", gate.tell("journal", "--json", *upto).stdout)
        keep("unproven.txt", gate.tell("journal", "--unproven").stdout)
        keep("unproven.jsonl", gate.tell("journal", "--unproven", "--json").stdout)
        for name in ("anna", "emil", "carl", "dora", "hugo"):
            outcomes = [record for record in gate.journal("--reason", "granted") if record.get("subject") == name]
            gate.ask("journal", "export-evidence", outcomes[-1]["sequence"], "--out", os.path.join(self.out, "evidence", f"{name}.cbor"))
        self.only_phone()
        shutil.copy(self.site.known_gates, self.out)
        shutil.copy(self.site.path("office", "issuer.pub"), self.out)
        self.status = gate.status()
        self.watched()
        self.inside = gate.ask("passback", "show")

    def watched(self):
        """The office notes how far this gate has come."""
        path = self.site.path("status.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(self.status, file)
        audit = ["--checkpoint", os.path.join(self.out, "collected.checkpoint"), "--audit-key", os.path.join(self.out, "audit.pub")]
        self.site.authority("check-gates", "--status", path, *audit)

    def only_phone(self):
        """As a version exported it that did not sign outcomes yet (format 1)."""
        with open(os.path.join(self.out, "evidence", "anna.cbor"), "rb") as file:
            mark, _, *record, _ = cbor2.loads(file.read())
        with open(os.path.join(self.out, "evidence", "only-phone.cbor"), "wb") as file:
            file.write(cbor2.dumps([mark, 1, *record], canonical=True))

    def recorded(self):
        """What the programs say of it on the day it is made."""
        status, judge = self.status, Judge(self.site, self.out)
        return {
            "made": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "status": {"site": status["site"], "gate": status["gate"], "trust": {name: status["trust"][name] for name in (
                "origin", "version", "enrolled", "uidOnlyCards", "revocations")},
                "auditKey": status["journal"]["auditKey"]["thumbprint"],
                "lanes": {lane["name"]: lane["mode"]["mode"] for lane in status["lanes"]}},
            "inside": self.inside["people"],
            "evidence": {name: judge.evidence(name) for name in EVIDENCE},
            "journals": {name: judge.journal(name) for name in JOURNALS},
            "lists": {what: self.site.listed(what) for what in LISTS},
        }

    def frozen(self, target):
        os.makedirs(target)
        recorded = self.recorded()
        shutil.copytree(self.out, target, dirs_exist_ok=True)
        os.makedirs(os.path.join(target, "configuration"))
        for name, file in (("gate", "gate.toml"), ("alone", "alone.toml")):
            shutil.copy(os.path.join(STORY, file), self.site.path(name, "tapstile.toml"))
        os.unlink(self.site.path("collected.jsonl"))
        for state in ("gate/state", "alone/state", "killed"):
            for name in ("clock", "clock.second"):
                as_of_another_boot(self.site.path(state, name))
        self.site.move_office(PLACE)
        for file in ("gate.toml", "alone.toml", "everything.toml", "publications.toml"):
            shutil.copy(os.path.join(STORY, file), os.path.join(target, "configuration"))
        for name, folders in (("gate", ["gate", "alone", "killed", "people"]), ("office", ["office", "repository", "notes"]), ("sticks", ["sticks"])):
            packed(self.site.folder, folders, os.path.join(target, name + ".tar.xz"))
        with open(os.path.join(target, "recorded.json"), "w", encoding="utf-8") as file:
            json.dump(recorded, file, indent=1, sort_keys=True, ensure_ascii=False)
            file.write("\n")


def as_of_another_boot(path):
    """The clock's memory names a boot that no machine is in any more: in the one that made it a clock of fourteen years later is a jump."""
    with open(path, encoding="ascii") as file:
        lines = file.read().splitlines()
    body = "".join(f"{line}\n" for line in lines[:-1]).replace(current_boot(), "00000000-0000-4000-8000-000000000000")
    checksum = 0xcbf29ce484222325
    for byte in body.encode("ascii"):
        # FNV-1a, 64 bit.
        checksum = (checksum ^ byte) * 0x100000001b3 % 2**64
    with open(path, "w", encoding="ascii") as file:
        file.write(f"{body}check {checksum:x}\n")


def current_boot():
    with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
        return file.read().strip()


def packed(folder, names, path):
    def nobodys(entry):
        entry.uid = entry.gid = entry.mtime = 0
        entry.uname = entry.gname = ""
        return entry if entry.isfile() or entry.isdir() else None

    with lzma.open(path, "wb", preset=9) as file, tarfile.open(fileobj=file, mode="w") as archive:
        for name in names:
            archive.add(os.path.join(folder, name), name, filter=nobodys)


def sums(folder):
    """Of all that a version has: `sha256sum -c` reads it."""
    lines = []
    for where, _, files in os.walk(folder):
        for name in files:
            path = os.path.join(where, name)
            with open(path, "rb") as file:
                lines.append(f"{hashlib.sha256(file.read()).hexdigest()}  {os.path.relpath(path, folder)}\n")
    with open(os.path.join(folder, "SHA256SUMS"), "w", encoding="ascii") as file:
        file.writelines(sorted(lines, key=lambda line: line[66:]))


def main(version):
    target = os.path.join(HERE, version)
    if os.path.exists(target):
        sys.exit(f"{target} is there, and stays as it is")
    with contextlib.ExitStack() as undone:
        folders = [tempfile.mkdtemp(prefix="tapstile-frozen.") for _ in range(2)]
        for folder in folders:
            undone.callback(shutil.rmtree, folder)
        pcscd = PrivatePCSCD(folders[0]).start()
        undone.callback(pcscd.stop)
        programs = Programs(os.environ["TAPSTILE_BIN"], {**pcscd.environment, "TAPSTILE_AUTHORITY_NOTES": os.path.join(folders[1], "notes")})
        said = programs.run("tapstiled", "--version").stdout.split()[-1]
        if said != version:
            sys.exit(f"these programs are {said}")
        story = Story(programs, folders[1], pcscd.port)
        keeper = Keeper(story)
        try:
            story.life(keeper.exports)
        finally:
            if story.gate and story.gate.is_running:
                story.gate.stop()
        keeper.frozen(target)
    sums(target)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
