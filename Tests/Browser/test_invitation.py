"""A link becomes a pass (A3): nothing is used up before a person's press, and nothing is lost after it."""

import re
import time

import pytest
from emulated_bluetooth import EmulatedBluetooth
from patience import wait_until
from stub_server import DAY, PATH

RECORDS = """(async () => (await import("./store.js")).records().then((all) => all.map((each) => ({
  code: each.code, isAsking: each.isAsking ?? false, isRedeemed: each.access !== null, id: each.id, fault: each.fault ?? null,
  extractable: each.pair.privateKey.extractable, usages: each.pair.privateKey.usages, expires: each.access?.expires ?? null }))))()"""


def code_of(link):
    return link.split("#")[1]


def posts(server):
    return [path.removeprefix(f"{PATH}/api/1/") for method, path, _ in server.seen if method == "POST"]


def test_the_code_leaves_address_and_history_at_once(page, server, bluetooth):
    link = server.invite()
    page.open(link)
    page.says("act", "Accept")
    history = page.send("Page.getNavigationHistory")["entries"]
    assert page.evaluate("location.href") == f"{server.url}/"
    assert code_of(link) not in "".join(entry["url"] for entry in history)
    page.press("act")
    page.says("act", "Open the gate")
    # Nor is it kept once it is redeemed; in no address that was asked for, nor in the console.
    assert [record["code"] for record in page.evaluate(RECORDS)] == [None]
    asked = [event["request"]["url"] for event in page.all("Network.requestWillBeSent")]
    token = server.invitations.popitem()[1].answer["token"]
    for said in asked + [path for _, path, _ in server.seen] + [str(event) for event in page.all("Runtime.consoleAPICalled")]:
        assert code_of(link) not in said or said == link
        assert token not in said


def test_a_scanner_that_opens_the_link_and_runs_scripts_uses_nothing_up(page, browser, server, bluetooth):
    link = server.invite()
    page.open(link)
    page.says("act", "Accept")
    page.says("about", "Works gives you a pass")
    page.says("subject", "Anna Visitor")
    assert posts(server) == ["begin"]
    # The person, in a browser of their own.
    own = browser.page()
    own.open(link)
    own.press("act")
    own.says("act", "Open the gate")
    own.close()


def test_the_key_cannot_be_read(page, server, bluetooth):
    page.open(server.invite())
    page.says("act", "Accept")
    (record,) = page.evaluate(RECORDS)
    assert (record["extractable"], record["usages"]) == (False, ["sign"])


def test_an_answer_that_is_lost_is_asked_for_again_with_the_same_key(page, server, bluetooth):
    server.loses = {"redeem"}
    page.open(server.invite())
    page.press("act")
    page.says("problem-title", "No connection")
    server.loses = set()
    page.press("again")
    page.says("act", "Open the gate")
    # The browser may have sent the first one twice by itself.
    first, *_, last = server.asked("redeem")
    assert first["key"] == last["key"] and first["code"] == last["code"]
    assert first["nonce"] != last["nonce"]


def test_a_nonce_that_is_used_up_is_made_good(page, server, bluetooth):
    """As where the browser itself has sent the request twice."""
    page.open(server.invite())
    page.says("act", "Accept")
    server.nonces.clear()
    page.press("act")
    page.says("act", "Open the gate")
    assert posts(server) == ["begin", "redeem", "nonce", "redeem"]


def test_a_browser_that_dies_after_the_press_has_its_pass_the_next_time(page, browser, server, bluetooth):
    """The press has been: what is left needs none."""
    server.loses = {"redeem"}
    page.open(server.invite())
    page.press("act")
    page.says("problem-title", "No connection")
    browser.session.send("Target.closeTarget", targetId=page.target)
    server.loses = set()
    again = browser.page_of(page.profile)
    bluetooth.reopen(again, lambda: again.open(server.url + "/"))
    again.says("act", "Open the gate")
    assert [record["isRedeemed"] for record in again.evaluate(RECORDS)] == [True]


