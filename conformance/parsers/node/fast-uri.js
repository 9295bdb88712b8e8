// fast-uri: parse, which reports an error.
const { serve } = require("./loop.js");
const { parse } = require("fast-uri");

serve((text, rule) => {
  const found = parse(text);
  return [!found.error && (found.scheme !== undefined || rule !== "URI"), found.host ?? null];
});
