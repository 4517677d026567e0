// The phone's key: P-256, made by the browser, which never hands its private half to anybody, this page included.

import { fromBase64url } from "./bytes.js";
import { encode } from "./cbor.js";
import { sha256 } from "./cryptography.js";

/** `{pair, jwk}`: the pair is kept in IndexedDB as it is, the public half is shown to the server. */
export async function makeKey() {
  const pair = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, false, ["sign", "verify"]);
  const { kty, crv, x, y } = await crypto.subtle.exportKey("jwk", pair.publicKey);
  return { pair, jwk: { kty, crv, x, y } };
}

export const coordinates = ({ x, y }) => ({ x: fromBase64url(x), y: fromBase64url(y) });

/** SHA-256 COSE key thumbprint (RFC 9679). */
export function thumbprint(jwk) {
  const { x, y } = coordinates(jwk);
  return sha256(encode(new Map([[1, 2], [-1, 1], [-2, x], [-3, y]])));
}
