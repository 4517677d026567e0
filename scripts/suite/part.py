"""One part of a run: a command with its needs and its limit."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Part:
    """`processors` says how many it keeps busy: what mostly waits runs beside what computes."""

    name: str
    group: str
    command: list[str]
    minutes: float
    needs: tuple[str, ...] = ()
    processors: float = 1
    needs_root: bool = False
    environment: dict[str, str] = field(default_factory=dict)


class BadSelection(Exception):
    """A group was named that does not exist."""


def selected(parts: list[Part], groups: list[str]) -> list[Part]:
    """The parts of these groups and all that they need, in the order in which they stand."""
    known = {part.group for part in parts}
    for group in groups:
        if group not in known:
            raise BadSelection(f"unknown part '{group}'; there are: {', '.join(sorted(known))}")
    by_name = {part.name: part for part in parts}
    wanted: set[str] = set()

    def want(part: Part) -> None:
        if part.name not in wanted:
            wanted.add(part.name)
            for need in part.needs:
                want(by_name[need])

    for part in parts:
        if not groups or part.group in groups:
            want(part)
    return [part for part in parts if part.name in wanted]
