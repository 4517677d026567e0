// One press at a gate: choose, connect, tap, hang up.

import { choose, Link, SERVICES } from "./bluetooth.js";
import { availableSuites, sign } from "./cryptography.js";
import { Gates } from "./gates.js";
import { coordinates } from "./keys.js";
import { canRenew, hasEnded, renewed } from "./passes.js";
import { change } from "./store.js";
import { tap, TapError } from "./tap.js";
import { reference } from "./token.js";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** Flags of the phone's request: started by hand; app in front, unlocked. */
const BY_HAND = 1;
const IN_FRONT = 2 | 8;
const LONGEST_LANGUAGE = 35;

const servicesOf = ({ access }) => {
  const usable = access.services.filter((service) => UUID.test(service));
  return usable.length ? usable : SERVICES;
};

/** Opens the gate that the person chooses. `tell(key)` says how far it is. Answers `tap`'s result. */
export async function openGate(record, tell) {
  if (hasEnded(record)) await renewFirst(record, tell);
  // A gate waits 3 s for a phone that has connected: everything is ready before.
  const phone = phoneOf(record);
  phone.catch(() => {});
  tell("choosing");
  const services = servicesOf(record);
  const device = await choose(services);
  tell("connecting");
  const link = await Link.open(device, services);
  try {
    tell("proving");
    const result = await tap(link, await phone);
    await remember(record, result);
    return result;
  } finally {
    link.close();
  }
}

/** The press may be too long ago for the browser's chooser afterwards: then it is asked for again. */
async function renewFirst(record, tell) {
  if (!canRenew(record)) throw new TapError("over");
  tell("renewing");
  try {
    await renewed(record);
  } catch (error) {
    throw error.code === "offline" ? new TapError("ended-offline") : error;
  }
  throw new TapError("press-again");
}

async function phoneOf(record) {
  const { access, jwk, pair, known } = record;
  return {
    suites: await availableSuites(),
    gates: new Gates(access.gates, access.site, coordinates(jwk)),
    token: access.token,
    reference: await reference(access.token),
    sign: (bytes) => sign(pair.privateKey, bytes),
    flags: () => BY_HAND | (document.visibilityState === "visible" ? IN_FRONT : 0),
    language: navigator.language.slice(0, LONGEST_LANGUAGE) || null,
    isKnownAt: ({ gate, generation }) => Object.hasOwn(known, gate) && known[gate] === String(generation),
  };
}

/** A gate that let the token in knows it by reference, until its site data change. */
async function remember(record, { result, wasByValue, context: { gate, generation } }) {
  if (result !== "granted" || !wasByValue) return;
  await change(record.id, { known: { ...record.known, [gate]: String(generation) } });
}
