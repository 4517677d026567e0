// What the phone signs for the server: text that is no CBOR array, so never a structure of a tap.

import { base64url, fromBase64url, utf8 } from "./bytes.js";
import { sha256, sign } from "./cryptography.js";
import { thumbprint } from "./keys.js";

const NONCE = /^[A-Za-z0-9_-]{1,200}$/;

/** The statement as text. `code` only where an invitation is redeemed; `time` in milliseconds. */
export async function statement({ purpose, origin, jwk, nonce, code, time }) {
  if (!NONCE.test(nonce)) throw new TypeError("no nonce");
  const lines = [
    "tapstile-phone-statement-1",
    `purpose: ${purpose}`,
    `origin: ${origin}`,
    `key: ${base64url(await thumbprint(jwk))}`,
    `nonce: ${nonce}`,
  ];
  if (code) lines.push(`code: ${base64url(await sha256(fromBase64url(code)))}`);
  lines.push(`time: ${inSeconds(time)}`);
  return lines.map((line) => `${line}\n`).join("");
}

/** With what the server wants beside it. */
export async function signed(pair, fields) {
  const signature = await sign(pair.privateKey, utf8(await statement(fields)));
  return { key: fields.jwk, nonce: fields.nonce, time: inSeconds(fields.time), signature: base64url(signature) };
}

const inSeconds = (milliseconds) => new Date(milliseconds).toISOString().replace(/\.\d+Z$/, "Z");
