"""A site whose gate synchronises: the real office, a real nginx over TLS, the real tapstile-net, the real gate."""

import os

from gatehouse import Site
from patience import OUTER, wait_until

from .activation import FetchSocket
from .nginx import Nginx

# The longest there is: nothing begins by itself while a test looks.
SELDOM = "interval-minutes = 1440"


class Town:
    """An office, its web server, the program that fetches, and a gate."""

    def __init__(self, programs, folder, authority, begin=("--together",)):
        """`begin` says whose keys a new repository has."""
        self.site = Site(programs, folder)
        self.authority = authority
        self.nginx = Nginx(os.path.join(folder, "nginx"), authority.issue("server", "127.0.0.1"))
        self.repository = self.nginx.root
        self.site.authority("publish", "init", "--repo", self.repository, *begin)
        self.nginx.start()
        self.socket = self.fetcher()

    @property
    def root(self):
        """What an installer carries to the gate."""
        return os.path.join(self.repository, "metadata", "1.root.json")

    def fetcher(self):
        """What systemd does for the socket of tapstile-net."""
        return FetchSocket(self.site.programs, self.site.path("fetch.sock"), self.site.path("tapstile.toml"))

    def enrol(self, *names):
        for name in names:
            self.site.person(name).enrol()

    def publish(self, *options):
        return self.site.authority("publish", *options)

    def rules(self, text):
        """What the site decides, in the place of what it decided before."""
        path = self.site.path("rules.toml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return self.site.authority("rules", path)

    def gate(self, url=None, root=None, sync_more="", **configuration):
        """A gate that has fetched once, or tried to. `configuration` is what `Site.configuration` takes besides."""
        lines = (f'url = "{url or f"https://127.0.0.1:{self.nginx.port}"}"\nsocket = "{self.socket.path}"\n'
                 f'ca-file = "{self.authority.file}"\nlocal-addresses = ["127.0.0.1"]\n{SELDOM}\n{sync_more}')
        return self.site.gate(source=f'root = "{root or self.root}"', sync=lines, **configuration)

    def served_gate(self, **configuration):
        """A gate that has what is published."""
        gate = self.gate(**configuration).start()
        looked = first_look(gate)
        assert "failure" not in looked, looked
        return gate

    def asked(self):
        """What the server was asked for: connection, status, bytes from and to the client, method, path."""
        with open(os.path.join(self.nginx.folder, "access.log"), encoding="utf-8") as log:
            return [line.split() for line in log]

    def close(self):
        if self.site.latest_gate:
            self.site.latest_gate.stop()
        self.socket.close()
        self.nginx.stop()


def first_look(gate):
    """What `status` says of synchronising after the run with which a gate begins: it may be over before anybody hears events."""
    return wait_until("the first look at the server", lambda: "lastAttempt" in gate.status()["sync"] and gate.status()["sync"])


def sync(gate, status=0):
    """One run, and what came of it. A gate gives up what is too slow after half a minute."""
    return gate.ask("sync", "--wait", status=status, seconds=OUTER)
