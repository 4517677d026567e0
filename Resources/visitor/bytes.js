// Byte strings: put together, compared, written as text.

export function concat(...parts) {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export function equal(one, other) {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}

export const utf8 = (text) => new TextEncoder().encode(text);

/** base64url without padding (RFC 4648, 5). */
export function base64url(bytes) {
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Throws where the text is not base64url. */
export function fromBase64url(text) {
  if (typeof text !== "string" || !/^[A-Za-z0-9_-]*$/.test(text)) throw new TypeError("not base64url");
  const characters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(characters, (character) => character.charCodeAt(0));
}

export function number(bytes) {
  return bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
}

/** 32 bytes, the most significant first. */
export function bytes32(value) {
  return Uint8Array.from({ length: 32 }, (_, at) => Number((value >> BigInt(8 * (31 - at))) & 0xffn));
}
