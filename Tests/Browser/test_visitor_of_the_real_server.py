"""From `invite` to the gate with the real server of invitations (A3), the real gate, and the page in Chromium."""

import os
import time

import pytest
from emulated_bluetooth import EmulatedBluetooth
from network.visitors import ISSUER, Visitors
from patience import wait_until
from test_visitor_at_the_gate import LANE, RADIO, air, tap  # noqa: F401

@pytest.fixture
def visitors(site, folder, authority):
    """The site's server of invitations, which the office knows and the site's rules bound, with the browser's certificate."""
    with Visitors(site.programs, os.path.join(folder, "visitors"), site.name, site.known_gates, authority) as visitors:
        site.authority("issuer", "--add", ISSUER, "--key", visitors.public_key, "--queue", os.path.join(visitors.desk, "queue", "revoked.json"))
        site.rules(f'[[issuer]]\nname = "{ISSUER}"\nlongest-hours = 24\n')
        yield visitors


def has_token(page):
    """One that has not ended, and the page knows it."""
    ends = page.evaluate("import('./store.js').then(({ records }) => records()).then(([{ access }]) => access.expires)")
    return ends > time.time() and "2023" not in page.text("validity")


@pytest.fixture
def invited(site, visitors, start, air, browser, page):  # noqa: F811
    """Berta's page with her pass, before the gate. Answers the gate, its radio and her invitation."""
    gate = start(lane=LANE, more=RADIO)
    air.wait_for_gate()
    bluetooth = EmulatedBluetooth(browser, air, name=air.name, service=air.service)
    air.on_disconnect = bluetooth.hang_up
    invited = visitors.invite("Berta")
    page.open(invited["link"])
    page.says("title", site.name)
    page.press("act")
    page.says("act", "Open the gate")
    yield gate, bluetooth, invited
    bluetooth.end()


def test_invited_by_the_server_and_let_in_by_the_gate(page, visitors, invited):
    gate, bluetooth, invitation = invited
    result = tap(page, bluetooth, gate)
    assert (result["result"], result["reason"]) == ("granted", "granted"), gate.log
    page.says("result-title", "Open")
    # Suspended at the server: the pass says so when it would renew.
    visitors.change("suspend", invitation)
    page.evaluate("""(async () => { const { records, change } = await import("./store.js"); const [record] = await records();
        await change(record.id, { access: { ...record.access, expires: 1_700_000_000, notBefore: 1_600_000_000 } }); })()""")
    bluetooth.reload(page)
    page.says("problem-title", "suspended")
    visitors.change("resume", invitation)
    page.press("again")
    wait_until("a renewal", lambda: page.text("problem-title") == "" and has_token(page))
    assert tap(page, bluetooth, gate)["result"] == "granted"
    page.says("result-title", "Open")


def test_whom_a_gate_refuses_after_a_suspension_the_page_renews_at_once(site, page, visitors, invited):
    gate, bluetooth, invitation = invited
    visitors.change("suspend", invitation)
    gate.import_publication(site.publish())
    assert tap(page, bluetooth, gate)["reason"] == "revoked"
    page.says("problem-title", "suspended")
    # Two thirds of the token's day are left; nobody has to wait for them.
    visitors.change("resume", invitation)
    assert tap(page, bluetooth, gate)["reason"] == "revoked"
    page.says("problem-title", "renewed")
    assert tap(page, bluetooth, gate)["reason"] == "granted"
    page.says("result-title", "Open")


def test_a_server_that_was_switched_off_lets_nobody_in(site, page, visitors, invited):
    gate, bluetooth, _ = invited
    assert tap(page, bluetooth, gate)["reason"] == "granted"
    page.says("result-title", "Open")
    site.authority("issuer", "--off", ISSUER)
    gate.import_publication(site.publish())
    assert tap(page, bluetooth, gate)["reason"] == "revoked"
    # The server goes on issuing; no gate believes it.
    page.says("problem-title", "renewed")
    assert tap(page, bluetooth, gate)["reason"] == "revoked"
    page.says("problem-title", "renewed")
