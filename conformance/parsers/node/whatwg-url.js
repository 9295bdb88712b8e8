// whatwg-url, the reference implementation of the URL Standard.
const { serve } = require("./loop.js");
const { parseURL, serializeHost } = require("whatwg-url");

serve((text, rule) => {
  if (rule !== "URI") return null;
  const found = parseURL(text);
  return [found !== null, found && found.host !== null ? serializeHost(found.host) : null];
});
