"""The recorded mistakes: one-line changes of the sources, each with the test that has to notice it."""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
ROOMS = re.findall(r'path: "(Sources/[^"]+)"', (TOP / "Package.swift").read_text(encoding="utf-8"))


class WrongRecord(Exception):
    """A record that does not fit the sources, or says too little."""


@dataclass(frozen=True)
class Mutant:
    """`number` switches it on. `subject` is the name of the file that has its record."""

    number: int
    subject: str
    name: str
    file: str
    was: str
    becomes: str
    killed_by: str
    statement: bool

    @property
    def room(self) -> str:
        """The folder of its module."""
        return max((room for room in ROOMS if self.file.startswith(f"{room}/")), key=len)

    @property
    def changed(self) -> str:
        """Both, the one or the other by its number: all mutants are one build."""
        if self.statement:
            return f"if isMutant({self.number}) {{ {self.becomes} }} else {{ {self.was} }}"
        return f"(isMutant({self.number}) ? ({self.becomes}) : ({self.was}))"

    def place_in(self, text: str) -> int:
        """Where the fragment stands."""
        found = text.count(self.was)
        if found != 1 or "\n" in self.was:
            raise WrongRecord(f"{self.subject}: {self.name}: '{self.was}' stands {found} times in {self.file}, not once in one line")
        return text.index(self.was)


def catalogue(folder: Path = TOP / "Tests/Mutants") -> list[Mutant]:
    mutants: list[Mutant] = []
    for file in sorted(folder.glob("*.toml")):
        try:
            records = tomllib.loads(file.read_text(encoding="utf-8"))
        except tomllib.TOMLDecodeError as error:
            raise WrongRecord(f"{file.stem}: {error}") from None
        if set(records) != {"mutant"}:
            raise WrongRecord(f"{file.stem}: it has {', '.join(sorted(records)) or 'nothing'}, and not only [[mutant]]")
        for record in records["mutant"]:
            mutants.append(read(record, file.stem, len(mutants) + 1))
    names = [mutant.name for mutant in mutants]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise WrongRecord(f"two mutants have the same name: {', '.join(sorted(twice))}")
    return mutants


def is_expression(text: str) -> bool:
    """Whether it may be one: a half of one, or a statement, compiles with no mistake around it. The compiler has the last word."""
    ends = re.compile(r"^(\|\||&&|[,*/<>=]|(let|var|return|if|guard|throw|else)\b)|(\|\||&&|[-+*/<>=,({]|\b(else|AND))$")
    return bool(text.strip()) and not ends.search(text.strip()) and all(text.count(a) == text.count(b) for a, b in ["()", "[]", "{}"])


def read(record: dict, subject: str, number: int) -> Mutant:
    wanted = {"name", "file", "was", "is", "killed-by"}
    lacks, unknown = wanted - set(record), set(record) - wanted - {"statement"}
    if lacks or unknown:
        name = record.get("name", f"record {number}")
        raise WrongRecord(f"{subject}: {name}: lacks {', '.join(sorted(lacks)) or 'nothing'}, knows no {', '.join(sorted(unknown)) or 'more'}")
    texts = {key: value for key, value in record.items() if key != "statement"}
    if not all(isinstance(value, str) for value in texts.values()) or not isinstance(record.get("statement", False), bool):
        raise WrongRecord(f"{subject}: {record['name']}: all are texts but 'statement', which is true or false")
    if record["was"] == record["is"] or not all(value.strip() for key, value in texts.items() if key != "is"):
        raise WrongRecord(f"{subject}: {record['name']}: it changes nothing, or says too little")
    if not record.get("statement", False) and not (is_expression(record["was"]) and is_expression(record["is"])):
        raise WrongRecord(f"{subject}: {record['name']}: 'was' and 'is' are no expressions, and it does not say 'statement = true'")
    if not (TOP / record["file"]).is_file():
        raise WrongRecord(f"{subject}: {record['name']}: there is no {record['file']}")
    return Mutant(number, subject, record["name"], record["file"], record["was"], record["is"], record["killed-by"],
                  record.get("statement", False))
