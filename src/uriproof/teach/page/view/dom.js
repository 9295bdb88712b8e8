// Building elements. Owns the one way in which text and drawings get into the page, and what the page
// says of those that are still to come.
// Imports nothing. Invariant: text stays text; nothing is ever read as HTML.

const SVG = "http://www.w3.org/2000/svg";
const SAFE = new Set("svg title desc g path rect text tspan a circle line polygon polyline ellipse defs marker".split(" "));

// el("p", {class: "a", onclick: f, "aria-label": "b"}, "text", child, null)
export function el(name, attributes, ...children) {
  return fill(document.createElement(name), attributes, children);
}

function fill(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key in OWN) made[key] = value;
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

const OWN = { value: 1, checked: 1, disabled: 1, textContent: 1, indeterminate: 1, selected: 1 };

// A text in which each space is drawn, by the style sheet: fonts need not have a sign for it.
export function spaced(text) {
  return text.split(/( )/).filter(Boolean).map((piece) => (piece === " " ? el("span", { class: "blank" }, piece) : piece));
}

// A drawing of the engine, [name, attributes, ...children], as SVG elements. Styles, scripts and
// anything else that is not plain drawing is left out; so are links that leave the page.
export function draw(drawing) {
  if (typeof drawing === "string") return document.createTextNode(drawing);
  const [name, attributes, ...children] = drawing;
  if (!SAFE.has(name)) return document.createDocumentFragment();
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "style" || key.startsWith("on") || key.includes(":") || key === "xmlns") continue;
    if (key === "href" && !value.startsWith("#")) continue;
    made.setAttribute(key, value);
  }
  made.append(...children.map(draw));
  return made;
}

// A diagram beside other text: its links would lead away, and its ids are those of other diagrams, too.
export function picture(drawing) {
  const svg = draw(drawing);
  for (const one of svg.querySelectorAll("[id]")) one.removeAttribute("id");
  for (const link of svg.querySelectorAll("a")) link.replaceWith(...link.childNodes);
  return svg;
}

// What the engine laid out, [name, attributes, ...children], as plain elements with classes alone.
export function build(block) {
  if (typeof block === "string") return block;
  const [name, attributes, ...children] = block;
  if (name === "svg") return picture(block);
  return PLAIN.has(name) ? el(name, { class: attributes.class }, children.map(build)) : null;
}

const PLAIN = new Set("section header h1 h2 ol ul li div p pre span i em code mark small strong".split(" "));

export function show(parent, ...children) {
  parent.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return parent;
}

let busy = 0;

// A promise on which something waits that will be drawn. The document has `data-busy` as long as
// there is one: whoever looks at the page from outside knows by it when to look.
export function during(promise) {
  const { documentElement } = document;
  if (!busy++) documentElement.dataset.busy = "";
  // What waits for the promise is drawn first, or is busy itself.
  return promise.finally(() => setTimeout(() => --busy || delete documentElement.dataset.busy));
}

// Call f once it has been quiet for `pause` milliseconds.
export function after(pause, f) {
  let timer = 0;
  let quiet = null;
  const later = (...given) => {
    clearTimeout(timer);
    if (!quiet) during(new Promise((resolve) => (quiet = resolve)));
    timer = setTimeout(() => {
      later.cancel();
      f(...given);
    }, pause);
  };
  later.cancel = () => {
    clearTimeout(timer);
    quiet?.();
    quiet = null;
  };
  return later;
}
