// Keeps a static site's page for use without a network.
//
// Owns one cache per version. The build of the site writes the two constants, so that a new version
// is a new script; where the page is served by `uriproof teach` this is not used. Invariant: a page is answered from one version alone, and changes it only when the reader says so
// or every window of it is closed.

const VERSION = ""; // of all files
const FILES = {}; // each path with its hash, in the form of the attribute integrity
const PREFIX = `uriproof-learn ${self.registration.scope} `;
const NAME = PREFIX + VERSION;

self.addEventListener("install", (event) => event.waitUntil(fill()));

self.addEventListener("activate", (event) =>
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) {
        if (name.startsWith(PREFIX) && name !== NAME) await caches.delete(name);
      }
      await self.clients.claim();
    })(),
  ),
);

self.addEventListener("message", ({ data }) => {
  if (data === "apply") self.skipWaiting();
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || !url.href.startsWith(self.registration.scope)) return;
  const path = url.pathname.slice(new URL(self.registration.scope).pathname.length) || "index.html";
  if (path in FILES) event.respondWith(kept(path, request));
});

/** Fill the cache: what an older version has with the same hash is taken over, the rest fetched. */
async function fill() {
  const cache = await caches.open(NAME);
  const old = await oldFiles();
  await Promise.all(
    Object.entries(FILES).map(async ([path, hash]) => {
      const known = await old?.match(hashed(path, hash));
      const response = known ?? (await fetch(path, { cache: "no-cache", integrity: hash }));
      if (!response.ok) throw new Error(`${path}: ${response.status}`);
      await cache.put(hashed(path, hash), response);
    }),
  );
}

async function oldFiles() {
  const name = (await caches.keys()).find((one) => one.startsWith(PREFIX) && one !== NAME);
  return name && caches.open(name);
}

/** A file's place in the cache, which differs whenever the file does. */
function hashed(path, hash) {
  return new URL(`${path}?${encodeURIComponent(hash)}`, self.registration.scope).href;
}

async function kept(path, request) {
  const cache = await caches.open(NAME);
  return (await cache.match(hashed(path, FILES[path]))) ?? fetch(request);
}
