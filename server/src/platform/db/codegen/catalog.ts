import { statement } from "../statement.ts";

/** A column of a table, as the catalog describes it. */
export type Column = {
  tableId: number;
  columnId: number;
  schema: string;
  table: string;
  column: string;
  type: string;
  nullable: boolean;
  generated: boolean;
  /** The definitions of the table's CHECK constraints. */
  checks: string[];
};

/** Every column that a statement can name, in the order of its table. */
export const columnsOfTables = statement(
  "db.columnsOfTables",
  `select c.oid as "tableId", a.attnum as "columnId", n.nspname as schema, c.relname as table,
     a.attname as column, t.typname as type, not a.attnotnull as nullable,
     a.atthasdef or a.attidentity <> '' as generated,
     array(
       select pg_get_constraintdef(k.oid) from pg_constraint k where k.contype = 'c' and k.conrelid = c.oid
       order by k.conname
     ) as checks
   from pg_class c join pg_namespace n on n.oid = c.relnamespace
   join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
   join pg_type t on t.oid = a.atttypid
   where c.relkind in ('r', 'p', 'v') and n.nspname <> 'information_schema'
   order by c.relname, a.attnum`,
).narrow<Column>();

/** The type that pg's parsers, as configured, return. */
const types: Record<string, string> = {
  text: "string",
  varchar: "string",
  name: "string",
  uuid: "string",
  int2: "number",
  int4: "number",
  oid: "number",
  float8: "number",
  bool: "boolean",
  int8: "string",
  numeric: "string",
  bytea: "Buffer",
  timestamptz: "Date",
  tstzrange: "string",
  date: "Date",
  jsonb: "unknown",
  json: "unknown",
  void: "string",
  _text: "string[]",
  _uuid: "string[]",
  _int4: "number[]",
  _int8: "string[]",
};

/** The TypeScript type that values of a database type are read as. */
export const typeOfValue = (type: string) => {
  const known = types[type];
  if (!known) throw new Error(`No TypeScript type is known for ${type}.`);
  return known;
};

// A column whose values a CHECK lists is a union of them, unless the CHECK is conditional.
const listedIn = ({ column, checks }: Column) => {
  const pattern = new RegExp(`[( "]${column}"? (= ANY \\(|<@ )\\(?ARRAY\\[(?<values>[^\\]]+)\\]`);
  const values = checks
    .filter((check) => !/ OR | = \(/.test(check))
    .map((check) => pattern.exec(check)?.groups?.["values"])
    .find(Boolean);
  return values
    ?.matchAll(/'([^']*)'/g)
    .map(([, value]) => JSON.stringify(value))
    .toArray()
    .join(" | ");
};

/** The type that a column is read as, without null. */
export const readTypeOf = (column: Column) => {
  const known = typeOfValue(column.type);
  const listed = listedIn(column);
  if (!listed) return known;
  return column.type === "_text" ? `(${listed})[]` : listed;
};
