// What this browser lacks, named before an invitation is used up. Each is a key of the words, with `-fix` its remedy.

import { availableSuites } from "./cryptography.js";
import { makeKey } from "./keys.js";

/** What nothing on this page can change: null, or the first that is missing. */
export async function missingInBrowser() {
  if (!globalThis.isSecureContext || !globalThis.crypto?.subtle) return "insecure";
  if (!navigator.bluetooth) return browserWithoutBluetooth();
  if (!(await availableSuites()).length) return "no-suite";
  return (await canKeepKeys()) ? null : "no-storage";
}

/** What a person can put right meanwhile: null, or what is amiss. */
export async function missingNow() {
  if (document.featurePolicy?.allowsFeature("bluetooth") === false) return "bluetooth-denied";
  const permission = await navigator.permissions.query({ name: "bluetooth" }).catch(() => null);
  if (permission?.state === "denied") return "bluetooth-denied";
  const isThere = await navigator.bluetooth.getAvailability().catch(() => true);
  return isThere ? null : "bluetooth-off";
}

/** Why: each has another remedy. Browsers do not tell, so their names must. */
export function browserWithoutBluetooth(agent = navigator.userAgent, isBrave = Boolean(navigator.brave)) {
  if (/; wv\)|FBAN|FBAV|Instagram|LinkedInApp|MicroMessenger|Line\/|Snapchat|GSA\/|Outlook-Android/.test(agent)) return "in-app";
  if (/iPhone|iPad/.test(agent)) return /Safari\//.test(agent) ? "safari" : "in-app";
  if (/Firefox\//.test(agent)) return "firefox";
  if (isBrave) return "brave";
  if (/X11; Linux.*Chrom(e|ium)\//.test(agent)) return "linux-flag";
  return /Safari\//.test(agent) && !/Chrom(e|ium)\//.test(agent) ? "safari" : "no-bluetooth";
}

/** Keys go into the database as they are: some private windows refuse them. */
async function canKeepKeys() {
  const name = "tapstile-check";
  try {
    const { pair } = await makeKey();
    await new Promise((resolve, reject) => {
      const request = indexedDB.open(name, 1);
      request.onupgradeneeded = () => request.result.createObjectStore("keys").put(pair, 1);
      request.onsuccess = () => { request.result.close(); resolve(); };
      request.onerror = () => reject(request.error);
    });
    indexedDB.deleteDatabase(name);
    return true;
  } catch {
    return false;
  }
}
