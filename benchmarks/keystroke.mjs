// What the page's instant layer takes for one text: milliseconds of the processor, in Node.
//
// In: {tables, texts: {name: text}, rounds}. Out: {prepare, bytes, texts: {name: median}}.

import { readFileSync } from "node:fs";
import { prepare, walk } from "../src/uriproof/teach/page/walk.js";

const { tables, texts, rounds } = JSON.parse(readFileSync(0, "utf8"));

function milliseconds(run) {
  const began = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
}

function median(numbers) {
  return numbers.sort((a, b) => a - b)[numbers.length >> 1];
}

let rule;
const found = { prepare: milliseconds(() => (rule = prepare(JSON.parse(tables)))), texts: {} };
for (const [name, text] of Object.entries(texts)) {
  walk(rule, text); // as a page that has been typed in for a while
  const times = Array.from({ length: rounds }, () => milliseconds(() => walk(rule, text)));
  found.texts[name] = median(times);
}
process.stdout.write(JSON.stringify(found));
