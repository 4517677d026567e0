"""A real nginx on loopback, of one test's own."""

import os
import socket
import subprocess
import time

from patience import LONG, NothingHappened, wait_until
from processes import end, kill, run

SCRIPT = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "private-server")

CONFIGURATION = """
daemon off;
master_process off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections {connections}; }}
http {{
    log_format told '$connection $status $request_length $bytes_sent $request_method $request_uri';
    access_log {folder}/access.log told;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    default_type application/octet-stream;
    server {{
        listen 127.0.0.1:{port}{tls};
        root {root};
        {more}
    }}
}}
"""


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Nginx:
    """Serves the folder `root` in its own one. `certificate` is a pair of files; without it there is no TLS."""

    def __init__(self, folder, certificate=None, more="", host="127.0.0.1", connections=64):
        self.folder, self.root = folder, os.path.join(folder, "root")
        os.makedirs(self.root, exist_ok=True)
        self._certificate, self.more, self._host, self._connections = certificate, more, host, connections
        # It may have to be downloaded.
        self._program = run([SCRIPT], LONG, with_children=True, capture_output=True, text=True, check=True).stdout.strip()
        self.port, self._process = None, None

    def put(self, name, content):
        path = os.path.join(self.root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content)
        # Of a file of this very second no tag is kept.
        os.utime(path, (time.time(), time.time() - 10))

    def start(self):
        # Somebody may take the port in between.
        for _ in range(10):
            self.port = free_port()
            if self._serves():
                return self
        raise NothingHappened(f"nginx: {self._errors()}")

    def restart(self):
        """Ends all connections. The port stays."""
        self.stop()
        if not self._serves():
            raise NothingHappened(f"nginx: {self._errors()}")

    def _serves(self):
        tls, more = "", self.more
        if self._certificate:
            tls, more = " ssl", f"ssl_certificate {self._certificate[0]}; ssl_certificate_key {self._certificate[1]}; {more}"
        path = os.path.join(self.folder, "nginx.conf")
        with open(path, "w", encoding="utf-8") as file:
            file.write(CONFIGURATION.format(folder=self.folder, root=self.root, port=self.port, tls=tls, more=more,
                                            connections=self._connections))
        self._process = subprocess.Popen([self._program, "-p", self.folder, "-c", path, "-e", os.path.join(self.folder, "error.log")],
                                         stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            wait_until("nginx to serve or to end", lambda: self._process.poll() is not None or self._is_connected(), instead=self._errors)
        except BaseException:
            self.stop()
            raise
        return self._process.poll() is None

    def _is_connected(self):
        with socket.socket() as one:
            one.settimeout(1)
            return one.connect_ex(("127.0.0.1", self.port)) == 0

    def _errors(self):
        with open(os.path.join(self.folder, "error.log"), encoding="utf-8") as log:
            return log.read().strip()

    def url(self, name, host=None):
        return f"{'https' if self._certificate else 'http'}://{host or self._host}:{self.port}/{name}"

    @property
    def log(self):
        """What was asked: (connection, status, bytes of the request, bytes of the answer, method, address)."""
        with open(os.path.join(self.folder, "access.log"), encoding="utf-8") as log:
            rows = [line.split(" ", 5) for line in log.read().splitlines()]
        return [(row[0], int(row[1]), int(row[2]), int(row[3]), row[4], row[5]) for row in rows]

    def kill(self):
        kill(self._process)

    def stop(self):
        if self._process:
            end(self._process)

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()
