// What a person has done of the lessons: kept in this browser, and nowhere else.
//
// Owns the one entry in localStorage. Imports nothing. Invariant: nothing here throws; a browser
// that stores nothing, or has stored nonsense, has no progress, and the lessons work.

const KEY = "uriproof-lessons";

function stored() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    if (found && typeof found === "object" && found.done && typeof found.done === "object") return found;
  } catch {
    // As if nothing had been stored.
  }
  return { done: {}, last: null };
}

let progress = stored();

function keep() {
  try {
    localStorage.setItem(KEY, JSON.stringify(progress));
    return true;
  } catch {
    return false; // It is kept until the page is closed.
  }
}

// The exercises of a lesson that are done, by their numbers from 0: {"0": "right" or "shown"}.
export function done(lesson) {
  const found = Object.hasOwn(progress.done, lesson) ? progress.done[lesson] : null;
  return found && typeof found === "object" ? found : {};
}

export function finish(lesson, exercise, how) {
  progress.done[lesson] = { ...done(lesson), [exercise]: how };
  keep();
}

// Where one left off: {lesson, exercise}, or null.
export function last() {
  const found = progress.last;
  return typeof found?.lesson === "string" && Number.isInteger(found.exercise) ? found : null;
}

export function visit(lesson, exercise) {
  progress.last = { lesson, exercise };
  keep();
}

export function forget() {
  progress = { done: {}, last: null };
  try {
    localStorage.removeItem(KEY);
  } catch {
    // There was nothing to remove.
  }
}
