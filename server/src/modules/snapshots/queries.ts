import type { Db } from "#platform/db/db.ts";
import { first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";

const currentKey = statement(
  "snapshots.findCurrentKey",
  "select id, secret from signing_keys where listed_until is null",
);

export const findCurrentKey = (db: Db) => first(db, currentKey);

const newKey = statement(
  "snapshots.insertKey",
  `
  insert into signing_keys (id, public_key, secret) values ($1, $2, $3)
  on conflict ((listed_until is null)) where listed_until is null do nothing`,
);

/** Another request may have created the first key at the same time. Then that one is used. */
export const insertKey = (db: Db, key: { id: string; publicKey: string; secret: Buffer }) =>
  run(db, newKey, [key.id, key.publicKey, key.secret]);

const listedKeys = statement(
  "snapshots.listKeys",
  `
  select id, public_key as "publicKey", listed_until as "listedUntil", created_at as "createdAt"
  from signing_keys where listed_until is null or listed_until > $1
  order by listed_until desc nulls first, id desc`,
);

export const findListedKeys = (db: Db, now: Date) => run(db, listedKeys, [now]);

const endedKeys = statement(
  "snapshots.endKeys",
  `
  update signing_keys set listed_until = $1
  where listed_until is null or ($2 and listed_until > $1)`,
);

/** Lists the current key only until then. With `all`, also those before it. */
export const endKeys = (db: Db, until: Date, all: boolean) => run(db, endedKeys, [until, all]);

const appCode = statement("snapshots.findAppCode", "select code from apps where id = $1");

export const findAppCode = async (db: Db, id: string) => (await first(db, appCode, [id]))?.code;
