// What a person has done of the lessons: kept in this browser, and nowhere else.
//
// Owns the one entry in localStorage. Imports nothing. Invariant: nothing here throws; a browser
// that stores nothing, or has stored nonsense, has no progress, and the lessons work. Each change is
// made to what is stored at that moment, so that two tabs do not undo each other's.

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

let own = null; // what could not be stored: it is kept until the page is closed

const progress = () => own ?? stored();

function change(f) {
  const changed = progress();
  f(changed);
  try {
    localStorage.setItem(KEY, JSON.stringify(changed));
    own = null;
  } catch {
    own = changed;
  }
}

const of = (all, lesson) => {
  const found = Object.hasOwn(all, lesson) ? all[lesson] : null;
  return found && typeof found === "object" ? found : {};
};

// The exercises of a lesson that are done, by their ids: "right", "missed" after a wrong answer, or
// "shown" where an answer was asked for.
export function done(lesson) {
  return of(progress().done, lesson);
}

export function finish(lesson, exercise, how) {
  change(({ done }) => (done[lesson] = { ...of(done, lesson), [exercise]: how }));
}

// Where one left off: {lesson, exercise}, or null.
export function last() {
  const found = progress().last;
  return typeof found?.lesson === "string" && Number.isInteger(found.exercise) ? found : null;
}

export function visit(lesson, exercise) {
  change((all) => (all.last = { lesson, exercise }));
}

export function forget() {
  own = null;
  try {
    localStorage.removeItem(KEY);
  } catch {
    // There was nothing to remove.
  }
}
