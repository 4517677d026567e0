"""EDHOC of the page: byte for byte as in docs/worked-exchanges.md, and against a gate made of the documents alone."""

import cbor2
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from edhoc_phone import sign, x_of
from patience import wait_until
from stub_server import text_of
from worked_exchange_test import coordinates, exchanges, private

# Places of the exchanges by value on that page.
PLACE = {5: 3, 6: 4}

EXCHANGE = """
(async (given) => {
  const from = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  const [edhoc, gates, token, cbor] = await Promise.all(["edhoc", "gates", "token", "cbor"].map((name) => import(`./${name}.js`)));
  const to = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const curve = given.suite === 6 ? { name: "X25519" } : { name: "ECDH", namedCurve: "P-256" };
  const ephemeral = {
    privateKey: await crypto.subtle.importKey("jwk", given.private, curve, false, ["deriveBits"]),
    publicKey: await crypto.subtle.importKey("jwk", given.public, curve, true, []),
  };
  const exchange = await edhoc.Initiator.begin({ suites: [given.suite], ephemeral });
  const message1 = to(exchange.message1);
  const known = new gates.Gates(from(given.CRED_R), given.site, { x: from(given.phone_x), y: from(given.phone_y) });
  const { items } = await exchange.receive(from(given.message_2), (named) => known.candidates(named));
  const th3 = to(exchange.th3);
  let signed = null;
  const message3 = await exchange.respond({
    idCred: from(given.ID_CRED_I), credential: from(given.token), ead3: from(given.EAD_3),
    sign: async (bytes) => { signed = to(bytes); return from(given.Signature_3); },
  });
  return { message_1: message1, TH_3: th3, gate_context: to(items[0].value), Sig_structure_3: signed, message_3: to(message3),
           outcome: to(await exchange.openOutcome(from(given.outcome_ciphertext))),
           token_reference: to(await token.reference(from(given.token))) };
})"""


def exchange_in(page, given):
    return page.evaluate(f"({EXCHANGE})({given!r})".replace("None", "null"))


def given_of(suite):
    common, *pages = exchanges()
    values = {**common, **pages[PLACE[suite]]}
    given = {name: text_of(value) for name, value in values.items()}
    if suite == 6:
        public = {"kty": "OKP", "crv": "X25519", "x": given["G_X"]}
    else:
        x, y = coordinates(private(values["X"]))
        public = {"kty": "EC", "crv": "P-256", "x": text_of(x), "y": text_of(y)}
    return values, {**given, "suite": suite, "site": "example-site", "public": public, "private": {**public, "d": given["X"]}}


@pytest.fixture
def modules(page, server):
    page.open(server.url + "/")
    return page


@pytest.mark.parametrize("suite", PLACE)
def test_worked_exchange_byte_for_byte(modules, suite):
    values, given = given_of(suite)
    made = exchange_in(modules, given)
    assert made == {name: values[name].hex() for name in made}


@pytest.mark.parametrize("suite", PLACE)
def test_a_changed_byte_of_message_2_proves_nothing(modules, suite):
    values, given = given_of(suite)
    # In the key, in the kid, in the signature, in EAD_2.
    for at in (5, 36, 60, len(values["message_2"]) - 1):
        changed = bytearray(values["message_2"])
        changed[at] ^= 1
        with pytest.raises(AssertionError, match="Error"):
            exchange_in(modules, {**given, "message_2": text_of(bytes(changed))})


def test_a_gate_of_another_site_proves_nothing(modules):
    _, given = given_of(6)
    with pytest.raises(AssertionError, match="nobody's proof"):
        exchange_in(modules, {**given, "site": "another-site"})


def test_the_phones_own_key_is_no_gate(modules):
    values, given = given_of(6)
    with pytest.raises(AssertionError, match="nobody's proof"):
        exchange_in(modules, {**given, "phone_x": text_of(values["gate_x"]), "phone_y": text_of(values["gate_y"])})


def test_a_secret_of_zeros_ends_the_exchange(modules):
    _, given = given_of(6)
    content = cbor2.loads(exchanges()[1 + PLACE[6]]["message_2"])
    zeros = cbor2.dumps(bytes(32) + content[32:])
    with pytest.raises(AssertionError, match="OperationError"):
        exchange_in(modules, {**given, "message_2": text_of(zeros)})


