import type { ListQuery } from "@purser/contract/list";
import { type StaffMember, staffFields } from "@purser/contract/staff";
import { type Db, run } from "#platform/db/db.ts";
import { findPage, type List, type Paging } from "#platform/lists/page.ts";
import { escapeLike } from "#platform/lists/sql.ts";

const shown = `r.id, r.email, r.name, r.role, r.status, r.version,
  r.created_at as "createdAt", r.updated_at as "updatedAt"`;
const isStaff = "r.role is not null and r.status <> 'erased'";

const list: List<typeof staffFields, StaffMember> = {
  table: "users",
  fields: staffFields,
  columns: {
    name: "lower(r.name)",
    email: "r.email",
    role: "r.role",
    status: "r.status",
    createdAt: "r.created_at",
  },
  sorts: { createdAt: "r.id" },
  search: ["lower(r.name)", "r.email"],
  where: isStaff,
  select: shown,
};

export const findStaff = (db: Db, query: ListQuery, paging: Paging) =>
  findPage(db, list, query, paging);

const one = `select ${shown} from users r where r.id = $1 and ${isStaff}`;

export const findStaffMember = async (db: Db, id: string) =>
  (await run<StaffMember>(db, one, [id]))[0];

export const lockStaffMember = async (db: Db, id: string) =>
  (await run<StaffMember>(db, `${one} for update`, [id]))[0];

type Invited = Pick<StaffMember, "email" | "name" | "role">;

export const insertStaffMember = async (db: Db, invited: Invited) => {
  const { id } = await db
    .insertInto("users")
    .values(invited)
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
};

export const updateStaffMember = async (
  db: Db,
  id: string,
  values: Partial<Pick<StaffMember, "name" | "role" | "status">>,
) => {
  await db.updateTable("users").set(values).where("id", "=", id).execute();
};

/** Back to where the person was: without a password yet, the invitation still stands. */
export const statusBeforeSuspension = async (db: Db, id: string) => {
  const password = await db
    .selectFrom("passwords")
    .select("id")
    .where("id", "=", id)
    .executeTakeFirst();
  return password ? ("active" as const) : ("invited" as const);
};

type Person = { id: string; name: string; email: string };

/** Anybody we know, customer or staff. */
export const findPerson = async (db: Db, id: string) =>
  (await run<Person>(db, "select id, name, email from users where id = $1", [id]))[0];

type Known = Person & { status: StaffMember["status"] | "erased" };

/** Whoever has that address. Locked, so that what is given to one person is given one after the other. */
const lockByEmail = async (db: Db, email: string) =>
  (
    await run<Known>(
      db,
      "select id, name, email, status from users where email = $1 for no key update",
      [email],
    )
  )[0];

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
