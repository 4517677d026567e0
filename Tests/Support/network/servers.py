"""Servers that say what no honest one says, and a proxy."""

import contextlib
import select
import socket
import ssl
import threading

from patience import PATIENCE


class RawServer:
    """Reads one request from each connection and lets `answer(connection, request)` say what it likes."""

    def __init__(self, answer, context=None):
        self._answer, self._context = answer, context
        self.requests = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self):
        while True:
            try:
                # Until it is closed.
                connection, _ = self._listener.accept()
            except OSError:
                return
            connection.settimeout(PATIENCE)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        # Whoever asked may hang up at any time.
        with contextlib.suppress(OSError):
            if self._context:
                connection = self._secured(connection)
            with connection:
                request = b""
                while b"\r\n\r\n" not in request:
                    piece = connection.recv(65_536)
                    if not piece:
                        return
                    request += piece
                self.requests.append(request.decode("latin-1"))
                self._answer(connection, self.requests[-1])

    def _secured(self, connection):
        secured = self._context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False)
        try:
            secured.do_handshake()
        except ssl.SSLError:
            # Else what the other side has sent already would take the alert along.
            socket.socket.shutdown(secured, socket.SHUT_WR)
            while socket.socket.recv(secured, 4096):
                pass
            raise
        return secured

    def url(self, name="", scheme="http"):
        return f"{scheme}://127.0.0.1:{self.port}/{name}"

    def close(self):
        # Wakes the thread in accept.
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def says(*pieces):
    """Says these one after the other and hangs up."""
    def answer(connection, _):
        for piece in pieces:
            connection.sendall(piece)
    return answer


def says_for_ever(first, again):
    """Says one thing, and then the other until nobody listens, or takes nothing for a long time."""
    def answer(connection, _):
        connection.sendall(first)
        while True:
            connection.sendall(again)
    return answer


def stalls(first=b""):
    """Says this and nothing more, until the other side hangs up."""
    def answer(connection, _):
        connection.sendall(first)
        connection.recv(1)
    return answer


def tunnel(connection, request):
    """CONNECT, as a proxy does it."""
    host, port = request.split(" ")[1].rsplit(":", 1)
    with socket.create_connection((host, int(port)), PATIENCE) as other:
        connection.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
        while ready := select.select([connection, other], [], [], PATIENCE)[0]:
            for one in ready:
                piece = one.recv(65_536)
                if not piece:
                    return
                (other if one is connection else connection).sendall(piece)


def context_wanting_a_certificate(certificate, authority):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    context.load_verify_locations(authority)
    context.verify_mode = ssl.CERT_REQUIRED
    return context
