import type { Endpoint } from "@purser/contract/http/endpoint";
import { type Field, type Fields, listFieldsOfQuery, operators } from "@purser/contract/http/list";

type Item = Record<string, unknown>;
/** Items of the first and the last page of a list, whose values are common and rare ones. */
type Known = { first: Item[]; last: Item[] };

const absentId = "01900000-0000-7000-8000-000000000000";

const textOf = (value: unknown): string | null => {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value === "object" && value !== null && "id" in value)
    return typeof value.id === "string" ? value.id : null;
  return null;
};

const valuesOf = (name: string, { first, last }: Known) =>
  [...new Set([first[0], first.at(-1), last[0]].map((item) => textOf(item?.[name])))].filter(
    (value): value is string => value !== null && value !== "",
  );

const days = ["2026-11-01", "1990-01-01", "2090-01-01"];

/** Operands of one filter: common, rare and absent ones. */
const operandsOf = (field: Field, operator: string, known: string[]): string[] => {
  switch (field.kind) {
    case "choice":
    case "set":
      // All states of a record, but not all countries.
      return [
        ...new Set([
          ...known.filter((value) => field.options.includes(value)),
          ...field.options.slice(0, 30),
        ]),
      ];
    case "boolean":
      return ["true", "false"];
    case "relation":
      return [...known, absentId];
    case "number":
      return operator === "between"
        ? ["1,2", "999999999998,999999999999"]
        : [...known.slice(0, 1), "0", "999999999999"];
    case "instant":
      if (operator === "last") return ["30", "9999"];
      if (operator === "this" || operator === "previous") return ["day", "quarter", "year"];
      return operator === "between" ? ["2026-10-01,2026-10-31", "1990-01-01,1990-01-02"] : days;
    default:
      if (operator === "empty") return [""];
      return [
        ...known.slice(0, 2).map((value) => (operator === "starts" ? value.slice(0, 4) : value)),
        "zzz-absent",
      ].filter((value) => !value.includes(","));
  }
};

const filtersOf = (fields: Fields, known: Known) =>
  Object.entries(fields).flatMap(([name, field]) =>
    operators[field.kind].flatMap((operator) =>
      operandsOf(field, operator, valuesOf(name, known)).map(
        (operand) => `f=${encodeURIComponent(`${name}:${operator}:${operand}`)}`,
      ),
    ),
  );

const sortsOf = (fields: Fields) =>
  Object.entries(fields)
    .filter(([, { sort }]) => sort)
    .flatMap(([name]) => [`sort=${name}`, `sort=-${name}`]);

/** The first rows of a day, in both directions. */
const daysOf = (fields: Fields) =>
  Object.entries(fields)
    .filter(([, { kind, sort }]) => kind === "instant" && sort)
    .flatMap(([name]) => [`sort=${name}&at=${days[0]}`, `sort=-${name}&at=${days[0]}`]);

/** Beginnings of values that are there, and what isn't there. */
const searchesOf = (known: Known) => {
  const texts = [...known.first.slice(0, 1), ...known.last.slice(0, 1)].flatMap((item) =>
    Object.values(item).filter((value) => typeof value === "string" && value.length > 3),
  ) as string[];
  const found = texts.flatMap((text) => [text.slice(0, 60), text.slice(0, 3)]);
  return [...new Set([...found, "many-", "ada", "heavy-1", "zzz-absent", "a"])].map(
    (typed) => `q=${encodeURIComponent(typed)}`,
  );
};

export type Get = (url: string) => Promise<{ items: Item[]; next: string | null }>;

/** Every sort, filter, search and place of a list. */
export const listRequests = async ({ path, query }: Endpoint, get: Get) => {
  const fields = listFieldsOfQuery(query) ?? {};
  const url = `/api${path}`;
  const first = await get(url);
  if (first.items.length === 0)
    throw new Error(
      `${path} has no rows, so nothing is measured. Fill its table in bench/src/scale.`,
    );
  const last = await get(`${url}?before=end`);
  const known = { first: first.items, last: last.items };
  const places = ["", "page=400", "before=end", "count=none", "size=100"];
  if (first.next) places.push(`after=${first.next}`);
  return [
    ...places,
    ...sortsOf(fields),
    ...daysOf(fields),
    ...filtersOf(fields, known),
    ...searchesOf(known),
  ].map((asked) => (asked ? `${url}?${asked}` : url));
};
