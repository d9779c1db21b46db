import type { TeamMember } from "@purser/contract/users/team";
import { type Db, first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import { escapeLike } from "#platform/lists/sql.ts";

type Named = { id: string; name: string; email: string };

type Known = Named & { status: TeamMember["status"] | "erased" };

const lockByEmailSql = statement(
  "users.lockByEmail",
  "select id, name, email, status from users where email = $1 for no key update",
);

/** Locks the user, so that concurrent grants to the same user are serialized. */
const lockByEmail = (db: Db, email: string) => first(db, lockByEmailSql, [email]);

/** The user with this address. A new address creates a customer, named by the part before the @. */
export const lockOrInsertCustomer = async (db: Db, email: string): Promise<Known> => {
  const known = await lockByEmail(db, email);
  if (known) return known;
  await run(
    db,
    `insert into users (email, name, status) values ($1, left(split_part($1, '@', 1), 120), 'active')
     on conflict (email) do nothing`,
    [email],
  );
  const made = await lockByEmail(db, email);
  if (!made) throw new Error("The new customer was not found.");
  return made;
};

/**
 * Search input as patterns for the start of an address or any part of a name. The trigram index needs three
 * characters, so shorter input matches only the start of a name.
 */
export const patternsOf = (typed: string) => {
  const beginning = `${escapeLike(typed)}%`;
  return { email: beginning, name: [...typed].length < 3 ? beginning : `%${beginning}` };
};

/** The condition for a row u that matches the patterns in these placeholders. */
export const isMatch = (email: string, name: string) =>
  `(u.email like lower(${email}) or lower(u.name) like lower(${name}))`;
