// valid-url: is_uri.
const { serve } = require("./loop.js");
const { isUri } = require("valid-url");

serve((text, rule) => (rule === "URI" ? isUri(text) !== undefined : null));
