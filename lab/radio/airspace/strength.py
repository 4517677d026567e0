"""The strength of a phone's signal, as it is measured reading for reading."""

import re
import time
from dataclasses import dataclass

STEP = re.compile(r"(-?\d+|unknown|silent|refused)(?:\*(\d+)|@(\d+))?")
# 127: the controller cannot say (Bluetooth Core 5.3, volume 4, part E, 7.5.4).
UNKNOWN = 127


@dataclass(frozen=True)
class Step:
    """`value`: dBm, or "silent" (no answer at all) or "refused" (an answer with an error)."""

    value: int | str
    readings: int | None
    until: int | None


@dataclass(frozen=True)
class Script:
    """Steps one after the other; each holds for so many readings, or until so many milliseconds after the link's begin (or
    after the order, if that comes later). The last one holds for ever, or it begins again."""

    steps: tuple[Step, ...]
    again: bool

    @classmethod
    def parse(cls, words: list[str]) -> "Script":
        again = words[-1:] == ["again"]
        steps = tuple(cls._step(word) for word in (words[:-1] if again else words))
        if not steps or any(step.readings is None and step.until is None for step in (steps if again else steps[:-1])):
            raise ValueError("a strength that is followed by another one needs *READINGS or @MILLISECONDS")
        return cls(steps, again)

    @staticmethod
    def _step(word: str) -> Step:
        found = STEP.fullmatch(word)
        if not found:
            raise ValueError(f"no strength: {word} (dBm, unknown, silent or refused; then *READINGS or @MILLISECONDS)")
        value, readings, until = found.groups()
        if value == "unknown":
            value = str(UNKNOWN)
        if value not in ("silent", "refused"):
            value = int(value)
        return Step(value, int(readings) if readings else None, int(until) if until else None)


STRONG = Script.parse(["-40"])


class Reading:
    """A place in a script."""

    def __init__(self, script: Script):
        self.script = script
        self._begin(time.monotonic())

    def _begin(self, now: float) -> None:
        self._began = now
        self._step = 0
        self._used = 0

    def next(self) -> int | str:
        now = time.monotonic()
        while self._is_over(self.script.steps[self._step], now):
            self._used = 0
            if self._step + 1 < len(self.script.steps):
                self._step += 1
            elif self.script.again:
                self._begin(now)
            else:
                break
        self._used += 1
        return self.script.steps[self._step].value

    def _is_over(self, step: Step, now: float) -> bool:
        if step.readings is not None:
            return self._used >= step.readings
        return step.until is not None and (now - self._began) * 1000 >= step.until
