"""The parts of a run. Those that others wait for longest stand first."""

from pathlib import Path

from . import limits
from .part import BadSelection, Part

TOP = Path(__file__).resolve().parents[2]
STEPS = str(TOP / "scripts/suite/steps")

# Packaged programs and the small ones that only tests have, in one folder (`steps programs`).
WITH_PROGRAMS = {"TAPSTILE_BIN": str(TOP / ".build/suite/programs")}

# Tests of these rooms wait for a reader, a radio or a timer most of the time, the longest first; all others compute.
WAITING_ROOMS = ("Readers", "Controller", "ChipReaders", "Radio", "VirtualPhone", "Service", "Threads")

# How many processors a part keeps busy, a little less than it does: none shall idle while something could run. A
# compiler waits for its longest file now and then, a board for what it has started.
WAITING, BLUETOOTH, BOARD, COMPUTING, PACKAGING, COMPILING = 0.2, 0.6, 0.5, 0.7, 0.8, 1.1
# What takes all that there are.
ALL = 2

# Bluetooth stories that take about as long in either half.
FIRST_HALF = ("20", "21", "22", "235", "260")


def parts() -> list[Part]:
    own = own_debian()
    # On Debian 13 there is none for 12: its packages are built on Debian 12 alone.
    debians = ["12", "13"] if own == "12" else ["13"]
    return [*making(own, debians), *testing(debians)]


def own_debian() -> str:
    with open("/etc/os-release", encoding="utf-8") as file:
        release = dict(line.rstrip().split("=", 1) for line in file if "=" in line)
    version = release.get("VERSION_ID", "").strip('"')
    if release.get("ID") != "debian" or version not in ("12", "13"):
        raise BadSelection("the tests run on Debian 12 or 13, for which the packages are")
    return version


def step(name: str, group: str, minutes: float, *arguments: str, processors: float, **more) -> Part:
    """A part that is a function of `steps`, of the same name up to the first blank."""
    command = [STEPS, name.split()[0], *arguments]
    return Part(name.replace(" ", "-"), group, command, minutes, processors=processors, **more)


def making(own: str, debians: list[str]) -> list[Part]:
    """What is made once for all tests. Kernel, images and the root to build in come from the cache if it has them."""
    made = [
        step("environment", "making", limits.MAKING, processors=0),
        *(step(f"chroot {debian}", "making", limits.MAKING, debian, processors=0, needs_root=True)
          for debian in debians if debian != own),
        *(step(f"image {debian}", "making", limits.MAKING, debian, processors=0, needs_root=True) for debian in debians),
        step("compile", "making", limits.COMPILING, processors=COMPILING),
    ]
    for debian in debians:
        # Another Debian's packages are built in a root of its own.
        other = {} if debian == own else {"needs": (f"chroot-{debian}",), "needs_root": True}
        made.append(step(f"packages {debian}", "packages", limits.COMPILING, debian, processors=PACKAGING, **other))
    needs = ("compile", f"packages-{own}")
    return [
        *made,
        step("programs", "making", limits.TESTING, own, needs=needs, processors=0),
        step("kernel", "making", limits.MAKING, processors=COMPILING),
        step("fuzzers", "making", limits.COMPILING, processors=COMPILING),
    ]


def testing(debians: list[str]) -> list[Part]:
    return [
        *(board(debian, debians) for debian in debians),
        # Some of them boot boards.
        with_python("scenarios", processors=BOARD, needs=("kernel",)),
        *(room(name, WAITING) for name in WAITING_ROOMS),
        on_quick_board("bluetooth 1", "bluetooth", *stories(True), needs=("environment",), processors=BLUETOOTH),
        on_quick_board("bluetooth 2", "bluetooth", *stories(False), needs=("environment",), processors=BLUETOOTH),
        on_quick_board("power taps", "board", "taps", processors=COMPUTING),
        on_quick_board("power sync", "board", "sync", processors=COMPUTING),
        on_quick_board("quick", "board", processors=BOARD),
        step("lines", "rooms", limits.BOARD, needs=("kernel", "compile"), processors=BOARD, needs_root=True),
        with_python("judges", processors=COMPUTING),
        with_python("browser", processors=COMPUTING),
        step("benchmark", "benchmark", limits.TESTING, needs=("programs",), processors=COMPUTING),
        *(room(name, COMPUTING) for name in computing_rooms()),
        *(step(name, "fuzzers", limits.TESTING, needs=("fuzzers",), processors=ALL)
          for name in ("replay", "adversary", "lanes")),
    ]


def board(debian: str, debians: list[str]) -> Part:
    needs = ("kernel", f"image-{debian}", f"packages-{debian}")
    return step(f"board {debian}", "board", limits.BOARD, debian, *debians, needs=needs, processors=BOARD, needs_root=True)


def on_quick_board(
    name: str, group: str, *arguments: str, processors: float, needs: tuple[str, ...] = ()
) -> Part:
    return step(name, group, limits.BOARD, *arguments, needs=("kernel", "programs", *needs), processors=processors,
                needs_root=True, environment=WITH_PROGRAMS)


def with_python(name: str, processors: float, needs: tuple[str, ...] = ()) -> Part:
    return step(name, name, limits.TESTING, needs=("environment", "programs", *needs), processors=processors,
                environment=WITH_PROGRAMS)


def room(name: str, processors: float) -> Part:
    command = [STEPS, "room", f"{name}Tests"]
    # One after the other they tell how long each takes; what waits would wait longer.
    if name not in WAITING_ROOMS:
        command.append("--no-parallel")
    return Part(f"{name}Tests", "rooms", command, limits.TESTING, ("compile",), processors)


def computing_rooms() -> list[str]:
    tested = {folder.name.removesuffix("Tests") for folder in (TOP / "Tests").glob("*Tests")}
    return sorted(tested - set(WAITING_ROOMS))


def stories(is_first_half: bool) -> list[str]:
    named = sorted(path.name for path in (TOP / "lab/quick").glob("2[0-9]*"))
    return [f"lab/quick/{name}" for name in named if name.startswith(FIRST_HALF) == is_first_half]
