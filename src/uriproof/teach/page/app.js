// The shell: which view is shown, the theme, and the status line.
// Owns the routing from the hash to a custom element, and the page's landmarks. Imports the views
// when they are first shown. Invariant: whatever the hash, some view is shown, and it works.

import { during, el, show } from "./view/dom.js";
import { connected, onStatus } from "./view/engine.js";
import { read } from "./view/route.js";

// A view is a custom element in a file; it is given `route`: {name, argument, params, notes}.
const VIEWS = {
  play: ["uri-playground", "./view/playground.js", "Playground"],
  lessons: ["uri-lessons", "./view/lessons.js", "Lessons"],
  lesson: ["uri-lesson", "./view/lesson.js", "Lesson"],
  sheet: ["uri-sheet", "./view/sheet.js", "Class sheet"],
};

const main = document.getElementById("view");
const notice = document.getElementById("notice");
const root = document.documentElement;
let routed = 0;
const STYLED = ["lessons", "lesson", "sheet"];
const sheets = {};

async function route(first) {
  const mine = ++routed;
  const found = read();
  const [tag, file, title] = VIEWS[found.name];
  say(found.notes.join(" "));
  for (const link of document.querySelectorAll("[data-view]")) {
    if (link.dataset.view === found.name.replace(/^lesson$/, "lessons")) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  try {
    await Promise.all([import(file), STYLED.includes(found.name) ? styled("lesson.css") : null, found.name === "sheet" ? styled("sheet.css") : null]);
  } catch (error) {
    if (mine !== routed) return;
    show(main, el("h1", {}, title), el("p", {}, `This view could not be loaded (${error.message}).`));
    return;
  }
  if (mine !== routed) return;
  document.title = `${title} · uriproof`;
  let view = main.firstElementChild;
  if (view?.localName === tag) view.route = found;
  else {
    view = document.createElement(tag);
    view.route = found;
    show(main, view);
    if (!first) main.focus({ preventScroll: true });
  }
}

// A style sheet that not every view needs, when a view does.
function styled(name) {
  sheets[name] ??= new Promise((done) => {
    const link = el("link", { rel: "stylesheet", href: name, onload: done, onerror: done });
    document.head.insertBefore(link, document.querySelector('link[media="print"]'));
  });
  return sheets[name];
}

function say(words) {
  notice.hidden = !words;
  notice.textContent = words;
}

const THEMES = ["system", "light", "dark"];
const theme = document.getElementById("theme");
const projector = document.getElementById("projector");

function themed(name) {
  if (name === "system") delete root.dataset.theme;
  else root.dataset.theme = name;
  theme.textContent = `Theme: ${name}`;
  store("theme", name);
}

function projected(on) {
  root.toggleAttribute("data-projector", on);
  projector.setAttribute("aria-pressed", String(on));
  store("projector", on ? "1" : "");
  dispatchEvent(new Event("resize")); // what is measured in pixels is measured again
}

function store(name, value) {
  try {
    localStorage.setItem(`uriproof-${name}`, value);
  } catch {
    // A browser that stores nothing still has the look until the page is closed.
  }
}

function stored(name) {
  try {
    return localStorage.getItem(`uriproof-${name}`);
  } catch {
    return null;
  }
}

theme.addEventListener("click", () => {
  themed(THEMES[(THEMES.indexOf(root.dataset.theme ?? "system") + 1) % THEMES.length]);
});
projector.addEventListener("click", () => projected(!root.hasAttribute("data-projector")));
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});

if (new URLSearchParams(location.search).has("embed")) root.dataset.embed = "";
themed(THEMES.includes(stored("theme")) ? stored("theme") : "system");
projected(stored("projector") === "1");
addEventListener("hashchange", () => during(route(false)));
during(route(true));

const words = document.getElementById("status-words");
let kept;
onStatus(({ state, what, done, of }) => {
  words.parentElement.dataset.state = state;
  const share = of ? ` (${Math.floor((100 * done) / of)}%)` : "";
  words.textContent = {
    loading: `Loading ${what ?? "the engine"}${share}: until then the verdict is there and only the first violation is marked`,
    ready: "Ready: nothing you type leaves this computer",
    failed: `Only the verdict and the first violation; no trees, diagrams or fixes: ${what ?? "the engine did not load"}`,
  }[state] ?? what;
  if (state !== "loading") kept ??= keepOffline();
});
connected();

// Once all else is loaded: a static site is kept for use without a network.
async function keepOffline() {
  const { keep } = await import("./transport.js");
  const news = el("p", { id: "news", role: "status", hidden: true });
  words.parentElement.after(news);
  await keep(({ what, apply }) => {
    news.hidden = false;
    show(news, what, apply ? el("button", { type: "button", class: "quiet", onclick: apply }, "Use it now") : null);
  });
}
