import type { Change } from "@purser/contract/workspace/liveChanges";
import { sql } from "kysely";
import { type Db, first } from "../db/db.ts";
import { statement } from "../db/statement.ts";

/** Who acts: a person, a sold app's key, or a job of ours. */
export type Actor = { kind: "user" | "key" | "system"; id: string | null; name: string };

/** What the audit entries of a transaction say beside the change itself. */
export type Context = {
  actor: Actor;
  address: string | null;
  requestId: string | null;
  reason: string | null;
};

const setContext = (db: Db, { actor, address, requestId, reason }: Context) =>
  sql`select
    set_config('purser.actor_kind', ${actor.kind}, true),
    set_config('purser.actor_id', ${actor.id ?? ""}, true),
    set_config('purser.actor_name', ${actor.name}, true),
    set_config('purser.address', ${address ?? ""}, true),
    set_config('purser.request_id', ${requestId ?? ""}, true),
    set_config('purser.reason', ${reason ?? ""}, true)`.execute(db);

/** Why, for the entries that follow in this transaction. */
export const giveReason = async (db: Db, reason: string) => {
  await sql`select set_config('purser.reason', ${reason}, true)`.execute(db);
};

/** Which entry the changes that follow in this transaction set back. */
export const nameReverted = async (db: Db, entryId: string) => {
  await sql`select set_config('purser.reverts', ${entryId}, true)`.execute(db);
};

/** Does something to see whether it could be done, and undoes it; the transaction goes on as before. */
export const rehearse = async <T>(db: Db, work: () => Promise<T>): Promise<T> => {
  await sql`savepoint rehearsal`.execute(db);
  try {
    const result = await work();
    await sql`set constraints all immediate`.execute(db);
    return result;
  } finally {
    await sql`rollback to savepoint rehearsal`.execute(db);
  }
};

// As the trigger writes it: `table:id:action`, or `table:*:update` for more rows than are named.
const parseChange = (touched: string): Change => {
  const [entity = "", id = "*", action] = touched.split(":");
  return {
    entity,
    id: id === "*" ? null : id,
    action: action === "insert" || action === "delete" ? action : "update",
  };
};

const changed = statement(
  "audit.readChanged",
  "select current_setting('purser.changed', true) as changed",
);

const readChanged = async (db: Db) => {
  const row = await first(db, changed);
  return (row?.changed ?? "").split(" ").filter(Boolean).map(parseChange);
};

/**
 * The one way to write: a transaction that knows its actor, so that the triggers store the audit
 * entries with the change or neither. Gives the result and what was touched, once it is committed.
 */
export const transact = <T>(
  db: Db,
  context: Context,
  work: (db: Db) => Promise<T>,
): Promise<{ result: T; changed: Change[] }> =>
  db.transaction().execute(async (transaction) => {
    await setContext(transaction, context);
    const result = await work(transaction);
    return { result, changed: await readChanged(transaction) };
  });
