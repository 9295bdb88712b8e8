// Characters as people can see them: escapes, names of code points, and where each one is.
// Owns what is shown for a character that has no shape of its own. Imports nothing.
// Invariant: what is given for showing holds no control, format or lone surrogate character.

// No shape, no place of their own, or an order of their own: these are shown as their numbers.
const UNSHOWN =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{M}\p{Emoji_Modifier}\p{Variation_Selector}\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

export const points = (text) => Array.from(text);

export function unshown(text) {
  return UNSHOWN.test(text);
}

export function number(character) {
  return `U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
}

// One character, or its number in brackets where it could not be seen or would move others.
export function visible(character) {
  if (character === "\n") return "⏎";
  if (character === "\t") return "⇥";
  return UNSHOWN.test(character) ? `⟨${number(character).slice(2)}⟩` : character;
}

// The same where a space must be seen, too.
export function shape(character) {
  return character === " " ? "␣" : visible(character);
}

// A text for a message or a button; long ones are cut in the middle.
export function shown(text, most = 80) {
  const all = points(text);
  const cut = all.length > most ? [...all.slice(0, most >> 1), " … ", ...all.slice(all.length - (most >> 2))] : all;
  return cut.map((one) => (one === " … " ? one : visible(one))).join("");
}

export function named(character) {
  const seen = visible(character);
  if (character === " ") return "space U+0020";
  return seen === character ? `${character} ${number(character)}` : number(character);
}

// The place in UTF-16 units of a code point, and back.
export function unit(all, offset) {
  let units = 0;
  for (let at = 0; at < offset && at < all.length; at++) units += all[at].length;
  return units;
}

export function offset(text, units) {
  return points(text.slice(0, units)).length;
}
