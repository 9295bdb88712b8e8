// validator: isURL, for URLs of the web; by its documentation, stricter than a URI.
const { serve } = require("./loop.js");
const isURL = require("validator/lib/isURL");

serve((text, rule) => (rule === "URI" ? isURL(text, { require_protocol: true }) : null));
