"""Recorded mistakes fit the sources: each finds its line, and the test that is to notice it exists."""

import pathlib
import re
import sys

import pytest

TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "Tests/Mutants"))

from build import texts_with  # noqa: E402
from catalogue import WrongRecord, catalogue, read  # noqa: E402

SUBJECTS = {"decision", "lane", "credentials", "attestation", "cryptography", "exchange", "journal", "synchronisation", "bluetooth", "configuration",
            "office", "invitations"}


def test_there_are_a_hundred_in_all_subjects():
    mutants = catalogue()
    assert len(mutants) >= 100
    assert {mutant.subject for mutant in mutants} == SUBJECTS, "SUBJECTS names the files of Tests/Mutants"


def test_each_finds_its_line():
    mutants = catalogue()
    texts = texts_with(mutants)
    for mutant in mutants:
        assert mutant.changed in texts[mutant.file]


def test_each_names_a_test_that_exists():
    for mutant in catalogue():
        match = re.fullmatch(r"(\w+)\.(\w+)/(\w+)", mutant.killed_by)
        assert match, f"{mutant.name}: killed-by is '{mutant.killed_by}', not ROOMTests.SUITE/test without ()"
        room, suite, test = match.groups()
        files = [path.read_text(encoding="utf-8") for path in (TOP / "Tests" / room).rglob("*.swift")]
        of_the_suite = [text for text in files if re.search(rf"\b(struct|class|enum|extension) {suite}\b", text)]
        assert of_the_suite, f"{mutant.name}: there is no suite '{suite}' in Tests/{room}"
        assert any(re.search(rf"\bfunc `?{test}`?\(", text) for text in of_the_suite), f"{mutant.name}: {suite} has no test '{test}'"


def test_a_record_whose_line_has_gone_is_refused():
    record = {"name": "gone", "file": "README.md", "was": "no such line", "is": "x", "killed-by": "A.B/c"}
    with pytest.raises(WrongRecord, match="stands 0 times"):
        texts_with([read(record, "decision", 1)])


def test_two_in_one_place_are_refused():
    records = [{"name": name, "file": "README.md", "was": was, "is": "x", "killed-by": "A.B/c"}
               for name, was in (("one", "## Two commands"), ("two", "Two commands"))]
    with pytest.raises(WrongRecord, match="overlaps"):
        texts_with([read(record, "decision", number) for number, record in enumerate(records, 1)])
