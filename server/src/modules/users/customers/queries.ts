import { allows, type Role } from "@purser/contract/auth/permissions";
import type { ListQuery, Total } from "@purser/contract/http/list";
import { numberedRowsMax } from "@purser/contract/http/numberedRows";
import {
  type User,
  type UserDetails,
  type UserStatus,
  userFields,
  userListFields,
  userStatuses,
} from "@purser/contract/users/fields";
import { type Db, first, run } from "#platform/db/db.ts";
import { selection, statement } from "#platform/db/statement.ts";
import { lookedUpMax } from "#platform/lists/choose.ts";
import { filterColumns, selectColumns } from "#platform/lists/columns.ts";
import type { List, Paging } from "#platform/lists/list.ts";
import { findPage } from "#platform/lists/page.ts";
import { type Arm, beginning, escapeLike } from "#platform/lists/sql.ts";

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

// Each version of a package is asked apart, because the index begins with both.
const grantsNow = (ids: string) => `
  package_versions v join grants g on g.package_id = v.package_id and g.version_id = v.id and g.ends_at > now()
    and g.starts_at <= now()
  where v.package_id = any (${ids})`;

const heldNow = (ids: string) => `exists (
  select from grants g where g.user_id = r.id and g.ends_at > now() and g.starts_at <= now()
    and g.version_id in (select id from package_versions where package_id = any (${ids})))`;

/** Hides team members from roles without team:read. */
const seenBy = (role: Role) => (allows(role, "team:read") ? undefined : "r.role is null");

/** Each key has its own index. */
/** Two letters are the beginning of a name, more are any part of it. */
const nameArm = (typed: string): Arm => {
  const isPart = [...typed].length > 2;
  const pattern = `${isPart ? "%" : ""}${escapeLike(typed)}%`;
  return {
    sql: (values) => `lower(r.name) like ${values.add(pattern)}`,
    ...(isPart && { isPart }),
  };
};

const search = (typed: string): Arm[] => {
  const [lower, upper] = [typed.toLowerCase(), typed.toUpperCase()];
  return [
    beginning("r.email", lower),
    beginning("r.number", upper),
    beginning("lower(r.external_id)", lower),
    nameArm(lower),
  ];
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
  stored: { email: { inByteOrder: true } },
  search,
  refers: { package: heldNow },
  finds: {
    package: (ids: string) =>
      `(select g.user_id as id from ${grantsNow(ids)} limit ${lookedUpMax + 1})`,
  },
  served: {
    sort: "r.id",
    fields: {
      status: userStatuses.filter((status) => status !== "active"),
      country: true,
      role: true,
    },
  },
  lookedUp: { email: ["is", "starts"], name: ["is", "starts", "contains"] },
} as const satisfies Omit<List<typeof userListFields, never>, "rows">;

const listOf = (role: Role) => {
  const where = seenBy(role);
  // Nearly all users are customers.
  return where ? { ...listed, where, isWhereServed: true as const } : listed;
};

export const findUsers = (db: Db, role: Role, query: ListQuery, paging: Paging) => {
  const list: List<typeof userListFields, User> = { ...listOf(role), rows: users };
  return findPage(db, list, query, paging);
};

/** An export has package names, amounts in minor units, and the address in one line. */
export const userFile = (role: Role) => ({ ...listOf(role), rows: fileRows });

const counted = (rows: number): NonNullable<Total> =>
  rows > numberedRowsMax
    ? { count: numberedRowsMax, kind: "at least" }
    : { count: rows, kind: "exact" };

const upToCap = (where: string) => `(
  select count(*)::int from (
    select from users r where ${where} order by r.id limit ${numberedRowsMax + 1}) few)`;

const countUsersSql = statement(
  "users.countUsers",
  `select ${upToCap("r.role is not null")} as team, ${upToCap("true")} as everyone`,
).narrow<{ team: number; everyone: number }>();

export const countUsers = async (db: Db, role: Role) => {
  const row = await first(db, countUsersSql);
  const { team = 0, everyone = 0 } = row ?? {};
  // With more users than are counted, there are more customers than are counted, because teams are small.
  const customers = everyone > numberedRowsMax ? everyone : everyone - team;
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
