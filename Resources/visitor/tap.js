// One tap over a link that writes and reads values: the phone protocol's frames (docs/phone-protocol.md).

import { concat } from "./bytes.js";
import { decode, encode, Reader, sequence } from "./cbor.js";
import { Initiator } from "./edhoc.js";

const MESSAGE = 0;
const ERROR = 1;
const OUTCOME = 2;
const LONGEST_VALUE = 500;
const GATE_CONTEXT = 54353;
const PHONE_REQUEST = 54354;
const OVER_BLUETOOTH = 1;
const VERSION = 1;
const RESULTS = ["granted", "refused", "failed"];

/** A tap that came to no result. `code` is a key of words.js. */
export class TapError extends Error {
  constructor(code, cause) {
    super(code, { cause });
    this.code = code;
  }
}

/**
 * Goes through one tap. `link` has `write(bytes)` and `read()`. `phone` has
 *   suites        of this browser, the preferred one first
 *   gates         whom it believes
 *   token         the CWT, and `reference`, the first 8 bytes of its identifier
 *   sign(bytes)   ES256
 *   flags()       of the phone's request, when message_3 is made
 *   language      BCP 47
 *   isKnownAt(context)  whether that gate has seen the token by value
 * Answers `{result, reason, retryAfter, context, wasByValue}`.
 */
export async function tap(link, phone) {
  let suites = [phone.suites[0]];
  let byValue = false;
  let hasChangedSuite = false;
  let hasShownReference = false;
  for (;;) {
    const exchange = await Initiator.begin({ suites, ephemeral: await phone.ephemeral?.(suites.at(-1)) });
    const first = await ask(link, exchange.message1);
    if (first.kind === ERROR) {
      const wanted = hasChangedSuite ? null : otherSuite(first.rest, phone.suites, suites.at(-1));
      if (!wanted) throw new TapError(isError(first.rest, 2) ? "gate-suites" : "gate-refuses");
      hasChangedSuite = true;
      suites = phone.suites.slice(0, phone.suites.indexOf(wanted) + 1);
      continue;
    }
    const context = await gateContext(link, exchange, first, phone);
    const isReference = !byValue && phone.isKnownAt(context);
    const message3 = await exchange.respond(shown(phone, context, isReference));
    if (message3.length >= LONGEST_VALUE) return decline(link, "token-too-long");
    const second = await ask(link, message3);
    if (second.kind === ERROR) {
      if (!isReference || hasShownReference || !isError(second.rest, 3)) throw new TapError("gate-refuses");
      hasShownReference = true;
      byValue = true;
      continue;
    }
    if (second.kind !== OUTCOME) throw new TapError("not-understood");
    return { ...(await outcome(exchange, second.rest)), context, wasByValue: !isReference };
  }
}

async function ask(link, message) {
  await link.write(concat(Uint8Array.of(MESSAGE), message));
  const value = await link.read();
  if (!value.length || value.length > LONGEST_VALUE) throw new TapError("not-understood");
  return { kind: value[0], rest: value.slice(1) };
}

/** An EDHOC error is its code and something more. Errors are not protected: nothing is thrown away for one. */
function readError(bytes) {
  try {
    const reader = new Reader(bytes);
    return [reader.item(), reader.item()];
  } catch {
    return [null, null];
  }
}

const isError = (bytes, code) => readError(bytes)[0] === code;

/** The first of our suites that the gate has and that was not yet refused. */
function otherSuite(bytes, ours, refused) {
  const [code, named] = readError(bytes);
  if (code !== 2) return null;
  const theirs = Array.isArray(named) ? named : [named];
  return ours.find((suite) => suite !== refused && theirs.includes(suite)) ?? null;
}

/** Believes message_2, or stops before the phone has said who it is. */
async function gateContext(link, exchange, { kind, rest }, phone) {
  let context = null;
  try {
    if (kind !== MESSAGE) throw new TapError("not-understood");
    const { items } = await exchange.receive(rest, (named) => phone.gates.candidates(named));
    context = readContext(items);
  } catch (cause) {
    return decline(link, "gate-unknown", cause);
  }
  return context;
}

function readContext(items) {
  const critical = items.filter(({ isCritical }) => isCritical);
  const named = items.filter(({ label }) => label === GATE_CONTEXT);
  if (critical.length !== 1 || named.length !== 1 || critical[0] !== named[0]) throw new TapError("not-understood");
  const fields = decode(named[0].value);
  if (!Array.isArray(fields) || fields.length !== 8) throw new TapError("not-understood");
  const [version, gate, lane, carrier, mode, time, generation, wantsSecondFactor] = fields;
  const isRight = version === VERSION && carrier === OVER_BLUETOOTH && isName(gate) && isName(lane)
    && (mode === 0 || mode === 1) && isWhole(time) && isWhole(generation) && typeof wantsSecondFactor === "boolean";
  if (!isRight) throw new TapError("not-understood");
  return { gate, lane, mode, time, generation, wantsSecondFactor };
}

const isWhole = (item) => Number.isInteger(item) || typeof item === "bigint";
const isName = (item) => typeof item === "string" && new TextEncoder().encode(item).length <= 32;

async function decline(link, code, cause) {
  try {
    await link.write(concat(Uint8Array.of(ERROR), sequence(1, "declined")));
  } catch {
    // It has hung up already.
  }
  throw new TapError(code, cause);
}

function shown(phone, { lane }, isReference) {
  const request = encode([OVER_BLUETOOTH, lane, null, phone.flags(), phone.language]);
  const { token: credential, reference, sign } = phone;
  const idCred = isReference ? encode(new Map([[4, reference]])) : concat(Uint8Array.of(0xa1, 0x0d), credential);
  return { idCred, kid: isReference ? reference : null, credential, ead3: sequence(-PHONE_REQUEST, request), sign };
}

/** What the gate decided. What is not known in it is passed over. */
async function outcome(exchange, sealed) {
  let fields = null;
  try {
    fields = decode(await exchange.openOutcome(sealed));
  } catch (cause) {
    throw new TapError("not-understood", cause);
  }
  const [version, result, reason, retryAfter] = Array.isArray(fields) ? fields : [];
  if (version !== VERSION || !(result in RESULTS) || !Number.isInteger(reason)) throw new TapError("not-understood");
  return { result: RESULTS[result], reason, retryAfter: Number.isInteger(retryAfter) ? retryAfter : null };
}
