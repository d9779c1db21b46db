import type { z } from "zod";
import { rule } from "../messages/rules.ts";
import {
  atLeast,
  atMost,
  notPositive,
  required,
  textTooLong,
  textTooShort,
  tooFewEntries,
  tooManyEntries,
  wholeNumber,
} from "./commonRules.ts";

type Issue = z.core.$ZodRawIssue;
/** A zod issue before its path is known. */
type Limited<Finished> = Omit<Finished, "path" | "message" | "input">;

const typeRules: Record<string, string | undefined> = {
  string: rule("text_expected", "Enter text."),
  number: rule("number_expected", "Enter a number."),
  int: wholeNumber,
  boolean: rule("boolean_expected", "Choose true or false."),
  array: rule("list_expected", "Enter a list."),
  object: rule("object_expected", "Enter an object."),
  record: rule("object_expected", "Enter an object."),
};

const unknownForm = rule("value_unsupported", "This value isn't supported.");

const isCounted = (origin: string) => origin === "array" || origin === "set" || origin === "map";

const tooSmall = ({ origin, minimum, inclusive }: Limited<z.core.$ZodIssueTooSmall>) => {
  const min = Number(minimum);
  if (isCounted(origin)) return min === 1 ? required : tooFewEntries(min);
  if (origin === "string") return textTooShort(min);
  if (inclusive !== false) return atLeast(min);
  return min === 0 ? notPositive : rule("number_not_above", "Enter more than {min}.", { min });
};

const tooBig = ({ origin, maximum, inclusive }: Limited<z.core.$ZodIssueTooBig>) => {
  const max = Number(maximum);
  if (isCounted(origin)) return tooManyEntries(max);
  if (origin === "string") return textTooLong(max);
  return inclusive === false
    ? rule("number_not_below", "Enter less than {max}.", { max })
    : atMost(max);
};

/**
 * The message for an invalid value if its schema has none. Used by forms and by the server, so that both say
 * the same.
 */
export const validationMessage = (issue: Issue): string | undefined => {
  switch (issue.code) {
    case "invalid_type":
      if (issue.input === undefined || issue.input === null) return required;
      return typeRules[issue.expected] ?? unknownForm;
    case "invalid_value":
      return rule("value_unknown", "Choose one of {values}.", {
        values: issue.values.map(String),
      });
    case "too_small":
      return tooSmall(issue);
    case "too_big":
      return tooBig(issue);
    case "unrecognized_keys":
      return rule("field_unknown", "This field isn't supported. Remove it.");
    case "invalid_key":
      return rule("name_invalid", "This name isn't valid.");
    case "invalid_union":
      return unknownForm;
    default:
      return undefined;
  }
};
