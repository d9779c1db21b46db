import { allows, type Holder, type Role } from "@purser/contract/auth/permissions";
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
import { sumRelatedRows } from "#platform/lists/relatedSums.ts";
import { type Arm, beginning, escapeLike } from "#platform/lists/sql.ts";

/** What a user has paid. Needs users named r. */
const spentByCurrency = `
  select t.currency, sum(t.total) as total, sum(t.refunded) as refunded from transactions t
  where t.user_id = r.id and t.kind in ('purchase', 'renewal', 'change')
    and t.state in ('succeeded', 'disputed') group by t.currency`;

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
    from (${spentByCurrency}) s
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

/** By their few IDs, which every index has, so that counting reads no rows. */
const noService = "r.id <> all (array(select id from service_accounts))";

/** Hides service accounts, and team members from callers without team:read. */
const seenBy = (caller: Role | Holder) =>
  allows(caller, "team:read") ? noService : "r.role is null";

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
  served: [
    {
      sort: "r.id",
      fields: {
        status: userStatuses.filter((status) => status !== "active"),
        country: true,
        role: true,
      },
    },
  ],
  lookedUp: { email: ["is", "starts"], name: ["is", "starts", "contains"] },
} as const satisfies Omit<List<typeof userListFields, never>, "rows">;

const listOf = (caller: Role | Holder) => ({
  ...listed,
  where: seenBy(caller),
  // Nearly all users are customers.
  isWhereServed: true as const,
});

export const findUsers = (db: Db, caller: Role | Holder, query: ListQuery, paging: Paging) => {
  const list: List<typeof userListFields, User> = { ...listOf(caller), rows: users };
  return findPage(db, list, query, paging);
};

/** What the matching users have spent. */
export const sumOfUsers = (
  db: Db,
  caller: Role | Holder,
  { all, ...query }: Pick<ListQuery, "q" | "f"> & { all?: "true" | undefined },
  paging: Paging,
) => {
  const list: List<typeof userListFields, User> = { ...listOf(caller), rows: users };
  const related = { query: spentByCurrency, amounts: ["total", "refunded"] as const };
  const asked = { list, related, query: { ...query, sort: [] }, paging };
  return sumRelatedRows(db, asked, all === "true");
};

/** An export has package names, amounts in minor units, and the address in one line. */
export const userFile = (caller: Role | Holder) => ({ ...listOf(caller), rows: fileRows });

/** What decides whether a customer can be suspended or reactivated. */
export const actableState = {
  status: "r.status",
  role: "r.role",
  mergedIntoId: "(r.merged_into is not null or null)",
};

/** What suspending customers affects, by the name that the confirmation shows. */
export const suspendConsequences = {
  packages: `select count(*) from (
    select distinct g.user_id, g.package_id from grants g join changed c on c.id = g.user_id
    where g.starts_at <= now() and g.ends_at > now()) held`,
  renewing: `select count(distinct s.user_id) from subscriptions s join changed c on c.id = s.user_id
    where s.status in ('trialing', 'active')`,
};

const counted = (rows: number): NonNullable<Total> =>
  rows > numberedRowsMax
    ? { count: numberedRowsMax, kind: "at least" }
    : { count: rows, kind: "exact" };

const upToCap = (where: string) => `(
  select count(*)::int from (
    select from users r where ${where} order by r.id limit ${numberedRowsMax + 1}) few)`;

const countUsersSql = statement(
  "users.countUsers",
  `select ${upToCap("r.role is not null and not r.is_service")} as team, ${upToCap("true")} as rows,
     ${upToCap("r.role is not null and r.is_service")} as services`,
).narrow<{ team: number; rows: number; services: number }>();

export const countUsers = async (db: Db, caller: Role | Holder) => {
  const row = await first(db, countUsersSql);
  const { team = 0, rows = 0, services = 0 } = row ?? {};
  const everyone = rows > numberedRowsMax ? rows : rows - services;
  // With more users than are counted, there are more customers than are counted, because teams are small.
  const customers = everyone > numberedRowsMax ? everyone : everyone - team;
  const seesTeam = allows(caller, "team:read");
  return {
    everyone: counted(seesTeam ? everyone : customers),
    customers: counted(customers),
    team: seesTeam ? counted(team) : null,
  };
};

const among = (caller: Role | Holder, condition: string) => `${condition} and ${seenBy(caller)}`;

export const findUser = (db: Db, caller: Role | Holder, id: string) =>
  first(db, users.with(`where ${among(caller, "r.id = $1")}`), [id]);

/** Locks before reading, so that the row is current after waiting for a lock. */
export const lockUser = async (db: Db, caller: Role | Holder, id: string) => {
  await run(db, "select from users where id = $1 for update", [id]);
  return findUser(db, caller, id);
};

export const findUsersById = (db: Db, caller: Role | Holder, ids: string[]) =>
  run(
    db,
    users.with(
      `where ${among(caller, "r.id = any ($1::uuid[])")} order by array_position($1::uuid[], r.id)`,
    ),
    [ids],
  );

/** Locks in id order to avoid deadlocks. */
export const lockUsers = async (db: Db, caller: Role | Holder, ids: string[]) => {
  await run(db, "select from users where id = any ($1::uuid[]) order by id for update", [ids]);
  return findUsersById(db, caller, ids);
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
