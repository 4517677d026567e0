"""What each state looks like on a phone, light and dark: pictures, to be looked at."""

import os

import pytest
from emulated_bluetooth import EmulatedBluetooth
from patience import wait_until
from test_what_is_missing import NO_BLUETOOTH, NO_CURVE, without

WIDTH, HEIGHT = 412, 915
# So small a letter, and so small a thing to press, that nobody misses it.
SMALLEST_LETTER, SMALLEST_BUTTON = 16, 44

MEASURES = """(() => {
  const seen = [...document.querySelectorAll("main *")].filter((each) => each.checkVisibility());
  const box = (each) => each.getBoundingClientRect();
  return {
    wide: document.documentElement.scrollWidth,
    letters: Math.min(...seen.map((each) => parseFloat(getComputedStyle(each).fontSize))),
    buttons: Math.min(...seen.filter((each) => each.matches("button, summary")).map((each) => box(each).height)),
    unnamed: seen.filter((each) => each.matches("button") && !each.textContent.trim()).length,
  };
})()"""


@pytest.fixture(params=["light", "dark"])
def look(request, page, pictures):
    """Takes a picture, and measures: everything fits, can be read and pressed."""
    page.send("Emulation.setDeviceMetricsOverride", width=WIDTH, height=HEIGHT, deviceScaleFactor=1, mobile=True)
    page.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": request.param},
                                                     {"name": "prefers-reduced-motion", "value": "reduce"}])

    def take(name):
        measured = page.evaluate(MEASURES)
        assert measured["wide"] <= WIDTH and measured["unnamed"] == 0, (name, measured)
        assert measured["letters"] >= SMALLEST_LETTER and measured["buttons"] >= SMALLEST_BUTTON, (name, measured)
        page.picture(os.path.join(pictures, f"{name}-{request.param}.png"))

    return take


def test_from_the_link_to_the_gate(page, server, bluetooth, documents_gate, look):
    page.open(server.url + "/")
    page.says("title", "No pass yet")
    look("01-no-pass")
    page.open("about:blank")
    link = server.invite()
    bluetooth.reopen(page, lambda: page.open(link))
    page.says("act", "Accept")
    look("02-invited")
    page.press("act")
    page.says("act", "Open the gate")
    page.says("progress", "Your pass is here")
    look("03-accepted")
    for number, (name, result) in enumerate([("granted", [1, 0, 0]), ("refused", [1, 1, 73]), ("failed", [1, 2, 136])], 4):
        documents_gate.result[:3] = result
        bluetooth.choose(page, lambda: page.press("act"))
        wait_until("a result", lambda: page.text("result-title"))
        look(f"{number:02}-{name}")
    documents_gate.ead_2 = b""
    bluetooth.choose(page, lambda: page.press("act"))
    page.says("problem-title", "could not prove")
    look("07-gate-not-believed")
    bluetooth.choose(page, lambda: page.press("act"), device=False)
    page.says("problem-title", "No gate was chosen")
    look("08-nothing-chosen")


@pytest.mark.parametrize("name, script, title", [
    ("10-no-bluetooth", NO_BLUETOOTH, "switched off"), ("11-too-old", NO_CURVE, "too old"),
    ("12-inside-an-app", NO_BLUETOOTH + "; Object.defineProperty(navigator, 'userAgent', { value: '; wv) FBAN' })", "inside an app")])
def test_what_is_missing(page, server, bluetooth, look, name, script, title):
    without(page, script)
    page.open(server.invite())
    page.says("problem-title", title)
    look(name)


def test_bluetooth_off_and_a_clock_that_differs(page, server, bluetooth, look):
    server.clock = 7200
    bluetooth.switch("absent")
    page.open(server.invite())
    page.says("problem-title", "Bluetooth is off")
    look("13-bluetooth-off")
    bluetooth.switch("powered-on")
    page.press("again")
    page.says("problem-title", "clock")
    look("14-clock")


def test_in_german_on_a_small_phone_with_large_letters(browser_of, server, documents_gate, pictures):
    """320 points wide and letters twice as large: nothing is cut off, nothing has to be moved sideways (WCAG 2.2, 1.4.4 and 1.4.10)."""
    browser = browser_of(language="de-DE")
    bluetooth, page = EmulatedBluetooth(browser, documents_gate), browser.page()
    page.send("Emulation.setDeviceMetricsOverride", width=320, height=700, deviceScaleFactor=1, mobile=True)
    page.send("Page.addScriptToEvaluateOnNewDocument",
              source="addEventListener('DOMContentLoaded', () => { document.documentElement.style.fontSize = '200%'; })")
    page.open(server.invite(subject="Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"))
    page.press("act")
    page.says("act", "Tür öffnen")
    for reason in (0, 66):
        documents_gate.result[1:3] = [min(reason, 1), reason]
        bluetooth.choose(page, lambda: page.press("act"))
        wait_until("a result", lambda: page.text("result-title"))
        assert page.evaluate(MEASURES)["wide"] <= 320
        page.picture(os.path.join(pictures, f"20-german-large-{reason}.png"))


def test_by_keyboard_alone(page, server, bluetooth):
    """Tab reaches the large button, and Enter presses it; then the focus is at the top, where the news is."""
    page.open(server.invite())
    page.says("act", "Accept")
    for _ in range(10):
        for kind in ("rawKeyDown", "keyUp"):
            page.send("Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab", windowsVirtualKeyCode=9)
        if page.evaluate("document.activeElement.id") == "act":
            break
    assert page.evaluate("document.activeElement.id") == "act"
    page.send("Input.dispatchKeyEvent", type="keyDown", key="Enter", code="Enter", windowsVirtualKeyCode=13, text="\r")
    page.send("Input.dispatchKeyEvent", type="keyUp", key="Enter", code="Enter", windowsVirtualKeyCode=13)
    page.says("act", "Open the gate")
    wait_until("the focus at the title", lambda: page.evaluate("document.activeElement.id") == "title")
