// ajv-formats: the formats uri and uri-reference, in full mode.
const { serve } = require("./loop.js");
const { fullFormats } = require("ajv-formats/dist/formats.js");

const matches = (format, text) => (format instanceof RegExp ? format.test(text) : format(text));
serve((text, rule) => matches(fullFormats[rule.toLowerCase()], text));
