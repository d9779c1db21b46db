import { allows, type Role } from "@purser/contract/auth/permissions";
import { type ListQuery, numberedRowsMax, type Total } from "@purser/contract/http/list";
import {
  type User,
  type UserDetails,
  type UserStatus,
  userFields,
  userListFields,
} from "@purser/contract/users/fields";
import { type Db, first, run } from "#platform/db/db.ts";
import { selection, statement } from "#platform/db/statement.ts";
import { filterColumns, selectColumns } from "#platform/lists/columns.ts";
import { findPage, type List, type Paging } from "#platform/lists/page.ts";
import { patternsOf } from "../queries.ts";

const plainColumns = `
  ${selectColumns(userFields, ["packages", "renewsAt", "spent", "invitedUntil", "address"])}, renewal."renewsAt",
  case r.status when 'invited' then (
    select max(l.expires_at) from links l where l.user_id = r.id and l.purpose = 'invitation') end as "invitedUntil"`;

// Lateral, so that packages, renewals and payments are computed only for the rows of the page.
const joins = `
  cross join lateral (
    select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name)
        order by p.kind = 'add-on', lower(p.name), p.id), '[]') as packages,
      coalesce(string_agg(p.name, ', ' order by p.kind = 'add-on', lower(p.name), p.id), '') as words
    from packages p where p.id in (
      select g.package_id from grants g where g.user_id = r.id and g.starts_at <= now() and g.ends_at > now())
  ) held
  cross join lateral (
    select min(s.period_end) as "renewsAt" from subscriptions s
    where s.user_id = r.id and s.status in ('trialing', 'active')
  ) renewal
  cross join lateral (
    select coalesce(jsonb_agg(to_jsonb(s) order by total desc, currency), '[]') as spent,
      coalesce(string_agg(total || ' ' || currency, ', ' order by total desc, currency), '') as words
    from (
      select currency, sum(total) as total, sum(refunded) as refunded from transactions t
      where t.user_id = r.id and t.kind in ('purchase', 'renewal', 'change')
        and t.state in ('succeeded', 'disputed') group by currency
    ) s
  ) paid`;

const users = selection("users.users", {
  table: "users",
  columns: `${plainColumns}, r.address, held.packages, paid.spent`,
  joins,
}).narrow<Pick<User, "packages" | "spent" | "address">>();

const fileRows = selection("users.file", {
  table: "users",
  columns: `${plainColumns}, held.words as packages, paid.words as spent,
    (select nullif(concat_ws(', ', string_agg(line, ', '), r.address ->> 'postalCode', r.address ->> 'city'), '')
     from jsonb_array_elements_text(r.address -> 'lines') line) as address`,
  joins,
}).narrow<{ address: string | null }>();

const heldNow = (ids: string) => `r.id in (
  select g.user_id from grants g
  where g.package_id = any (${ids}) and g.starts_at <= now() and g.ends_at > now())`;

/** Hides team members from roles without team:read. */
const seenBy = (role: Role) => (allows(role, "team:read") ? undefined : "r.role is null");

/** Up to this many matches are looked up by id. With more, scanning the list fills a page quickly. */
const matchingMax = 2000;

// Sorts after every string with the same prefix, in byte order.
const last = "\u{10FFFF}";

const beginsWith = (column: string, [from, to]: readonly [string, string]) =>
  `${column} ~>=~ ${from} and ${column} ~<=~ ${to}`;

const matchingKeys = [
  beginsWith("email", ["$1", "$2"]),
  beginsWith("number", ["$3", "$4"]),
  beginsWith("lower(external_id)", ["$5", "$6"]),
  "lower(name) like $7",
];

const matchingUsers = statement(
  "users.findMatching",
  `select distinct id from (
     ${matchingKeys.map((key) => `(select id from users where ${key} limit ${matchingMax + 1})`).join(" union all ")}
   ) found limit ${matchingMax + 1}`,
).narrow<{ id: string }>();

/**
 * The ids of matching users, or null if there are too many. Each key queries its own index, because the planner
 * misestimates one condition over all of them.
 */
const findMatching = async (db: Db, typed: string) => {
  const [lower, upper] = [typed.toLowerCase(), typed.toUpperCase()];
  const found = await run(db, matchingUsers, [
    ...[lower, lower + last, upper, upper + last, lower, lower + last],
    patternsOf(lower).name,
  ]);
  return found.length > matchingMax ? null : found.map(({ id }) => id);
};

type Searched = Pick<List<typeof userListFields, never>, "search">;

/** The search condition for `q`: the matching ids, or a condition on each row. */
const searchOf = async (db: Db, q: string | undefined): Promise<Searched> => {
  const ids = q ? await findMatching(db, q) : null;
  return {
    search: (typed, values) => {
      if (ids) return `r.id = any (${values.add(ids)}::uuid[])`;
      const { email, name } = patternsOf(typed.toLowerCase());
      const beginning = values.add(email);
      return `r.email like ${beginning} or lower(r.number) like ${beginning}
        or lower(r.external_id) like ${beginning} or lower(r.name) like ${values.add(name)}`;
    },
  };
};

