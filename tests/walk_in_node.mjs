// What the page's instant layer says of texts, for the tests: [{tables, texts}] in, the answers out.

import { readFileSync } from "node:fs";
import { prepare, walk } from "../src/uriproof/teach/page/walk.js";

const answers = JSON.parse(readFileSync(0, "utf8")).map(({ tables, texts }) => {
  const rule = prepare(tables);
  return texts.map((text) => walk(rule, text));
});
process.stdout.write(JSON.stringify(answers));
