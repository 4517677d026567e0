"""The wall clock of one daemon, which a story sets: its other clocks are the machine's."""

import os
import subprocess


class WallClock:
    """To the daemon of `gate` the machine is `set` ahead of the time by so many hours. Of a clock that is `alone` the kernel says that nothing has set it."""

    def __init__(self, gate, hours=0, alone=False):
        self.path = os.path.join(gate.folder, "wall-clock")
        self.set(hours)
        # Not libfaketime: it adds to the environment, and Swift's programs then find no arguments.
        library = os.path.join(gate.folder, "wall-clock.so")
        source = os.path.join(os.path.dirname(__file__), "wall_clock.c")
        subprocess.run(["clang", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", library, source], check=True)
        gate.environment = {"LD_PRELOAD": library, "WALL_CLOCK": self.path, **({"WALL_CLOCK_ALONE": "1"} if alone else {})}

    def set(self, hours):
        with open(self.path + ".new", "w", encoding="ascii") as file:
            file.write(f"{hours * 3600}\n")
        os.replace(self.path + ".new", self.path)
