// The life of a pass: redeemed once, renewed until the invitation's end.

import { redeem, renew, ServerError } from "./server.js";
import { change } from "./store.js";

const now = () => Date.now() / 1000;

export const isRedeemed = (record) => record.access !== null;
export const hasEnded = ({ access }) => access.expires <= now();
export const canRenew = ({ access }) => now() < access.renewUntil && access.expires < access.renewUntil;

/** When it should be renewed, in UNIX seconds: with a third of its time left. */
export const renewalDue = ({ access }) => access.expires - (access.expires - access.notBefore) / 3;

export const isRenewalDue = (record) => isRedeemed(record) && canRenew(record) && renewalDue(record) <= now();

/** Redeems it. The same key and code may be shown again: whatever happened to an answer, nobody is left without. */
export async function accept(record, begun) {
  const wasAsking = record.isAsking;
  await change(record.id, { isAsking: true });
  let access = null;
  try {
    access = await redeem(record.code, record, begun?.nonce ?? null);
  } catch (error) {
    // Minutes later the server has its word for a code that is used up; its answer is renewed then.
    if (error.code !== "code-used" || !wasAsking) throw error;
    access = await renew(record).catch((other) => { throw other.code === "key-unknown" ? error : other; });
  }
  await change(record.id, { access, code: null, isAsking: false, known: {}, fault: null });
}

/** Renews it, one window at a time. `fault` is kept where the server has spoken, so that it is told offline too. */
export function renewed(record) {
  return navigator.locks.request(`renew-${record.id}`, async () => {
    try {
      await change(record.id, { access: await renew(record), known: {}, fault: null });
    } catch (error) {
      if (error instanceof ServerError && FINAL.includes(error.code)) await change(record.id, { fault: error.code });
      throw error;
    }
  });
}

const FINAL = ["suspended", "revoked", "over", "key-unknown"];
