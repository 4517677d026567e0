"""A run of all tests tells the truth: what hangs is ended and named, what fails is told, and the rest goes on."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

import pytest

TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "scripts"))

from patience import PATIENCE, wait_until  # noqa: E402
from suite import limits  # noqa: E402
from suite.closing import report_all  # noqa: E402
from suite.part import BadSelection, Part, selected  # noqa: E402
from suite.parts import parts  # noqa: E402
from suite.running import marked  # noqa: E402
from suite.schedule import Schedule  # noqa: E402
from suite.slowest import slowest, unfinished  # noqa: E402

A_MOMENT = 0.02


def shell(name, command, minutes=5.0, **more):
    return Part(name, "test", ["bash", "-c", command], minutes, **more)


@pytest.fixture
def folder():
    with tempfile.TemporaryDirectory(prefix="tapstile-run.") as path:
        yield pathlib.Path(path)


def run(folder, *chosen, processors=2):
    """What was told, by line, whether it passed, and the schedule."""
    told = []
    schedule = Schedule(list(chosen), processors, folder, 0, told.append)
    schedule.run()
    passed = report_all(schedule, folder, told.append)
    return "\n".join(told).splitlines(), passed, schedule


def test_a_part_that_hangs_is_ended_and_named_and_the_others_go_on(folder, monkeypatch):
    monkeypatch.setattr(limits, "GRACE", 0.5)
    # The second process leads a session of its own, and neither ends when it is asked to.
    deaf = "trap '' TERM; sleep 600; sleep 600"
    hanging = shell("hanging", f"setsid bash -c \"{deaf}\" & {deaf}", minutes=A_MOMENT)
    told, passed, schedule = run(folder, hanging, shell("other", "echo '3 passed, 0 failed'"))
    assert not passed
    assert any(re.match(rf"== failed: hanging did not end within {A_MOMENT:g} minutes and was ended", line) for line in told)
    assert "other: 3 passed, 0 failed" in told and told[-1] == "1 passed, 1 failed"
    assert marked(f"hanging/{os.getpid()}") == []


def test_nobody_gets_away_whatever_they_do_to_be_forgotten(folder, monkeypatch):
    monkeypatch.setattr(limits, "GRACE", 0.5)
    said = folder / "numbers"
    away = [f"env -i bash -c \"trap '' TERM; echo \\$\\$ >>{said}; sleep 600; sleep 600\"",
            f"env -i setsid bash -c 'echo $$ >>{said}; kill -STOP $$'",
            f"(env -i setsid bash -c 'echo $$ >>{said}; exec sleep 600' &)"]
    begin = " & ".join(away) + f" & until [ $(wc -l <{said}) = 3 ]; do sleep 0.05; done"
    _, passed, _ = run(folder, shell("hangs", f"{begin}; sleep 600", minutes=A_MOMENT * 3))
    assert not passed and no_process_of(said, 3)
    said.unlink()
    told, passed, _ = run(folder, shell("passes", begin))
    assert passed and no_process_of(said, 3)
    assert any(line.startswith("passes: left running, and ended: bash, bash, sleep") for line in told)


def no_process_of(said, count):
    numbers = said.read_text().split()
    assert len(numbers) == count
    return not any(os.path.exists(f"/proc/{number}") for number in numbers)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_run_ends_all_and_comes_to_its_summary(folder, number):
    program = f"""
import sys
sys.path[:0] = [{str(TOP / "scripts")!r}]
from suite import commands
from suite.part import Part
chosen = [Part("first", "test", ["bash", "-c", "touch {folder}/there; exec sleep 600"], 5),
          Part("second", "test", ["true"], 5, needs=("first",))]