def test_an_answer_that_is_lost_for_longer_is_renewed(page, server, bluetooth):
    """The server gives a used code's token again for ten minutes only; the key is known to it."""
    server.loses = {"redeem"}
    page.open(server.invite())
    page.press("act")
    page.says("problem-title", "No connection")
    server.loses, server.refuses = set(), {"redeem": "code-used"}
    page.press("again")
    page.says("act", "Open the gate")
    assert posts(server)[-2:] == ["nonce", "renew"]


def test_a_code_that_somebody_else_has_used(page, browser, server, bluetooth):
    link = server.invite()
    page.open(link)
    page.press("act")
    page.says("act", "Open the gate")
    other = browser.page()
    other.open(link)
    other.press("act")
    other.says("problem-title", "has been used")
    assert other.text("act") == ""
    # Minutes later it is told before any press.
    server.refuses = {"begin": "code-used"}
    third = browser.page()
    third.open(link)
    third.says("problem-title", "has been used")
    third.close()
    # In the browser that has the pass the link leads to the pass.
    page.open("about:blank")
    page.open(link)
    wait_until("the pass", lambda: len(page.evaluate(RECORDS)) == 1)
    other.close()


def test_two_that_hold_one_link_race_and_one_has_it(page, browser, server, bluetooth):
    link = server.invite()
    other = browser.page()
    for each in (page, other):
        each.open(link)
        each.says("act", "Accept")
    page.press("act")
    page.says("act", "Open the gate")
    other.press("act")
    other.says("problem-title", "has been used")
    assert len(server.asked("redeem")) == 2
    other.close()


@pytest.mark.parametrize("code, title", [
    ("code-unknown", "not known"), ("code-expired", "is over"), ("suspended", "suspended"), ("too-many", "Too many"),
    ("busy", "busy"), ("proof-wrong", "did not accept")])
def test_a_refusal_is_told_in_words(page, server, bluetooth, code, title):
    server.refuses = {"begin": code}
    page.open(server.invite())
    page.says("problem-title", title)
    assert page.text("act") == "" and server.asked("redeem") == []


def test_an_incomplete_link(page, server, bluetooth):
    page.open(server.invite()[:-3])
    page.says("problem-title", "incomplete")
    assert posts(server) == []


def test_a_clock_that_differs_is_named_before_the_code_is_used(page, server, bluetooth):
    server.clock = 3 * 3600
    page.open(server.invite())
    page.says("problem-title", "clock of this device is wrong")
    assert re.search(r"It says .+, the site says .+\.", page.text("problem-fix"))
    assert server.asked("redeem") == []
    server.clock = 0
    page.press("again")
    page.says("act", "Accept")


def test_words_of_the_server_are_never_html(page, server, bluetooth):
    server.issuer.site = "<img src=x onerror=alert(1)>"
    page.open(server.invite(subject="<b id=planted>Anna</b>"))
    page.says("subject", "<b id=planted>Anna</b>")
    page.says("title", "<img src=x")
    assert page.evaluate("document.getElementById('planted') === null && !document.querySelector('img')")


def test_a_token_of_another_key_is_not_taken(page, browser, server, bluetooth):
    """A server, or whoever sits between, hands out somebody else's."""
    server.invite()
    make = server.issuer.token
    server.issuer.token = lambda subject, x, y, *times: make(subject, y, x, *times)
    page.open(server.invite())
    page.press("act")
    page.says("problem-title", "not understood")
    assert [record["isRedeemed"] for record in page.evaluate(RECORDS)] == [False]


# Renewal


def test_a_token_within_a_third_of_its_end_is_renewed_by_itself(page, server, bluetooth):
    # It was issued with 300 s behind it, so that less than a third is left.
    server.valid_seconds = 100
    page.open(server.invite())
    page.press("act")
    page.says("act", "Open the gate")
    server.valid_seconds = DAY
    bluetooth.reload(page)
    wait_until("a renewal", lambda: page.evaluate(RECORDS)[0]["expires"] > time.time() + DAY / 2)
    assert posts(server).count("renew") >= 1


