// A lesson of a teacher's own: from a file, from a link, and into a link.
//
// Owns how its source is read, and how errors in it are shown. Imports the building of elements and
// routes. Invariant: an address is read only from the page's own origin; a source is never more
// than text that the engine reads.

import { el } from "./dom.js";
import { write } from "./route.js";

const LONGEST = 200_000; // characters, as the engine's
const LINKED = 6_000; // of a whole link: mail and chat programs cut longer ones
const HELD = "uriproof-own-lesson";

// A source that has a line break is the lesson itself; otherwise it is the address of one.
export async function fetched(source) {
  if (/\n/.test(source) || /^\s*[\w-]+\s*=/.test(source)) return { source };
  let url;
  try {
    url = new URL(source, location.href);
  } catch {
    return { error: `${source} is neither a lesson nor an address.` };
  }
  if (url.origin !== location.origin || !/^https?:$/.test(url.protocol)) {
    return { error: `A lesson is read only from ${location.origin}, where this page is. Put the file there, or send a link made with “Copy link”.` };
  }
  try {
    const response = await fetch(url);
    if (!response.ok) return { error: `There is no lesson at ${url.href} (${response.status} ${response.statusText}).` };
    return bounded(await response.text());
  } catch (error) {
    return { error: `${url.href} could not be read: ${error.message}.` };
  }
}

function bounded(text) {
  if (text.length > LONGEST) return { error: `This file has ${text.length.toLocaleString("en")} characters; a lesson has at most ${LONGEST.toLocaleString("en")}.` };
  return { source: text };
}

// A source too long for the address is held until the page is closed.
let held = null;
export function hold(source) {
  held = source;
  try {
    sessionStorage.setItem(HELD, source);
  } catch {
    // It is held in memory alone.
  }
}

export function heldSource() {
  if (held !== null) return held;
  try {
    return sessionStorage.getItem(HELD);
  } catch {
    return null;
  }
}

// The link with the lesson inside, or null where that would be too long.
export function linkTo(source) {
  const link = location.href.split("#")[0] + write("lesson", null, { source });
  return link.length > LINKED ? null : link;
}

export function opened(source) {
  hold(source);
  location.hash = linkTo(source) ? write("lesson", null, { source }) : write("lesson", "own");
}

// A place to open a file: a button, or a file dropped on it.
export function opener() {
  const said = el("p", { class: "error", role: "alert" });
  const read = async (file) => {
    said.textContent = "";
    if (!file) return;
    if (file.size > 4 * LONGEST) {
      said.textContent = `${file.name} is too large for a lesson (${file.size.toLocaleString("en")} octets).`;
      return;
    }
    const { source, error } = bounded(await file.text());
    if (error) said.textContent = error;
    else if (!source.trim()) said.textContent = `${file.name} is empty.`;
    else opened(source.includes("\n") ? source : `${source}\n`);
  };
  const input = el("input", { type: "file", id: "own-lesson", accept: ".toml,text/plain,application/toml", onchange: () => read(input.files[0]) });
  const area = el(
    "div",
    {
      class: "drop",
      ondragover: (event) => {
        event.preventDefault();
        area.classList.add("over");
      },
      ondragleave: () => area.classList.remove("over"),
      ondrop: (event) => {
        event.preventDefault();
        area.classList.remove("over");
        read(event.dataTransfer.files[0]);
      },
    },
    el("label", { for: "own-lesson" }, "Open a lesson file (.toml), or drop one here"),
    input,
  );
  return el("div", {}, area, said);
}

// What is wrong in a lesson: each with its line, and that line.
export function errors(error, source) {
  const lines = source.split("\n");
  const list = error.problems ?? [];
  return el(
    "div",
    { class: "broken" },
    el("p", {}, list.length ? `This lesson has ${list.length === 1 ? "an error" : `${list.length} errors`}. Correct the file, then open it again.` : error.message),
    list.length
      ? el(
          "ol",
          {},
          list.map((one) =>
            el(
              "li",
              {},
              el("p", {}, one.line ? el("strong", {}, `Line ${one.line}: `) : null, one.key ? [el("code", {}, one.key), ": "] : null, one.message),
              one.line && lines[one.line - 1]?.trim() ? el("pre", {}, el("code", {}, lines[one.line - 1].slice(0, 300))) : null,
            ),
          ),
        )
      : null,
    el("div", {}, opener()),
  );
}
