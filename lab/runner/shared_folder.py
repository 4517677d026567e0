"""The folder that host and guest share; the guest knows it as /lab."""

import os
import shutil
from pathlib import Path

from .needs import LAB, CannotBoot, made


def fill(folder: Path, scenarios: list[Path], packages: Path | None, tools: list[Path]) -> Path:
    """Makes `folder` with all that the guest finds in /lab, and an empty /lab/out."""
    for name in ("scenarios", "tools", "packages", "out", "guest"):
        (folder / name).mkdir(parents=True)
    for scenario in scenarios:
        put(scenario, folder / "scenarios")
    for file in (LAB / "guest").iterdir():
        put(file, folder / "guest")
    put(LAB / "guest/story", folder)
    for file in (LAB / "radio").rglob("*"):
        if file.is_file():
            put(file, folder / "radio" / file.parent.relative_to(LAB / "radio"))
    for tool in [made("witness/build"), made("probe/build"), *tools]:
        put(tool, folder / "tools")
    if packages is not None:
        if not any(packages.glob("*.deb")):
            raise CannotBoot(f"no packages in {packages}; 'make deb' builds them")
        # Folders beside them hold other versions, to upgrade from.
        for file in [*packages.glob("*.deb"), *packages.glob("*/*.deb")]:
            put(file, folder / "packages" / file.parent.relative_to(packages))
        for tool in sorted(packages.glob("tools/*")):
            put(tool, folder / "tools")
    return folder


def put(file: Path, folder: Path) -> None:
    """A hard link where that is possible: packages are large, and the guest only reads them."""
    if not file.is_file():
        raise CannotBoot(f"no file {file}")
    folder.mkdir(parents=True, exist_ok=True)
    try:
        # The file itself, where it has another name here.
        os.link(file.resolve(), folder / file.name)
    except OSError:
        shutil.copy2(file, folder / file.name)
