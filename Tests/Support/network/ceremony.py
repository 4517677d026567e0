"""An office whose root and targets sign elsewhere: three people, of whom two must sign for root, and a machine without a network."""

import contextlib
import json
import os
import shutil
import sqlite3

from gatehouse import Site

from .town import Town


class Ceremony(Town):
    """A town that begins as docs/authority.md says, with people's keys in `keys`."""

    def __init__(self, programs, folder, authority):
        self.programs, self.keys = programs, os.path.join(folder, "keys")
        os.makedirs(self.keys)
        for name in ("alice", "bob", "carol"):
            self.role_key("root", name)
        self.role_key("targets", "targets")
        super().__init__(programs, folder, authority, self.begin("alice", "bob", "carol"))
        self.sign("root", "alice", "carol")
        self.sign("targets", "targets")

    def begin(self, *holders, targets="targets"):
        """The options with which a repository of these keys begins."""
        return (*(word for name in holders for word in ("--root-key", self.public(name))), "--root-threshold", "2", "--targets-key", self.public(targets))

    def role_key(self, role, name):
        return self.programs.json("tapstile-authority", "role-key", "--role", role, "--out", self.private(name))

    def private(self, name):
        return os.path.join(self.keys, f"{name}.key")

    def public(self, name):
        return os.path.join(self.keys, f"{name}.pub")

    def sign(self, role, *signers, status=0):
        """Drafted here, signed there, accepted here. Answers what was published, or the code of the refusal."""
        draft, authority = os.path.join(self.keys, "draft"), self.site.path("authority")
        self.site.authority("draft", role, "--out", draft)
        signatures = []
        for name in signers:
            signatures += ["--signature", os.path.join(self.keys, f"{name}.sig")]
            self.programs.json("tapstile-authority", "sign", draft, "--key", self.private(name), "--out", signatures[-1], "--yes", "--uncompared")
        run = self.programs.run("tapstile-authority", "accept", draft, *signatures, "--dir", authority, "--json", status=status)
        for path in (draft, *signatures[1::2]):
            os.unlink(path)
        return json.loads(run.stdout) if status == 0 else json.loads(run.stderr)["error"]["code"]

    @contextlib.contextmanager
    def served(self, repository):
        """Somebody gives out another folder in the place of the repository."""
        aside = self.repository + ".aside"
        os.rename(self.repository, aside)
        shutil.copytree(repository, self.repository)
        try:
            yield
        finally:
            shutil.rmtree(self.repository)
            os.rename(aside, self.repository)


class Thief:
    """Has a copy of the office's folder as it is today, with its keys, and of the repository; and of the keys of these people."""

    def __init__(self, town):
        self.town, self.programs = town, town.programs
        self.folder = town.site.path("thief")
        self.repository = os.path.join(self.folder, "repository")
        shutil.copytree(town.site.path("authority"), os.path.join(self.folder, "authority"))
        shutil.copytree(town.repository, self.repository)
        with contextlib.closing(sqlite3.connect(os.path.join(self.folder, "authority", "authority.db"))) as database:
            database.execute("UPDATE repository SET path = ?", [self.repository])
            database.commit()
        self.accomplice = Site.person(town.site, "mallory")

    def authority(self, command, *options):
        return self.programs.json("tapstile-authority", command, "--dir", os.path.join(self.folder, "authority"), *options)

    @contextlib.contextmanager
    def at_work(self):
        """What the town's people sign meanwhile, they sign for the thief: he has their keys too."""
        own = self.town.site.folder
        self.town.site.folder = self.folder
        try:
            yield
        finally:
            self.town.site.folder = own

    def enrol(self):
        """The accomplice, in the thief's own publication, with numbers far above those of the office."""
        self.accomplice.claims = os.path.join(self.folder, "mallory.ccs")
        self.authority("enrol", "--key", self.accomplice.public_key, "--subject", "mallory", "--out", self.accomplice.claims)
        for number in range(12):
            self.authority("suspend", "--subject", f"nobody {number}", "--anyway")
            self.authority("publish")

    def issue(self):
        """A token for the accomplice."""
        self.accomplice.token = os.path.join(self.folder, "mallory.token")
        self.authority("token", "--key", self.accomplice.public_key, "--subject", "mallory", "--out", self.accomplice.token)
