"""The slowest tests of a part, read from what its runner wrote."""

import collections
import contextlib
import re
import xml.etree.ElementTree as XML
from pathlib import Path

MOST = 10
LONGEST = 1000

# Swift Testing; a board's agent, the lab's makers and the fuzzers end a line with the seconds.
SWIFT = re.compile(r"^[✔✘] Test (?!run )(.+?) (?:with [0-9]+ test cases? )?(?:passed|failed) after ([0-9]+(?:\.[0-9]+)?) seconds")
SECONDS = re.compile(r"^(?:\[[^]]*\] )?(?:ok |not ok )?([\w./ -]+?):? .*?\(([0-9]+(?:\.[0-9]+)?) s\b")
STARTED = re.compile(r"^◇ Test (?!case |run )(.+) started\.")
ENDED = re.compile(r"^[✔✘➜] Test (?!case |run )(.+?)(?: with [0-9]+ test cases?)? (?:passed after|failed after|skipped)\b")


def slowest(log: Path) -> list[tuple[float, str]]:
    """Seconds and name, the longest first."""
    found = from_junit(log.with_suffix(".xml")) or from_lines(log)
    return sorted(found, reverse=True)[:MOST]


def from_lines(log: Path) -> list[tuple[float, str]]:
    found = []
    for line in lines(log):
        match = SWIFT.match(line) or SECONDS.match(line)
        if match:
            found.append((float(match[2]), match[1].strip()))
    return found


def from_junit(report: Path) -> list[tuple[float, str]]:
    with contextlib.suppress(OSError, XML.ParseError, ValueError):
        cases = XML.parse(report).iter("testcase")
        return [(float(case.get("time", 0)), f"{case.get('classname', '').rpartition('.')[2]}::{case.get('name')}") for case in cases]
    return []


def unfinished(log: Path) -> list[str]:
    """Tests that began and did not end: the suspects where a part was ended. Python's are told beside the log (backstop.py)."""
    # Counted, for tests of two suites may have the same name.
    begun: collections.Counter[str] = collections.Counter()
    for line in lines(log) + lines(log.with_suffix(".begun")):
        if match := STARTED.match(line):
            begun[match[1]] += 1
        elif match := ENDED.match(line):
            begun[match[1]] -= 1
    return list((+begun).elements())


def lines(log: Path) -> list[str]:
    with contextlib.suppress(OSError):
        with log.open(encoding="utf-8", errors="replace") as file:
            # A line of a compiler can have a million characters.
            return [line.rstrip("\n")[:LONGEST] for line in file]
    return []
