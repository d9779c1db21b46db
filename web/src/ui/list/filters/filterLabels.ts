import type { Field, Fields, ListField } from "@purser/contract/http/list";
import { capitalised } from "#lib/labels.ts";
import type { Relation } from "#ui/record/relation.ts";

/** How the amounts of a field are written: they are minor units of what another field says. */
export type AmountLabels = {
  currencyField: string;
  currencies: readonly string[];
  /** Why what was typed is no amount, or null. */
  refusalOf: (typed: string, currency: string) => string | null;
  read: (typed: string, currency: string) => number | null;
  show: (minor: number, currency: string) => string;
};

/** How a list's fields are called on screen. */
export type FieldLabels<F extends Fields> = {
  [Name in keyof F]: {
    label: string;
    options?: Record<string, string>;
    /** Of a field that names other records: where they are found. */
    relation?: Relation;
    amounts?: AmountLabels;
  };
};

type Words = Omit<FieldLabels<Fields>[string], "label">;
type Named = "choice" | "set" | "relation";

/** What a list's declaration cannot say: words for options, and where related records are found. */
type OwnLabels<F extends Fields> = {
  [Name in keyof F as F[Name]["kind"] extends Named ? Name : never]: Words;
} & { [Name in keyof F]?: Words };

/** The words of a list's fields: their labels as declared, with the words that only the screen has. */
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

/** `status:any:draft,active` in its parts; the value may hold colons of its own. */
export const partsOf = (filter: string): FilterParts => {
  const [field = "", operator = "", ...value] = filter.split(":");
  return { field, operator, value: value.join(":") };
};

export const filterOf = ({ field, operator, value }: FilterParts) =>
  `${field}:${operator}:${operator === "empty" ? "" : value}`;

/** The currency that the other filters choose, if they do. */
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
  if (kind === "choice" || kind === "set") return each((one) => options[one] ?? capitalised(one));
  return kind === "relation" ? each(nameOf) : value;
};

type Around = {
  nameOf?: (id: string) => string;
  /** All that are set: one may say what another means. */
  filters?: readonly string[];
};

/** A filter as it is read: field, operator, value. */
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