def test_a_fresh_token_is_not_renewed(page, server, bluetooth):
    page.open(server.invite())
    page.press("act")
    page.says("act", "Open the gate")
    bluetooth.reload(page)
    page.says("act", "Open the gate")
    assert "renew" not in posts(server)


def with_ended_token(page, server):
    """A pass whose token has ended, and a page that has not noticed yet."""
    page.open(server.invite())
    page.press("act")
    page.says("act", "Open the gate")
    # As if the phone had been off over the weekend.
    page.evaluate("""(async () => { const { records, change } = await import("./store.js"); const [record] = await records();
        await change(record.id, { access: { ...record.access, expires: 1_700_000_000, notBefore: 1_600_000_000 } }); })()""")


def test_a_token_that_has_ended_is_renewed_when_the_page_opens(page, server, bluetooth):
    with_ended_token(page, server)
    bluetooth.reload(page)
    wait_until("a renewal", lambda: page.evaluate(RECORDS)[0]["expires"] > time.time())


def test_without_a_connection_a_token_that_has_ended_says_what_to_do(page, server, bluetooth):
    with_ended_token(page, server)
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    server.loses = {"nonce"}
    bluetooth.reload(page)
    page.press("act")
    page.says("problem-title", "must be renewed first")
    server.loses = set()
    page.press("act")
    page.says("problem-title", "renewed")
    bluetooth.choose(page, lambda: page.press("act"))
    page.says("result-title", "Open")


@pytest.mark.parametrize("code, title", [("suspended", "suspended"), ("revoked", "taken back"), ("over", "is over")])
def test_a_pass_that_was_taken_back_is_told(page, server, bluetooth, code, title):
    with_ended_token(page, server)
    server.refuses = {"renew": code}
    bluetooth.reload(page)
    page.says("problem-title", title)
    # It stays known without a connection, and ends when the server says otherwise.
    assert page.evaluate(RECORDS)[0]["fault"] == code
    server.refuses = {}
    bluetooth.reload(page)
    wait_until("a renewal", lambda: page.evaluate(RECORDS)[0]["fault"] is None)
    wait_until("the words to go", lambda: page.text("problem-title") == "")


# Several


def test_several_passes_and_one_deleted(page, server, bluetooth):
    for subject in ("Anna", "Berta"):
        page.open("about:blank")
        link = server.invite(subject=subject)
        bluetooth.reopen(page, lambda: page.open(link))
        page.press("act")
        page.says("act", "Open the gate")
    assert len(page.evaluate(RECORDS)) == 2
    page.says("subject", "Berta")
    page.evaluate("document.querySelector('#passes button').click()")
    page.says("subject", "Anna")
    page.evaluate("window.confirm = () => true; [...document.querySelectorAll('#passes button')].at(0).click()")
    page.says("subject", "Berta")
    assert len(page.evaluate(RECORDS)) == 1


def test_a_link_opened_in_a_page_that_is_open_already(page, server, bluetooth):
    """The installed page is given the fragment alone."""
    page.open(server.url + "/")
    page.says("title", "No pass yet")
    page.evaluate(f"location.hash = '#{code_of(server.invite())}'")
    page.says("act", "Accept")
    assert page.evaluate("location.hash") == ""


def test_in_german_and_in_the_sites_own_words(browser_of, server, documents_gate):
    browser = browser_of(language="de-DE")
    bluetooth, page = EmulatedBluetooth(browser, documents_gate), browser.page()
    server.messages = {"de": {"lane-closed": "Heute Ruhetag."}, "en": {"lane-closed": "Closed today."}}
    page.open(server.invite())
    page.says("act", "Zutritt annehmen")
    page.press("act")
    page.says("act", "Tür öffnen")
    for reason, words in ((68, "Heute Ruhetag."), (75, "Es ist voll.")):
        documents_gate.result[1:3] = [1, reason]
        bluetooth.choose(page, lambda: page.press("act"))
        page.says("result-reason", words)
    assert page.evaluate("document.documentElement.lang") == "de"
