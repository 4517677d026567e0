"""Our zones and schedules against Python's zoneinfo and a minute-by-minute walk through ten years.

TAPSTILE_BIN is the folder of the built programs. Zones are those of the system (tzdata), which zoneinfo reads too.
"""

import hashlib
import os
import random
import zoneinfo
from datetime import date, datetime, timedelta, timezone
from pathlib import Path

import cbor2
import pytest

from patience import LONG
from processes import run

FOLDER = Path("/usr/share/zoneinfo")
DAY = 86_400
SINCE, UNTIL = 0, 4_133_980_800  # 1970 to 2100, the end included
EPOCH = datetime(1970, 1, 1)
ZONES = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca", "Asia/Kathmandu"]


def judge(questions):
    """The answers of judge-schedule, a list of words for each question."""
    program = os.path.join(os.environ["TAPSTILE_BIN"], "judge-schedule")
    lines = "".join(" ".join(map(str, question)) + "\n" for question in questions)
    judged = run([program], LONG, input=lines, capture_output=True, text=True, check=True)
    answers = [line.split() for line in judged.stdout.split("\n")[:-1]]
    assert len(answers) == len(questions)
    for question, answer in zip(questions, answers):
        if question[0] in ("zone", "rules"):
            assert answer == ["ok"], question[0]
    return answers


def numbers(answer):
    return [int(number) for number in answer]


def file(name):
    return "zone", (FOLDER / name).read_bytes().hex()


def zones():
    """A name for each different file."""
    names = {}
    for name in sorted(zoneinfo.available_timezones()):
        path = FOLDER / name
        if path.is_file():
            names.setdefault(hashlib.sha256(path.read_bytes()).digest(), name)
    return sorted(names.values())


def offset(zone, time):
    return int((datetime.fromtimestamp(time, timezone.utc).astimezone(zone).utcoffset()).total_seconds())


def changes(zone, since, until, step):
    """The changes of the offset, found by looking every `step` seconds and halving."""
    found = []
    before = offset(zone, since)
    for time in range(since, until, step):
        later = min(time + step, until)
        after = offset(zone, later)
        if after != before:
            low, high = time, later
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (middle, high) if offset(zone, middle) == before else (low, middle)
            found.append(high)
            before = after
    return found


def test_every_zone_of_the_system_has_the_same_offsets():
    dice = random.Random(1)
    names = zones()
    assert len(names) > 300
    ours = judge([question for name in names for question in (file(name), ("zone-changes", SINCE, UNTIL))])[1::2]
    asked, questions = [], []
    for name, changes in zip(names, ours):
        times = list(range(SINCE, UNTIL, 10 * DAY)) + [dice.randrange(SINCE, UNTIL) for _ in range(300)]
        times += [at + by for at in numbers(changes) for by in (-DAY, -3600, -1, 0, 1, 3600, DAY)]
        asked.append(times)
        questions += [file(name), ("offset", *times)]
    for name, times, answer in zip(names, asked, judge(questions)[1::2]):
        zone = zoneinfo.ZoneInfo(name)
        assert numbers(answer) == [offset(zone, time) for time in times], name
    print(f"{len(names)} zones, {sum(map(len, asked))} instants, {sum(map(len, ours))} changes")


def test_times_on_the_clock_mean_the_instants_of_pep_495():
    """Once: that one. Twice: the first (fold 0). Never: the change."""
    dice = random.Random(2)
    questions, answers = [], []
    for name in ZONES + ["Europe/Dublin", "Asia/Gaza", "America/Nuuk", "Antarctica/Troll", "Pacific/Apia", "America/St_Johns"]:
        zone = zoneinfo.ZoneInfo(name)
        found = changes(zone, SINCE, UNTIL, 5 * DAY)
        clocks = [at + offset(zone, at - 1) + dice.randrange(-7200, 7200) for at in found for _ in range(4)]
        clocks += [dice.randrange(SINCE + DAY, UNTIL - DAY) for _ in range(2000)]
        questions += [file(name), ("instant", *clocks)]
        answers.append((name, [first_instant(zone, clock, found) for clock in clocks]))
    for (name, expected), answer in zip(answers, judge(questions)[1::2]):
        assert numbers(answer) == expected, name


def first_instant(zone, clock, changes):
    instant = int((EPOCH + timedelta(seconds=clock)).replace(tzinfo=zone, fold=0).timestamp())
    if instant + offset(zone, instant) == clock:
        return instant
    # It does not exist: the change is the first instant that shows something later.
    near = [at for at in changes if abs(at - instant) < 2 * DAY and at + offset(zone, at) > clock >= at + offset(zone, at - 1)]
    assert len(near) == 1, (zone, clock)
    return near[0]


