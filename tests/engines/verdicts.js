// Reads {flags, cases: [[pattern, [text…]]…]} and writes, per case, a verdict for each text.
const { flags, cases } = JSON.parse(require("fs").readFileSync(0, "utf8"));
const verdicts = cases.map(([pattern, texts]) => {
  const expression = new RegExp(pattern, flags);
  return texts.map((text) => expression.test(text));
});
process.stdout.write(JSON.stringify(verdicts));
