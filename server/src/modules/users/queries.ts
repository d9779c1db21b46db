import type { Role } from "@purser/contract/auth/permissions";
import type { TeamMember } from "@purser/contract/users/team";
import { type Db, first } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";

export type LockedCustomer = {
  id: string;
  name: string;
  email: string;
  status: TeamMember["status"] | "erased";
  role: Role | null;
};

/**
 * Common table expressions that lock the customer with the address $1, or insert one named by the part before the @.
 * The last one has no row if the customer was merged into another one, or was inserted at the same time.
 */
export const lockedCustomer = `
  known as (
    select id, name, email, status, role from users where email = $1 and merged_into is null for no key update
  ), made as (
    insert into users (email, name, status) select $1, left(split_part($1, '@', 1), 120), 'active'
    where not exists (select from users where email = $1)
    on conflict (email) do nothing returning id, name, email, status, role
  ), customer as (select * from known union all select * from made)`;

const lockOrInsertSql = statement(
  "users.lockOrInsert",
  `with ${lockedCustomer} select c.id, c.name, c.email, c.status, c.role from customer c`,
).narrow<LockedCustomer>();

/** Locks the user, so that concurrent grants to the same user are serialized. */
export const lockOrInsertCustomer = (db: Db, email: string) => first(db, lockOrInsertSql, [email]);