class Schedule:
    """A random schedule as the items of a publication, painted on the minutes of the clock."""

    def __init__(self, dice, first, last):
        self.first, self.days = first, last - first + 1
        window = lambda: (lambda opens: [opens, opens + dice.choice([30, 60, 480, 1440, dice.randint(1, 1440)])])(
            dice.choice([0, 120, 150, 1320, 1439, dice.randrange(1440)]))
        self.week = [[window() for _ in range(dice.choice([0, 1, 1, 2, 3]))] for _ in range(7)]
        if dice.random() < 0.2:
            self.week = [[[0, 1440]]] * 7
        self.calendars = [
            ["public", [[1, 12, 25], [1, 1, 1], [1, 2, 29]] + [[0, day, day + dice.choice([0, 0, 1, 9])] for day in self.some(dice, 40)]],
            ["half", [[1, 12, 24], [1, 12, 25], [1, 3, 29]] + [[0, day, day] for day in self.some(dice, 40)]],
            ["unnamed", [[0, day, day] for day in self.some(dice, 40)]],
        ]
        self.holidays = [[kind, [window() for _ in range(dice.choice([0, 1, 2]))]] for kind in dice.sample(["public", "half"], 2)]
        self.once = []
        for day in self.some(dice, 60):
            start = day * 1440 + dice.choice([0, 90, 150, dice.randrange(1440)])
            self.once.append([start, start + dice.choice([30, 60, 1440, dice.randint(1, 5000)]), dice.random() < 0.5, dice.randrange(4)])

    def some(self, dice, count):
        return [self.first + dice.randrange(self.days) for _ in range(count)]

    def records(self, name):
        return [[6, *calendar] for calendar in self.calendars] + [[7, name, self.week, self.holidays, self.once]]

    def windows(self, day):
        when = date(1970, 1, 1) + timedelta(days=day)
        for kind, windows in self.holidays:
            for item in dict(map(tuple, self.calendars))[kind]:
                if (item[0] == 0 and item[1] <= day <= item[2]) or (item[0] == 1 and (when.month, when.day) == tuple(item[1:])):
                    return windows
        return self.week[when.weekday()]

    def painted(self):
        minutes = bytearray((self.days + 3) * 1440)
        for day in range(self.first - 1, self.first + self.days + 2):
            for opens, closes in self.windows(day):
                start = (day - self.first) * 1440
                for minute in range(max(0, start + opens), min(len(minutes), start + closes)):
                    minutes[minute] = 1
        # The later paint covers the earlier: low priorities first, and of equal ones those that close last.
        for start, end, opens, priority in sorted(self.once, key=lambda item: (item[3], not item[2])):
            for minute in range(max(0, start - self.first * 1440), min(len(minutes), end - self.first * 1440)):
                minutes[minute] = opens
        return minutes


@pytest.mark.parametrize("name", ZONES)
def test_ten_years_minute_by_minute(name):
    dice = random.Random(name)
    zone = zoneinfo.ZoneInfo(name)
    first, last = (date(year, 1, 1) - date(1970, 1, 1) for year in (2023, 2033))
    schedules = [Schedule(dice, first.days - 1, last.days + 1) for _ in range(4)]
    paints = [schedule.painted() for schedule in schedules]
    since, until = first.days * DAY, last.days * DAY
    questions = [file(name)]
    for schedule in schedules:
        body = b"".join(cbor2.dumps(record, canonical=True) for record in [[5, name]] + schedule.records("s"))
        questions += [("rules", body.hex()), ("force", "s", since), ("changes", "s", since, until)]
    answers = judge(questions)[1:]
    latest = 0
    now = since
    before = [None] * len(paints)
    begun, found = [0] * len(paints), [[] for _ in paints]
    origin = schedules[0].first * 1440
    while now <= until:
        if now % 900 == 0:
            # No zone changes its offset between two quarters of an hour in these years.
            ahead = offset(zone, now)
        # The clock that schedules go by waits while it shows what it has shown.
        latest = max(latest, (now + ahead) // 60)
        for position, paint in enumerate(paints):
            value = paint[latest - origin]
            if value != before[position]:
                if before[position] is None:
                    begun[position] = value
                else:
                    found[position].append(now)
                before[position] = value
        now += 60
    for position, (start, ours) in enumerate(zip(answers[1::3], answers[2::3])):
        assert numbers(start) == [begun[position]]
        assert numbers(ours) == found[position]
    print(name, [len(changes) for changes in found])
