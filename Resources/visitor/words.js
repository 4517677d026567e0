// Which words a person reads: the site's own, then ours in English or German.

import { ENGLISH } from "./words-en.js";
import { GERMAN } from "./words-de.js";

const OURS = { en: ENGLISH, de: GERMAN };
const LONGEST_MESSAGE = 200;

const primary = (tag) => String(tag).toLowerCase().split("-")[0];

/** `en` or `de`: the first of the person's languages that we have. */
export const language = navigator.languages.map(primary).find((tag) => Object.hasOwn(OURS, tag)) ?? "en";

const own = OURS[language];

/** The sentence for a key, with `{name}` filled in. What is filled in is text: it is never read as anything else. */
export function words(key, fields = {}) {
  const text = own[key] ?? ENGLISH[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (_, name) => fields[name] ?? "");
}

export const has = (key) => Object.hasOwn(ENGLISH, key);

/** The site's message for a reason, in the first of the person's languages that it has; null where it has none. */
export function siteMessage(messages, reason) {
  for (const tag of [...navigator.languages.map((each) => each.toLowerCase()), ...navigator.languages.map(primary)]) {
    const text = entry(entry(messages, tag), reason);
    if (typeof text === "string" && text) return text.slice(0, LONGEST_MESSAGE);
  }
  return null;
}

const entry = (object, key) => (object && typeof object === "object" && Object.hasOwn(object, key) ? object[key] : null);

const formats = { dateStyle: "medium", timeStyle: "short" };

/** A time in UNIX seconds, as this person writes it. */
export const moment = (seconds) => new Date(seconds * 1000).toLocaleString(navigator.language, formats);
