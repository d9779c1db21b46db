import type { z } from "zod";

type Issue = z.core.$ZodRawIssue;
/** A zod issue before its path is known. */
type Limited<Finished> = Omit<Finished, "path" | "message" | "input">;

const kinds: Record<string, string | undefined> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

const isCounted = (origin: string) => origin === "array" || origin === "set" || origin === "map";

const unitOf = (origin: string) => {
  if (origin === "string") return " characters";
  return isCounted(origin) ? " entries" : "";
};

const tooSmall = ({ origin, minimum, inclusive }: Limited<z.core.$ZodIssueTooSmall>) => {
  if (isCounted(origin) && minimum === 1) return "must not be empty";
  if (unitOf(origin)) return `must have at least ${minimum}${unitOf(origin)}`;
  return `must be ${inclusive === false ? "more than" : "at least"} ${minimum}`;
};

const tooBig = ({ origin, maximum, inclusive }: Limited<z.core.$ZodIssueTooBig>) => {
  if (unitOf(origin)) return `must have at most ${maximum}${unitOf(origin)}`;
  return `must be ${inclusive === false ? "less than" : "at most"} ${maximum}`;
};

/**
 * The message for an invalid value if its schema has none. Used by forms and by the server, so that both say
 * the same.
 */
export const validationMessage = (issue: Issue): string | undefined => {
  switch (issue.code) {
    case "invalid_type":
      if (issue.input === undefined || issue.input === null) return "must not be empty";
      return `must be ${kinds[issue.expected] ?? `of the type ${issue.expected}`}`;
    case "invalid_value":
      return `must be ${issue.values.length > 1 ? "one of " : ""}${issue.values.join(", ")}`;
    case "too_small":
      return tooSmall(issue);
    case "too_big":
      return tooBig(issue);
    case "unrecognized_keys":
      return "is not known here; leave it out";
    case "invalid_key":
      return "has a name that cannot be used";
    case "invalid_union":
      return "has none of the forms that are known here";
    default:
      return undefined;
  }
};
