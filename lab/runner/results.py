"""What scenarios came to. The agent in the guest writes a line at the start and at the end of each."""

from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Results:
    passed: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)

    @classmethod
    def read(cls, path: Path, expected: list[str]) -> "Results":
        """A scenario that did not come to its end has failed, and so has one that was never begun."""
        passed = []
        if path.exists():
            words = [line.split() for line in path.read_text().splitlines()]
            passed = [word[1] for word in words if len(word) >= 2 and word[0] == "ok"]
        return cls([name for name in expected if name in passed], [name for name in expected if name not in passed])

    def line(self, name: str) -> str:
        return f"board {name}: {len(self.passed)} passed, {len(self.failed)} failed"