# At a gate


def tap(page, bluetooth):
    bluetooth.choose(page, lambda: page.press("act"))


def test_the_gate_hears_what_the_phone_saw_and_wants(pass_page, bluetooth, documents_gate):
    documents_gate.context[2] = "side"
    tap(pass_page, bluetooth)
    pass_page.says("result-title", "Open")
    # Over Bluetooth, that lane, the usual command, by hand and in front and unlocked.
    assert documents_gate.heard == [{"by-value": True, "request": [1, "side", None, 11, "en-GB"]}]


def test_by_reference_where_the_gate_knows_the_token(pass_page, bluetooth, documents_gate):
    for _ in range(2):
        tap(pass_page, bluetooth)
        pass_page.says("result-title", "Open")
    assert [heard["by-value"] for heard in documents_gate.heard] == [True, False]
    # A gate that has started anew knows nobody, and says so: by value, on the same link.
    documents_gate.knows_references = False
    tap(pass_page, bluetooth)
    pass_page.says("result-title", "Open")
    assert [heard["by-value"] for heard in documents_gate.heard] == [True, False, False, True]
    # New site data: it is not even tried.
    documents_gate.context[6] += 1
    tap(pass_page, bluetooth)
    pass_page.says("result-title", "Open")
    assert [heard["by-value"] for heard in documents_gate.heard[4:]] == [True]


def test_the_suite_is_negotiated(pass_page, bluetooth, documents_gate):
    """Error 2 names what the gate has: the page goes on with 5, and names 6, which it prefers."""
    documents_gate.suites = [2, 5]
    tap(pass_page, bluetooth)
    pass_page.says("result-title", "Open")
    first, second = documents_gate.values[0], documents_gate.values[1]
    assert (first[:3], second[:5]) == (bytes([0, 0, 6]), bytes([0, 0, 0x82, 6, 5]))


def test_no_suite_in_common(pass_page, bluetooth, documents_gate):
    documents_gate.suites = [2, 3]
    tap(pass_page, bluetooth)
    pass_page.says("problem-title", "does not speak")
    assert len(documents_gate.values) == 1


@pytest.mark.parametrize("attack", ["key", "no EAD_2", "critical", "repeated", "not critical", "carrier", "version", "long name"])
def test_a_gate_that_is_not_believed_is_told_nothing(pass_page, bluetooth, documents_gate, attack):
    context = cbor2.dumps(documents_gate.context)
    item = cbor2.dumps(-54353) + cbor2.dumps(context)
    if attack == "key":
        documents_gate.private = ec.generate_private_key(ec.SECP256R1())
    elif attack == "carrier":
        documents_gate.context[3] = 0
    elif attack == "version":
        documents_gate.context[0] = 2
    elif attack == "long name":
        documents_gate.context[2] = "a" * 33
    else:
        documents_gate.ead_2 = {"no EAD_2": b"", "critical": item + cbor2.dumps(-7), "repeated": item * 2,
                      "not critical": cbor2.dumps(54353) + cbor2.dumps(context)}[attack]
    tap(pass_page, bluetooth)
    pass_page.says("problem-title", "could not prove that it belongs to Works")
    # It says that it stops, and nothing of who it is.
    assert (documents_gate.heard, documents_gate.errors, [value[0] for value in documents_gate.values]) == ([], [1], [0, 1])


def test_what_is_not_critical_is_ignored(pass_page, bluetooth, documents_gate):
    documents_gate.ead_2 = cbor2.dumps(0) + cbor2.dumps(bytes(9)) + cbor2.dumps(-54353) + cbor2.dumps(cbor2.dumps(documents_gate.context)) + cbor2.dumps(99)
    tap(pass_page, bluetooth)
    pass_page.says("result-title", "Open")


