"""What the office's program says of evidence and journals, without its sentences: so it is recorded beside what is frozen, and compared."""

import json
import lzma
import os

#: Evidence, and who judges it: the office, somebody with public files, and somebody without the gate's audit key.
EVIDENCE = ["anna/office", "anna/public", "anna/without", "emil/public", "carl/office", "carl/public", "dora/office", "hugo/public",
            "only-phone/office", "collected/office"]
#: The state folder's journal, that of a gate that was killed, and what was collected.
JOURNALS = ["state", "killed", "collected"]
#: What is for people, or belongs to one machine.
WORDS = ("sentence", "message", "limits", "file", "path", "mend")


class Judge:
    """`site` is unpacked, `frozen` the folder of its version."""

    def __init__(self, site, frozen):
        self.site, self.frozen = site, frozen

    def file(self, *names):
        return os.path.join(self.frozen, *names)

    def text(self, name):
        """An export as it was written."""
        with lzma.open(self.file(name + ".xz"), "rt", encoding="utf-8") as file:
            return file.read()

    @property
    def collected(self):
        path = self.site.path("collected.jsonl")
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.text("journal.bodies.jsonl"))
        return path

    def path_of(self, name):
        """Evidence or a journal."""
        places = {"state": ("gate", "state", "journal.db"), "killed": ("killed", "journal.db")}
        if name == "collected":
            return self.collected
        return self.site.path(*places[name]) if name in places else self.file("evidence", name + ".cbor")

    def evidence(self, name, path=None):
        """`path`: of another file than the frozen one."""
        what, whose = name.split("/")
        path = path or self.path_of(what)
        public = ["--issuer-key", self.file("issuer.pub"), "--gates", self.file("gates.phone")]
        options = ["--dir", self.site.path("office")] if whose == "office" else public
        options += [] if whose == "without" else ["--audit-key", self.file("audit.pub")]
        if what == "collected":
            options += ["--record", grant_in(self.text("journal.bodies.jsonl")), "--checkpoint", self.file("collected.checkpoint")]
        return self._told("verify-evidence", path, options, lambda report: {
            **{name: report.get(name) for name in ("holds", "verdict", "record")},
            "checks": {check["check"]: "holds" if check["holds"] else check["code"] for check in report["checks"]},
            "notProved": sorted(limit["what"] for limit in report["notProved"])})

    def journal(self, name, path=None, kept=None):
        kept = kept or self.file("collected.checkpoint" if name == "collected" else "kept.checkpoint")
        options = ["--audit-key", self.file("audit.pub"), "--since-checkpoint", kept]
        return self._told("verify-journal", path or self.path_of(name), options, wordless)

    def _told(self, command, path, options, told):
        run = self.site.programs.run("tapstile-authority", command, path, *options, "--json", status=None)
        if not run.stdout:
            return {"status": run.returncode, "error": json.loads(run.stderr)["error"]["code"]}
        return {"status": run.returncode, **told(json.loads(run.stdout))}


def wordless(value):
    if isinstance(value, dict):
        return {name: wordless(each) for name, each in value.items() if name not in WORDS}
    return [wordless(each) for each in value] if isinstance(value, list) else value


def grant_in(lines):
    """The number of anna's first grant."""
    records = map(json.loads, lines.splitlines())
    return next(record["sequence"] for record in records if record.get("subject") == "anna" and record.get("reason") == "granted")
