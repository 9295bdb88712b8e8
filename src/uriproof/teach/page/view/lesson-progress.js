// What a person has done of the lessons: kept in this browser, and nowhere else.
//
// Owns the one entry in localStorage: what is done, each answer, and where one left off; and that in
// sessionStorage: the steps of exercises that are begun. Imports the words of pieces. Invariant: nothing here
// throws; a browser that stores nothing, or has stored nonsense, has no progress, and the lessons
// work. Each change is made to what is stored at that moment, so that two tabs do not undo each
// other's.

import { plain } from "./lesson-said.js";

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
// "shown" if an answer was asked for.
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

const MOST = 5_000; // answers that are kept: the oldest go first

const isAnswer = (one) => one && typeof one === "object" && typeof one.lesson === "string" && typeof one.exercise === "string" && Number.isFinite(one.at);

// Each answer, the oldest first: {lesson, exercise, step, right, value?, misconception?, shown?,
// review?, at}; `at` is in milliseconds since 1970.
export function answers() {
  const found = progress().answers;
  return Array.isArray(found) ? found.filter(isAnswer) : [];
}

function note(entry) {
  change((all) => (all.answers = [...(Array.isArray(all.answers) ? all.answers : []), { ...entry, at: Date.now() }].slice(-MOST)));
}

export function record(lesson, exercise, step, value, answer) {
  const entry = { lesson, exercise, step, right: value !== null && answer.right };
  if (value === null) entry.shown = true;
  else if (!answer.right) Object.assign(entry, { value, misconception: plain(answer.misconception) });
  note(entry);
}

// An answer to a variant of what was wrong before.
export function reviewed(lesson, exercise, right) {
  note({ lesson, exercise, step: "review", review: true, right });
}

const DAY = 86_400_000;
const AFTER = [1, 3, 7]; // days: what is right each time has been learned

// The misconceptions that come back: [{lesson, exercise, misconception, due}], the oldest first.
export function reviews(now = Date.now()) {
  const open = new Map();
  for (const { lesson, exercise, right, review, misconception, at } of answers()) {
    if (lesson.startsWith("own:")) continue;
    const key = JSON.stringify([lesson, exercise]);
    const one = open.get(key);
    if (review && one) {
      one.stage = right ? one.stage + 1 : 0;
      one.since = at;
    } else if (!right && typeof misconception === "string") open.set(key, { lesson, exercise, misconception, stage: 0, since: at });
  }
  return [...open.values()]
    .filter(({ stage }) => stage < AFTER.length)
    .map((one) => ({ ...one, due: one.since + AFTER[one.stage] * DAY }))
    .filter(({ due }) => due <= now)
    .sort((a, b) => a.due - b.due);
}

// The record as a file for a teacher: what was answered, and nothing about the person.
export function exported() {
  return `${JSON.stringify({ uriproof: "lessons", version: 1, answers: answers() }, null, 1)}\n`;
}

// f() is called when another tab has changed something. Gives a function that ends it.
export function onChange(f) {
  const heard = ({ key }) => (key === KEY || key === null) && f();
  addEventListener("storage", heard);
  return () => removeEventListener("storage", heard);
}

// The steps of an exercise that were answered before a reload, in this tab: {how, steps}.
export function begun(lesson, exercise) {
  try {
    const found = JSON.parse(sessionStorage.getItem(`${KEY}:${lesson}:${exercise}`));
    if (["right", "missed", "shown"].includes(found?.how) && Array.isArray(found.steps) && found.steps.every((one) => one && typeof one === "object")) return found;
  } catch {
    // As if nothing had been begun.
  }
  return { how: "right", steps: [] };
}

export function keep(lesson, exercise, kept) {
  try {
    const key = `${KEY}:${lesson}:${exercise}`;
    if (kept) sessionStorage.setItem(key, JSON.stringify(kept));
    else sessionStorage.removeItem(key);
  } catch {
    // Then a reload begins the exercise again.
  }
}

export function forget() {
  own = null;
  try {
    localStorage.removeItem(KEY);
  } catch {
    // There was nothing to remove.
  }
}
