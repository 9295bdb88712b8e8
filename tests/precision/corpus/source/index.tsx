export const A = <a href="https://app.example.org/a">a</a>;
export const B = <a href={`https://app.example.org/${id}?x=${y}`}>b</a>;
export const C = <a href="https://app.example.org/my page">c</a>;
// TODO(x): https://bugs.example.org/123: mend this
const D = "https://app.example.org/?f=a|b";
const E = url.replace(/^https?:\/\/(www\.)?/, "");
