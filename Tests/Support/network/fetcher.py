"""tapstile-net, spoken to in its frames (docs/synchronisation.md) by a program of its own."""

import os
import select
import struct
from dataclasses import dataclass, field

import cbor2

from patience import OUTER, Deadline, connected
from processes import ended, unheard

FETCH, HEAD, BYTES, END, FAILED, SET_UP, CANCEL, BEAT = range(1, 9)


def frame(kind, body=b""):
    """One frame; a map becomes CBOR."""
    if isinstance(body, dict):
        body = cbor2.dumps({key: value for key, value in body.items() if value is not None}, canonical=True)
    return struct.pack(">BI", kind, len(body)) + body


LISTED = """\
[site]
id = "example-site"
[gate]
id = "gate-1"
signing-key = "/etc/tapstile/keys/signing.key"
[trust]
root = "/etc/tapstile/keys/root.json"
[sync]
url = "{url}"
{lines}
[[lane]]
name = "entry"
[lane.relay]
chip = "simulated"
line = 0
[[reader]]
name = "entry-reader"
lane = "entry"
[reader.match]
name = "reader"
"""


def configuration(folder, url, *lines):
    """The file of a gate that synchronises from there, with these lines of [sync] besides: what tapstile-net goes by."""
    path = os.path.join(folder, "tapstile.toml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(LISTED.format(url=url.rstrip("/"), lines="\n".join(lines)))
    return path


@dataclass
class Answer:
    """What was said of one file."""

    status: int = None
    length: int = None
    etag: str = None
    body: bytes = b""
    code: str = None
    detail: str = ""
    beats: int = 0
    pieces: list = field(default_factory=list)


class Fetcher:
    """One connection: to a child's pipes, or to a socket."""

    def __init__(self, reading, writing, process=None):
        self._reading, self._writing, self._process, self._held = reading, writing, process, b""

    @classmethod
    def child(cls, programs, *arguments, **options):
        process = programs.start("tapstile-net", "fetch", *arguments, stdin=-1, stdout=-1, stderr=-1, bufsize=0, **options)
        return cls(process.stdout, process.stdin, process)

    @classmethod
    def at(cls, path):
        connection = connected(path)
        stream = connection.makefile("rwb", buffering=0)
        connection.close()
        return cls(stream, stream)

    def send(self, kind, body=b""):
        self._writing.write(frame(kind, body))

    def send_raw(self, content):
        self._writing.write(content)

    def set_up(self, proxy=None, no_proxy=None, authorities=None, certificate=None, key=None, agent="tapstile/test"):
        self.send(SET_UP, {1: proxy, 2: no_proxy, 3: authorities, 4: certificate, 5: key, 6: agent})
        return self

    def ask(self, url, most=1 << 20, milliseconds=60_000, rate=0, etag=None, offset=None, window=None):
        self.send(FETCH, {1: url, 2: most, 3: milliseconds, 4: rate, 5: etag, 6: offset, 7: window})

    def fetch(self, url, **bounds):
        self.ask(url, **bounds)
        return self.answer()

    def answer(self):
        """Until the end of what was asked for."""
        deadline, answer = Deadline("the end of an answer of tapstile-net", OUTER), Answer()
        while not self._step(answer, deadline):
            pass
        return answer

    def _step(self, answer, deadline):
        """One frame more; true when it was the last one."""
        kind, body = self._next_frame(deadline)
        answer.pieces.append(kind)
        if kind == BEAT:
            answer.beats += 1
        elif kind == HEAD:
            assert answer.status is None
            head = cbor2.loads(body)
            answer.status, answer.length, answer.etag = head[1], head.get(2), head.get(3)
        elif kind == BYTES:
            assert answer.status in (200, 206)
            answer.body += body
        elif kind == FAILED:
            fault = cbor2.loads(body)
            answer.code, answer.detail = fault[1], fault.get(2, "")
        else:
            assert kind == END and answer.status is not None
        return kind in (END, FAILED)

    def next_frame(self):
        return self._next_frame(Deadline("a frame of tapstile-net"))

    def wait_for(self, kind):
        """The next frame of this kind; what comes before it is passed over."""
        return self._first(f"a frame of kind {kind}", lambda other: other == kind)

    def wait_past(self, *kinds):
        """The next frame of another kind than these."""
        return self._first(f"a frame of another kind than {kinds}", lambda other: other not in kinds)

    def _first(self, what, wanted):
        deadline = Deadline(f"{what} of tapstile-net")
        while not wanted((found := self._next_frame(deadline))[0]):
            pass
        return found

    def _next_frame(self, deadline):
        # Something may come for ever: that it lives, for one.
        if not deadline.left:
            raise deadline.missed(self._instead())
        kind, length = struct.unpack(">BI", self._take(5, deadline))
        return kind, self._take(length, deadline)

    def _instead(self):
        said = f"; it {unheard(self._process)}" if self._process else ""
        return f"there were {len(self._held)} bytes more: {self._held[:64].hex()}{said}"

    def _take(self, count, deadline):
        while len(self._held) < count:
            if not select.select([self._reading], [], [], deadline.left)[0]:
                raise deadline.missed(self._instead())
            piece = self._reading.read(65_536)
            if not piece:
                raise EOFError
            self._held += piece
        taken, self._held = self._held[:count], self._held[count:]
        return taken

    def ends(self):
        """Reads to the end of the connection. For a child: its status and what it said."""
        deadline = Deadline("tapstile-net to hang up")
        while True:
            try:
                self._next_frame(deadline)
            except EOFError:
                break
        if self._process:
            return ended(self._process), self._process.stderr.read().decode()
        return None

    @property
    def process(self):
        return self._process

    def close(self):
        self._writing.close()
        self._reading.close()
        if self._process:
            ended(self._process)
            self._process.stderr.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
