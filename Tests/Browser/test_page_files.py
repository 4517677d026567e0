"""What the page is made of, and what it asks for."""

import os
import re

import processes
import pytest
from patience import wait_until
from stub_server import FILES, PATH

TOP = os.path.join(FILES, "..", "..")
# Of 100 kB that a visitor's first look may cost.
LARGEST = 100_000


def text_of(name):
    with open(os.path.join(FILES, name), encoding="utf-8") as file:
        return file.read()


def test_the_page_is_small(server, page, bluetooth):
    page.open(server.url + "/")
    page.says("title", "No pass yet")
    names = os.listdir(FILES)
    assert sum(os.path.getsize(os.path.join(FILES, name)) for name in names) < LARGEST
    # Chromium's own figure, for the run's output: a machine that tests is no phone.
    paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime")
    print(f"first paint {paint} ms, {sum(os.path.getsize(os.path.join(FILES, name)) for name in names)} bytes in {len(names)} files")


def test_nothing_is_asked_of_anybody_else(server, page, bluetooth):
    page.open(server.invite())
    page.press("act")
    page.says("act", "Open the gate")
    bluetooth.choose(page, lambda: page.press("act"))
    page.says("result-title", "Open")
    addresses = {event["request"]["url"] for event in page.all("Network.requestWillBeSent")}
    assert addresses and all(address.startswith(server.url + "/") for address in addresses)
    # Neither page nor browser has anything to complain of, the content security policy above all.
    told = [event["entry"]["text"] for event in page.all("Log.entryAdded")]
    assert [text for text in told if "Web Bluetooth is experimental" not in text] == []
    assert [page.all(kind) for kind in ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Audits.issueAdded")] == [[], [], []]


def test_nothing_stands_in_line():
    """No script and no style but in files of their own: what the policy says of them is the whole truth."""
    page = text_of("index.html")
    assert not re.search(r"<script(?![^>]* src=)|<style|\sstyle=|\son\w+=|javascript:", page)
    for name in os.listdir(FILES):
        source = text_of(name)
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|console\.", source), name
        assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", source), name


def test_the_worker_keeps_exactly_the_pages_files():
    worker = text_of("sw.js")
    kept = re.findall(r'"([^"]+)"', re.search(r"const FILES = \[(.*?)\]", worker, re.DOTALL)[1])
    assert sorted(kept) == sorted({*os.listdir(FILES), "./"} - {"index.html", "sw.js"})
    processes.run([os.path.join(TOP, "scripts", "visitor-page"), "check"], check=True, capture_output=True)


def test_each_module_is_used():
    sources = "".join(text_of(name) for name in os.listdir(FILES) if name != "sw.js")
    for name in os.listdir(FILES):
        if name.endswith(".js") and name != "sw.js":
            assert re.search(rf'"(\./)?{re.escape(name)}"', sources), name


def test_every_reason_has_its_name_and_its_words(server, page):
    """As gates number them: docs/phone-protocol.md."""
    with open(os.path.join(TOP, "docs", "phone-protocol.md"), encoding="utf-8") as file:
        table = dict(re.findall(r"^\| `([a-z-]+)` \| (\d+) \|", file.read(), re.MULTILINE))
    assert len(table) > 40
    page.open(server.url + "/")
    for name, number in {**table, "beyond-ceiling": "17"}.items():
        assert page.evaluate(f"import('./reasons.js').then((all) => all.reasonName({number}))") == name
    names = page.evaluate("import('./words-en.js').then((all) => Object.keys(all.ENGLISH))")
    assert {f"reason-{name}" for name in table} <= set(names)
    # And each in both languages, with the same things to fill in.
    differences = page.evaluate("""Promise.all([import('./words-en.js'), import('./words-de.js')]).then(([{ ENGLISH }, { GERMAN }]) =>
        Object.keys({ ...ENGLISH, ...GERMAN }).filter((key) => {
          const named = (text) => (text?.match(/\\{\\w+\\}/g) ?? []).sort().join();
          return !(key in ENGLISH) || !(key in GERMAN) || named(ENGLISH[key]) !== named(GERMAN[key]);
        }))""")
    assert differences == []


def test_every_fault_has_its_words_and_its_fix():
    words = set(re.findall(r'^  "?([a-z-]+)"?: "|, "?([a-z-]+)"?: "', text_of("words-en.js"), re.MULTILINE))
    words = {one or other for one, other in words}
    thrown = set()
    for name in os.listdir(FILES):
        thrown |= set(re.findall(r'(?:TapError|ServerError|decline)\((?:link, )?"([a-z-]+)"', text_of(name)))
    assert len(thrown) > 10
    for code in thrown:
        assert {code, f"{code}-fix"} <= words, code


def luminance(colour):
    parts = [int(colour[at:at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    bright, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("place", [0, 1])
def test_contrast(place):
    """WCAG 2.2, AA: 4.5 for text, 3 for what is no text; light and dark."""
    block = re.findall(r":root \{(.*?)\}", text_of("style.css"), re.DOTALL)[place]
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", block))
    for ground in ("ground", "card"):
        for ink in ("ink", "quiet", "act", "good", "bad"):
            assert contrast(colours[ink], colours[ground]) >= 4.5, (ink, ground)
        assert contrast(colours["focus"], colours[ground]) >= 3, ground
    assert contrast(colours["act-ink"], colours["act"]) >= 4.5
    assert contrast(colours["ink"], colours["line"]) >= 4.5


def cached(page):
    return page.evaluate("caches.keys().then((names) => Promise.all(names.map((name) => caches.open(name).then((cache) => cache.keys()))))"
                         ".then((all) => all.flat().map((each) => each.url))")


def versions(page):
    return page.evaluate("caches.keys()")


def changed(server, text):
    """Another version of the page: what one file says, and the sum in the worker."""
    def change(name, data):
        if name == "words-en.js":
            return data.replace(b"No pass yet", text.encode())
        return re.sub(rb'const VERSION = "\w+"', b'const VERSION = "' + text.encode().hex().encode() + b'"', data) if name == "sw.js" else data

    server.change = change


def test_a_new_version_takes_the_place_of_the_old_one_whole(server, page, bluetooth):
    page.open(server.url + "/")
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    (old,) = versions(page)
    changed(server, "Nothing yet")
    page.evaluate("navigator.serviceWorker.ready.then((ready) => ready.update()).then(() => null)")
    wait_until("the new version", lambda: page.evaluate("navigator.serviceWorker.ready.then((ready) => Boolean(ready.waiting))"))
    # Nobody is in the midst of something when the page is opened.
    page.reload()
    page.says("title", "Nothing yet")
    wait_until("the old version to go", lambda: versions(page) != [old] and len(versions(page)) == 1)
    assert sorted(cached(page)) == sorted({address for address in cached(page)})
    assert len(cached(page)) == len(os.listdir(FILES)) - 1


def test_a_new_version_that_cannot_be_had_whole_changes_nothing(server, page, bluetooth):
    page.open(server.url + "/")
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    before = versions(page)
    changed(server, "Nothing yet")
    change = server.change
    server.change = lambda name, data: change(name, data) if name != "tap.js" else None
    page.evaluate("navigator.serviceWorker.ready.then((ready) => ready.update()).then(() => null, () => null)")
    page.reload()
    page.says("title", "No pass yet")
    assert before[0] in versions(page)


def test_opening_the_page_changes_nothing_at_the_server(server, page, bluetooth):
    page.open(server.url + "/")
    page.says("title", "No pass yet")
    assert {method for method, _, _ in server.seen} == {"GET"} and all(path.startswith(PATH) for _, path, _ in server.seen)
