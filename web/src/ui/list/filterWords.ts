import type { Field, Fields } from "@purser/contract/list";
import { capitalised } from "#lib/words.ts";

/** How a list's fields are called on screen. */
export type FieldWords<F extends Fields> = {
  [Name in keyof F]: { label: string; options?: Record<string, string> };
};

const operators = {
  text: {
    contains: "contains",
    is: "is",
    not: "is not",
    starts: "starts with",
    empty: "is empty",
  },
  number: {
    eq: "is",
    ne: "is not",
    lt: "under",
    lte: "up to",
    gt: "over",
    gte: "from",
    between: "between",
  },
  instant: {
    on: "on",
    before: "before",
    after: "after",
    between: "between",
    last: "in the last",
    this: "in this",
  },
  choice: { any: "is", none: "is not" },
  set: { any: "has", none: "has not" },
  boolean: { is: "is" },
} as const satisfies Record<Field["kind"], Record<string, string>>;

export const operatorsOf = (kind: Field["kind"]): Record<string, string> => operators[kind];

export type FilterParts = { field: string; operator: string; value: string };

/** `status:any:draft,active` in its parts; the value may hold colons of its own. */
export const partsOf = (filter: string): FilterParts => {
  const [field = "", operator = "", ...value] = filter.split(":");
  return { field, operator, value: value.join(":") };
};

export const filterOf = ({ field, operator, value }: FilterParts) =>
  `${field}:${operator}:${operator === "empty" ? "" : value}`;

const valueWords = (
  kind: Field["kind"] | undefined,
  operator: string,
  value: string,
  options: Record<string, string>,
) => {
  if (kind === "instant" && operator === "last") return `${value} days`;
  if (operator === "between") return value.replace(",", " and ");
  if (kind === "choice" || kind === "set")
    return value
      .split(",")
      .map((one) => options[one] ?? capitalised(one))
      .join(" or ");
  return value;
};

/** A filter as it is read: field, operator, value. */
export const sentenceOf = <F extends Fields>(fields: F, words: FieldWords<F>, filter: string) => {
  const { field, operator, value } = partsOf(filter);
  const kind = fields[field]?.kind;
  const known = words[field as keyof F];
  return {
    label: known?.label ?? field,
    operator: (kind && operatorsOf(kind)[operator]) ?? operator,
    value: valueWords(kind, operator, value, known?.options ?? {}),
  };
};
