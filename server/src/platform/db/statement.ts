import type { Rows } from "./statements.gen.ts";

/** SQL text with the type of its rows, which the generator reads from the database. */
export type Statement<Row> = {
  readonly text: string;
  /** The same columns with another condition, order, limit or lock. */
  with: (tail: Tail) => Statement<Row>;
  /** Exists only for the compiler. */
  readonly row?: Row;
};

/** The type of a statement's rows. */
export type RowOf<S> = S extends { readonly row?: infer Row } ? Row : never;

// What may follow FROM without changing a column's name, type or nullability.
export type Tail =
  `${"where" | "and" | "group by" | "having" | "order by" | "limit" | "offset" | "for"} ${string}`;

/**
 * Types that a declaration may state more exactly than the database knows them. Each key must be a column,
 * each type a part of the column's type. An expression may lose its null, a nullable column may not.
 */
type Narrowing<Row, Nullable, Exact> = {
  [Key in keyof Exact]: Key extends keyof Row
    ? Key extends Nullable
      ? null extends Exact[Key]
        ? Row[Key]
        : never
      : Row[Key]
    : never;
};

type Narrowed<Row, Exact> = Omit<Row, keyof Exact> & Exact;
type Present<Row, Key extends keyof Row> = Omit<Row, Key> & {
  [Name in Key]: NonNullable<Row[Name]>;
};

/** A statement as declared: its types can still be stated more exactly. */
type Declared<Row, Nullable> = Statement<Row> & {
  /** States the most pages that it may touch, if it needs more than others (docs/scale.md). */
  bounded: (pages: number) => Declared<Row, Nullable>;
  /** States types that the database doesn't know: JSON, and expressions that are never null. */
  narrow: <Exact extends Narrowing<Row, Nullable, Exact>>() => Statement<Narrowed<Row, Exact>>;
  /** States that nullable columns have a value, because the statement's conditions require one. */
  present: <Key extends keyof Row & Nullable>() => Declared<
    Present<Row, Key>,
    Exclude<Nullable, Key>
  >;
};

/** What the rows of a list are made of: columns of a table named `r`, and what is joined to it. */
type Parts = { table: string; columns: string; joins?: string };

/** A statement that lists combine with their filter, order and cursor. */
export type Selection<Row> = Statement<Row> & {
  readonly table: string;
  /** The rows that a query chose from the table, with their sort keys as the texts `key0`, `key1` … */
  page: (
    chosen: string,
    sortKeys: readonly string[],
    tail: Tail,
  ) => Statement<Row & Record<`key${number}`, string>>;
};

type DeclaredSelection<Row, Nullable> = Selection<Row> & {
  bounded: (pages: number) => DeclaredSelection<Row, Nullable>;
  narrow: <Exact extends Narrowing<Row, Nullable, Exact>>() => Selection<Narrowed<Row, Exact>>;
  present: <Key extends keyof Row & Nullable>() => DeclaredSelection<
    Present<Row, Key>,
    Exclude<Nullable, Key>
  >;
};

/** Statements that differ in more than their tail, but have the same columns. */
export type Template<Args extends unknown[], Row> = {
  for: (...args: Args) => Statement<Row>;
  readonly row?: Row;
};

type DeclaredTemplate<Args extends unknown[], Row, Nullable> = Template<Args, Row> & {
  bounded: (pages: number) => DeclaredTemplate<Args, Row, Nullable>;
  narrow: <Exact extends Narrowing<Row, Nullable, Exact>>() => Template<Args, Narrowed<Row, Exact>>;
  present: <Key extends keyof Row & Nullable>() => DeclaredTemplate<
    Args,
    Present<Row, Key>,
    Exclude<Nullable, Key>
  >;
};

type Name = keyof Rows;

const declared = new Map<string, readonly string[]>();

/** The texts of every statement declared so far, by name. */
export const declaredStatements = (): ReadonlyMap<string, readonly string[]> => declared;

/**
 * The most pages of 8 kB that one execution may touch, however many rows there are (docs/scale.md). Lists search up to
 * 10,000 rows, which are a few per page because rows of the same time are stored together.
 */
const pagesMax = { statement: 1000, list: 5000 };
const bounds = new Map<string, number>();

export const pagesMaxOf = (name: string) => bounds.get(name) ?? pagesMax.statement;

/** Declares another number of pages, for a statement that needs more. */
const setBound = (name: string, pages: number) => {
  bounds.set(name, pages);
};

const declare = (name: string, texts: readonly string[]) => {
  if (declared.has(name)) throw new Error(`The statement ${name} is declared twice.`);
  declared.set(name, texts);
};

// The name tells an operator which statement is slow, for example in pg_stat_statements.
const named = (name: string, text: string) => `/* ${name} */ ${text}`;

class Text {
  readonly name: string;
  readonly text: string;
  constructor(name: string, text: string) {
    this.name = name;
    this.text = text;
  }
  with(tail: string) {
    return new Text(this.name, `${this.text} ${tail}`);
  }
  bounded(pages: number) {
    setBound(this.name, pages);
    return this;
  }
  narrow() {
    return this;
  }
  present() {
    return this;
  }
}

class SelectionText extends Text {
  readonly table: string;
  readonly #columns: string;
  readonly #joins: string;
  constructor(name: string, { table, columns, joins = "" }: Parts) {
    super(name, named(name, SelectionText.plain({ table, columns, joins })));
    this.table = table;
    this.#columns = columns;
    this.#joins = joins;
  }
  static plain({ table, columns, joins = "" }: Parts) {
    return `select ${columns} from ${table} r ${joins}`;
  }
  page(chosen: string, sortKeys: readonly string[], tail: string) {
    const keys = sortKeys.map((key, index) => `, (${key})::text as key${index}`).join("");
    const text = `select ${this.#columns}${keys} from (${chosen}) r ${this.#joins} ${tail}`;
    return new Text(this.name, named(this.name, text));
  }
}

/**
 * Declares a statement, once and when its module is loaded. Its name is `<module>.<function>`, and its rows
 * have the type that `npm run schema` found for that name.
 */
export const statement = <N extends Name>(name: N, text: string) => {
  declare(name, [text]);
  return new Text(name, named(name, text)) as unknown as Declared<
    Rows[N]["row"],
    Rows[N]["nullable"]
  >;
};

/** Declares the rows of a list, which can also be read one by one. */
export const selection = <N extends Name>(name: N, parts: Parts) => {
  const made = new SelectionText(name, parts);
  declare(name, [SelectionText.plain(parts)]);
  setBound(name, pagesMax.list);
  return made as unknown as DeclaredSelection<Rows[N]["row"], Rows[N]["nullable"]>;
};

/** Declares statements that are built from arguments. Every example is checked, and all must have the same columns. */
export const template = <N extends Name, Args extends unknown[]>(
  name: N,
  build: (...args: Args) => string,
  ...examples: [NoInfer<Args>, ...NoInfer<Args>[]]
) => {
  declare(
    name,
    examples.map((args) => build(...args)),
  );
  const made = {
    for: (...args: Args) => new Text(name, named(name, build(...args))),
    bounded: (pages: number) => {
      setBound(name, pages);
      return made;
    },
    narrow: () => made,
    present: () => made,
  };
  return made as unknown as DeclaredTemplate<Args, Rows[N]["row"], Rows[N]["nullable"]>;
};
