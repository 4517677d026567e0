// What EDHOC needs of WebCrypto. Its HKDF joins extract and expand, so both are made of HMAC here.

import { bytes32, concat, number } from "./bytes.js";

const subtle = globalThis.crypto?.subtle;

export const HASH_LENGTH = 32;

const as = (buffer) => new Uint8Array(buffer);

export const sha256 = async (bytes) => as(await subtle.digest("SHA-256", bytes));

export async function hmac(key, bytes) {
  const imported = await subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return as(await subtle.sign("HMAC", imported, bytes));
}

/** HKDF-Extract (RFC 5869, 2.2). */
export const extract = (salt, secret) => hmac(salt, secret);

/** HKDF-Expand (RFC 5869, 2.3). */
export async function expand(key, info, length) {
  let output = new Uint8Array();
  for (let block = new Uint8Array(), count = 1; output.length < length; count += 1) {
    block = await hmac(key, concat(block, info, Uint8Array.of(count)));
    output = concat(output, block);
  }
  return output.slice(0, length);
}

const ES256 = { name: "ECDSA", namedCurve: "P-256" };
const ECDSA = { name: "ECDSA", hash: "SHA-256" };

export const sign = async (key, bytes) => as(await subtle.sign(ECDSA, key, bytes));

/** Whether this is the key's signature; x and y that are no point have signed nothing. */
export async function verify({ x, y }, signature, bytes) {
  try {
    const key = await subtle.importKey("raw", concat(Uint8Array.of(4), x, y), ES256, false, ["verify"]);
    return await subtle.verify(ECDSA, key, signature, bytes);
  } catch {
    return false;
  }
}

const PRIME = (1n << 256n) - (1n << 224n) + (1n << 192n) + (1n << 96n) - 1n;
const B = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn;

function power(base, exponent) {
  let result = 1n;
  for (let bits = exponent, square = base; bits > 0n; bits >>= 1n, square = (square * square) % PRIME) {
    if (bits & 1n) result = (result * square) % PRIME;
  }
  return result;
}

/** EDHOC sends x alone, WebCrypto wants y too: either root gives the same secret. Both are public. */
export function pointFromX(x) {
  const value = number(x);
  const square = (((value * value * value - 3n * value + B) % PRIME) + PRIME) % PRIME;
  const y = power(square, (PRIME + 1n) / 4n);
  if (value >= PRIME || (y * y) % PRIME !== square) throw new RangeError("no point has this x");
  return concat(Uint8Array.of(4), x, bytes32(y));
}

/** Curves of ephemeral keys: make one, say its public part, agree with another's. */
export const P256 = {
  make: () => subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, false, ["deriveBits"]),
  shown: async (pair) => as(await subtle.exportKey("raw", pair.publicKey)).slice(1, 33),
  agree: async (pair, x) => {
    const curve = { name: "ECDH", namedCurve: "P-256" };
    const other = await subtle.importKey("raw", pointFromX(x), curve, false, []);
    return as(await subtle.deriveBits({ name: "ECDH", public: other }, pair.privateKey, 256));
  },
};

export const CURVE25519 = {
  make: () => subtle.generateKey({ name: "X25519" }, false, ["deriveBits"]),
  shown: async (pair) => as(await subtle.exportKey("raw", pair.publicKey)),
  agree: async (pair, bytes) => {
    const other = await subtle.importKey("raw", bytes, { name: "X25519" }, false, []);
    // WebCrypto itself refuses a secret of zeros.
    return as(await subtle.deriveBits({ name: "X25519", public: other }, pair.privateKey, 256));
  },
};

function cipher(name, format, keyLength) {
  const imported = (key, use) => subtle.importKey(format, key, { name }, false, [use]);
  return {
    keyLength,
    nonceLength: 12,
    seal: async (key, iv, additionalData, bytes) =>
      as(await subtle.encrypt({ name, iv, additionalData, tagLength: 128 }, await imported(key, "encrypt"), bytes)),
    open: async (key, iv, additionalData, bytes) =>
      as(await subtle.decrypt({ name, iv, additionalData, tagLength: 128 }, await imported(key, "decrypt"), bytes)),
  };
}

/** EDHOC's suites that WebCrypto can have (docs/phone-protocol.md, Suites). */
export const SUITES = {
  5: { curve: P256, aead: cipher("ChaCha20-Poly1305", "raw-secret", 32) },
  6: { curve: CURVE25519, aead: cipher("AES-GCM", "raw", 16) },
};

/** The suites of this browser, the preferred one first. */
export async function availableSuites() {
  const found = [];
  for (const number of [6, 5]) {
    try {
      const { curve, aead } = SUITES[number];
      await curve.make();
      await aead.seal(new Uint8Array(aead.keyLength), new Uint8Array(12), new Uint8Array(), new Uint8Array());
      found.push(number);
    } catch {
      // This browser has it not.
    }
  }
  return found;
}
