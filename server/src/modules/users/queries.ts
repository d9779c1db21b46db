import type { StaffMember } from "@purser/contract/users/team";
import { type Db, first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import { escapeLike } from "#platform/lists/sql.ts";

type Person = { id: string; name: string; email: string };

type Known = Person & { status: StaffMember["status"] | "erased" };

const lockByEmailSql = statement(
  "users.lockByEmail",
  "select id, name, email, status from users where email = $1 for no key update",
);

/** Whoever has that address. Locked, so that what is given to one person is given one after the other. */
const lockByEmail = (db: Db, email: string) => first(db, lockByEmailSql, [email]);

/** Whoever has that address; somebody unknown becomes a customer, called by what stands before the @. */
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
  if (!made) throw new Error("Somebody who was just made a customer is not there.");
  return made;
};

/**
 * What somebody typed, as patterns: how an address begins, or any part of a name. Fewer than three
 * characters are no part that an index knows, so they must begin the name.
 */
export const patternsOf = (typed: string) => {
  const beginning = `${escapeLike(typed)}%`;
  return { email: beginning, name: [...typed].length < 3 ? beginning : `%${beginning}` };
};

/** Whether a row named u is somebody who is looked for; the placeholders stand for the patterns. */
export const isMatch = (email: string, name: string) =>
  `(u.email like lower(${email}) or lower(u.name) like lower(${name}))`;
