// What the phone reads of its own token: nobody but the gate judges it.

import { decode, encode } from "./cbor.js";
import { sha256 } from "./cryptography.js";

/** The reference by which a gate knows it: the first 8 bytes of its identifier. Throws where it is no token. */
export async function reference(token) {
  const [header, , payload] = decode(token);
  return (await sha256(encode(["Signature1", header, new Uint8Array(), payload]))).slice(0, 8);
}

/** Whether it names this public key. */
export function isFor(token, { x, y }) {
  try {
    const key = decode(decode(token)[2]).get(8).get(1);
    return [[-2, x], [-3, y]].every(([label, wanted]) => key.get(label).every((byte, at) => byte === wanted[at]));
  } catch {
    return false;
  }
}