const listed = {
  fields: userListFields,
  columns: {
    ...filterColumns(userFields),
    email: "r.email",
    package: "r.id",
    role: "coalesce(r.role, 'customer')",
  },
  sorts: { createdAt: "r.id" },
  refers: { package: heldNow },
};

type Seen = { db: Db; role: Role; q: string | undefined };

const listOf = async ({ db, role, q }: Seen) => {
  const where = seenBy(role);
  return { ...listed, ...(where && { where }), ...(await searchOf(db, q)) };
};

export const findUsers = async (db: Db, role: Role, query: ListQuery, paging: Paging) => {
  const list: List<typeof userListFields, User> = {
    ...(await listOf({ db, role, q: query.q })),
    rows: users,
  };
  return findPage(db, list, query, paging);
};

/** An export has package names, amounts in minor units, and the address in one line. */
export const userFile = async (seen: Seen) => ({ ...(await listOf(seen)), rows: fileRows });

const counted = (rows: number): NonNullable<Total> =>
  rows > numberedRowsMax
    ? { count: numberedRowsMax, kind: "at least" }
    : { count: rows, kind: "exact" };

const upToCap = (where: string) => `(
  select count(*)::int from (
    select from users r where ${where} order by r.id limit ${numberedRowsMax + 1}) few)`;

const countUsersSql = statement(
  "users.countUsers",
  `select ${upToCap("coalesce(r.role, 'customer') = 'customer'")} as customers,
   ${upToCap("r.role is not null")} as team, ${upToCap("true")} as everyone`,
).narrow<{ customers: number; team: number; everyone: number }>();

export const countUsers = async (db: Db, role: Role) => {
  const row = await first(db, countUsersSql);
  const { customers = 0, team = 0, everyone = 0 } = row ?? {};
  const seesTeam = allows(role, "team:read");
  return {
    everyone: counted(seesTeam ? everyone : customers),
    customers: counted(customers),
    team: seesTeam ? counted(team) : null,
  };
};

const among = (role: Role, condition: string) =>
  [condition, seenBy(role)].filter(Boolean).join(" and ");

export const findUser = (db: Db, role: Role, id: string) =>
  first(db, users.with(`where ${among(role, "r.id = $1")}`), [id]);

/** Locks before reading, so that the row is current after waiting for a lock. */
export const lockUser = async (db: Db, role: Role, id: string) => {
  await run(db, "select from users where id = $1 for update", [id]);
  return findUser(db, role, id);
};

export const findUsersById = (db: Db, role: Role, ids: string[]) =>
  run(
    db,
    users.with(
      `where ${among(role, "r.id = any ($1::uuid[])")} order by array_position($1::uuid[], r.id)`,
    ),
    [ids],
  );

/** Locks in id order to avoid deadlocks. */
export const lockUsers = async (db: Db, role: Role, ids: string[]) => {
  await run(db, "select from users where id = any ($1::uuid[]) order by id for update", [ids]);
  return findUsersById(db, role, ids);
};

const named = statement("users.named", "select id, number, name, role from users");
const namedByEmail = named.with("where email = $1");
const namedByExternalId = named.with("where external_id = $1");

export const findByEmail = (db: Db, email: string) => first(db, namedByEmail, [email]);

export const findByExternalId = (db: Db, externalId: string) =>
  first(db, namedByExternalId, [externalId]);

export const insertCustomer = async (db: Db, details: UserDetails) => {
  const { id } = await db
    .insertInto("users")
    .values({ ...details, status: "active" })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
};

export const replaceDetails = async (db: Db, id: string, details: UserDetails) => {
  await db.updateTable("users").set(details).where("id", "=", id).execute();
};

export const setStatus = async (db: Db, ids: string[], status: UserStatus) => {
  await run(db, "update users set status = $2 where id = any ($1::uuid[])", [ids, status]);
};

const recordsMax = 200;

const findRecordsOfSql = statement(
  "users.findRecordsOf",
  `select 'users' as entity, $1::uuid as id
   union all (select 'subscriptions', id from subscriptions where user_id = $1 order by id desc limit ${recordsMax})
   union all (select 'user_notes', id from user_notes where user_id = $1 order by id desc limit ${recordsMax})
   union all (select 'grants', id from grants where user_id = $1 and (source = 'manual' or revoked_at is not null)
     order by ends_at desc limit ${recordsMax})`,
).narrow<{ entity: string; id: string }>();

/** The records whose changes are in a user's activity, the newest of each kind. */
export const findRecordsOf = (db: Db, id: string) => run(db, findRecordsOfSql, [id]);
