"""A site that an earlier version has left behind (Tests/Frozen): unpacked into a folder, and found again by the kit's phones and gate."""

import contextlib
import json
import os
import re
import shutil
import sqlite3
import tarfile

from .gate import Gate
from .site import Person

FOLDER = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Frozen"))
#: Stands in configurations for the folder that they were unpacked into.
PLACE = "@FOLDER@"


def versions():
    """All that were ever frozen, the oldest first."""
    found = [name for name in os.listdir(FOLDER) if re.fullmatch(r"\d+\.\d+\.\d+", name)]
    return sorted(found, key=lambda name: [int(part) for part in name.split(".")])


def unpacked(version, name, folder):
    """An archive's files and folders with their modes: some are keys, which nobody else may read."""
    with tarfile.open(os.path.join(FOLDER, version, name + ".tar.xz")) as archive:
        for entry in archive:
            path = os.path.join(folder, entry.name)
            if entry.isdir():
                os.mkdir(path)
            else:
                with open(path, "xb") as file:
                    shutil.copyfileobj(archive.extractfile(entry), file)
            os.chmod(path, entry.mode)
    return folder


def filled(text, folder):
    """A configuration as it is used in this folder."""
    return text.replace(PLACE, folder)


class FrozenSite:
    """What phones, gate and office of a frozen version lie in, or are made in: `office`, `repository`, `sticks`, `people`, `gate`,
    and `alone`, a gate without an authority."""

    def __init__(self, programs, folder):
        self.programs, self.folder = programs, folder
        self.latest_gate = None

    def path(self, *names):
        return os.path.join(self.folder, *names)

    @property
    def known_gates(self):
        return self.path("office", "gates.phone")

    def authority(self, command, *options, **how):
        return self.programs.json("tapstile-authority", command, "--dir", self.path("office"), *options, **how)

    def person(self, name):
        """Somebody whose key is there, with what they were given."""
        person = Person(self, name)
        for kind, file in (("token", "token"), ("claims", "ccs")):
            if os.path.exists(path := self.path("people", f"{name}.{file}")):
                setattr(person, kind, path)
        return person

    def move_office(self, place):
        """Its repository lies in that folder from now on: it notes where."""
        with contextlib.closing(sqlite3.connect(self.path("office", "authority.db"), isolation_level=None)) as database:
            database.execute("UPDATE repository SET path = ?", (os.path.join(place, "repository"),))

    def listed(self, what):
        run = self.programs.run("tapstile-authority", "list", what, "--dir", self.path("office"), "--json")
        return [json.loads(line) for line in run.stdout.splitlines()]

    def gate(self, name="gate"):
        """A gate on its state folder, not yet started."""
        path = self.path(name, "tapstile.toml")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        with open(path, "w", encoding="utf-8") as file:
            file.write(filled(text, self.folder))
        self.latest_gate = Gate(self.programs, self.folder, path, self.path("control"))
        return self.latest_gate
