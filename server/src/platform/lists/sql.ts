import type { Field, Filter } from "@purser/contract/http/list";

/** The values of a statement that is being built. `add` returns the placeholder. */
export type Values = { add: (value: unknown) => string; all: unknown[] };

export const collectValues = (): Values => {
  const all: unknown[] = [];
  return { all, add: (value) => `$${all.push(value)}` };
};

/** `%` and `_` in a search are not wildcards. */
export const escapeLike = (typed: string) => typed.replace(/[\\%_]/g, (special) => `\\${special}`);

type Condition = { column: string; values: Values; operands: string[]; now: Date; zone: string };

const text = (operator: string, { column, values, operands: [typed = ""] }: Condition) => {
  if (operator === "empty") return `coalesce(${column}, '') = ''`;
  if (operator === "is") return `${column} = lower(${values.add(typed)})`;
  if (operator === "not") return `${column} is distinct from lower(${values.add(typed)})`;
  const pattern = `${operator === "contains" ? "%" : ""}${escapeLike(typed)}%`;
  return `${column} like lower(${values.add(pattern)})`;
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

/** A date that a user enters is in the time zone of the company. */
const instant = (operator: string, { column, values, operands, now, zone }: Condition) => {
  const local = () => `at time zone ${values.add(zone)}`;
  const startOf = (operand: string, daysLater = 0) =>
    isDay(operand)
      ? `((${values.add(operand)}::date + ${daysLater})::timestamp ${local()})`
      : `${values.add(new Date(operand))}::timestamptz`;
  const [first = "", second = first] = operands;
  switch (operator) {
    case "before":
      return `${column} < ${startOf(first)}`;
    case "after":
      return isDay(first) ? `${column} >= ${startOf(first, 1)}` : `${column} > ${startOf(first)}`;
    case "last":
      return `${column} >= ${values.add(now)}::timestamptz - make_interval(days => ${values.add(Number(first))})`;
    case "this": {
      const start = `date_trunc('${first}', ${values.add(now)}::timestamptz ${local()})`;
      return `${column} >= ${start} ${local()} and ${column} < (${start} + interval '1 ${first}') ${local()}`;
    }
    default: {
      const end = isDay(second) ? `< ${startOf(second, 1)}` : `<= ${startOf(second)}`;
      return `${column} >= ${startOf(first)} and ${column} ${end}`;
    }
  }
};

const choice = (operator: string, { column, values, operands }: Condition) =>
  operator === "any"
    ? `${column} = any (${values.add(operands)}::text[])`
    : `${column} <> all (${values.add(operands)}::text[])`;

/** If a record refers to several others, the column is an array of their ids. */
const relation = (operator: string, { column, values, operands }: Condition) => {
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
