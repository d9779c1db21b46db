import { type Db, run } from "../db/db.ts";
import { beginningOf, type SecretKeys, seal, tryToOpen } from "./secrets.ts";

/**
 * Every column with a sealed secret that is kept for long. Sealed values that live for minutes or two days aren't
 * listed: an old key stays configured until they have expired.
 */
const columns = [
  { table: "authenticators", column: "secret", purpose: "authenticator" },
  { table: "webhook_endpoints", column: "secret", purpose: "webhook" },
  { table: "webhook_endpoints", column: "previous_secret", purpose: "webhook" },
  { table: "signing_keys", column: "secret", purpose: "signing key" },
] as const;

type Column = (typeof columns)[number];
type Row = { id: string; sealed: Buffer };

const batchSize = 500;

/** Rows after the given one that aren't sealed with the newest key. */
const findOutdated = async (db: Db, { table, column }: Column, keys: SecretKeys, after: string) =>
  (await run(
    db,
    `select id, ${column} as sealed from ${table}
     where ${column} is not null and substring(${column} from 1 for 8) <> $1 and id > $2
     order by id limit ${batchSize}`,
    [beginningOf(keys[0] ?? ""), after],
  )) as Row[];

const nil = "00000000-0000-0000-0000-000000000000";

async function* outdatedBatches(db: Db, column: Column, keys: SecretKeys) {
  for (let after = nil; ; ) {
    const rows = await findOutdated(db, column, keys, after);
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    after = last.id;
  }
}

const opened = (keys: SecretKeys, { purpose }: Column, { id, sealed }: Row) =>
  tryToOpen(keys, sealed, { purpose, id });

/** How many stored secrets an older key sealed, and how many none of the keys can open. */
export const countOutdated = async (db: Db, keys: SecretKeys) => {
  const counts = { older: 0, unreadable: 0 };
  for (const column of columns)
    for await (const rows of outdatedBatches(db, column, keys))
      for (const row of rows)
        counts[opened(keys, column, row) === undefined ? "unreadable" : "older"] += 1;
  return counts;
};

/** False if the secret can't be opened. It then stays as it is. */
const reseal = async (db: Db, column: Column, row: Row, keys: SecretKeys) => {
  const value = opened(keys, column, row);
  if (value === undefined) return false;
  const { table, column: name, purpose } = column;
  // The comparison leaves out a secret that was replaced in the meantime.
  await run(db, `update ${table} set ${name} = $2 where id = $1 and ${name} = $3`, [
    row.id,
    seal(keys, value, { purpose, id: row.id }),
    row.sealed,
  ]);
  return true;
};

type InTransaction = (work: (db: Db) => Promise<void>) => Promise<unknown>;

/** Seals every stored secret with the newest key, each batch in a transaction of its own. */
export const resealAll = async (db: Db, keys: SecretKeys, inTransaction: InTransaction) => {
  let resealed = 0;
  for (const column of columns)
    for await (const rows of outdatedBatches(db, column, keys))
      await inTransaction(async (inside) => {
        for (const row of rows) if (await reseal(inside, column, row, keys)) resealed += 1;
      });
  return resealed;
};
