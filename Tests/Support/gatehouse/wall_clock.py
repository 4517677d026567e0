"""The wall clock of one program, which a story sets: its other clocks are the machine's."""

import os
import subprocess


class WallClock:
    """To the program of this `environment` the machine is `set` ahead of the time by so many hours. Of a clock that is `alone` the kernel says that
    nothing has set it."""

    def __init__(self, gate, hours=0, alone=False):
        self.path = os.path.join(gate.folder, "wall-clock")
        self.alone = alone
        self.set(hours)
        gate.environment = self.environment

    @property
    def environment(self):
        # Not libfaketime: it adds to the environment, and Swift's programs then find no arguments.
        library = os.path.join(os.path.dirname(self.path), "wall-clock.so")
        source = os.path.join(os.path.dirname(__file__), "wall_clock.c")
        subprocess.run(["clang", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", library, source], check=True)
        return {"LD_PRELOAD": library, "WALL_CLOCK": self.path, **({"KERNEL_CLOCK": "no"} if self.alone else {})}

    def set(self, hours):
        with open(self.path + ".new", "w", encoding="ascii") as file:
            file.write(f"{hours * 3600}\n")
        os.replace(self.path + ".new", self.path)


class OfficeMachine:
    """A machine whose clock, and what the kernel says of it, a story chooses: its programs run in this `environment`."""

    def __init__(self, folder, hours=0, synchronised=True):
        self.folder, self.environment = folder, {}
        self.clock = WallClock(self, hours)
        self.environment = {**self.environment, "KERNEL_CLOCK": "yes" if synchronised else "no", "TAPSTILE_CLOCK_SOURCE": "kernel"}
