"""From `invite` to the gate with the real server of invitations (A3), the real gate, and the page in Chromium.

The server signs with the office's own issuer here, which gates know without more; a server's issuer and its ceiling have tests of their own."""

import os
import shutil
import socket
import subprocess
import time

import cbor2
import pytest
from emulated_bluetooth import EmulatedBluetooth
from patience import wait_until
from processes import end
from test_visitor_at_the_gate import LANE, RADIO, air, tap  # noqa: F401

FILES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Resources", "visitor")


@pytest.fixture
def served(site, authority, folder):
    """`serve`, as an installer begins it. Answers its folder."""
    home = os.path.join(folder, "invitations")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        place = f"localhost:{free.getsockname()[1]}"
    listen = place.replace("localhost", "127.0.0.1")
    site.programs.run("tapstile-authority", "serve", "init", "--dir", home, "--site", site.name, "--issuer", issuer_of(site),
                      "--url", f"https://{place}/visit", "--listen", listen, "--certificate", authority.certificate,
                      "--key", authority.key, "--gates", site.known_gates)
    settings = os.path.join(home, "settings.toml")
    with open(settings, encoding="utf-8") as file:
        text = file.read()
    with open(settings, "w", encoding="utf-8") as file:
        file.write(f'pages = "{os.path.abspath(FILES)}"\n{text}')
    for name in ("issuer.key", "issuer.pub"):
        shutil.copyfile(site.path("authority", name), os.path.join(home, name))
    process = site.programs.start("tapstile-authority", "serve", "--dir", home, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def answers():
        try:
            socket.create_connection(("127.0.0.1", int(place.split(":")[1]))).close()
        except ConnectionRefusedError:
            return False
        return True

    wait_until("the server of invitations", answers)
    yield home
    end(process)


def issuer_of(site):
    """The name in anna's token."""
    with open(site.anna.token, "rb") as file:
        return cbor2.loads(cbor2.loads(file.read())[2])[1]


def has_token(page):
    """One that has not ended, and the page knows it."""
    ends = page.evaluate("import('./store.js').then(({ records }) => records()).then(([{ access }]) => access.expires)")
    return ends > time.time() and "2023" not in page.text("validity")


def test_invited_by_the_server_and_let_in_by_the_gate(site, served, start, air, browser, page):  # noqa: F811
    gate = start(lane=LANE, more=RADIO)
    air.wait_for_gate()
    bluetooth = EmulatedBluetooth(browser, air, name=air.name, service=air.service)
    air.on_disconnect = bluetooth.hang_up
    invited = site.programs.json("tapstile-authority", "invite", "--dir", served, "--subject", "Berta", "--valid", "7d")
    page.open(invited["link"])
    page.says("title", site.name)
    page.press("act")
    page.says("act", "Open the gate")
    result = tap(page, bluetooth, gate)
    assert (result["result"], result["reason"]) == ("granted", "granted"), gate.log
    page.says("result-title", "Open")
    # Suspended at the server: the pass says so when it would renew.
    site.programs.run("tapstile-authority", "invite", "--dir", served, "--suspend", invited["id"])
    page.evaluate("""(async () => { const { records, change } = await import("./store.js"); const [record] = await records();
        await change(record.id, { access: { ...record.access, expires: 1_700_000_000, notBefore: 1_600_000_000 } }); })()""")
    bluetooth.reload(page)
    page.says("problem-title", "suspended")
    site.programs.run("tapstile-authority", "invite", "--dir", served, "--resume", invited["id"])
    page.press("again")
    wait_until("a renewal", lambda: page.text("problem-title") == "" and has_token(page))
    assert tap(page, bluetooth, gate)["result"] == "granted"
    bluetooth.end()
