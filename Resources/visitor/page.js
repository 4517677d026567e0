// The page: what is in front of the person, and what a press does.

import { linkOf, recordFor, takeCode } from "./arrival.js";
import { choose, SERVICES } from "./bluetooth.js";
import { missingInBrowser, missingNow } from "./checks.js";
import { beReadyOffline, stayStored } from "./offline.js";
import { openGate } from "./opening.js";
import { accept, canRenew, isRedeemed, isRenewalDue, renewalDue, renewed } from "./passes.js";
import { reasonName } from "./reasons.js";
import { begin } from "./server.js";
import { records, remove } from "./store.js";
import { TapError } from "./tap.js";
import { moment } from "./words.js";
import * as view from "./view.js";

const LONGEST_TIMER_SECONDS = 3_600;
/** Of a server that refused, or was not there. */
const AGAIN = ["offline", "busy", "too-many", "clock-differs", "nonce-unknown", "not-yet", "suspended", "not-understood"];

let current = null;
let begun = null;
/** What cannot be put right on this page. */
let lack = null;
let isBusy = false;
let renewalTimer = null;

async function start() {
  view.begin();
  const { code, isBroken } = takeCode();
  lack = await missingInBrowser();
  beReadyOffline();
  await arrive(code, isBroken);
  if (current && isRedeemed(current)) view.showKeep(await stayStored());
}

/** A link has been opened, or the page alone. */
async function arrive(code, isBroken) {
  let record = null;
  try {
    record = code && lack !== "insecure" ? await recordFor(code) : null;
  } catch {
    lack ??= "no-storage";
  }
  begun = null;
  await show(record);
  if (isBroken) view.showProblem("link-broken");
}

/** Reads the records anew and puts one of them in front: that one, the one that was, or the latest. */
async function show(record = current) {
  const all = lack === "no-storage" || lack === "insecure" ? [] : await records();
  current = all.find(({ id }) => id === record?.id) ?? all.at(-1) ?? null;
  view.showOthers(all, current, { onShow, onDelete });
  view.showRecord(current, begun);
  await look();
}

/** What the person can do now, and what hinders. */
async function look() {
  const hindrance = lack ?? (await missingNow());
  const isOpen = current && !isRedeemed(current);
  view.showAction(null);
  view.showCheck(false);
  view.showProblem(null);
  if (hindrance) return view.showProblem(hindrance, { canCopy: Boolean(isOpen && lack), canTryAgain: !lack });
  if (!current) return;
  if (isOpen) return lookAtInvitation();
  if (current.fault) view.showProblem(current.fault, { canTryAgain: canRenew(current) });
  view.showAction("open");
  // Nobody waits for the server at a gate.
  renewInTime();
}

/** Everything has been checked: only now is the server asked what the code is for, and that uses nothing up. */
async function lookAtInvitation() {
  const record = current;
  // The browser died between the press and the answer, or the answer was lost.
  if (record.isAsking) return isBusy ? redeemNow() : acceptPass();
  try {
    begun ??= await begin(record.code);
  } catch (error) {
    return current?.id === record.id ? explain(error) : undefined;
  }
  if (current?.id !== record.id) return;
  view.showRecord(current, begun);
  view.showAction("accept");
  view.showCheck(true);
}

/** One thing after the other; presses in between count for nothing. */
async function busily(act) {
  if (isBusy) return;
  isBusy = true;
  try {
    await act();
  } catch (error) {
    explain(error);
  } finally {
    isBusy = false;
    view.showProgress(null);
  }
}

const onAct = () => (current && isRedeemed(current) ? open() : acceptPass());

const acceptPass = () => busily(redeemNow);

async function redeemNow() {
  view.showAction("accept", true);
  view.showCheck(false);
  view.showProblem(null);
  view.showProgress("accepting");
  const answer = begun;
  begun = null;
  try {
    await accept(current, answer);
  } catch (error) {
    current = (await records()).find(({ id }) => id === current.id) ?? null;
    view.showAction(null);
    throw error;
  }
  view.showKeep(await stayStored());
  await show();
  tellAfterwards("accepted");
}

