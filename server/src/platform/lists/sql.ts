import type { Field, Filter } from "@purser/contract/http/list";

/** The values of a statement that is being built. `add` returns the placeholder. */
export type Values = { add: (value: unknown) => string; all: unknown[] };

export const collectValues = (): Values => {
  const all: unknown[] = [];
  return { all, add: (value) => `$${all.push(value)}` };
};

/** `%` and `_` in a search are not wildcards. */
export const escapeLike = (typed: string) => typed.replace(/[\\%_]/g, (special) => `\\${special}`);

/**
 * Whether an index of the parts of texts finds it: it has parts of three letters or digits, and nothing else. With fewer
 * it would read nearly everything.
 */
export const hasTrigram = (typed = "") => /[\p{L}\p{N}]{3}/u.test(typed);

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether it is the whole ID of a record. */
export const isUuid = (typed: string) => uuid.test(typed);

/** One of our own values as a literal. */
export const quoted = (value: string) => `'${value.replaceAll("'", "''")}'`;

// Sorts after every text that begins with the same characters, in byte order.
export const lastCharacter = "\u{10FFFF}";

/** A condition of a search with its own index. */
export type Arm = {
  sql: (values: Values) => string;
  /** The order of the index, if it finds the beginnings of texts. */
  order?: string;
  /** Whether it finds any part of a text. The index helps only if there are three letters or digits in a row. */
  isPart?: true;
  /** For a condition on another table: the ids of the matching rows, and a null if there are too many. */
  ids?: (values: Values) => string;
};

/** Finds texts by their beginning with an index in byte order. */
export const beginning = (column: string, typed: string): Arm => ({
  sql: (values) => beginsWith(column, typed, values),
  order: `${column} using ~<~`,
});

/** The condition alone, which works whatever the plan. */
export const beginsWith = (column: string, typed: string, values: Values) =>
  `${column} ~>=~ ${values.add(typed)} and ${column} ~<=~ ${values.add(typed + lastCharacter)}`;

/** How an index stores a text: in upper case, or in byte order so that it finds beginnings. */
export type Stored = { isUpperCase?: true; inByteOrder?: true };

type Condition = {
  column: string;
  values: Values;
  operands: string[];
  now: Date;
  zone: string;
  stored?: Stored | undefined;
};

const text = (operator: string, condition: Condition) => {
  const { column, values, operands, stored = {} } = condition;
  const [typed = ""] = operands;
  const fold = stored.isUpperCase ? "upper" : "lower";
  if (operator === "empty") return `coalesce(${column}, '') = ''`;
  if (operator === "is" || operator === "one") return `${column} = ${fold}(${values.add(typed)})`;
  if (operator === "not") return `${column} is distinct from ${fold}(${values.add(typed)})`;
  if (operator === "starts" && stored.inByteOrder)
    return beginsWith(
      column,
      stored.isUpperCase ? typed.toUpperCase() : typed.toLowerCase(),
      values,
    );
  const pattern = `${operator === "contains" ? "%" : ""}${escapeLike(typed)}%`;
  return `${column} like ${fold}(${values.add(pattern)})`;
};

const comparisons: Record<string, string> = {
  eq: "=",
  ne: "<>",
  lt: "<",
  lte: "<=",
  gt: ">",
  gte: ">=",
};

const number = (operator: string, { column, values, operands }: Condition) => {
  const [first, second] = operands.map((operand) => `${values.add(operand)}::numeric`);
  return operator === "between"
    ? `${column} between ${first} and ${second}`
    : `${column} ${comparisons[operator]} ${first}`;
};

const isDay = (operand: string) => operand.length === 10;

/** The start of a day in the time zone of the company, or of a later one. */
export const startOfDay = (
  day: string,
  daysLater: number,
  { values, zone }: Pick<Condition, "values" | "zone">,
) => `((${values.add(day)}::date + ${daysLater})::timestamp at time zone ${values.add(zone)})`;

