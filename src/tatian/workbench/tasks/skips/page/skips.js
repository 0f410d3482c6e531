// The page of skipped pairs is that of sorted errors: texts, and a choice for each question.

export { mount, stateOf, style } from "../union.errors/choosing.js";
