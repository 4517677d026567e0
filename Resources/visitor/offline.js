// The service worker, and storage that the browser does not clear.

/** Registers the worker. A new version takes over when the page is opened and nobody is in the midst of something. */
export async function beReadyOffline() {
  if (!navigator.serviceWorker) return;
  try {
    const registration = await navigator.serviceWorker.register("sw.js", { updateViaCache: "none" });
    if (!registration.waiting || !navigator.serviceWorker.controller) return;
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
    registration.waiting.postMessage("take-over");
  } catch {
    // The page works without it while there is a connection.
  }
}

/** Asks for storage that stays; whether it does. */
export async function stayStored() {
  try {
    return (await navigator.storage.persisted()) || (await navigator.storage.persist());
  } catch {
    return false;
  }
}
