import { sql } from "kysely";
import pg from "pg";
import { type Db, first, run } from "../db/db.ts";
import { statement } from "../db/statement.ts";
import type { MadeChange } from "../events/announce.ts";

/** Who acts: a user, an API key of a sold app, or a job. */
export type Actor = { kind: "user" | "key" | "system"; id: string | null; name: string };

/** What audit entries record in addition to the change. */
export type Context = {
  actor: Actor;
  address: string | null;
  requestId: string | null;
  reason: string | null;
};

/** A text without values, because it is sent together with the begin of the transaction. */
const beginText = ({ actor, address, requestId, reason }: Context) => {
  const settings = {
    actor_kind: actor.kind,
    actor_id: actor.id,
    actor_name: actor.name,
    address,
    request_id: requestId,
    reason,
  };
  const set = Object.entries(settings).map(
    ([name, value]) => `set_config('purser.${name}', ${pg.escapeLiteral(value ?? "")}, true)`,
  );
  return `begin; select ${set.join(", ")}`;
};

/** Makes the following entries in this transaction those of another actor, as part of one action with this id. */
export const actFor = async (
  db: Db,
  { id, name }: { id: string; name: string },
  action: string,
) => {
  await sql`select set_config('purser.actor_kind', 'user', true), set_config('purser.actor_id', ${id}, true),
    set_config('purser.actor_name', ${name}, true), set_config('purser.request_id', ${action}, true)`.execute(
    db,
  );
};

/** Sets the reason of the following entries in this transaction. */
export const giveReason = async (db: Db, reason: string) => {
  await sql`select set_config('purser.reason', ${reason}, true)`.execute(db);
};

/** Sets the entry that the following changes in this transaction revert. */
export const nameReverted = async (db: Db, entryId: string) => {
  await sql`select set_config('purser.reverts', ${entryId}, true)`.execute(db);
};

/** Checks deferred constraints now, so that a violation fails here and not at the commit. */
export const checkConstraints = async (db: Db) => {
  await sql`set constraints all immediate`.execute(db);
};

/** Runs work and rolls it back, to find out whether it would succeed. The transaction continues. */
export const rehearse = async <T>(db: Db, work: () => Promise<T>): Promise<T> => {
  await sql`savepoint rehearsal`.execute(db);
  try {
    const result = await work();
    await checkConstraints(db);
    return result;
  } finally {
    await sql`rollback to savepoint rehearsal`.execute(db);
  }
};

// The trigger writes `table:id:action`, or `table:*:update` for many rows.
const parseChange = (touched: string, by: string | null): MadeChange => {
  const [entity = "", id = "*", action] = touched.split(":");
  return {
    entity,
    id: id === "*" ? null : id,
    action: action === "insert" || action === "delete" ? action : "update",
    by,
  };
};

const changed = statement(
  "audit.readChanged",
  `select current_setting('purser.changed', true) as changed,
     case current_setting('purser.actor_kind', true) when 'user' then nullif(current_setting('purser.actor_id', true), '') end
       as by`,
);

/** Commits in the round trip that reads what changed. */
const commit = async (db: Db, last: string) => {
  const row = await first(db, { ...changed, text: `${last} ${changed.text}; commit` });
  // Read here, because a job can act for a user.
  const by = row?.by ?? null;
  const touched = (row?.changed ?? "").split(" ").filter(Boolean);
  return touched.map((one) => parseChange(one, by));
};

/**
 * The only way to write: a transaction that knows its actor, so that the triggers write the audit entries of its
 * changes. Returns the result and the changes after the commit. `lastOf` returns statements that are sent with the
 * commit, so that rows which others wait for are locked for a shorter time.
 */
export const transact = <T>(
  db: Db,
  context: Context,
  work: (db: Db) => Promise<T>,
  lastOf: (result: T) => string = () => "",
): Promise<{ result: T; changed: MadeChange[] }> =>
  db.connection().execute(async (transaction) => {
    await run(transaction, beginText(context));
    try {
      const result = await work(transaction);
      return { result, changed: await commit(transaction, lastOf(result)) };
    } catch (error) {
      // If the connection is lost, the database rolls back by itself.
      await run(transaction, "rollback").catch(() => undefined);
      throw error;
    }
  });
