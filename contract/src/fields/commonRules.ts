import { rule } from "../messages/rules.ts";

/** Texts that several schemas use for invalid values. */
export const required = rule("required", "This field is required.");
export const noRepeats = rule("repeated", "Remove the duplicates.");
export const negative = rule("negative", "Enter 0 or more.");
export const notPositive = rule("not_positive", "Enter more than 0.");
export const tooLarge = rule("number_too_large", "This number is too large.");
export const wholeNumber = rule("whole_number", "Enter a whole number.");
export const atLeast = (min: number) => rule("number_too_small", "Enter at least {min}.", { min });
export const atMost = (max: number) =>
  rule("number_above_maximum", "Enter at most {max}.", { max });
export const atLeastPercent = (min: number) =>
  rule("percentage_too_small", "Enter at least {min}%.", { min });
export const atMostPercent = (max: number) =>
  rule("percentage_too_large", "Enter at most {max}%.", { max });
export const between = (min: number, max: number) =>
  rule("number_out_of_range", "Enter a whole number from {min} to {max}.", { min, max });
export const textTooLong = (max: number) =>
  rule("text_too_long", "Use at most {max} characters.", { max });
export const textTooShort = (min: number) =>
  rule("text_too_short", "Use at least {min} characters.", { min });
export const tooManyEntries = (max: number) =>
  rule("entries_too_many", "Choose at most {max}.", { max });
export const tooFewEntries = (min: number) =>
  rule("entries_too_few", "Choose at least {min}.", { min });
