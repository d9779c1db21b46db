import type { Message } from "@purser/contract/messages/message";
import type { Db } from "#platform/db/db.ts";
import type { Cells, Parsed, Reading } from "./cells.ts";
import type { Judge, Judged } from "./judgeQueries.ts";
import type { Span } from "./queries.ts";

/** What can be imported. All kinds share the upload, the check in batches, the run and its position. */
export type Kind = {
  /** Reads a row, without the database. */
  parse: (cells: Cells, reading: Reading) => Parsed;
  /** Whether a file can have only one row for each email address. */
  hasOneRowPerEmail: boolean;
  /** Compares the rows of a batch with the database. */
  judge: Judge;
  /** The errors of verdicts that reject a row. */
  errors: Readonly<Record<string, readonly [field: string | null, message: Message]>>;
  /** Locks the records that the rows of a batch name, so that they don't change before it is written. */
  lock: ((db: Db, span: Span) => Promise<void>) | null;
  /** Writes the new and changed records of a batch, in a few statements. */
  write: (db: Db, span: Span, about: { judged: readonly Judged[]; now: Date }) => Promise<void>;
  undo: {
    /** Removes or reverses what a batch created and no one has changed or used since. Returns how many. */
    take: (db: Db, span: Span, now: Date) => Promise<number>;
    message: (undone: number, name: string) => Message;
  };
};
