"""`tuf-client` of Tests/Conformance, run on a folder of its own."""

import json
import os
from dataclasses import dataclass

from processes import run as run_to_its_end


@dataclass
class Outcome:
    """How a run has ended; `code` is None where nothing was wrong."""

    status: int
    code: str
    said: str
    told: list


class TUFClient:
    """What it trusts first is the first root of a `Lab` that is served."""

    def __init__(self, programs, folder, lab, root=None):
        self.programs, self.lab = programs, lab
        self.metadata, self.targets = os.path.join(folder, "metadata"), os.path.join(folder, "targets")
        os.makedirs(self.targets, exist_ok=True)
        path = os.path.join(folder, "root.json")
        with open(path, "wb") as file:
            file.write(root or lab.first_root)
        self.beginning = self._run(["init", path])

    def refresh(self, *options, **how):
        return self._run([*self._way, *options, "refresh"], **how)

    def download(self, *names, options=(), **how):
        named = [word for name in names for word in ("--target-name", name)]
        return self._run([*self._way, *options, *named, "--target-base-url", f"{self.lab.url}/targets", "--target-dir", self.targets, "download"], **how)

    @property
    def _way(self):
        return ["--metadata-url", f"{self.lab.url}/metadata"]

    def _run(self, arguments, at=None):
        """At a time: as if the machine's clock showed it."""
        command = ["faketime", "-f", at.strftime("@%Y-%m-%d %H:%M:%S")] if at else []
        command += [self.programs.path("tuf-client"), "--json", "--metadata-dir", self.metadata, *arguments]
        # faketime reads the time in the local zone.
        run = run_to_its_end(command, env={**self.programs.environment, "TZ": "UTC"}, text=True, capture_output=True)
        # Who was killed says nothing.
        error = json.loads(run.stderr.splitlines()[-1])["error"] if run.returncode > 0 else {"code": None, "message": ""}
        return Outcome(run.returncode, error["code"], error["message"], [json.loads(line) for line in run.stdout.splitlines()])

    # What it has

    @property
    def versions(self):
        """The versions of the roles that it trusts."""
        found = {}
        for name in os.listdir(self.metadata):
            with open(os.path.join(self.metadata, name), "rb") as file:
                found[name.removesuffix(".json")] = json.load(file)["signed"]["version"]
        return found

    def has(self, name):
        """A target's bytes; None where it has none. Nothing else lies beside targets."""
        path = os.path.join(self.targets, name)
        if not os.path.exists(path):
            return None
        with open(path, "rb") as file:
            return file.read()

    def edit(self, role, content):
        """Damages what it trusts."""
        with open(os.path.join(self.metadata, f"{role}.json"), "wb") as file:
            file.write(content)

    def kept(self, role):
        with open(os.path.join(self.metadata, f"{role}.json"), "rb") as file:
            return file.read()
