import { type Db, run } from "#platform/db/db.ts";
import { survivorOf } from "../entitlements/customerQueries.ts";

/**
 * Locks the customer of a row, or the one that the customer was merged into. This comes before the lock of a
 * subscription or transaction, so that requests about the same customer wait for each other and never deadlock.
 */
export const lockCustomerOf = (db: Db, table: "subscriptions" | "transactions", id: string) =>
  run(
    db,
    `select from users where id = (${survivorOf(`
       select u.id, u.merged_into from ${table} r join users u on u.id = r.user_id where r.id = $1`)})
     for no key update`,
    [id],
  );
