import pg from "pg";
import { type Column, readTypeOf, typeOfValue } from "./catalog.ts";
import { type Join, joinsOf, mayBeMissing } from "./outerJoins.ts";

/** A column of a statement's rows. */
export type Described = {
  name: string;
  type: string;
  /** Whether it is a table's column, an expression, or a column that may be missing or null. */
  kind: "required" | "nullable" | "expression";
};

type Wire = {
  parse: (message: { text: string; name: string; types: number[] }) => void;
  describe: (message: { type: "S"; name: string }) => void;
  sync: () => void;
};

type Unfinished = PromiseWithResolvers<pg.FieldDef[]>;

/** Reads the columns of a statement without running it, which pg has no method for. */
class Description {
  #fields: pg.FieldDef[] = [];
  readonly #text: string;
  readonly #types: number[];
  readonly #result: Unfinished = Promise.withResolvers<pg.FieldDef[]>();

  constructor(text: string, types: number[]) {
    this.#text = text;
    this.#types = types;
  }
  get result() {
    return this.#result.promise;
  }
  submit(wire: Wire) {
    wire.parse({ text: this.#text, name: "", types: this.#types });
    wire.describe({ type: "S", name: "" });
    wire.sync();
  }
  handleRowDescription({ fields }: { fields: pg.FieldDef[] }) {
    this.#fields = fields;
  }
  handleError(error: Error) {
    this.#result.reject(error);
  }
  handleReadyForQuery() {
    this.#result.resolve(this.#fields);
  }
}

const undetermined = "42P18";

/** A parameter that only the tail of a statement uses has no type yet, so any type will do. */
const fieldsOf = async (
  client: pg.Client,
  text: string,
  types: number[] = [],
): Promise<{ fields: pg.FieldDef[]; types: number[] }> => {
  const asked = new Description(text, types);
  client.query(asked as unknown as pg.Submittable);
  try {
    return { fields: await asked.result, types };
  } catch (error) {
    const number = error instanceof pg.DatabaseError && /\$(\d+)$/.exec(error.message)?.[1];
    if (!number || error.code !== undetermined) throw error;
    const more = Array.from({ length: Math.max(types.length, Number(number)) }, (_, index) =>
      index === Number(number) - 1 ? pg.types.builtins.TEXT : (types[index] ?? 0),
    );
    return fieldsOf(client, text, more);
  }
};

const listOfTypes = (types: number[]) =>
  types.length > 0 ? `(${types.map((type) => (type ? "text" : "unknown")).join(", ")})` : "";

/** The plan for any values, because one for certain values may leave joins and partitions out. */
const planOf = async (client: pg.Client, text: string, types: number[]) => {
  await client.query("set plan_cache_mode = force_generic_plan");
  await client.query("set enable_partition_pruning = off");
  await client.query(`prepare described ${listOfTypes(types)} as ${text}`);
  const { rows: given } = await client.query(
    "select cardinality(parameter_types) as many from pg_prepared_statements where name = 'described'",
  );
  const nulls = Array.from({ length: given[0].many }, () => "null");
  const values = nulls.length > 0 ? `(${nulls.join(", ")})` : "";
  const { rows } = await client.query(`explain (verbose, format json) execute described${values}`);
  await client.query("deallocate described");
  return rows[0]["QUERY PLAN"][0].Plan;
};

const outerJoin = /\b(left|right|full)\s+(outer\s+)?join\b/i;
// These make columns null that are not null in their table.
const grouping = /\b(rollup|cube|grouping\s+sets)\b/i;

const findJoins = async (client: pg.Client, text: string, types: number[]): Promise<Join[]> =>
  outerJoin.test(text) ? joinsOf(await planOf(client, text, types)) : [];

/** What the database has: the names of its types, and its tables' columns by their numbers. */
export type Catalog = { types: Map<number, string>; columns: Map<string, Column> };

export const describe = async (
  client: pg.Client,
  { types, columns }: Catalog,
  text: string,
): Promise<Described[]> => {
  const { fields, types: given } = await fieldsOf(client, text);
  const names = new Set(fields.map(({ name }) => name));
  if (names.size < fields.length) throw new Error("Two columns have the same name.");
  const joins = await findJoins(client, text, given);
  const hasGroups = grouping.test(text);
  return fields.map(({ name, tableID, columnID, dataTypeID }, index) => {
    const column = columns.get(`${tableID}.${columnID}`);
    if (!column)
      return { name, type: typeOfValue(types.get(dataTypeID) ?? ""), kind: "expression" };
    const isNullable = column.nullable || hasGroups || mayBeMissing(joins, column, index);
    return { name, type: readTypeOf(column), kind: isNullable ? "nullable" : "required" };
  });
};
