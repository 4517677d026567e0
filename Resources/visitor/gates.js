// What this phone believes gates by: `gates.phone` of one site, and CWTs of its gate issuers.

import { equal } from "./bytes.js";
import { decode, encode, Reader } from "./cbor.js";
import { verify } from "./cryptography.js";

const MOST_CANDIDATES = 4;
const LONGEST_CWT = 512;
const PROTECTED = encode(new Map([[1, -7], [16, "tapstile-gate"]]));
const CLAIMS = [1, 2, 4, 5, 7, 8];

const isBytes = (item, length) => item instanceof Uint8Array && item.length === length;

/** A COSE_Key on P-256 that signs, as `{x, y, kid}`; null for others. */
function signingKey(item) {
  if (!(item instanceof Map) || item.get(1) !== 2 || item.get(-1) !== 1) return null;
  const [x, y, kid] = [item.get(-2), item.get(-3), item.get(2)];
  const uses = item.get(4);
  if (!isBytes(x, 32) || !isBytes(y, 32)) return null;
  return uses === undefined || (Array.isArray(uses) && uses.includes(2)) ? { x, y, kid } : null;
}

const confirmed = (claims) => {
  const cnf = claims.get(8);
  return cnf instanceof Map ? signingKey(cnf.get(1)) : null;
};

export class Gates {
  /** The entries of this site alone: another's credential proves nothing here. `own` is the phone's public key. */
  constructor(bytes, site, own) {
    this.site = site;
    this.own = own;
    this.keys = [];
    this.issuers = [];
    const reader = new Reader(bytes);
    while (!reader.isAtEnd) {
      const raw = reader.raw().slice();
      this.add(decode(raw), raw);
    }
  }

  add(item, raw) {
    if (item instanceof Map && item.get(2) === this.site) {
      const key = confirmed(item);
      if (key?.kid instanceof Uint8Array) this.keys.push({ kid: key.kid, key, credential: raw });
    }
    if (Array.isArray(item) && item[0] === "gate-issuer" && item[1] === this.site) {
      const key = signingKey(item[3]);
      if (key) this.issuers.push({ name: item[2], key });
    }
  }

  /** Whose proof this may be (`Initiator.receive`). */
  async candidates({ kid, cwt }) {
    if (cwt) return this.ofToken(cwt);
    const found = this.keys.filter((each) => equal(each.kid, kid)).slice(0, MOST_CANDIDATES);
    const usable = found.filter(({ key }) => !this.isOwn(key)).map(({ key, credential }) => candidate(key, credential));
    return usable.length ? usable : [this.nobody()];
  }

  /** A CWT that a gate issuer of the site has signed and that is in its time. */
  async ofToken(cwt) {
    const parts = cwt.length <= LONGEST_CWT ? decode(cwt) : null;
    if (!Array.isArray(parts) || parts.length !== 4 || !isBytes(parts[0], PROTECTED.length)) return [];
    const [header, unprotected, payload, signature] = parts;
    if (!equal(header, PROTECTED) || !(unprotected instanceof Map) || unprotected.size) return [];
    if (!(payload instanceof Uint8Array) || !isBytes(signature, 64)) return [];
    const claims = decode(payload);
    if (!(claims instanceof Map) || !this.holds(claims)) return [];
    const key = confirmed(claims);
    const isForSigning = equalList(claims.get(8).get(1).get(4), [2]);
    if (!key || !isForSigning || this.isOwn(key)) return [];
    const signed = encode(["Signature1", header, new Uint8Array(), payload]);
    for (const issuer of this.issuers.filter(({ name }) => name === claims.get(1))) {
      if (await verify(issuer.key, signature, signed)) return [candidate(key, cwt)];
    }
    return [];
  }

  /** Exactly the claims of a gate token, of this site, now. */
  holds(claims) {
    const now = Date.now() / 1000;
    const [cti, cnf] = [claims.get(7), claims.get(8)];
    return claims.size === CLAIMS.length && CLAIMS.every((label) => claims.has(label)) && claims.get(2) === this.site
      && claims.get(5) <= now && now < claims.get(4) && cti instanceof Uint8Array && cti.length >= 1 && cti.length <= 64
      && cnf instanceof Map && cnf.size === 1 && cnf.get(1) instanceof Map;
  }

  isOwn(key) { return equal(key.x, this.own.x); }

  /** Takes as long as a key that is known, and believes nothing: the time shall not tell which gates a phone knows. */
  nobody() {
    return { credential: new Uint8Array(96), verify: async (signature, signed) => (await verify(this.own, signature, signed)) && false };
  }
}

const equalList = (one, other) => Array.isArray(one) && one.length === other.length && one.every((each, at) => each === other[at]);

const candidate = (key, credential) => ({ credential, verify: (signature, signed) => verify(key, signature, signed) });

/** Whether these bytes are a `gates.phone` that knows anybody of the site. */
export function knowsGates(bytes, site) {
  try {
    const gates = new Gates(bytes, site, { x: new Uint8Array() });
    return gates.keys.length + gates.issuers.length > 0;
  } catch {
    return false;
  }
}