def gate_token(server, gate, private, changes):
    """A CWT of the site's gate issuer for that gate, shown in the place of a `kid`."""
    key = {1: 2, 4: [2], -1: 1, -2: x_of(private), -3: coordinates(private)[1]}
    claims = {1: "gates", 2: "Works", 4: 4_000_000_000, 5: 1_000_000_000, 7: b"\x01", 8: {1: key}} | changes
    protected, payload = cbor2.dumps({1: -7, 16: "tapstile-gate"}, canonical=True), cbor2.dumps(claims, canonical=True)
    signature = sign(server.issuer.private, cbor2.dumps(["Signature1", protected, b"", payload]))
    gate.kid, gate.credential = None, cbor2.dumps([protected, {}, payload, signature])
    gate.id_cred = b"\xa1\x0d" + gate.credential


def with_gate_issuer(server):
    x, y = coordinates(server.issuer.private)
    server.issuer.gates += cbor2.dumps(["gate-issuer", "Works", "gates", {1: 2, -1: 1, -2: x, -3: y}], canonical=True)


@pytest.mark.parametrize("changes, is_believed", [
    ({}, True), ({2: "Elsewhere"}, False), ({4: 1_500_000_000}, False), ({5: 3_900_000_000}, False), ({1: "others"}, False),
    ({3: "tapstile:Works"}, False)])
def test_a_gate_shows_a_token_of_the_sites_gate_issuer(page, server, bluetooth, documents_gate, gate_key, changes, is_believed):
    with_gate_issuer(server)
    gate_token(server, documents_gate, gate_key, changes)
    page.open(server.invite())
    page.press("act")
    page.says("act", "Open the gate")
    tap(page, bluetooth)
    if is_believed:
        page.says("result-title", "Open")
    else:
        page.says("problem-title", "could not prove")
        assert documents_gate.heard == []


def test_a_read_that_is_not_ready_is_repeated(pass_page, bluetooth, documents_gate):
    documents_gate.reads_not_ready = 3
    tap(pass_page, bluetooth)
    pass_page.says("result-title", "Open")
    assert bluetooth.operations.count("read") == 8


def test_a_gate_that_hangs_up(pass_page, bluetooth, documents_gate):
    documents_gate.reads_not_ready = 1_000_000
    tap(pass_page, bluetooth)
    wait_until("a read", lambda: "read" in bluetooth.operations)
    bluetooth.hang_up()
    pass_page.says("problem-title", "The gate has hung up")


def test_a_gate_that_refuses_a_write(pass_page, bluetooth, documents_gate):
    write = documents_gate.write
    documents_gate.write = lambda value: 0x83
    tap(pass_page, bluetooth)
    pass_page.says("problem-title", "The connection failed")
    documents_gate.write = write
    tap(pass_page, bluetooth)
    pass_page.says("result-title", "Open")


def test_a_gate_that_is_too_far_away(pass_page, bluetooth):
    bluetooth.is_near = False
    tap(pass_page, bluetooth)
    pass_page.says("problem-title", "too far away")
    bluetooth.is_near = True
    tap(pass_page, bluetooth)
    pass_page.says("result-title", "Open")


def test_nothing_chosen(pass_page, bluetooth):
    bluetooth.choose(pass_page, lambda: pass_page.press("act"), device=False)
    pass_page.says("problem-title", "No gate was chosen")
    pass_page.press("act")


def test_an_outcome_of_somebody_else_is_no_outcome(pass_page, bluetooth, documents_gate):
    answer = documents_gate.message_3
    documents_gate.connect = lambda: setattr(documents_gate, "next", documents_gate.message_1)
    documents_gate.message_3 = lambda message: answer(message)[:-1] + b"\x00"
    tap(pass_page, bluetooth)
    pass_page.says("problem-title", "not understood")
    assert pass_page.text("result-title") == ""


@pytest.mark.parametrize("reason, retry_after, title, words", [
    (0, None, "Open", "Please go through."), (73, None, "Not opened", "Not at this time."), (17, None, "Not opened", "may not give passes"),
    (64, 2500, "Not opened", "Wait 3 s."), (200, None, "Not opened", "(200)"), (136, None, "The gate failed", "Something in it")])
def test_the_reason_in_words(pass_page, bluetooth, documents_gate, reason, retry_after, title, words):
    documents_gate.result = [1, 0 if reason == 0 else 2 if reason == 136 else 1, reason, retry_after, None, [2, "whatever"]]
    tap(pass_page, bluetooth)
    pass_page.says("result-title", title)
    pass_page.says("result-reason", words)
