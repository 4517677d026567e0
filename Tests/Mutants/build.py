"""One build with all mutants in it, each asleep until its number is named."""

import shutil
import subprocess
from pathlib import Path

from catalogue import TOP, Mutant, WrongRecord

SWITCH = "MutantSwitch.swift"

# Each room has its own, for pure rooms import no common one.
SWITCH_TEXT = """\
import Glibc

private let active = getenv("TAPSTILE_MUTANT").flatMap { Int(String(cString: $0)) } ?? 0

func isMutant(_ number: Int) -> Bool { number == active }
"""


def stage(folder: Path, mutants: list[Mutant]) -> None:
    """The sources with all mutants. Files keep their times where their content is the same: what changed is compiled."""
    names = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=TOP, check=True,
                           stdout=subprocess.PIPE, text=True).stdout.split("\0")
    wanted = {name for name in names if name and (TOP / name).is_file()}
    changed = texts_with(mutants)
    for name in wanted:
        put(folder / name, TOP / name, changed.get(name))
    switches = {f"{mutant.room}/{SWITCH}" for mutant in mutants}
    for name in switches:
        put(folder / name, None, SWITCH_TEXT)
    remove_others(folder, wanted | switches)


def texts_with(mutants: list[Mutant]) -> dict[str, str]:
    """The changed files. From behind to the front, so that places found in the original hold."""
    texts: dict[str, str] = {}
    for name in {mutant.file for mutant in mutants}:
        text = original = (TOP / name).read_text(encoding="utf-8")
        places = sorted(((mutant.place_in(original), mutant) for mutant in mutants if mutant.file == name), key=lambda pair: -pair[0])
        before = len(original)
        for place, mutant in places:
            if place + len(mutant.was) > before:
                raise WrongRecord(f"{mutant.subject}: {mutant.name} overlaps with another one in {name}")
            text = text[:place] + mutant.changed + text[place + len(mutant.was):]
            before = place
        texts[name] = text
    return texts


def put(target: Path, source: Path | None, text: str | None) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    content = text.encode() if text is not None else source.read_bytes()
    if not target.is_file() or target.read_bytes() != content:
        target.write_bytes(content)
    if source is not None:
        shutil.copymode(source, target)


def remove_others(folder: Path, wanted: set[str]) -> None:
    for path in folder.rglob("*"):
        if path.is_file() and str(path.relative_to(folder)) not in wanted:
            path.unlink()


def compile_all(source: Path, scratch: Path) -> Path:
    """The built tests. What the compiler says goes to our output."""
    command = ["swift", "build", "--build-tests", "--package-path", source, "--scratch-path", scratch]
    subprocess.run(command, check=True)
    shown = subprocess.run([*command, "--show-bin-path"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    return Path(shown) / "tapstilePackageTests.xctest"
