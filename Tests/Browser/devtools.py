"""Chromium over its DevTools protocol, with Python's standard library alone."""

import base64
import itertools
import json
import os
import queue
import shutil
import socket
import struct
import subprocess
import tempfile
import threading
import urllib.parse

from patience import Deadline, joined, wait_until
from processes import end

PROGRAM = "/usr/bin/chromium"
FLAGS = ["--headless=new", "--no-first-run", "--no-default-browser-check", "--disable-gpu", "--disable-dev-shm-usage",
         "--disable-background-networking", "--disable-component-update", "--disable-sync", "--mute-audio",
         # Nobody is asked for a key ring.
         "--password-store=basic", "--use-mock-keychain",
         # A page that was left is gone, with the Bluetooth that it had.
         "--disable-features=BackForwardCache",
         # On Linux Web Bluetooth is behind it.
         "--enable-experimental-web-platform-features", "--remote-debugging-port=0", "about:blank"]


class WebSocket:
    """A client of RFC 6455: text alone."""

    def __init__(self, address):
        url = urllib.parse.urlsplit(address)
        self.socket = socket.create_connection((url.hostname, url.port))
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((f"GET {url.path} HTTP/1.1\r\nHost: {url.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                             f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
        self.input = self.socket.makefile("rb")
        assert b"101" in self.input.readline()
        while self.input.readline() != b"\r\n":
            pass
        self.sending = threading.Lock()

    def send(self, text):
        data = text.encode()
        length = len(data)
        head = bytes([0x80 | length]) if length < 126 else struct.pack(">BH", 0xFE, length) if length < 65536 \
            else struct.pack(">BQ", 0xFF, length)
        # A mask of zeros is a mask.
        with self.sending:
            self.socket.sendall(b"\x81" + head + bytes(4) + data)

    def receive(self):
        """The next text; None at the end."""
        text = b""
        while True:
            head = self.input.read(2)
            if len(head) < 2:
                return None
            length = head[1] & 0x7F
            if length == 126:
                length, = struct.unpack(">H", self.input.read(2))
            elif length == 127:
                length, = struct.unpack(">Q", self.input.read(8))
            data = self.input.read(length)
            if head[0] & 0x0F == 8:
                return None
            if head[0] & 0x0F in (0, 1):
                text += data
                if head[0] & 0x80:
                    return text.decode()

    def close(self):
        # A reader in another thread wakes.
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.socket.close()


class Refused(Exception):
    """The browser answered a command with an error."""


class Session:
    """Commands and events of one target; the browser's own session has no `number`."""

    def __init__(self, connection, number=None):
        self.connection, self.number = connection, number
        connection.sessions[number] = self
        self.events = []
        self.handlers = {}

    def send(self, method, **parameters):
        return self.connection.ask(self.number, method, parameters)

    def on(self, method, handler):
        """Events of this kind go there, one after the other, on a thread of their own."""
        self.handlers[method] = handler

    def wait(self, method, since=0, where=lambda event: True):
        """The first such event from `since` on."""
        def found():
            self.connection.check()
            return next((event for name, event in self.events[since:] if name == method and where(event)), None)

        wait_until(method, found, instead=lambda: [name for name, _ in self.events[-20:]])
        return found()

    def all(self, method):
        return [event for name, event in self.events if name == method]


class Connection:
    """All sessions of one browser. What events are handed to runs on a thread of its own, and may send."""

    def __init__(self, address):
        self.socket = WebSocket(address)
        self.numbers = itertools.count(1)
        self.answers, self.sessions = {}, {}
        self.arrived = threading.Condition()
        self.handed = queue.SimpleQueue()
        self.faults = []
        self.threads = [threading.Thread(target=each, daemon=True) for each in (self._receive, self._handle)]
        for thread in self.threads:
            thread.start()

    def ask(self, session, method, parameters):
        number = next(self.numbers)
        message = {"id": number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        self.socket.send(json.dumps(message))
        deadline = Deadline(f"the answer to {method}")
        with self.arrived:
            while number not in self.answers:
                if not deadline.left:
                    raise deadline.missed()
                self.arrived.wait(deadline.left)
            answer = self.answers.pop(number)
        if "error" in answer:
            raise Refused(f"{method}: {answer['error']}")
        return answer["result"]

    def check(self):
        """Raises what went wrong where events were handed to."""
        if self.faults:
            raise self.faults.pop(0)

    def _receive(self):
        try:
            while (text := self.socket.receive()) is not None:
                self._take(json.loads(text))
        except (OSError, ValueError):
            # The browser has ended, or we have.
            pass
        self.handed.put(None)

    def _take(self, message):
        with self.arrived:
            if "id" in message:
                self.answers[message["id"]] = message
            elif session := self.sessions.get(message.get("sessionId")):
                session.events.append((message["method"], message["params"]))
                if handler := session.handlers.get(message["method"]):
                    self.handed.put((handler, message["params"]))
            self.arrived.notify_all()

    def _handle(self):
        while (entry := self.handed.get()) is not None:
            handler, event = entry
            try:
                handler(event)
            except Exception as fault:  # whoever waits is told
                self.faults.append(fault)

    def close(self):
        self.socket.close()
        for thread in self.threads:
            joined(thread)


class Browser:
    """One Chromium with a folder of its own. `session` is that of the whole browser."""

    def __init__(self, *flags, language="en-GB", prepare=lambda home: None):
        self.folder = tempfile.mkdtemp(prefix="tapstile-browser.")
        prepare(self.folder)
        root = ["--no-sandbox"] if os.geteuid() == 0 else []
        environment = {**os.environ, "HOME": self.folder, "LANGUAGE": language.split("-")[0], "TZ": "UTC"}
        command = [PROGRAM, *root, f"--user-data-dir={self.folder}/data", f"--lang={language}", f"--accept-lang={language}", *flags, *FLAGS]
        with open(os.path.join(self.folder, "log"), "wb") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment)
        number, path = wait_until("the browser's port", self._port, instead=self._log)
        self.connection = Connection(f"ws://127.0.0.1:{number}{path}")
        self.session = Session(self.connection)

    def _port(self):
        try:
            with open(os.path.join(self.folder, "data", "DevToolsActivePort"), encoding="ascii") as file:
                lines = file.read().split("\n")
        except FileNotFoundError:
            assert self.process.poll() is None, self._log()
            return None
        return lines if len(lines) == 2 else None

    def _log(self):
        with open(os.path.join(self.folder, "log"), encoding="utf-8", errors="replace") as log:
            return log.read()[-2000:]

    def page(self):
        """A new page in a profile of its own, with what it asks, says and does told as events."""
        profile = self.session.send("Target.createBrowserContext")["browserContextId"]
        return self.page_of(profile)

    def page_of(self, profile):
        """Another one of the same profile."""
        target = self.session.send("Target.createTarget", url="about:blank", browserContextId=profile)["targetId"]
        number = self.session.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        return Page(self, number, target, profile)

    def close(self):
        try:
            self.session.send("Browser.close")
        except (Refused, OSError):
            pass
        end(self.process)
        self.connection.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class Page(Session):
    """One page."""

    def __init__(self, browser, number, target, profile):
        super().__init__(browser.connection, number)
        self.browser, self.target, self.profile = browser, target, profile
        for domain in ("Page", "Runtime", "Network", "Log", "Audits"):
            self.send(f"{domain}.enable")

    def open(self, address):
        """Returns when it has loaded."""
        mark = len(self.events)
        self.send("Page.navigate", url=address)
        self.wait("Page.loadEventFired", since=mark)

    def close(self):
        """The profile is forgotten with it."""
        self.browser.session.send("Target.disposeBrowserContext", browserContextId=self.profile)

    def reload(self):
        mark = len(self.events)
        self.send("Page.reload")
        self.wait("Page.loadEventFired", since=mark)

    def evaluate(self, expression, by_hand=False):
        """Its value, waited for; `by_hand`: as if a person had pressed something."""
        answer = self.send("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True, userGesture=by_hand)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise AssertionError(details.get("exception", {}).get("description", details["text"]))
        return answer["result"].get("value")

    def text(self, name):
        """What an element says; nothing where it is hidden."""
        self.connection.check()
        try:
            return self.evaluate(f"(e => e?.checkVisibility() ? e.textContent : '')(document.getElementById({name!r}))")
        except Refused:
            # It is being opened anew.
            return ""

    def says(self, name, wanted):
        """Waits until an element says that."""
        wait_until(f"{name} to say {wanted!r}", lambda: wanted in self.text(name), pause=0.02,
                   instead=lambda: self.evaluate("document.body.innerText"))

    def press(self, name):
        """A press that the browser takes for a person's: at the middle of the element."""
        wait_until(f"{name} to be there", lambda: self.text(name) and not self.evaluate(f"document.getElementById({name!r}).disabled"),
                   pause=0.02, instead=lambda: self.evaluate("document.body.innerText"))
        x, y = self.evaluate(f"(e => (e.scrollIntoView({{block: 'center'}}), e = e.getBoundingClientRect(), [e.x + e.width / 2, e.y + e.height / 2]))"
                             f"(document.getElementById({name!r}))")
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def picture(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.send("Page.captureScreenshot", format="png")["data"]))
