// An invitation's link: its code is taken out of the address bar at once and kept until it is redeemed.

import { base64url, fromBase64url } from "./bytes.js";
import { sha256 } from "./cryptography.js";
import { makeKey } from "./keys.js";
import { keep, records } from "./store.js";

/** `{code}` or `{isBroken}`; the fragment is gone from address bar and history when this returns. */
export function takeCode() {
  const fragment = location.hash;
  if (fragment || location.href.endsWith("#")) history.replaceState(null, "", location.pathname);
  const code = /^#([A-Za-z0-9_-]{22})(?![A-Za-z0-9_-])/.exec(fragment)?.[1] ?? null;
  return { code, isBroken: fragment.length > 1 && !code };
}

/** The record of this code: that of an earlier visit or another window, or a new one with a key of its own. */
export const recordFor = (code) => navigator.locks.request("arrival", () => foundOrMade(code));

async function foundOrMade(code) {
  const codeHash = base64url(await sha256(fromBase64url(code)));
  const found = (await records()).find((record) => record.codeHash === codeHash);
  if (found) return found;
  const record = { id: crypto.randomUUID(), since: Date.now(), code, codeHash, ...(await makeKey()), access: null, known: {} };
  await keep(record);
  return record;
}

export const linkOf = (record) => `${location.origin}${location.pathname}#${record.code}`;