const instant = (operator: string, { column, values, operands, now, zone }: Condition) => {
  const local = () => `at time zone ${values.add(zone)}`;
  const startOf = (operand: string, daysLater = 0) =>
    isDay(operand)
      ? startOfDay(operand, daysLater, { values, zone })
      : `${values.add(new Date(operand))}::timestamptz`;
  const [first = "", second = first] = operands;
  switch (operator) {
    case "before":
      return `${column} < ${startOf(first)}`;
    case "after":
      return isDay(first) ? `${column} >= ${startOf(first, 1)}` : `${column} > ${startOf(first)}`;
    case "last":
      return `${column} >= ${values.add(now)}::timestamptz - make_interval(days => ${values.add(Number(first))})`;
    case "this":
    case "previous": {
      const current = `date_trunc('${first}', ${values.add(now)}::timestamptz ${local()})`;
      const length = first === "quarter" ? "3 months" : `1 ${first}`;
      const [start, end] =
        operator === "this"
          ? [current, `(${current} + interval '${length}')`]
          : [`(${current} - interval '${length}')`, current];
      return `${column} >= ${start} ${local()} and ${column} < ${end} ${local()}`;
    }
    default: {
      const end = isDay(second) ? `< ${startOf(second, 1)}` : `<= ${startOf(second)}`;
      return `${column} >= ${startOf(first)} and ${column} ${end}`;
    }
  }
};

const choice = (operator: string, condition: Condition) => {
  const { column, values, operands } = condition;
  // A literal, so that also a plan for all values uses an index that has only some of them.
  if (operator === "one") return `${column} = ${quoted(operands[0] ?? "")}`;
  return operator === "any"
    ? `${column} = any (${values.add(operands)}::text[])`
    : `${column} <> all (${values.add(operands)}::text[])`;
};

/** If a record refers to several others, the column is an array of their ids. */
const relation = (operator: string, condition: Condition) => {
  const { column, values, operands } = condition;
  if (operator === "one") return `${column} = ${values.add(operands[0])}::uuid`;
  const ids = `${values.add(operands)}::uuid[]`;
  if (column.startsWith("array(")) return `${operator === "any" ? "" : "not "}${column} && ${ids}`;
  return operator === "any" ? `${column} = any (${ids})` : `${column} <> all (${ids})`;
};

const set = (operator: string, { column, values, operands }: Condition) =>
  `${operator === "any" ? "" : "not "}${column} && ${values.add(operands)}::text[]`;

const boolean = (_operator: string, { column, values, operands }: Condition) =>
  `${column} = ${values.add(operands[0] === "true")}`;

const byKind = { text, number, instant, choice, relation, set, boolean };

/** The SQL condition of one filter. */
export const conditionOf = (
  field: Field,
  { operator, values: operands }: Filter,
  where: Omit<Condition, "operands">,
) => byKind[field.kind](operator, { ...where, operands });

// A row gets its time when its transaction starts, and its id a little later. No transaction takes so long, and at the
// edges of a range the rows of this time are read although they don't match.
const idSlack = "interval '10 minutes'";

/** The first id of a moment. */
export const leastIdAt = (moment: string) =>
  `encode(substring(int8send(greatest(0, (extract(epoch from ${moment}) * 1000)::bigint)) from 3)
    || decode(repeat('00', 10), 'hex'), 'hex')::uuid`;

/** A range of time as a range of ids, which is a little longer. By default ids begin with the time of the row. */
export const idRangeOf = (
  { operator, values: operands }: Filter,
  { column, values, now, zone }: Omit<Condition, "operands">,
  idAt: (moment: string) => string = leastIdAt,
) => {
  const condition = instant(operator, { column: "moment", values, operands, now, zone });
  return condition
    .split(" and ")
    .map((part) => {
      const [, sign = "", moment = ""] = /^moment (<=?|>=?) (.*)$/s.exec(part) ?? [];
      return sign.startsWith("<")
        ? `${column} <= ${idAt(`((${moment}) + ${idSlack})`)}`
        : `${column} >= ${idAt(`((${moment}) - ${idSlack})`)}`;
    })
    .join(" and ");
};
