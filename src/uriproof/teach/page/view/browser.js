// What this browser's own new URL() makes of the text, beside the reading of the grammar.
// Owns which differences are pointed out. Imports the building of elements. Invariant: nothing is
// said of the browser but what its URL object gives.

import { shown } from "./characters.js";
import { el, show } from "./dom.js";

// The component, and how the URL object spells it without its delimiter.
const FIELDS = [
  ["scheme", (url) => url.protocol.slice(0, -1)],
  ["userinfo", (url) => (url.username || url.password ? url.username + (url.password ? `:${url.password}` : "") : null)],
  ["host", (url) => url.hostname || null],
  ["port", (url) => url.port || null],
  ["path", (url) => url.pathname],
  ["query", (url) => (url.search ? url.search.slice(1) : null)],
  ["fragment", (url) => (url.hash ? url.hash.slice(1) : null)],
];

function difference(name, rfc, browser) {
  if (rfc === browser || (rfc === null && browser === "")) return "";
  if (rfc === null) return "only in the browser's reading";
  if (browser === null) return rfc === "" ? "empty: the browser does not tell it from absent" : "left out";
  if (rfc.toLowerCase() === browser) return "put in lower case";
  if (rfc === "" && browser === "/") return "the browser adds the slash";
  if (browser.includes("%") && !rfc.includes("%")) return "the browser percent-encodes";
  return name === "host" ? "another host" : "rewritten";
}

class Browser extends HTMLElement {
  connectedCallback() {
    if (this.bound) return;
    this.bound = true;
    this.base = el("input", { type: "text", id: "base", class: "mono grow", spellcheck: "false", autocapitalize: "off", placeholder: "http://a/b/c/d;p?q", oninput: () => this.bench.base_(this.base.value) });
    this.found = el("div", {});
    this.append(el("div", { class: "row" }, el("label", { for: "base" }, "Base URI"), this.base), this.found);
    this.bench.on("text walked engine tab", () => this.#draw());
    this.#draw();
  }

  #draw() {
    const { bench } = this;
    if (bench.tab !== "browser") return;
    if (this.base.value !== bench.base) this.base.value = bench.base;
    if (bench.points.length > 20_000) return void show(this.found, el("p", { class: "muted" }, "The text is too long to be compared here."));
    let url = null;
    let error = "";
    try {
      url = bench.base ? new URL(bench.text, bench.base) : new URL(bench.text);
    } catch (refused) {
      error = refused.message;
    }
    const { resolved } = bench;
    const ok = bench.base ? resolved?.ok : bench.report?.ok ?? bench.walked?.ok;
    const found = bench.base ? new Map(Object.entries(resolved?.components ?? {})) : new Map((bench.walked?.components ?? []).map((one) => [one.name, bench.points.slice(one.start, one.end).join("")]));
    const differing = url && (!bench.base || resolved) && FIELDS.some(([name, read]) => difference(name, found.get(name) ?? null, read(url)));
    const summary = url
      ? ok === false ? "The browser accepts this, though the grammar does not." : differing ? "The browser accepts this, too, but reads it differently." : "The browser accepts this, too, and reads it alike."
      : ok ? "The browser refuses this, though the grammar allows it." : "The browser refuses this, too.";
    const surprising = ok !== undefined && (Boolean(url) !== ok || differing);
    show(
      this.found,
      bench.base ? el("p", {}, el("span", { class: "muted" }, "The reference, resolved (RFC 3986 §5) "), resolved?.text !== undefined ? el("code", { class: "wrap" }, shown(resolved.text, 400)) : resolved?.reason ?? "…") : null,
      bench.base && ok === undefined ? null : el("p", { class: surprising ? "surprise" : "" }, surprising ? "≠ " : "= ", summary),
      url ? el("p", {}, el("span", { class: "muted" }, "href "), el("code", { class: "wrap" }, shown(url.href, 400))) : el("p", { class: "muted" }, error),
      url ? this.#table(url, found) : null,
      el("p", { class: "muted small" }, "Browsers follow the URL Standard, which describes an algorithm; the grammar of RFC 3986 describes which texts are URIs. They do not agree on every text."),
    );
  }

  #table(url, found) {
    const value = (text) => (text === null ? el("span", { class: "muted" }, "absent") : text === "" ? el("span", { class: "muted" }, "empty") : el("code", { class: "wrap" }, shown(text, 120)));
    const rows = FIELDS.map(([name, read]) => {
      const rfc = found.get(name) ?? null;
      const browser = read(url);
      const words = difference(name, rfc, browser);
      return el("tr", { class: words ? "differs" : "" }, el("th", { scope: "row" }, name), el("td", {}, value(rfc)), el("td", {}, value(browser)), el("td", {}, words ? `≠ ${words}` : ""));
    });
    const head = ["Component", "The grammar", "The browser", "Difference"].map((words) => el("th", { scope: "col" }, words));
    return el("div", { class: "wide" }, el("table", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows)));
  }
}

customElements.define("uri-browser", Browser);
