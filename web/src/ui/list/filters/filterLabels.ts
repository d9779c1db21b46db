import type { Field, Fields, ListField } from "@purser/contract/http/list";
import { capitalize } from "#lib/labels.ts";
import type { Relation } from "#ui/record/relation.ts";

/** How amounts of a field are formatted: minor units in the currency of another field. */
export type AmountLabels = {
  currencyField: string;
  currencies: readonly string[];
  /** Why the text is no amount, or null. */
  refusalOf: (typed: string, currency: string) => string | null;
  read: (typed: string, currency: string) => number | null;
  show: (minor: number, currency: string) => string;
};

/** The labels of a list's fields. */
export type FieldLabels<F extends Fields> = {
  [Name in keyof F]: {
    label: string;
    options?: Record<string, string>;
    /** How to find the records that the field refers to. */
    relation?: Relation;
    amounts?: AmountLabels;
  };
};

type Words = Omit<FieldLabels<Fields>[string], "label">;
type Named = "choice" | "set" | "relation";

/** Labels that the declaration can't provide: options and related records. */
type OwnLabels<F extends Fields> = {
  [Name in keyof F as F[Name]["kind"] extends Named ? Name : never]: Words;
} & { [Name in keyof F]?: Words };

/** The declared labels, completed by `own`. */
export const listLabels = <F extends Record<string, ListField>>(fields: F, own: OwnLabels<F>) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { label }]) => [name, { label, ...own[name] }]),
  ) as FieldLabels<F>;

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
  relation: { any: "is", none: "is not" },
  boolean: { is: "is" },
} as const satisfies Record<Field["kind"], Record<string, string>>;

export const operatorsOf = (kind: Field["kind"]): Record<string, string> => operators[kind];

export type FilterParts = { field: string; operator: string; value: string };

/** Splits `status:any:draft,active` into its parts. The value may contain colons. */
export const partsOf = (filter: string): FilterParts => {
  const [field = "", operator = "", ...value] = filter.split(":");
  return { field, operator, value: value.join(":") };
};

export const filterOf = ({ field, operator, value }: FilterParts) =>
  `${field}:${operator}:${operator === "empty" ? "" : value}`;

/** The currency set by another filter, if any. */
export const currencyAmong = (
  filters: readonly string[],
  { currencyField, currencies }: AmountLabels,
) => currencies.find((currency) => filters.includes(`${currencyField}:is:${currency}`)) ?? null;

const amountWords = (value: string, amounts: AmountLabels, filters: readonly string[]) => {
  const currency = currencyAmong(filters, amounts);
  const each = value.split(",");
  return currency
    ? `${each.map((one) => amounts.show(Number(one), currency)).join(" and ")} ${currency}`
    : `${each.join(" and ")} of the smallest unit`;
};

type Wording = {
  kind: Field["kind"] | undefined;
  options: Record<string, string>;
  nameOf: (id: string) => string;
};

const valueLabels = ({ operator, value }: FilterParts, { kind, options, nameOf }: Wording) => {
  if (kind === "instant" && operator === "last") return `${value} days`;
  if (operator === "between") return value.replace(",", " and ");
  const each = (wordOf: (one: string) => string) => value.split(",").map(wordOf).join(" or ");
  if (kind === "choice" || kind === "set") return each((one) => options[one] ?? capitalize(one));
  return kind === "relation" ? each(nameOf) : value;
};

type Around = {
  nameOf?: (id: string) => string;
  /** All active filters, because one may depend on another. */
  filters?: readonly string[];
};

/** A filter in readable form: field, operator, value. */
export const sentenceOf = <F extends Fields>(
  fields: F,
  words: FieldLabels<F>,
  filter: string,
  { nameOf = (id) => id, filters = [] }: Around = {},
) => {
  const parts = partsOf(filter);
  const kind = fields[parts.field]?.kind;
  const known = words[parts.field as keyof F];
  return {
    label: known?.label ?? parts.field,
    operator: (kind && operatorsOf(kind)[parts.operator]) ?? parts.operator,
    value: known?.amounts
      ? amountWords(parts.value, known.amounts, filters)
      : valueLabels(parts, { kind, options: known?.options ?? {}, nameOf }),
  };
};
