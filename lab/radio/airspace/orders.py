"""The words that change the air, one line each."""

from .link import Cut
from .strength import Reading, Script

HELP = """\
show                        controllers, links, ended links
controller NAME             its index, address (null while it has none), kind, advertising
links [PHONE]               how many links there are
plug NAME                   the controller is put in; again, if it was pulled out
unplug NAME                 it is pulled out
rssi PHONE STRENGTH…        dBm, unknown, silent (no answer) or refused; a strength that is followed by another one says
                            *READINGS or @MILLISECONDS (from the link's begin, or now if that is later); the last word
                            may be `again`
delay PHONE MILLISECONDS    everything to and from the phone comes so much later
hold PHONE                  nothing gets through any more, but the link stays
release PHONE               what was held comes through
cut PHONE                   the phone is out of reach: its links end
cut PHONE requests|answers N  as soon as its next (or present) link has carried N requests (or answers) that read or write
calm                        everything as at the beginning: strong, fast, nothing held, no cut to come"""


class Refused(Exception):
    """An order that cannot be carried out; the text says why."""


class Orders:
    def __init__(self, air):
        self._air = air

    def carry_out(self, words: list[str]):
        """Answers something that JSON can hold."""
        match words:
            case ["show"]:
                return self._air.picture()
            case ["controller", name]:
                return self._air.one(self._controller(name))
            case ["links"]:
                return len(self._air.links)
            case ["links", name]:
                return len(self._links(name))
            case ["plug", name]:
                return self._plug(name)
            case ["unplug", name]:
                return self._unplug(name)
            case ["rssi", name, *steps]:
                return self._strength(name, steps)
            case ["delay", name, milliseconds] if milliseconds.isdecimal():
                return self._delay(name, int(milliseconds))
            case ["hold" | "release" as word, name]:
                return self._hold(name, word == "hold")
            case ["cut", name]:
                return self._cut(name)
            case ["cut", name, "requests" | "answers" as what, number] if number.isdecimal():
                self._conditions(name).cut = Cut(what, int(number))
                return True
            case ["calm"]:
                return self._calm()
            case _:
                raise Refused(f"no such order: {' '.join(words)}")

    def _controller(self, name: str):
        if name not in self._air.controllers:
            raise Refused(f"no controller {name}")
        return self._air.controllers[name]

    def _conditions(self, name: str):
        self._controller(name)
        return self._air.conditions[name]

    def _links(self, name: str):
        return [link for link in self._air.links if link.central.controller.name == name]

    def _plug(self, name: str) -> int:
        controller = self._controller(name)
        if not controller.is_plugged:
            controller.plug()
        return controller.index

    def _unplug(self, name: str) -> bool:
        controller = self._controller(name)
        if controller.is_plugged:
            self._air.unplug(controller)
        return True

    def _strength(self, name: str, steps: list[str]) -> bool:
        try:
            script = Script.parse(steps)
        except ValueError as error:
            raise Refused(str(error)) from error
        self._conditions(name).strength = script
        for link in self._links(name):
            link.reading = Reading(script)
        return True

    def _delay(self, name: str, milliseconds: int) -> bool:
        self._conditions(name).delay = milliseconds
        return True

    def _hold(self, name: str, held: bool) -> bool:
        self._conditions(name).held = held
        for link in self._links(name):
            link.move()
        return True

    def _cut(self, name: str) -> int:
        """How many links were cut."""
        self._controller(name)
        links = self._links(name)
        for link in links:
            link.cut()
        return len(links)

    def _calm(self) -> bool:
        for name, conditions in self._air.conditions.items():
            conditions.calm()
            self._strength(name, ["-40"])
            self._hold(name, False)
        return True
