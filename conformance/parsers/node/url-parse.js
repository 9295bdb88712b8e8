// url.parse of Node.js, the legacy parser.
const { serve } = require("./loop.js");
const url = require("node:url");

serve((text, rule) => {
  try {
    const found = url.parse(text);
    return [found.protocol !== null || rule !== "URI", found.hostname];
  } catch {
    return false;
  }
});
