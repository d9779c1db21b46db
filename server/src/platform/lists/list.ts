import type { Fields } from "@purser/contract/http/list";
import type { SecretKeys } from "../auth/secrets.ts";
import type { Selection } from "../db/statement.ts";
import type { InTurn } from "../http/calls/callConnections.ts";
import type { ListSizes } from "./sizes.ts";
import type { Arm, Stored, Values } from "./sql.ts";

/** What a list needs from a request in addition to its query. */
export type Paging = {
  now: Date;
  zone: string;
  cursorKeys: SecretKeys;
  countInTurn: InTurn;
  sizes: ListSizes;
};

/** A column that a list is sorted by. */
export type Key = { sql: string; cast: string; descending: boolean };

type Served<F extends Fields> = {
  sort: string;
  fields: Partial<Record<keyof F, true | readonly string[]>>;
};

/**
 * The declaration of a list: its rows, whose table is always named `r`, and the SQL of each field. Text columns are
 * lower-cased like their indexes. A `sort` of `r.id` means that the primary key has the same order.
 */
export type List<F extends Fields, Row> = {
  rows: Selection<Row>;
  fields: F;
  columns: { [Name in keyof F]: string };
  sorts?: Partial<Record<keyof F, string>>;
  stored?: Partial<Record<keyof F, Stored>>;
  /** The first id of a moment, if ids don't begin with the time. */
  idAt?: (moment: string) => string;
  /** The columns that `q` searches, or its conditions. Each has its own index. */
  search: string[] | ((typed: string) => Arm[]);
  /** For a field of related records: whether a row refers to one of these ids. */
  refers?: Partial<Record<keyof F, (ids: string) => string>>;
  /** A condition that all rows of this list meet. */
  where?: string | ((values: Values) => string);
  /** Whether that condition has an index in the order of the list. */
  isWhereServed?: true;
  /** Few rows meet `where`, so a condition is checked on them instead of looked up in the whole table. */
  isSmall?: true;
  /** The type of the ids, if not uuid. */
  idCast?: "bigint";
  /**
   * Fields with an index on the field and then this sort, or only on these values. The most selective is the first.
   * Rows are stored in the order of the first sort, which is one of time.
   */
  served?: readonly Served<F>[];
  /** Operators of fields with an index in another order. Their matches are looked up first, if they are few. */
  lookedUp?: Partial<Record<keyof F, readonly string[]>>;
  /** The same for a field of related records: a selection of the ids of the rows that refer to these ids. */
  finds?: Partial<Record<keyof F, (ids: string) => string>>;
};
