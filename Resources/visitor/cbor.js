// CBOR in the deterministic encoding of RFC 8949, 4.2.1, as docs/encoding.md has it.
//
// Integers are numbers (BigInt beyond 2^53), byte strings Uint8Array, maps Map.

import { concat, utf8 } from "./bytes.js";

const DEEPEST = 16;

export class CBORError extends Error {}

/** Floats, tags and simple values, which no message of ours has: kept as they stand. */
export class Other {
  constructor(raw) { this.raw = raw; }
}

/** Reads one item after the other. */
export class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  get isAtEnd() { return this.at === this.bytes.length; }

  take(count) {
    if (count > this.bytes.length - this.at) throw new CBORError("truncated");
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }

  /** The next item's bytes. */
  raw() {
    const from = this.at;
    this.item();
    return this.bytes.subarray(from, this.at);
  }

  item(depth = 0) {
    const from = this.at;
    const first = this.take(1)[0];
    const major = first >> 5;
    if (major === 7) return this.simple(first & 31, from);
    const count = this.count(first & 31);
    switch (major) {
      case 0: return count;
      case 1: return typeof count === "bigint" ? -1n - count : -1 - count;
      case 2: return this.take(count).slice();
      case 3: return text(this.take(count));
      default: if (depth === DEEPEST) throw new CBORError("too deep");
    }
    if (major === 4) return Array.from(this.each(count), () => this.item(depth + 1));
    if (major === 5) return this.map(count, depth + 1);
    this.item(depth + 1);
    return new Other(this.bytes.slice(from, this.at));
  }

  count(short) {
    if (short < 24) return short;
    if (short > 27) throw new CBORError("indefinite length");
    const size = 1 << (short - 24);
    const value = this.take(size).reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
    if (value < (size === 1 ? 24n : 1n << BigInt(4 * size))) throw new CBORError("not shortest");
    return value > BigInt(Number.MAX_SAFE_INTEGER) ? value : Number(value);
  }

  /** No more items can follow than there are bytes. */
  each(count) {
    if (count > this.bytes.length - this.at) throw new CBORError("truncated");
    return { length: count };
  }

  map(count, depth) {
    const map = new Map();
    let last = null;
    this.each(count);
    for (let left = count; left > 0; left -= 1) {
      const from = this.at;
      const key = this.item(depth);
      const raw = this.bytes.subarray(from, this.at);
      if (last && compare(last, raw) >= 0) throw new CBORError("unsorted keys");
      last = raw;
      map.set(key, this.item(depth));
    }
    return map;
  }

  simple(short, from) {
    const known = { 20: false, 21: true, 22: null };
    if (short in known) return known[short];
    if (short > 27) throw new CBORError("indefinite length");
    if (short > 23) {
      const value = this.take(1 << (short - 24));
      if (short === 24 && value[0] < 32) throw new CBORError("reserved");
    }
    return new Other(this.bytes.slice(from, this.at));
  }
}

/** The one item that these bytes are. */
export function decode(bytes) {
  const reader = new Reader(bytes);
  const item = reader.item();
  if (!reader.isAtEnd) throw new CBORError("trailing bytes");
  return item;
}

export function encode(item) {
  if (item === null) return Uint8Array.of(0xf6);
  if (typeof item === "boolean") return Uint8Array.of(item ? 0xf5 : 0xf4);
  if (typeof item === "number" || typeof item === "bigint") {
    const value = BigInt(item);
    return value < 0n ? head(1, -1n - value) : head(0, value);
  }
  if (typeof item === "string") {
    const bytes = utf8(item);
    return concat(head(3, bytes.length), bytes);
  }
  if (item instanceof Uint8Array) return concat(head(2, item.length), item);
  if (Array.isArray(item)) return concat(head(4, item.length), ...item.map(encode));
  if (item instanceof Map) {
    const entries = [...item].map(([key, value]) => [encode(key), encode(value)]);
    entries.sort(([one], [other]) => compare(one, other));
    return concat(head(5, entries.length), ...entries.flat());
  }
  throw new CBORError("no CBOR for this");
}

/** Items one after the other. */
export const sequence = (...items) => concat(...items.map(encode));

function head(major, count) {
  const value = BigInt(count);
  if (value < 24n) return Uint8Array.of((major << 5) | Number(value));
  const size = [1, 2, 4, 8].find((bytes) => value < 1n << BigInt(8 * bytes));
  const bytes = Array.from({ length: size }, (_, at) => Number((value >> BigInt(8 * (size - 1 - at))) & 0xffn));
  return Uint8Array.of((major << 5) | (24 + Math.log2(size)), ...bytes);
}

function compare(one, other) {
  const at = one.findIndex((byte, place) => byte !== other[place]);
  if (at < 0) return one.length - other.length;
  return at < other.length ? one[at] - other[at] : 1;
}

function text(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CBORError("not UTF-8");
  }
}
