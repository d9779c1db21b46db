import type { Db } from "#platform/db/db.ts";
import { existing } from "#platform/http/problem.ts";
import { findTransaction, lockTransaction } from "./queries.ts";

export const readTransaction = async (db: Db, id: string) =>
  existing(await findTransaction(db, id), "transaction");

export const readLocked = async (db: Db, id: string) =>
  existing(await lockTransaction(db, id), "transaction");
