"""What a phone lacks is named, with its fix, before the code is used."""

import pytest
from stub_server import PATH

ANDROID = "Mozilla/5.0 (Linux; Android 15; Pixel 9{}) AppleWebKit/537.36 (KHTML, like Gecko) {} Mobile Safari/537.36"
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) {}"
NO_BLUETOOTH = "delete Navigator.prototype.bluetooth"
NO_CURVE = """for (const name of ["generateKey", "importKey"]) {
  const own = crypto.subtle[name];
  SubtleCrypto.prototype[name] = function (...given) {
    return JSON.stringify(given).match(/X25519|ChaCha20/) ? Promise.reject(new DOMException("no", "NotSupportedError")) : own.apply(this, given);
  };
}"""


def without(page, script, agent=None):
    page.send("Page.addScriptToEvaluateOnNewDocument", source=script)
    if agent:
        page.send("Emulation.setUserAgentOverride", userAgent=agent)


def used_nothing(page, server):
    assert page.text("act") == ""
    assert [path for method, path, _ in server.seen if method == "POST"] == []


@pytest.mark.parametrize("agent, title", [
    (ANDROID.format("; wv", "Version/4.0 Chrome/140.0.0.0"), "inside an app"),
    (ANDROID.format("", "Chrome/140.0.0.0") + " Instagram 300.0", "inside an app"),
    (IPHONE.format("Version/19.1 Mobile/15E148 Safari/604.1"), "Safari cannot"),
    (IPHONE.format("CriOS/140.0 Mobile/15E148 Safari/604.1"), "Safari cannot"),
    (IPHONE.format("Mobile/15E148"), "inside an app"),
    ("Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0", "Firefox cannot"),
    ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Safari/605.1.15", "Safari cannot"),
    ("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36", "switched off"),
    (ANDROID.format("", "Chrome/40.0.0.0"), "This browser cannot")])
def test_no_web_bluetooth(page, server, agent, title):
    without(page, NO_BLUETOOTH, agent)
    link = server.invite()
    page.open(link)
    page.says("problem-title", title)
    used_nothing(page, server)
    # The link is handed on whole.
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    page.press("copy")
    page.says("copy", "Copied")
    assert page.evaluate("copied") == link
    # It lies in no file of the browser but the page's own database, and outlives the page.
    page.reload()
    page.says("problem-title", title)
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    page.press("copy")
    page.says("copy", "Copied")
    assert page.evaluate("copied") == link


def test_brave(page, server):
    without(page, NO_BLUETOOTH + "; Object.defineProperty(navigator, 'brave', { value: {} })", ANDROID.format("", "Chrome/140.0.0.0"))
    page.open(server.invite())
    page.says("problem-fix", "brave://flags")
    used_nothing(page, server)


def test_no_cryptography_for_gates(page, server, bluetooth):
    without(page, NO_CURVE)
    page.open(server.invite())
    page.says("problem-title", "too old")
    used_nothing(page, server)


def test_suite_5_alone_will_do(page, server, bluetooth, documents_gate):
    without(page, NO_CURVE.replace("|ChaCha20", ""))
    page.open(server.invite())
    page.press("act")
    page.says("act", "Open the gate")
    bluetooth.choose(page, lambda: page.press("act"))
    page.says("result-title", "Open")
    assert documents_gate.values[0][:3] == bytes([0, 0, 5])


def test_a_browser_that_keeps_nothing(page, server, bluetooth):
    without(page, "IDBFactory.prototype.open = () => { throw new DOMException('no', 'SecurityError'); }")
    page.open(server.invite())
    page.says("problem-title", "keeps nothing")
    used_nothing(page, server)


def test_no_bluetooth_and_then_there_is(page, server, bluetooth):
    """An adapter that is switched off is there for a page: only the browser's chooser tells, which `check` shows."""
    bluetooth.switch("absent")
    page.open(server.invite())
    page.says("problem-title", "Bluetooth is off")
    used_nothing(page, server)
    bluetooth.switch("powered-on")
    page.press("again")
    page.says("act", "Accept")


def test_the_chooser_tried_before_the_code_is_used(page, server, bluetooth):
    page.open(server.invite())
    page.says("act", "Accept")
    bluetooth.choose(page, lambda: page.press("check"), device=False)
    page.says("progress", "may use Bluetooth here")
    assert [path for method, path, _ in server.seen if method == "POST"] == [f"{PATH}/api/1/begin"]


@pytest.mark.parametrize("name, sentence, title", [
    ("NotFoundError", "User denied the browser permission to scan for Bluetooth devices.", "may not use Bluetooth"),
    ("NotFoundError", "Web Bluetooth API globally disabled.", "may not use Bluetooth"),
    ("SecurityError", "Access to the feature \"bluetooth\" is disallowed by permissions policy.", "may not use Bluetooth"),
    ("NotFoundError", "Bluetooth adapter not available.", "Bluetooth is off")])
def test_what_the_chooser_refuses_for(page, server, bluetooth, name, sentence, title):
    page.send("Page.addScriptToEvaluateOnNewDocument",
              source=f"Bluetooth.prototype.requestDevice = () => Promise.reject(new DOMException({sentence!r}, {name!r}))")
    page.open(server.invite())
    page.says("act", "Accept")
    page.press("check")
    page.says("problem-title", title)


def test_a_policy_that_forbids_bluetooth(page, server, bluetooth):
    without(page, "Object.defineProperty(document, 'featurePolicy', { value: { allowsFeature: () => false } })")
    page.open(server.invite())
    page.says("problem-title", "may not use Bluetooth")
    used_nothing(page, server)
