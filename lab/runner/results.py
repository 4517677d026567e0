"""What scenarios came to. The agent in the guest writes a line at the start and at the end of each."""

from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Results:
    passed: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    reasons: dict[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path, expected: list[str]) -> "Results":
        """A scenario that did not come to its end has failed, and so has one that was never begun."""
        passed, reasons = [], {name: "was not begun" for name in expected}
        if path.exists():
            for line in path.read_text(errors="replace").splitlines():
                match line.split(maxsplit=3):
                    case ["begin", name, *_]:
                        reasons[name] = "did not end"
                    case ["ok", name, *_]:
                        passed.append(name)
                    case ["not", "ok", name, *reason] if reason:
                        reasons[name] = reason[0]
        return cls([name for name in expected if name in passed], [name for name in expected if name not in passed], reasons)

    def lines(self, name: str) -> list[str]:
        """How the board did, and what each failed scenario said last."""
        failed = [f"    {story}: {self.reasons[story]}" for story in self.failed]
        return [f"board {name}: {len(self.passed)} passed, {len(self.failed)} failed", *failed]
