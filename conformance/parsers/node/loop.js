// The loop of every adapter in JavaScript: a line of JSON in, a line of JSON out.
const readline = require("node:readline");

exports.serve = (judge) => {
  readline.createInterface({ input: process.stdin }).on("line", (line) => {
    const { text, rule } = JSON.parse(line);
    const [valid, host = null] = [judge(text, rule)].flat();
    process.stdout.write(JSON.stringify({ valid, host }) + "\n");
  });
};
