// EDHOC (RFC 9528) as Initiator in method 0: both sides sign. No carrier, no storage: messages in, messages out.

import { concat } from "./bytes.js";
import { decode, encode, Reader, sequence } from "./cbor.js";
import { expand, extract, HASH_LENGTH, sha256, SUITES } from "./cryptography.js";

// RFC 9528, 4.1.2 and 4.2.1.
const LABEL = { keystream2: 0, mac2: 2, k3: 3, iv3: 4, mac3: 6, prkOut: 7, prkExporter: 10 };
const SIGNATURE_LENGTH = 64;
const KEY_BYTES = 32;
const MOST_ITEMS = 8;
const NOTHING = new Uint8Array();
/** Labels of the exporter: key and first nonce, gate to phone. */
const OUTCOME_KEY = 32768;
const OUTCOME_NONCE = 32769;

/** What the other side sent cannot be taken. */
export class EDHOCError extends Error {}

const kdf = (key, label, context, length) => expand(key, sequence(label, context, length), length);

const structure = (idCred, transcript, credential, ead, mac) =>
  encode(["Signature1", idCred, concat(encode(transcript), credential, ead), mac]);

/** An identifier of one byte that is an integer's encoding travels as that integer (RFC 9528, 3.3.2). */
export function compact(identifier) {
  const [first] = identifier;
  const isInteger = identifier.length === 1 && (first <= 0x17 || (first >= 0x20 && first <= 0x37));
  return isInteger ? identifier : encode(identifier);
}

function expanded(item) {
  if (item instanceof Uint8Array) return item;
  if (Number.isInteger(item) && item >= -24 && item < 24) return encode(item);
  throw new EDHOCError("an identifier that is none");
}

/** EAD items as `{label, isCritical, value}`, padding left out. */
export function eadItems(bytes) {
  const reader = new Reader(bytes);
  const items = [];
  let count = 0;
  while (!reader.isAtEnd) {
    count += 1;
    if (count > MOST_ITEMS) throw new EDHOCError("too many EAD items");
    const label = reader.item();
    if (!Number.isSafeInteger(label)) throw new EDHOCError("an EAD label that is none");
    const hasValue = !reader.isAtEnd && reader.bytes[reader.at] >> 5 === 2;
    const value = hasValue ? reader.item() : null;
    if (label !== 0) items.push({ label: Math.abs(label), isCritical: label < 0, value });
  }
  return items;
}

/** One exchange. Begin it, give it message_2, let it make message_3, give it the outcome. */
export class Initiator {
  /**
   * `suites`: those that are named, the selected one last. `ephemeral`: a pair of keys of that suite's curve, made
   * anew unless a test brings one.
   */
  static async begin({ suites, ead1 = NOTHING, ephemeral = null }) {
    const self = new Initiator();
    self.suite = SUITES[suites.at(-1)];
    self.ephemeral = ephemeral ?? (await self.suite.curve.make());
    const named = suites.length > 1 ? suites : suites[0];
    const shown = await self.suite.curve.shown(self.ephemeral);
    self.message1 = concat(sequence(0, named, shown), Uint8Array.of(0), ead1);
    return self;
  }

  /**
   * Reads message_2 and believes nothing yet.
   *
   * `candidates` answers those `{credential, verify(signature, signed)}` that ID_CRED_R (`{kid}` or `{cwt}`) may mean:
   * the first whose key made the signature is the gate's. Answers it, with the items of EAD_2.
   */
  async receive(message2, candidates) {
    const content = decode(message2);
    if (!(content instanceof Uint8Array) || content.length <= KEY_BYTES) throw new EDHOCError("no message_2");
    const gY = content.slice(0, KEY_BYTES);
    const ciphertext = content.slice(KEY_BYTES);
    const th2 = await sha256(sequence(gY, await sha256(this.message1)));
    this.prk = await extract(th2, await this.suite.curve.agree(this.ephemeral, gY));
    this.ephemeral = null;
    const keystream = await kdf(this.prk, LABEL.keystream2, th2, ciphertext.length);
    const plaintext = ciphertext.map((byte, at) => byte ^ keystream[at]);
    const fields = plaintext2(plaintext);
    for (const candidate of await candidates(fields.shown)) {
      const { credential } = candidate;
      const context = concat(compact(fields.cR), fields.idCred, encode(th2), credential, fields.ead);
      const mac = await kdf(this.prk, LABEL.mac2, context, HASH_LENGTH);
      const signed = structure(fields.idCred, th2, credential, fields.ead, mac);
      if (!(await candidate.verify(fields.signature, signed))) continue;
      this.th3 = await sha256(concat(encode(th2), plaintext, credential));
      return { gate: candidate, items: eadItems(fields.ead) };
    }
    throw new EDHOCError("nobody's proof");
  }

  /** message_3. `idCred` is the encoded map, `kid` its value where it is a reference, `sign` makes ES256. */
  async respond({ idCred, kid = null, credential, ead3, sign }) {
    const { prk, th3, suite } = this;
    const mac = await kdf(prk, LABEL.mac3, concat(idCred, encode(th3), credential, ead3), HASH_LENGTH);
    const signature = await sign(structure(idCred, th3, credential, ead3, mac));
    const plaintext = concat(kid ? compact(kid) : idCred, encode(signature), ead3);
    const key = await kdf(prk, LABEL.k3, th3, suite.aead.keyLength);
    const nonce = await kdf(prk, LABEL.iv3, th3, suite.aead.nonceLength);
    const sealed = await suite.aead.seal(key, nonce, encode(["Encrypt0", NOTHING, th3]), plaintext);
    const th4 = await sha256(concat(encode(th3), plaintext, credential));
    this.prkExporter = await kdf(await kdf(prk, LABEL.prkOut, th4, HASH_LENGTH), LABEL.prkExporter, NOTHING, HASH_LENGTH);
    this.prk = null;
    return encode(sealed);
  }

  /** The gate's first message under the application AEAD: it has the exported nonce. */
  async openOutcome(sealed) {
    const { aead } = this.suite;
    const key = await kdf(this.prkExporter, OUTCOME_KEY, NOTHING, aead.keyLength);
    const nonce = await kdf(this.prkExporter, OUTCOME_NONCE, NOTHING, aead.nonceLength);
    return aead.open(key, nonce, NOTHING, sealed);
  }
}

/** C_R, ID_CRED_R, Signature_2 and EAD_2. */
function plaintext2(bytes) {
  const reader = new Reader(bytes);
  const cR = expanded(reader.item());
  if (cR.length > 16) throw new EDHOCError("C_R is too long");
  const raw = reader.raw();
  const shown = identifier(raw);
  const idCred = shown.kid ? encode(new Map([[4, shown.kid]])) : raw;
  const signature = reader.item();
  if (!(signature instanceof Uint8Array) || signature.length !== SIGNATURE_LENGTH) throw new EDHOCError("no signature");
  return { cR, shown, idCred, signature, ead: bytes.slice(reader.at) };
}

/** `{kid}`, or `{cwt}` with the bytes of the CWT in a map of that one entry. */
function identifier(raw) {
  const item = decode(raw);
  if (!(item instanceof Map)) return { kid: expanded(item) };
  if (item.size === 1 && Array.isArray(item.get(13))) return { cwt: raw.slice(2) };
  throw new EDHOCError("a credential that is not taken");
}
