"""The office's server of invitations, run by the real program: its commands stand here and nowhere else in the tests."""

import os
import socket
import subprocess

from patience import wait_until
from processes import end

from .certificates import CertificateAuthority
from .nginx import free_port

ISSUER = "visitors"
PAGES = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", "..", "Resources", "visitor"))


class Visitors:
    """`with Visitors(programs, folder, site, gates) as server`: made, started, and stopped in the end."""

    def __init__(self, programs, folder, site, gates, authority=None):
        """`authority` has a certificate for localhost already, such as one that a browser believes."""
        self.programs, self.folder, self.site = programs, folder, site
        os.makedirs(folder)
        if authority is None:
            issuing = CertificateAuthority(folder, "visitors-ca")
            self.ca = issuing.file
            certificate, key = issuing.issue("server", "localhost", "127.0.0.1")
        else:
            certificate, key = authority.certificate, authority.key
        self.port = free_port()
        self.origin = f"https://localhost:{self.port}"
        self.desk = os.path.join(folder, "desk")
        self.ask("serve", "init", "--site", site, "--issuer", ISSUER, "--url", f"{self.origin}/visit", "--listen", f"127.0.0.1:{self.port}",
                 "--certificate", certificate, "--key", key, "--gates", gates)
        settings = os.path.join(self.desk, "settings.toml")
        with open(settings, encoding="utf-8") as file:
            text = file.read()
        with open(settings, "w", encoding="utf-8") as file:
            file.write(f'pages = "{PAGES}"\n{text}')
        self._process = None

    @property
    def log(self):
        return os.path.join(self.folder, "serve.log")

    @property
    def said(self):
        """All that it has written."""
        with open(self.log, encoding="utf-8") as file:
            return file.read()

    def ask(self, *command):
        return self.programs.json("tapstile-authority", *command, "--dir", self.desk)

    @property
    def public_key(self):
        return os.path.join(self.desk, "issuer.pub")

    def start(self):
        with open(self.log, "ab") as log:
            self._process = self.programs.start("tapstile-authority", "serve", "--dir", self.desk, stdout=log, stderr=subprocess.STDOUT)
        wait_until("the server of invitations listens", self._listens)
        return self

    @property
    def ports(self):
        """All at which it listens."""
        return [self.port]

    def _listens(self):
        assert self._process.poll() is None, self.said
        try:
            for port in self.ports:
                socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            return False
        return True

    def stop(self):
        end(self._process)
        return self._process.returncode

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()

    def invite(self, subject, *options):
        """What `invite` says: the link and more. For a week, unless it is said otherwise."""
        lasts = () if {"--valid", "--expires"} & set(options) else ("--valid", "7d")
        return self.ask("invite", "--subject", subject, *lasts, *options)

    def change(self, what, invited):
        """`withdraw`, `suspend`, `resume` or `revoke` for one that `invite` gave."""
        return self.ask("invite", f"--{what}", str(invited["id"]))
