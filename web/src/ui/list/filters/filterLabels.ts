import { t } from "@lingui/core/macro";
import type { Field, Fields, ListField } from "@purser/contract/http/list";
import { anyOf, list, money, number } from "#lib/intl.ts";
import { formatDate, formatDateTime, shownTimeZone } from "#lib/time/dates.ts";
import type { Relation } from "#ui/record/relation.ts";
import { operatorsOf } from "./operators.ts";

/** How amounts of a field are typed: minor units in the currency of another field. */
export type AmountLabels = {
  currencyField: string;
  currencies: readonly string[];
  /** Why the text is no amount, or null. */
  refusalOf: (typed: string, currency: string) => string | null;
  read: (typed: string, currency: string) => number | null;
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

type Own = Omit<FieldLabels<Fields>[string], "label">;
type OptionsOf<F extends Field> = F extends { options: readonly (infer Option extends string)[] }
  ? Own & { options: Record<Option, string> }
  : Own;
type Named = "choice" | "set" | "relation";

/** Labels that the declaration can't provide: options and related records. */
type OwnLabels<F extends Fields> = {
  [Name in keyof F as F[Name]["kind"] extends Named ? Name : never]: OptionsOf<F[Name]>;
} & { [Name in keyof F]?: Own };

/** The labels of a table of statuses. */
export const optionsOf = <Key extends string>(statuses: Record<Key, { word: string }>) =>
  Object.fromEntries(
    Object.entries<{ word: string }>(statuses).map(([key, { word }]) => [key, word]),
  ) as Record<Key, string>;

/** The declared labels, completed by `own`. */
export const listLabels = <F extends Record<string, ListField>>(fields: F, own: OwnLabels<F>) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { label }]) => [name, { label, ...own[name] }]),
  ) as FieldLabels<F>;

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

/** Without the filter at the place, and without amounts whose currency that was. */
export const withoutFilter = <F extends Fields>(
  filters: readonly string[],
  place: number,
  labels: FieldLabels<F>,
) => {
  const removed = partsOf(filters[place] ?? "").field;
  return filters.filter((filter, at) => {
    const { amounts } = (labels as FieldLabels<Fields>)[partsOf(filter).field] ?? {};
    return at !== place && amounts?.currencyField !== removed;
  });
};

/** Only in URLs written by hand: the exact amount depends on the currency. */
const withoutCurrency = (raw: string) => {
  const amount = number(Number(raw));
  return t`${amount} (smallest currency unit)`;
};

const amountLabel = (value: string, amounts: AmountLabels, filters: readonly string[]) => {
  const currency = currencyAmong(filters, amounts);
  return list(
    value.split(",").map((raw) => (currency ? money(Number(raw), currency) : withoutCurrency(raw))),
  );
};

type Naming = {
  kind: Field["kind"] | undefined;
  options: Record<string, string>;
  nameOf: (id: string) => string;
};

const yesOrNo: Record<string, string> = { true: t`Yes`, false: t`No` };

const dateLabel = (raw: string) => {
  const at = new Date(raw);
  if (Number.isNaN(at.getTime())) return raw;
  return raw.includes("T") ? formatDateTime(shownTimeZone(), at) : formatDate("UTC", at);
};

const numberLabel = (raw: string) =>
  raw !== "" && Number.isFinite(Number(raw)) ? number(Number(raw)) : raw;

const labelWithin = (raw: string, operator: string, { kind, options, nameOf }: Naming) => {
  switch (kind) {
    case "instant":
      return operator === "last" ? numberLabel(raw) : dateLabel(raw);
    case "number":
      return numberLabel(raw);
    case "boolean":
      return yesOrNo[raw] ?? raw;
    case "relation":
      return nameOf(raw);
    default:
      return options[raw] ?? raw;
  }
};

const valueLabel = ({ operator, value }: FilterParts, naming: Naming) => {
  const label = (raw: string) => labelWithin(raw, operator, naming);
  if (operator === "between") return list(value.split(",").map(label));
  if (operator === "any" || operator === "none") return anyOf(value.split(",").map(label));
  return label(value);
};

type Around = {
  nameOf?: (id: string) => string;
  /** All active filters, because one may depend on another. */
  filters?: readonly string[];
};

export type Piece = { text: string; role?: "field" | "value" };

// Placeholders that no text contains.
const fieldMark = "\u0001";
const valueMark = "\u0002";

/** Splits a sentence where the field and the value are, in the order of the language. */
export const piecesOf = (
  sentence: (field: string, value: string) => string,
  { field = "", value = "" }: { field?: string; value?: string },
): Piece[] =>
  sentence(fieldMark, valueMark)
    .split(new RegExp(`([${fieldMark}${valueMark}])`))
    .flatMap((text): Piece[] => {
      if (text === fieldMark) return [{ text: field, role: "field" }];
      if (text === valueMark) return [{ text: value, role: "value" }];
      return text ? [{ text }] : [];
    });

/** A filter in readable form. */
export const sentenceOf = <F extends Fields>(
  fields: F,
  labels: FieldLabels<F>,
  filter: string,
  { nameOf = (id) => id, filters = [] }: Around = {},
) => {
  const parts = partsOf(filter);
  const kind = fields[parts.field]?.kind;
  const known = labels[parts.field as keyof F];
  const operator = kind && operatorsOf(kind)[parts.operator];
  const label = known?.label ?? parts.field;
  const value = known?.amounts
    ? amountLabel(parts.value, known.amounts, filters)
    : valueLabel(parts, { kind, options: known?.options ?? {}, nameOf });
  const pieces = piecesOf(
    (markedField, markedValue) =>
      operator?.sentence(markedField, markedValue, parts.value) ??
      // The server refuses such a filter, but the URL may contain it.
      `${markedField} ${parts.operator} ${markedValue}`,
    { field: label, value },
  );
  return { label, pieces, text: pieces.map(({ text }) => text).join("") };
};