commands.FOLDER = commands.TOP.__class__({str(folder)!r})
sys.exit(commands.run(chosen, 0))
"""
    # Who runs us may have us ignore it.
    run = subprocess.Popen([sys.executable, "-B", "-c", program], stdout=subprocess.PIPE, text=True,
                           preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
    try:
        wait_until("the first part", (folder / "there").exists)
        # Twice: who is impatient learns no less.
        run.send_signal(number)
        run.send_signal(number)
        told, _ = run.communicate(timeout=PATIENCE)
    finally:
        run.kill()
        run.wait(PATIENCE)
    assert f"== failed: first the run was ended by {number.name}" in told and "== not begun: second" in told
    assert told.endswith("0 passed, 2 failed\n") and run.returncode == 128 + number


def test_a_part_that_cannot_be_started_has_failed(folder):
    told, passed, _ = run(folder, Part("lost", "test", ["/nowhere/at/all"], 5), shell("other", "true"))
    assert not passed and any(line.startswith("== failed: lost") for line in told) and told[-1] == "1 passed, 1 failed"


def test_a_part_that_talks_without_end_is_ended(folder, monkeypatch):
    monkeypatch.setattr(limits, "MOST_SAID", 100_000)
    told, passed, _ = run(folder, shell("talks", "yes"))
    assert not passed and any(line.startswith("== failed: talks said more than 100,000 bytes and was ended;") for line in told)
    assert (folder / "talks.log").stat().st_size <= 100_000


def test_a_run_of_nothing_has_not_passed(folder):
    told, passed, _ = run(folder)
    assert not passed and told[-1] == "0 passed, 0 failed"


def test_the_tests_that_hung_are_named(folder):
    (folder / "room.log").write_text(
        "◇ Test first() started.\n◇ Test same() started.\n◇ Test many(a:) started.\n◇ Test same() started.\n"
        "✔ Test first() passed after 0.1 seconds.\n✔ Test same() passed after 0.1 seconds.\n"
        "✔ Test many(a:) with 3 test cases passed after 0.1 seconds.\n")
    assert unfinished(folder / "room.log") == ["same()"]


def test_a_python_test_that_hung_is_named(folder):
    (folder / "test_toy.py").write_text("import time\ndef test_ends(): pass\ndef test_hangs(): time.sleep(600)\n")
    support = TOP / "Tests/Support"
    (folder / "conftest.py").write_text(f"import sys\nsys.path.insert(0, {str(support)!r})\nfrom backstop import *\n")
    begun = folder / "toy.begun"
    # It is no worker of whoever runs us.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    toy = subprocess.Popen(
        [sys.executable, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "2", folder],
        stdout=subprocess.DEVNULL, env={**environment, "TAPSTILE_BEGUN": str(begun)})

    def has_come_that_far():
        said = begun.read_text() if begun.exists() else ""
        return said.count("started") == 2 and "test_ends passed" in said

    try:
        wait_until("the end of the first and the start of the second", has_come_that_far)
        assert unfinished(folder / "toy.log") == ["test_toy.py::test_hangs"]
    finally:
        toy.terminate()
        toy.wait(PATIENCE)


def test_what_needs_something_that_failed_is_not_begun_and_told(folder):
    told, passed, _ = run(folder, shell("compile", "exit 3"), shell("tests", "echo never", needs=("compile",)),
                          shell("more", "echo never", needs=("tests",)))
    assert not passed
    assert any(line.startswith("== failed: compile ended with status 3; see ") for line in told)
    assert "== not begun: tests: needs compile" in told and "== not begun: more: needs tests" in told
    assert told[-1] == "0 passed, 3 failed"


def test_a_run_beyond_its_limit_is_ended_and_comes_to_its_summary(folder, monkeypatch):
    monkeypatch.setattr(limits, "RUN", A_MOMENT)
    told, passed, _ = run(folder, shell("endless", "sleep 600"), shell("later", "echo never", needs=("endless",)))
    assert not passed
    assert any(line.startswith(f"== failed: endless the run did not end within {A_MOMENT:g} minutes;") for line in told)
    assert any(line.startswith("== not begun: later") for line in told) and told[-1] == "0 passed, 2 failed"


def test_the_last_lines_of_what_failed_are_told(folder):
    told, _, _ = run(folder, shell("tests", "echo 'FAILED test_one - it opened'; exit 1"))
    assert "    FAILED test_one - it opened" in told and "tests: FAILED test_one - it opened" in told
    told, _, _ = run(folder, shell("quick", "printf 'board quick: 0 passed, 1 failed\\n    010-lines: no file\\n'; exit 1"))
    assert "quick: 010-lines: no file" in told


def test_a_part_that_a_signal_ended_has_failed(folder):
    _, passed, schedule = run(folder, shell("tests", "kill -SEGV $$"))
    assert not passed and schedule.ended[0].why == "ended with status -11"


def test_what_computes_waits_for_a_processor_and_what_waits_does_not(folder):
    # Each says when it begins, and ends when both of the others can have begun.
    until_both = f"until [ -e {folder}/waits ]; do sleep 0.05; done; [ ! -e {folder}/second ]"
    first = shell("first", f"touch {folder}/first; {until_both}", processors=2)
    second = shell("second", f"touch {folder}/second", processors=2)
    waits = shell("waits", f"until [ -e {folder}/first ]; do sleep 0.05; done; touch {folder}/waits", processors=0)
    _, passed, _ = run(folder, first, second, waits)
    assert passed


def test_the_table_says_where_the_time_went_and_is_kept(folder):
    _, _, _ = run(folder, shell("board", "echo '[debian-12   30.5] ok 010-first-boot (4 s)'; sleep 0.2"))
    kept = (folder / "table.txt").read_text()
    assert "board" in kept and "4.0  010-first-boot" in kept
    assert (folder / "table.json").exists()


def test_the_ten_slowest_tests_are_read_from_what_runners_write(folder):
    log = folder / "room.log"
    log.write_text("\n".join(f"✔ Test number{number}() passed after {number}.5 seconds." for number in range(20)))
    assert slowest(log)[0] == (19.5, "number19()") and len(slowest(log)) == 10
    (folder / "judges.log").write_text("2 passed in 3 s\n")
    (folder / "judges.xml").write_text(
        '<testsuites><testcase classname="Tests.Judges.cbor_test" name="test_a" time="2.5"/></testsuites>')
    assert slowest(folder / "judges.log") == [(2.5, "cbor_test::test_a")]


def test_who_names_a_part_gets_what_it_needs_and_a_wrong_name_is_refused():
    named = [part.name for part in selected(parts(), ["judges"])]
    assert "judges" in named and "programs" in named and "compile" in named and "scenarios" not in named
    with pytest.raises(BadSelection, match="unknown part 'judge'"):
        selected(parts(), ["judge"])


def test_everything_that_is_there_to_be_run_is_in_one_part():
    everything = parts()
    rooms = {part.name for part in everything if part.command[1:2] == ["room"]}
    manifest = (TOP / "Package.swift").read_text()
    listed = {f"{name}Tests" for name in re.findall(r'    tests\("(\w+)"', manifest)}
    targets = listed | set(re.findall(r'testTarget\(name: "(\w+)"', manifest))
    assert rooms == targets, "Tests/*Tests and the test targets of Package.swift differ"
    told = [story for part in everything for story in part.command if story.startswith("lab/quick/2")]
    told += [str(path.relative_to(TOP)) for path in (TOP / "lab/quick").glob("0[0-9]*")]
    there = [str(path.relative_to(TOP)) for path in (TOP / "lab/quick").glob("[0-9]*")]
    assert sorted(told) == sorted(there), "stories in no part: lines have 0xx, Bluetooth 2xx (scripts/suite/parts.py)"


@pytest.mark.parametrize("part", [part for part in parts() if part.group in ("board", "bluetooth")], ids=lambda part: part.name)
def test_every_board_is_given_its_stories(part, folder):
    """With stand-ins for what boots: what they are asked for is what the part is there for."""
    for path in ("scripts/suite", "lab", ".build/suite"):
        (folder / path).mkdir(parents=True)
    shutil.copy(TOP / "scripts/suite/steps", folder / "scripts/suite/steps")
    (folder / ".build/suite/built").write_text("/built\n")
    for stand_in in ("lab/board", "lab/power", "scripts/python-environment"):
        (folder / stand_in).write_text('#!/bin/bash\nprintf "%s\\n" "$@"\n')
        (folder / stand_in).chmod(0o755)
    shutil.copytree(TOP / "lab/quick", folder / "lab/quick")
    said = subprocess.run(["scripts/suite/steps", *part.command[1:]], cwd=folder, capture_output=True, text=True, check=True).stdout.split()
    stories = [word for word in part.command if word.startswith("lab/quick/")]
    assert said[len(said) - len(stories):] == stories
    assert said[0] in ("quick", "whole", "--bin")


def test_every_story_has_a_number_of_its_own_and_a_reason_to_be_told_once():
    for folder in ("lab/scenarios", "lab/quick"):
        names = [path.name for path in (TOP / folder).iterdir() if path.is_file()]
        assert all(re.match(r"[0-9]{3}-", name) for name in names)
        assert len({name[:3] for name in names}) == len(names)
    for path in (TOP / "lab/scenarios").iterdir():
        for line in path.read_text().splitlines():
            if re.search("told on debian", line, re.IGNORECASE):
                assert re.fullmatch(r"# Told on Debian 1[23] only: \S.*\.", line), f"{path.name}: {line}"


def test_every_part_needs_only_what_stands_before_it():
    before = set()
    for part in parts():
        assert before.issuperset(part.needs), part.name
        before.add(part.name)
