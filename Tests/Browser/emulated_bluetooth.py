"""The browser's Bluetooth, played over DevTools: one gate in the air, and what the page does with it.

Chromium's domain `BluetoothEmulation` stands in for the adapter. Whatever the page writes and reads goes to a `gate` with `connect()`,
`write(value)`, `read()` and `disconnect()`; each answers by ATT's error, 0 where there is none."""

import base64
import contextlib

from devtools import Refused
from patience import NothingHappened, wait_until

CLASSIC = "00005301-0000-002a-426c-756549442a00"
CHARACTERISTIC = "00005302-0000-002a-426c-756549442a00"
ADDRESS = "09:09:09:09:09:09"
# HCI: connection failed to be established.
NOBODY = 0x3E


class EmulatedBluetooth:
    """The adapter of a browser, on. `is_near`: whether connections are answered well."""

    def __init__(self, browser, gate=None, name="main@Works", service=CLASSIC):
        self.session, self.gate, self.name, self.service = browser.session, gate, name, service
        self.is_near = True
        self.has_service = True
        self.is_over = False
        self.characteristic = None
        self.operations = []
        self.session.on("BluetoothEmulation.gattOperationReceived", self._operate)
        self.session.on("BluetoothEmulation.characteristicOperationReceived", self._pass_on)
        self.begin()

    def begin(self):
        """Also anew: what is emulated ends with the page that used it."""
        self.is_over = False
        # What was emulated before may have outlived its page.
        with contextlib.suppress(Refused):
            self._send("disable")
        self._send("enable", state="powered-on", leSupported=True)
        self._appear()

    def end(self):
        """Nothing is emulated any more."""
        self.is_over = True
        if self.characteristic:
            self.characteristic = None
            self.gate.disconnect()
        with contextlib.suppress(Refused):
            self._send("disable")

    def reload(self, page):
        """The page is opened again."""
        self.reopen(page, page.reload)

    def reopen(self, page, act):
        """A page that has used Bluetooth is left for another by `act`."""
        self.end()
        act()

        def is_there():
            if page.evaluate("navigator.bluetooth.getAvailability()"):
                return True
            # The page that was left has taken it along.
            self.end()
            self.begin()
            return False

        wait_until("the page to have Bluetooth", is_there, pause=0.2)
        # It may have looked before.
        page.evaluate("document.getElementById('again').click()")

    def _appear(self):
        """What is emulated connects once: a gate that is to be connected to again comes anew."""
        self.characteristic = None
        self._send("simulatePreconnectedPeripheral", address=ADDRESS, name=self.name, manufacturerData=[], knownServiceUuids=[self.service])

    def switch(self, state):
        self._send("setSimulatedCentralState", state=state)

    def hang_up(self):
        """As a gate does."""
        with contextlib.suppress(Refused):
            self._send("simulateGATTDisconnection", address=ADDRESS)
        self.gate.disconnect()

    def choose(self, page, press, device=True):
        """The person presses and chooses the gate in the browser's list, or nothing."""
        if self.characteristic:
            self.hang_up()
            self._appear()
        mark = len(page.events)
        page.send("DeviceAccess.enable")
        press()
        prompt = page.wait("DeviceAccess.deviceRequestPrompted", since=mark, where=lambda event: event["devices"] or not device)
        if device:
            page.send("DeviceAccess.selectPrompt", id=prompt["id"], deviceId=prompt["devices"][0]["id"])
        else:
            page.send("DeviceAccess.cancelPrompt", id=prompt["id"])
        return prompt

    def _send(self, method, **parameters):
        return self.session.send(f"BluetoothEmulation.{method}", **parameters)

    def _operate(self, event):
        self.operations.append(event["type"])
        code = 0
        if event["type"] == "connection":
            code = self._connect()
        self._send("simulateGATTOperationResponse", address=event["address"], type=event["type"], code=code)

    def _connect(self):
        if not self.is_near:
            return NOBODY
        self.gate.connect()
        if self.has_service and not self.characteristic:
            service = self._send("addService", address=ADDRESS, serviceUuid=self.service)["serviceId"]
            self.characteristic = self._send("addCharacteristic", serviceId=service, characteristicUuid=CHARACTERISTIC,
                                             properties={"read": True, "write": True})["characteristicId"]
        return 0

    def _pass_on(self, event):
        kind = event["type"]
        self.operations.append(kind)
        try:
            code, data = self._ask(kind, event)
        except (NothingHappened, OSError):
            # A gate that was asked and has gone with its test owes this test nothing.
            if self.is_over:
                return
            raise
        # Nobody waits for it where the gate has hung up meanwhile.
        with contextlib.suppress(Refused):
            self._send("simulateCharacteristicOperationResponse", characteristicId=event["characteristicId"], type=kind, code=code, **data)

    def _ask(self, kind, event):
        """The gate's error and, of a read, what it says."""
        if kind == "write":
            assert event["writeType"] == "write-with-response"
            return self.gate.write(base64.b64decode(event["data"])), {}
        code, value = self.gate.read()
        return code, {} if code else {"data": base64.b64encode(value).decode()}
