// What the page's instant layer says of texts, for the tests: JSON in, JSON out.
//
// In: [{tables, texts, whole}]. Out: the answers; unless they are whole, as arrays in the order of
// tests/teach/walked.py.

import { readFileSync } from "node:fs";
import { prepare, walk } from "../../src/uriproof/teach/page/walk.js";

const answers = JSON.parse(readFileSync(0, "utf8")).map(({ tables, texts, whole }) => {
  const rule = prepare(tables);
  return texts.map((text) => {
    const found = walk(rule, text);
    if (found.characters.length !== found.length) throw new Error("not every character is told");
    if (whole) return found;
    return [
      found.ok,
      found.viable,
      found.next.map(({ path, word, ranges }) => [path, word, ranges]),
      found.components.map((c) => [c.name, c.production, c.start, c.end]),
      found.blamed.map((b) => [b.start, b.end, b.component, b.production, b.path, b.kind]),
    ];
  });
});
process.stdout.write(JSON.stringify(answers));
