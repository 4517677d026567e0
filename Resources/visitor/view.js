// What is on the screen. Everything that came from elsewhere is set as text, never as HTML.

import { reasonName } from "./reasons.js";
import { has, language, moment, siteMessage, words } from "./words.js";

const element = (id) => document.getElementById(id);

/** Shows this text, or nothing. */
function show(id, text) {
  element(id).textContent = text ?? "";
  element(id).hidden = !text;
}

export function begin() {
  document.documentElement.lang = language;
  document.title = words("title");
  for (const [id, key] of [["title", "title"], ["about", "loading"], ["works", "works"], ["works-text", "works-text"]]) show(id, words(key));
}

/** The record that is in front: `invitation` is what the server said of one that is not redeemed yet. */
export function showRecord(record, invitation) {
  const { site, subject } = record?.access ?? invitation ?? {};
  show("title", site || words(record ? "invited" : "no-pass"));
  show("subject", subject ? words("subject", { subject }) : null);
  show("about", about(record, invitation));
  show("validity", validity(record, invitation));
  element("where").open = !record;
}

function about(record, invitation) {
  if (!record) return words("no-pass-text");
  if (record.access) return null;
  return invitation ? `${words("invited")}. ${words("invited-text", { site: invitation.site })}` : words("not-used");
}

function validity(record, invitation) {
  const { access } = record ?? {};
  if (!access) return invitation?.validUntil ? words("until", { time: readable(invitation.validUntil) }) : null;
  const [from, time] = [moment(access.notBefore), moment(access.expires)];
  const main = access.notBefore > Date.now() / 1000 ? words("from-until", { from, time }) : words("until", { time });
  return access.renewUntil > access.expires ? `${main}. ${words("renews", { time: moment(access.renewUntil) })}.` : main;
}

const readable = (time) => moment(typeof time === "number" ? time : Date.parse(time) / 1000);

/** The large button; null hides it. `fields` fill in what it says. */
export function showAction(key, isBusy = false) {
  show("act", key && words(key));
  element("act").disabled = isBusy;
}

export function showCheck(isShown) { show("check", isShown ? words("check") : null); }

export function showProgress(key) { element("progress").textContent = key ? words(key) : ""; }

/** What is missing or went wrong, and its fix; null: nothing. */
export function showProblem(code, { fields = {}, canCopy = false, canTryAgain = false, serverWords = null } = {}) {
  const key = code && (has(code) ? code : "not-understood");
  element("problem").hidden = !key;
  show("problem-title", key && words(key, fields));
  show("problem-fix", key && words(`${key}-fix`, fields));
  show("server-words", key && !has(code) ? serverWords : null);
  show("copy", key && canCopy ? words("copy") : null);
  show("again", key && canTryAgain ? words("again") : null);
  if (key) bringIntoView("problem");
}

/** On a small screen with large letters it could be below what is seen. */
const bringIntoView = (id) => element(id).scrollIntoView({ block: "nearest" });

export function showCopied() { element("copy").textContent = words("copied"); }

/** What the gate decided; null hides it. */
export function showResult(result, messages) {
  element("result").hidden = !result;
  if (!result) return;
  const name = reasonName(result.reason);
  element("result").className = `card ${result.result === "granted" ? "granted" : "refused"}`;
  show("result-title", words(`result-${result.result}`));
  const pause = result.retryAfter ? ` ${words("wait", { seconds: Math.ceil(result.retryAfter / 1000) })}` : "";
  show("result-reason", (siteMessage(messages, name) ?? words(`reason-${name}`, { number: result.reason })) + pause);
  show("result-place", words("at-lane", result.context));
  bringIntoView("result");
}

/** All passes, where there are several or one to delete. */
export function showOthers(records, current, { onShow, onDelete }) {
  element("others").hidden = records.length === 0;
  show("others-title", words("passes"));
  element("passes").replaceChildren(...records.map((record) => row(record, record.id === current?.id, onShow, onDelete)));
}

function row(record, isCurrent, onShow, onDelete) {
  const { site, subject } = record.access ?? {};
  const name = site ? `${site}${subject ? `, ${subject}` : ""}` : words("invited");
  const item = document.createElement("li");
  const label = document.createElement("span");
  label.textContent = record.access ? name : `${name} (${words("not-redeemed")})`;
  item.append(label);
  if (!isCurrent) item.append(button("show", name, () => onShow(record)));
  item.append(button("delete", name, () => confirm(words("delete-question", { site: name })) && onDelete(record)));
  return item;
}

function button(key, name, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "small";
  made.textContent = words(key);
  made.setAttribute("aria-label", `${words(key)}: ${name}`);
  made.addEventListener("click", act);
  return made;
}

export function showKeep(isStored) { show("keep", isStored ? null : words("keep")); }

export function onPress(id, act) { element(id).addEventListener("click", act); }

export function focusTitle() { element("title").focus(); }
