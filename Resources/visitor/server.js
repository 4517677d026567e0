// The invitation server: JSON over HTTPS, at the page's own origin and below its own path.

import { fromBase64url } from "./bytes.js";
import { knowsGates } from "./gates.js";
import { coordinates } from "./keys.js";
import { signed } from "./statement.js";
import { isFor } from "./token.js";

const PATIENCE_MILLISECONDS = 20_000;
const CLOCK_SECONDS = 600;

/** The server refused, or was not there (`offline`). `code` is one of the server's. */
export class ServerError extends Error {
  constructor(code, message, more = {}) {
    super(message ?? code);
    this.code = code;
    Object.assign(this, more);
  }
}

async function post(path, body) {
  let response = null;
  try {
    response = await fetch(new URL(`api/1/${path}`, document.baseURI), {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
      cache: "no-store", credentials: "omit", redirect: "error", signal: AbortSignal.timeout(PATIENCE_MILLISECONDS),
    });
  } catch {
    throw new ServerError("offline");
  }
  const answer = await response.json().catch(() => null);
  if (response.ok && answer && typeof answer === "object") return answer;
  const { code, message } = answer?.error ?? {};
  const isAway = response.status >= 500 || code === "database-away";
  const known = isAway ? "busy" : typeof code === "string" ? code : "not-understood";
  throw new ServerError(known, typeof message === "string" ? message : null, { retryAfter: answer?.retryAfter ?? null });
}

/** The server's time is `YYYY-MM-DDTHH:MM:SSZ` or UNIX seconds. Statements of a phone whose clock differs are refused. */
function checkClock(time) {
  const seconds = typeof time === "number" ? time : Date.parse(time) / 1000;
  if (!Number.isFinite(seconds)) return;
  if (Math.abs(seconds - Date.now() / 1000) > CLOCK_SECONDS) throw new ServerError("clock-differs", null, { serverTime: seconds });
}

/** What the invitation is for. Uses nothing up. */
export async function begin(code) {
  const invitation = await post("begin", { code });
  checkClock(invitation.time);
  return invitation;
}

/** A nonce of the server's, for one proof. */
async function nonce() {
  const answer = await post("nonce", {});
  checkClock(answer.time);
  return answer.nonce;
}

/** The pass of an invitation. `fresh` is the nonce that `begin` brought, if it did. */
export const redeem = (code, key, fresh) => proved("redeem", key, { code }, fresh);

export const renew = (key) => proved("renew", key, {}, null);

/** Browsers send a request again by themselves where a connection breaks: its nonce may be used up then. */
async function proved(purpose, { pair, jwk }, more, fresh, isLast = false) {
  const fields = { purpose, origin: location.origin, jwk, nonce: fresh ?? (await nonce()), time: Date.now(), ...more };
  try {
    return access(await post(purpose, { ...more, ...(await signed(pair, fields)) }), jwk);
  } catch (error) {
    if (error.code !== "nonce-unknown" || isLast) throw error;
    return proved(purpose, { pair, jwk }, more, null, true);
  }
}

/** An answer that no gate would open for is none. */
function access(answer, jwk) {
  const { site, subject, expires, notBefore, renewUntil, services = [], languages = [], messages = {} } = answer;
  let bytes = {};
  try {
    bytes = { token: fromBase64url(answer.token), gates: fromBase64url(answer.gates) };
  } catch {
    throw new ServerError("not-understood");
  }
  const isWhole = [expires, notBefore, renewUntil].every(Number.isInteger) && typeof site === "string";
  if (!isWhole || !isFor(bytes.token, coordinates(jwk)) || !knowsGates(bytes.gates, site)) throw new ServerError("not-understood");
  return { site, subject: String(subject ?? ""), expires, notBefore, renewUntil, services, languages, messages, ...bytes };
}
