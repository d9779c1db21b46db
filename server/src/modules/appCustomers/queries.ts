import type { AppCustomer } from "@purser/contract/users/appCustomers";
import { type Db, first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import { survivorOf } from "../entitlements/customerQueries.ts";
import type { Changes, Known, NewCustomer } from "./rules.ts";

const byExternalId = survivorOf("select id, merged_into from users where external_id = $1");
const byEmail = survivorOf("select id, merged_into from users where email = $1");

const columns = `u.id, u.number, u.external_id as "externalId", u.email, u.name, u.country, u.locale, u.status,
  u.created_at as "createdAt", u.updated_at as "updatedAt"`;

const findCustomerSql = statement(
  "appCustomers.findCustomer",
  `select ${columns} from users u join (${byExternalId}) found on found.id = u.id
   where u.role is null and u.status <> 'erased'`,
).narrow<Pick<AppCustomer, "status">>();

/** The customer with this external ID, or the one that it was merged into. Team members aren't customers. */
export const findCustomer = (db: Db, externalId: string) =>
  first(db, findCustomerSql, [externalId]);

const readCustomerSql = statement(
  "appCustomers.readCustomer",
  `select ${columns} from users u where u.id = $1`,
).narrow<Pick<AppCustomer, "status">>();

export const readCustomer = async (db: Db, id: string) => {
  const row = await first(db, readCustomerSql, [id]);
  if (!row) throw new Error(`The customer ${id} is missing.`);
  return row;
};

const findIdsSql = statement(
  "appCustomers.findIds",
  `select (${byExternalId}) as "byExternalId", (${byEmail.replaceAll("$1", "$2")}) as "byEmail"`,
).narrow<{ byExternalId: string | null; byEmail: string | null }>();

const lockedSql = statement(
  "appCustomers.locked",
  `select u.id, u.external_id as "externalId", u.email, u.name, u.country, u.locale, u.status, u.role
   from users u where u.id = any ($1::uuid[]) and u.merged_into is null`,
);

type Sought = { externalId: string; email: string };
type Found = { byExternalId: Known | null; byEmail: Known | null };

/**
 * Locks who has the external ID and who has the email address. For merged records it is the one that they became part
 * of. Undefined if one of them was changed while this waited for the lock.
 */
export const lockKnown = async (db: Db, sought: Sought): Promise<Found | undefined> => {
  const found = await first(db, findIdsSql, [sought.externalId, sought.email]);
  const ids = [found?.byExternalId, found?.byEmail].flatMap((id) => id ?? []);
  if (ids.length === 0) return { byExternalId: null, byEmail: null };
  await run(db, "select from users where id = any ($1::uuid[]) order by id for no key update", [
    ids,
  ]);
  const again = await first(db, findIdsSql, [sought.externalId, sought.email]);
  if (again?.byExternalId !== found?.byExternalId || again?.byEmail !== found?.byEmail)
    return undefined;
  const rows = new Map((await run(db, lockedSql, [ids])).map((row) => [row.id, row]));
  return {
    byExternalId: rows.get(found?.byExternalId ?? "") ?? null,
    byEmail: rows.get(found?.byEmail ?? "") ?? null,
  };
};

const insertSql = statement(
  "appCustomers.insert",
  `insert into users (external_id, email, name, country, locale, status) values ($1, $2, $3, $4, $5, 'active')
   on conflict do nothing returning id`,
);

/** The ID of the new customer. Undefined if another request inserted one with the same ID or address. */
export const insertCustomer = async (db: Db, customer: NewCustomer) => {
  const { externalId, email, name, country, locale } = customer;
  return (await first(db, insertSql, [externalId, email, name, country, locale]))?.id;
};

export const updateCustomer = async (db: Db, id: string, changes: Changes) => {
  await db.updateTable("users").set(changes).where("id", "=", id).execute();
};

/** How many apps a reply has the entitlements of. */
const appsMax = 20;

const findAppsSql = statement(
  "appCustomers.findApps",
  `select id, code, name from apps where status <> 'draft' order by lower(name), id limit ${appsMax + 1}`,
);
const findAppByIdSql = statement(
  "appCustomers.findAppById",
  "select id, code, name from apps where id = $1",
);
const findAppByCodeSql = statement(
  "appCustomers.findAppByCode",
  "select id, code, name from apps where code = $1 and status <> 'draft'",
);

export const findApp = (db: Db, id: string) => first(db, findAppByIdSql, [id]);
export const findAppByCode = (db: Db, code: string) => first(db, findAppByCodeSql, [code]);

/** The first apps by name, and whether there are more. */
export const findApps = async (db: Db) => {
  const rows = await run(db, findAppsSql);
  return { apps: rows.slice(0, appsMax), hasMore: rows.length > appsMax };
};

const subscriptions = statement(
  "appCustomers.subscriptions",
  `select s.id, jsonb_build_object('id', p.id, 'name', p.name) as package, s.status, s.quantity,
     s.period_start as "periodStart", s.period_end as "periodEnd",
     case when s.status in ('trialing', 'active', 'ending') then s.period_end else s.access_until end as "accessUntil",
     s.version
   from subscriptions s join packages p on p.id = s.package_id`,
).narrow<{ package: { id: string; name: string }; accessUntil: Date }>();
const allSubscriptions = subscriptions.with("where s.user_id = $1 order by s.id desc limit 100");
const subscriptionsOfApp = subscriptions.with(
  `where s.user_id = $1 and exists (
     select from version_values v join features f on f.id = v.feature_id
     where v.version_id = s.version_id and f.app_id = $2)
   order by s.id desc limit 100`,
);

/** All subscriptions of a customer, or those of packages that include an app. */
export const findSubscriptions = (db: Db, userId: string, appId: string | null) =>
  appId === null
    ? run(db, allSubscriptions, [userId])
    : run(db, subscriptionsOfApp, [userId, appId]);
