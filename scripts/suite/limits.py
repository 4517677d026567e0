"""How long parts of a run may take: the one place where it is set.

Limits are for what hangs. What is only slow, on a machine that is busy or old, must fit: an idle one needs a fifth of
them. What runs inside a part has bounds of its own, which are shorter: who knows more speaks first. All stretch with
TAPSTILE_WAIT_SECONDS, as those do (Tests/Support/patience.py)."""

import os

VARIABLE, USUAL = "TAPSTILE_WAIT_SECONDS", 60


def _factor() -> float:
    text = os.environ.get(VARIABLE) or str(USUAL)
    if not text.isdecimal() or not 1 <= int(text) <= 86_400:
        raise SystemExit(f"test: {VARIABLE} is {text!r}, and no number of seconds from 1 to 86400")
    return int(text) / USUAL


FACTOR = _factor()

# Minutes of a part, by what it does.
COMPILING = 25 * FACTOR
MAKING = 25 * FACTOR
TESTING = 25 * FACTOR
BOARD = 40 * FACTOR
# Of the whole run, after which what still runs is ended and the summary is told: a caller that allows 90 hears it.
RUN = 85 * FACTOR

# Bytes that a part may say: a usual one says a hundredth of them.
MOST_SAID = 32_000_000

# Seconds between a request to end and the end: a board or a pcscd is put away meanwhile.
GRACE = 30 * FACTOR
