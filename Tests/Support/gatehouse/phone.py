"""Phones: the real program tapstile-phone at the virtual reader."""

import json
import subprocess

from patience import OUTER, PATIENCE
from processes import Lines, end

# How long a phone stays when nobody speaks to it: for safety only.
STAYS_MILLISECONDS = 1000 * PATIENCE


class Phone:
    """A person's phone, showing what they were given: what is in their wallet if they have one, else the token if there is one, else the claims."""

    def __init__(self, person, options=()):
        self.person = person
        self.options = options

    @staticmethod
    def make_key(programs, person, agrees):
        programs.json("tapstile-phone", "key", "--out", person.key, *(["--agree"] if agrees else []))

    def _arguments(self, more):
        person = self.person
        shown = ["--token", person.token] if person.token else ["--ccs", person.claims]
        own = [*self.options, *more]
        if "--ccs" in own or "--enrolled-kid" in own or "--token" in own:
            shown = []
        if "--timeout" not in own and "--hold" not in own:
            own += ["--timeout", STAYS_MILLISECONDS]
        if "--port" not in own:
            own += ["--port", person.site.programs.environment["TAPSTILE_CARD_PORT"]]
        if person.wallet:
            return ["tap", "--site", person.site.name, "--keys", person.wallet, *own, "--json"]
        return ["tap", "--key", person.key, "--gates", person.known_gates or person.site.known_gates, *shown, *own, "--json"]

    def tap(self, *options):
        """Presents the phone until the gate has told it the result, and everybody else. Answers what it has to say."""
        gate = self.person.site.latest_gate
        is_heard = gate and gate.is_running and "--slot" not in (*self.options, *options)
        if is_heard:
            gate.wait_for_an_empty_field()
            mark = gate.events.mark
        run = self.person.site.programs.run("tapstile-phone", *self._arguments(options), status=None, seconds=OUTER)
        if not run.stdout.strip():
            raise RuntimeError(f"tapstile-phone ended with status {run.returncode}: {run.stderr.strip()}")
        answer = json.loads(run.stdout.splitlines()[-1])
        answer["status"] = run.returncode
        # Or the next one might be given this one's events.
        if is_heard and answer["result"] in ("granted", "refused"):
            gate.events.wait("result", since=mark)
        return answer

    def start(self, *options):
        """Starts the phone and leaves it to itself."""
        return self.person.site.programs.start("tapstile-phone", *self._arguments(options), stdout=subprocess.PIPE,
                                               stderr=subprocess.PIPE, text=True)

    def lay_down(self, *options):
        """Presents the phone and leaves it lying: `with person.phone().lay_down() as phone`."""
        return LyingPhone(self.start("--hold", *options))


class LyingPhone:
    """A phone that stays on the reader until the gate has opened."""

    def __init__(self, process):
        self._process = process
        self._lines = Lines(process)

    def result(self):
        """The next result that the phone is told; None when it was stopped without another."""
        line = self._lines.next()
        return json.loads(line) if line else None

    def lift(self):
        end(self._process)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.lift()