/** What is under way stops being told when a press has been served; this is told then. */
function tellAfterwards(key) {
  setTimeout(() => view.showProgress(key));
  view.focusTitle();
}

function open() {
  return busily(async () => {
    const record = current;
    view.showResult(null);
    view.showProblem(null);
    view.showAction("open", true);
    try {
      const told = await openGate(record, view.showProgress);
      view.showResult(told, record.access.messages);
      if (navigator.onLine && canRenew(record) && ASK_SERVER.includes(reasonName(told.reason))) await askServer(record);
    } finally {
      isBusy = false;
      await refresh();
    }
  });
}

/** A gate refused the token, not the person: the server has another one, or says why not. */
const ASK_SERVER = ["expired", "revoked", "unknown-issuer"];

async function askServer(record) {
  view.showProgress("renewing");
  await renewed(record);
  view.showResult(null);
  throw new TapError("press-again");
}

/** As `show`, with what was just told left where it is. */
async function refresh() {
  const all = await records();
  current = all.find(({ id }) => id === current?.id) ?? null;
  view.showRecord(current, begun);
  view.showAction(current ? "open" : null, isBusy);
}

function explain(error) {
  const code = typeof error?.code === "string" ? error.code : error?.name === "QuotaExceededError" ? "no-storage" : "not-understood";
  const fields = { site: current?.access?.site ?? "", seconds: error?.retryAfter ?? 60 };
  if (error?.serverTime) Object.assign(fields, { here: moment(Date.now() / 1000), there: moment(error.serverTime) });
  view.showProblem(code, { fields, canTryAgain: AGAIN.includes(code), serverWords: error?.message });
}

/** Renews what is due, and comes back when it will be. Nobody is waiting: what fails is tried again later. */
async function renewInTime() {
  clearTimeout(renewalTimer);
  const record = current;
  if (!record || !isRedeemed(record) || !canRenew(record)) return;
  if (isRenewalDue(record) && navigator.onLine) {
    await renewed(record).catch((error) => error.code === "clock-differs" && explain(error));
    await refresh().catch(() => {});
    if (current?.fault) view.showProblem(current.fault, { canTryAgain: true });
    else if (record.fault) view.showProblem(null);
  }
  const seconds = current && isRedeemed(current) ? renewalDue(current) - Date.now() / 1000 : LONGEST_TIMER_SECONDS;
  renewalTimer = setTimeout(renewInTime, 1_000 * Math.min(Math.max(seconds, 60), LONGEST_TIMER_SECONDS));
}

function onShow(record) {
  begun = null;
  view.showResult(null);
  return busily(() => show(record)).then(view.focusTitle);
}

function onDelete(record) {
  return busily(async () => {
    await remove(record.id);
    begun = null;
    view.showResult(null);
    await show();
    tellAfterwards("deleted");
  });
}

/** The chooser itself tells whether the browser may use Bluetooth; to choose nothing is well. */
function onCheck() {
  return busily(async () => {
    await choose(begun?.services?.length ? begun.services : SERVICES).catch((error) => {
      if (error.code !== "nothing-chosen") throw error;
    });
    tellAfterwards("check-works");
  });
}

async function onCopy() {
  await navigator.clipboard.writeText(linkOf(current)).then(view.showCopied, () => {});
}

view.onPress("act", onAct);
view.onPress("check", onCheck);
view.onPress("copy", onCopy);
view.onPress("again", () => busily(look));
addEventListener("hashchange", () => {
  const { code, isBroken } = takeCode();
  if (code || isBroken) arrive(code, isBroken);
});
addEventListener("online", () => isBusy || look());
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState !== "visible") return;
  // What a gate said is old news to whoever looks again.
  if (!isBusy) view.showResult(null);
  renewInTime();
});
navigator.bluetooth?.addEventListener?.("availabilitychanged", () => isBusy || look());
start();
