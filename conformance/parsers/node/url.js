// URL of Node.js: the URL Standard.
const { serve } = require("./loop.js");

serve((text, rule) => {
  if (rule !== "URI") return null;
  try {
    return [true, new URL(text).hostname];
  } catch {
    return false;
  }
});
