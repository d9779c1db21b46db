import { type Db, first } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";

const findPendingChangeSql = statement(
  "transactions.findPendingChange",
  `select p.name from transactions t join packages p on p.id = t.package_id
   where t.changes_id = $1 and t.state in ('pending', 'unknown')`,
);

/** The package that the subscription is changed to once it is paid. */
export const findPendingChange = (db: Db, subscriptionId: string) =>
  first(db, findPendingChangeSql, [subscriptionId]);
