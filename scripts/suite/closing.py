"""What is told at the end of a run: closing lines of the runners, what failed, and where the time went."""

import json
import re
from pathlib import Path

from .parts import WAITING_ROOMS
from .running import Ended
from .schedule import Schedule
from .slowest import lines, slowest, unfinished

# What a part of each kind says last of itself, and what it says of a test that failed.
CLOSING = re.compile(
    r"(✔|✘) Test run with|^board |^power: |^[0-9]+ (passed|failed|error)|^lanes: .* law|^[0-9]+ runs, |^lab/|^left running")
FAILURE = re.compile(
    r"^(FAILED|ERROR) |^    [0-9]{3}-|✘ Test .* recorded an issue|[Ff]atal error|^board: cannot boot|CRASH|LOST|LOSS "
    r"|: error:|no test was run")
WIDTH = 200
MOST_FAILURES, LAST_LINES = 30, 40
# Behind a room whose tests begin all at once.
SIDE_BY_SIDE = "  (side by side: a test's seconds are those of its turn, too)"


def report_all(schedule: Schedule, folder: Path, write) -> bool:
    """Tells everything and keeps the table in the folder. Answers whether the run passed."""
    for ended in schedule.ended:
        if not ended.passed:
            report_failure(ended, write)
    table = table_of(schedule)
    keep(table, folder)
    write("\nSeconds of each part, and its slowest tests:")
    for line in table_lines(table, least=1):
        write(line)
    write("\nIn short:")
    # What failed stands last: of a long output only the end is seen.
    for ended in sorted(schedule.ended, key=lambda ended: not ended.passed):
        for line in closing_lines(ended):
            write(f"{ended.part.name}: {line}"[:WIDTH])
    return report_result(schedule, write)


def report_failure(ended: Ended, write) -> None:
    write(f"\n== {ended.part.name} {ended.why}; its last lines:")
    for line in lines(ended.log)[-LAST_LINES:]:
        write(f"    {line}"[:WIDTH])


def closing_lines(ended: Ended) -> list[str]:
    said = lines(ended.log)
    told = [line.strip() for line in said if CLOSING.search(line.strip())]
    if ended.passed:
        return told
    hanging = [f"did not end: {name}" for name in unfinished(ended.log)]
    return [line.strip() for line in said if FAILURE.search(line)][:MOST_FAILURES] + hanging[:MOST_FAILURES] + told


def report_result(schedule: Schedule, write) -> bool:
    failed = [ended for ended in schedule.ended if not ended.passed]
    for ended in failed:
        write(f"== failed: {ended.part.name} {ended.why}; see {ended.log}")
    for why in dict.fromkeys(schedule.not_begun.values()):
        names = [name for name, reason in schedule.not_begun.items() if reason == why]
        write(f"== not begun: {', '.join(names)}: {why}"[:WIDTH])
    passed = len(schedule.ended) - len(failed)
    processor = sum(ended.processor for ended in schedule.ended)
    parts = len(schedule.ended) + len(schedule.not_begun)
    write(f"{parts} parts in {schedule.seconds:.0f} s, {processor:.0f} s of processors")
    write(f"{passed} passed, {len(failed) + len(schedule.not_begun)} failed")
    return bool(schedule.ended) and not failed and not schedule.not_begun


def table_of(schedule: Schedule) -> dict:
    rows = [{"part": ended.part.name, "seconds": round(ended.seconds, 1), "processor": round(ended.processor, 1),
             "began": round(ended.began, 1), "passed": ended.passed,
             "slowest": [{"seconds": seconds, "test": name} for seconds, name in slowest(ended.log)]}
            for ended in schedule.ended]
    rows.append({"part": "installing", "seconds": schedule.installing, "processor": 0, "began": 0, "passed": True,
                 "slowest": []})
    rows.sort(key=lambda row: -row["seconds"])
    return {"seconds": round(schedule.seconds, 1), "parts": rows}


def table_lines(table: dict, least: float) -> list[str]:
    """As text: tests below `least` seconds are left out."""
    waiting = {f"{room}Tests" for room in WAITING_ROOMS}
    told = [f"{'seconds':>8} {'processor':>9} {'began at':>8}  part"]
    for row in table["parts"]:
        marks = ("" if row["passed"] else "  FAILED") + (SIDE_BY_SIDE if row["part"] in waiting else "")
        told.append(f"{row['seconds']:8.0f} {row['processor']:9.0f} {row['began']:8.0f}  {row['part']}{marks}")
        tests = [test for test in row["slowest"] if test["seconds"] >= least]
        told += [f"{'':29}{test['seconds']:7.1f}  {test['test']}"[:120] for test in tests]
    most = sorted(table["parts"], key=lambda row: -row["processor"])[:6]
    return [*told, "most of the processors: " + ", ".join(f"{row['part']} {row['processor']:.0f}" for row in most)]


def keep(table: dict, folder: Path) -> None:
    (folder / "table.json").write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    (folder / "table.txt").write_text("\n".join(table_lines(table, least=0)) + "\n", encoding="utf-8")
