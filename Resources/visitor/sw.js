// Keeps the page for use without a connection: exactly its own files, all of one version.

// Written by scripts/visitor-page: the sum over the files, so that a new page is a new worker.
const VERSION = "e536fa4ee23d856f";
const CACHE = `tapstile-${VERSION}`;
const FILES = [
  "./", "style.css", "icon.svg", "manifest.webmanifest", "page.js", "arrival.js", "bluetooth.js", "bytes.js", "cbor.js",
  "checks.js", "cryptography.js", "edhoc.js", "gates.js", "keys.js", "offline.js", "opening.js", "passes.js", "reasons.js",
  "server.js", "statement.js", "store.js", "tap.js", "token.js", "view.js", "words.js", "words-de.js", "words-en.js",
];

const own = new Set(FILES.map((file) => new URL(file, self.registration.scope).href));

/** All or nothing: a file that is missing, or a redirect to somewhere else, leaves the old version in place. */
async function install() {
  const cache = await caches.open(CACHE);
  await cache.addAll([...own].map((url) => new Request(url, { cache: "reload", credentials: "omit", redirect: "error" })));
}

async function forgetOthers() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith("tapstile-") && name !== CACHE).map((name) => caches.delete(name)));
  await self.clients.claim();
}

async function answer(url, request) {
  const cache = await caches.open(CACHE);
  return (await cache.match(url)) ?? fetch(request);
}

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(forgetOthers()));
// The page says when nobody is in the midst of something.
self.addEventListener("message", (event) => event.data === "take-over" && self.skipWaiting());

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  url.hash = "";
  if (event.request.method === "GET" && own.has(url.href)) event.respondWith(answer(url.href, event.request));
});
