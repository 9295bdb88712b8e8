// The view in the URL's hash, so that a link reproduces it: #/NAME/ARGUMENT?key=value&…
// Owns how a hash is written and read. Imports nothing. Invariant: read(write(route)) is the route,
// for any text, lone surrogates included; and reading never throws, whatever the hash.

export const VERSION = 1;
const VIEWS = ["play", "lessons", "lesson", "sheet"];

// One character at a time: encodeURIComponent refuses lone surrogates, which are written %uD800.
export function encode(text) {
  let made = "";
  for (const character of text) {
    const code = character.codePointAt(0);
    made += code >= 0xd800 && code <= 0xdfff ? `%u${code.toString(16).toUpperCase()}` : encodeURIComponent(character);
  }
  return made.replaceAll("%20", "+").replaceAll("%2F", "/").replaceAll("%3A", ":");
}

function decode(words, damaged = () => {}) {
  return words
    .replaceAll("+", "%20")
    .split(/(%u[dD][89a-fA-F][0-9a-fA-F]{2})/)
    .map((piece, index) => {
      if (index % 2) return String.fromCharCode(parseInt(piece.slice(2), 16));
      try {
        return decodeURIComponent(piece);
      } catch {
        damaged();
        return piece;
      }
    })
    .join("");
}

// {name, argument, params, notes}: notes are sentences about what was not understood.
export function read(hash = location.hash) {
  const notes = [];
  const bare = hash.replace(/^#\/?/, "");
  const cut = bare.indexOf("?");
  const path = (cut < 0 ? bare : bare.slice(0, cut)).split("/").filter(Boolean);
  const params = Object.create(null); // a name such as "constructor" is a name
  let broken = false;
  for (const pair of cut < 0 ? [] : bare.slice(cut + 1).split("&")) {
    const at = pair.indexOf("=");
    if (!pair) continue;
    const key = decode(at < 0 ? pair : pair.slice(0, at), () => (broken = true));
    params[key] = decode(at < 0 ? "" : pair.slice(at + 1), () => (broken = true));
  }
  if (broken) notes.push("A character of this link could not be read; the rest is shown.");
  let name = path[0] ?? "play";
  if (name === "compare") {
    name = "play"; // an older address of its tab
    params.tab = "compare";
  }
  if (!VIEWS.includes(name)) {
    notes.push("This link names a view that this version does not have; here is the playground.");
    name = "play";
  }
  if (params.v !== undefined && params.v !== String(VERSION)) {
    notes.push("This link was made by another version of the page; what was understood of it is shown.");
  }
  return { name, argument: path.slice(1).map((piece) => decode(piece)).join("/") || null, params, notes };
}

// Parameters that are null or empty are left out, so that links stay short.
export function write(name, argument, params = {}) {
  const pairs = Object.entries(params)
    .filter(([, value]) => value !== null && value !== undefined && value !== "" && value !== false)
    .map(([key, value]) => `${encode(key)}=${encode(String(value === true ? 1 : value))}`);
  return `#/${name}${argument ? `/${encode(argument)}` : ""}${pairs.length ? `?${pairs.join("&")}` : ""}`;
}

// Note the view in the address without a new entry in the history, and without routing again.
export function replace(name, argument, params) {
  history.replaceState(null, "", location.pathname + location.search + write(name, argument, params));
}
