"""Starts tapstile-net when somebody connects, as systemd does by its socket unit."""

import os
import socket
import threading

from patience import joined
from processes import end, kill


class FetchSocket:
    """The socket at `path`: one process for each connection, which fetches what the gate's configuration names."""

    def __init__(self, programs, path, configuration):
        self.programs, self.path, self.configuration = programs, path, configuration
        self.processes = []
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.bind(path)
        self._socket.listen()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self):
        while True:
            try:
                # Until it is closed.
                connection, _ = self._socket.accept()
            except OSError:
                return
            with connection:
                self.processes.append(self.programs.start("tapstile-net", "fetch", "--config", self.configuration,
                                                           stdin=connection, stdout=connection, stderr=-3))

    def kill(self):
        """The process that serves now is gone from one moment to the other."""
        kill(self.processes[-1])

    def close(self):
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        joined(self._thread)
        for process in self.processes:
            end(process)
        os.unlink(self.path)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
