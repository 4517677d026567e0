"""A bluetoothd that is played, on a bus of its own: the real gate registers its GATT service there, and one phone reaches it.

No radio, no bluetoothd: what is real is tapstiled with its objects on D-Bus. The boards of lab/ have the real bluetoothd."""

import os
import re
import subprocess
import tempfile
import threading

from jeepney import DBusAddress, HeaderFields, MessageType, new_error, new_method_call, new_method_return, new_signal
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import open_dbus_connection
from patience import PATIENCE, Deadline, connected, wait_for, wait_until
from processes import end

ADAPTER, PHONE = "/org/bluez/hci0", "/org/bluez/hci0/dev_C0_00_00_00_00_01"
OBJECTS = {
    ADAPTER: {"org.bluez.Adapter1": {"Address": ("s", "00:1A:7D:DA:71:13"), "Powered": ("b", True),
                                     "Roles": ("as", ["central", "peripheral"])},
              "org.bluez.GattManager1": {}, "org.bluez.LEAdvertisingManager1": {}},
}
DEVICE = {"org.bluez.Device1": {"Address": ("s", "C0:00:00:00:00:01"), "AddressType": ("s", "random"), "Connected": ("b", True)}}
MANAGER = "org.freedesktop.DBus.ObjectManager"
PROPERTIES = "org.freedesktop.DBus.Properties"
CONFIGURATION = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>{}</listen><auth>EXTERNAL</auth><policy context='default'>
<allow send_destination='*' eavesdrop='true'/><allow eavesdrop='true'/><allow own='*'/><allow user='*'/></policy></busconfig>
"""


def listens(path):
    """Its socket is there a moment before it does."""
    try:
        connected(path).close()
    except (FileNotFoundError, ConnectionRefusedError):
        return False
    return True


class PrivateBus:
    """A dbus-daemon for one test."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="tapstile-bus.")
        path = os.path.join(self.folder.name, "bus")
        self.address = f"unix:path={path}"
        configuration = os.path.join(self.folder.name, "conf")
        with open(configuration, "w", encoding="ascii") as file:
            file.write(CONFIGURATION.format(self.address))
        command = ["dbus-daemon", f"--config-file={configuration}", "--nofork", "--nopidfile", "--nosyslog"]
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_until("the bus to listen", lambda: listens(path))

    def close(self):
        end(self.process)
        self.folder.cleanup()


class StandInBluez:
    """org.bluez with one adapter. As a gate: `connect()`, `write(value)`, `read()` and `disconnect()`, each with ATT's error, 0 for none."""

    def __init__(self, address):
        self.connection = open_dbus_connection(address)
        self.sending = threading.Lock()
        self.answers, self.arrived = {}, threading.Condition()
        self.application = self.name = self.service = None
        self.on_disconnect = lambda: None
        self.written = []
        self.is_advertised = threading.Event()
        self.closing = False
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()
        self._call(message_bus.RequestName("org.bluez"))

    def wait_for_gate(self):
        """Until it is in the air; `name` and `service` are then what it advertises."""
        wait_for(self.is_advertised, "the gate's advertisement")

    def close(self):
        self.closing = True
        self.connection.sock.shutdown(2)
        self.thread.join(PATIENCE)
        self.connection.close()

    # The phone

    def connect(self):
        self._emit("/", MANAGER, "InterfacesAdded", "oa{sa{sv}}", (PHONE, DEVICE))

    def disconnect(self):
        self._emit(PHONE, PROPERTIES, "PropertiesChanged", "sa{sv}as", ("org.bluez.Device1", {"Connected": ("b", False)}, []))

    def write(self, value):
        self.written.append(value)
        return self._characteristic("WriteValue", "aya{sv}", (value, self._options()))[0]

    def read(self):
        code, body = self._characteristic("ReadValue", "a{sv}", (self._options(),))
        return code, b"" if code else bytes(body[0])

    def _options(self):
        return {"device": ("o", PHONE), "link": ("s", "LE"), "mtu": ("q", 517)}

    def _characteristic(self, member, signature, body):
        owner, path = self.application
        answer = self._call(new_method_call(DBusAddress(path, owner, "org.bluez.GattCharacteristic1"), member, signature, body))
        if answer.header.message_type is MessageType.error:
            number = re.search(r"0x([0-9A-Fa-f]{2})", str(answer.body))
            return (int(number[1], 16) if number else 0x0E), None
        return 0, answer.body

    # The bus

    def _send(self, message):
        with self.sending:
            serial = next(self.connection.outgoing_serial)
            self.connection.send(message, serial)
        return serial

    def _call(self, message):
        """Its answer, which the thread hears."""
        with self.arrived:
            serial = self._send(message)
            deadline = Deadline(f"an answer to {message.header.fields[HeaderFields.member]}")
            while serial not in self.answers:
                if not deadline.left:
                    raise deadline.missed()
                self.arrived.wait(deadline.left)
            return self.answers.pop(serial)

    def _emit(self, path, interface, member, signature, body):
        self._send(new_signal(DBusAddress(path, interface=interface), member, signature, body))

    def _serve(self):
        try:
            while not self.closing:
                self._take(self.connection.receive())
        except (OSError, EOFError, ConnectionError):
            if not self.closing:
                raise

    def _take(self, message):
        fields = message.header.fields
        if message.header.message_type in (MessageType.method_return, MessageType.error):
            with self.arrived:
                self.answers[fields[HeaderFields.reply_serial]] = message
                self.arrived.notify_all()
        elif message.header.message_type is MessageType.method_call:
            # What is asked meanwhile needs this thread to hear the answer.
            threading.Thread(target=self._answer_unless_closing, args=(message,), daemon=True).start()

    def _answer_unless_closing(self, message):
        try:
            self._answer(message)
        except OSError:
            if not self.closing:
                raise

    def _answer(self, message):
        fields = message.header.fields
        member, owner = fields[HeaderFields.member], fields.get(HeaderFields.sender)
        if member == "GetManagedObjects":
            return self._send(new_method_return(message, "a{oa{sa{sv}}}", (OBJECTS,)))
        if member == "RegisterApplication":
            self.application = owner, self._objects(owner, message.body[0], "org.bluez.GattCharacteristic1")[0]
        elif member == "RegisterAdvertisement":
            _, shown = self._objects(owner, message.body[0], "org.bluez.LEAdvertisement1")
            self.name, self.service = shown["LocalName"][1], shown["ServiceUUIDs"][1][0]
        elif member == "Disconnect":
            self.disconnect()
            self.on_disconnect()
        elif member not in ("Set", "UnregisterAdvertisement", "UnregisterApplication"):
            return self._send(new_error(message, "org.freedesktop.DBus.Error.UnknownMethod"))
        self._send(new_method_return(message))
        if member == "RegisterAdvertisement":
            self.is_advertised.set()
        return None

    def _objects(self, owner, root, interface):
        """Path and properties of the object there that has this interface."""
        answer = self._call(new_method_call(DBusAddress(root, owner, MANAGER), "GetManagedObjects"))
        return next((path, interfaces[interface]) for path, interfaces in answer.body[0].items() if interface in interfaces)
