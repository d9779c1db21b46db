import type { Browser, BrowserContext, Page } from "@playwright/test";
import { TOTP } from "otpauth";
import { callApi } from "../data/api.ts";
import { type App, changeApp } from "../data/apps.ts";
import type { Feature } from "../data/features.ts";
import type { Package } from "../data/packages.ts";
import { createOwner, findPasswordLink, type Person } from "../data/team.ts";
import type { Product } from "../environment/product.ts";
import { expectSignedIn, setPassword } from "../pages/signIn.ts";
import { makePromotions } from "./promotionScreenshots.ts";
import { makeSales } from "./transactionScreenshots.ts";
import { fillCustomerProfile } from "./userScreenshots.ts";

/** The reference time for backdated records. */
export const now = new Date();

export const password = "walnut ferry cobalt lantern";
export const marta = { name: "Marta Ilves", email: "marta@example.com", password };
const tomasz = { name: "Tomasz Wieland", email: "tomasz@example.com", password };
const ines = { name: "Ines Okonjo", email: "ines@example.com", password };

const variants = {
  "": { viewport: { width: 1440, height: 900 }, colorScheme: "light" },
  "-dark": { viewport: { width: 1440, height: 900 }, colorScheme: "dark" },
  "-390": { viewport: { width: 390, height: 844 }, colorScheme: "light", hasTouch: true },
} as const;
export type Variant = keyof typeof variants;

type State = Awaited<ReturnType<BrowserContext["storageState"]>>;
export type Workspace = { browser: Browser; product: Product };

export const openPage = async (
  { browser, product }: Workspace,
  variant: Variant,
  state?: State,
) => {
  const context = await browser.newContext({
    ...variants[variant],
    baseURL: product.origin,
    timezoneId: "UTC",
    locale: "en-US",
    ...(state && { storageState: state }),
  });
  const page = await context.newPage();
  // A fixed clock, so that no screenshot depends on how long the previous one took.
  await page.clock.setFixedTime(new Date());
  // Input of one screenshot isn't offered in the next.
  await page.route("**/api/drafts/*", (route) => route.fulfill({ json: { draft: null } }));
  return page;
};

/** Sets the password and signs in. The page stays open for later steps. */
const setPasswordAndSignIn = async (workspace: Workspace, person: Person, link: string) => {
  const page = await openPage(workspace, "");
  await setPassword(page, link, person);
  await expectSignedIn(page, person);
  // As if confirmed just now, for all steps of the script.
  await workspace.product.database.query(
    "update sessions set proven_at = now() + interval '1 hour'",
  );
  return page;
};

const invite = async (workspace: Workspace, host: Page, { name, email }: Person, role: string) => {
  await callApi(host, { method: "POST", path: "/team", body: { name, email, role } });
  return findPasswordLink(await workspace.product.mailbox.read(email));
};

const addAuthenticator = async (page: Page) => {
  const path = "/two-factor/start";
  const { secret } = await callApi<{ secret: string }>(page, { method: "POST", path, body: {} });
  const code = new TOTP({ secret }).generate();
  await callApi(page, { method: "POST", path: "/two-factor/confirm", body: { code } });
};

/** The demo data's records of one kind, by their codes. */
const readByCode = async <R extends { code: string }>(page: Page, path: string) => {
  const { items } = await callApi<{ items: R[] }>(page, { path: `${path}?size=100` });
  return (code: string) => {
    const found = items.find((one) => one.code === code);
    if (!found) throw new Error(`The demo data has nothing called "${code}" in ${path}.`);
    return found;
  };
};

/** Four keys, the oldest of them revoked. */
const makeKeys = async (page: Page, { id }: App) => {
  const path = `/apps/${id}/keys`;
  const both = ["entitlements:read", "usage:write"];
  const make = (name: string, more: object = {}) =>
    callApi<{ id: string }>(page, {
      method: "POST",
      path,
      body: { name, kind: "server", scopes: both, ...more },
    });
  const old = await make("harbor-2025");
  await make("harbor-web", {
    kind: "publishable",
    scopes: ["entitlements:read"],
    origins: ["https://harbor.example.com"],
  });
  await make("harbor-prod-2");
  await make("harbor-prod-1");
  await callApi(page, { method: "POST", path: `${path}/${old.id}/revoke`, body: {} });
};

/** Recent changes by both users, for the activity. */
const makeRecentChanges = async (first: Page, second: Page) => {
  const app = await readByCode<App>(first, "/apps");
  await makeKeys(first, app("harbor"));
  await changeApp(second, app("ledgerly").id, { supportEmail: "books@example.com" });
  await changeApp(first, app("harbor").id, {
    description: "Plans berths, arrivals and moorings for marinas.",
    platforms: ["web", "ios", "android", "api"],
  });
  await changeApp(second, app("harbor").id, { supportEmail: "help@example.com" });
  const { id, version } = app("crew-rota");
  await callApi(first, { method: "POST", path: `/apps/${id}/activate`, version, body: {} });
};

/** Disables triggers, because the database normally protects timestamps. */
const rewrite = async ({ database }: Product, statements: string[]) => {
  await database.query("set session_replication_role = replica");
  for (const statement of statements) await database.query(statement);
  await database.query("set session_replication_role = default");
};

const then = `timestamptz '${now.toISOString()}'`;
const before = (age: string) => `${then} - ${age}`;

/** The demo apps in the order of their names, as if each had been made some days after the last. */
const spreadCreation = (product: Product) =>
  rewrite(product, [
    `create temp table moved as select id, at, uuid_v7(at) as next from (
       select id, ${before("make_interval(days => (row_number() over (order by name) * 16)::int)")} as at from apps
     ) spread`,
    "update apps a set id = next, created_at = at, updated_at = at from moved where moved.id = a.id",
    `do $$ declare name text; begin
       for name in select c.table_name from information_schema.columns c
         where c.table_schema = 'public' and c.column_name = 'app_id'
       loop
         execute format('update %I t set app_id = next from moved where moved.id = t.app_id', name);
       end loop;
     end $$`,
    `update features f set created_at = at + length(f.code) * interval '7 hours',
       updated_at = at + length(f.code) * interval '11 hours'
     from moved where moved.next = f.app_id`,
    "update audit_entries e set record_id = next from moved where e.record_id = moved.id",
  ]);

/** Backdates recent changes, as in a workspace that has been used for a while. */
const spreadOverTime = (product: Product) =>
  rewrite(product, [
    // These records were created by the seed, not by a user.
    "delete from audit_entries where entity not in ('apps', 'app_keys', 'features', 'users')",
    "delete from audit_entries e using users u where e.record_id = u.id and u.role is null",
    `update audit_entries a set at = ${before("age")} from (
       select id, make_interval(mins => least(place * place * 9, 500000 + place)::int) as age
       from (select id, row_number() over (order by id desc) as place from audit_entries) numbered
     ) aged where aged.id = a.id`,
    ...["apps", "features"].map(
      (made) => `update audit_entries e set at = created_at from ${made} a
        where e.record_id = a.id and e.action = 'insert'`,
    ),
    `update apps a set updated_at = at from (
       select record_id, max(at) as at from audit_entries
       where entity = 'apps' and action = 'update' group by record_id
     ) changed where changed.record_id = a.id`,
    `update app_keys set created_at = ${before("interval '100 days'")},
       prefix = left(prefix, -4) || upper(substr(md5(name), 1, 4)),
       revoked_at = case when revoked_at is not null then ${before("interval '13 days'")} end,
       last_used_at = case name when 'harbor-prod-1' then ${before("interval '2 minutes'")}
         when 'harbor-prod-2' then ${before("interval '3 hours'")}
         when 'harbor-2025' then ${before("interval '14 days'")} end,
       expires_at = ${then} + case name when 'harbor-prod-2' then interval '6 days'
         when 'harbor-web' then null else interval '265 days' end`,
  ]);

/** Backdates the records of the screenshots by some days. */
const spreadMoney = (product: Product) =>
  rewrite(product, [
    `update promotions set created_at = ${before("interval '20 days'")}, updated_at = ${before("interval '14 days'")}
     where created_at > ${then}`,
    `update transactions set created_at = occurred_at, updated_at = occurred_at,
       settled_at = least(settled_at, occurred_at) where created_at > ${then}`,
    `update users set created_at = ${before("interval '9 days'")} where created_at > ${then}`,
    `update transaction_events e set at = t.occurred_at, recorded_at = t.occurred_at
     from transactions t where t.id = e.transaction_id and e.at > ${then}`,
    `update transactions set occurred_at = ${before("interval '2 hours'")} where occurred_at > ${then}`,
    `update audit_entries a set at = r.updated_at from promotions r where r.id = a.record_id and a.at > ${then}`,
    `update audit_entries a set at = r.updated_at from transactions r where r.id = a.record_id and a.at > ${then}`,
    `update user_notes set created_at = ${before("interval '8 days'")} where created_at > ${then}`,
    `update audit_entries a set at = ${before("interval '8 days'")}
     where entity in ('users', 'user_notes', 'subscriptions', 'grants') and a.at > ${then}`,
  ]);

/** The workspace of the screenshots: three team members, the demo apps and recent changes. */
export const createDemoCompany = async (workspace: Workspace) => {
  await workspace.product.purser("seed");
  await spreadCreation(workspace.product);
  const first = await setPasswordAndSignIn(
    workspace,
    marta,
    await createOwner(workspace.product, marta),
  );
  const second = await setPasswordAndSignIn(
    workspace,
    tomasz,
    await invite(workspace, first, tomasz, "admin"),
  );
  const third = await setPasswordAndSignIn(
    workspace,
    ines,
    await invite(workspace, first, ines, "viewer"),
  );
  await addAuthenticator(first);
  await addAuthenticator(second);
  const colleague = await callApi<{ id: string }>(second, { path: "/session" });
  await makeRecentChanges(first, second);
  await spreadOverTime(workspace.product);
  const app = await readByCode<App>(first, "/apps");
  const feature = await readByCode<Feature>(first, "/features");
  const pack = await readByCode<Package>(first, "/packages");
  const promotions = await makePromotions({ page: first, product: workspace.product });
  const sales = await makeSales({ page: first, product: workspace.product, pack, now });
  const janaId = await fillCustomerProfile(first, second, sales.sale);
  const { id: invitedId } = await callApi<{ id: string }>(first, {
    method: "POST",
    path: "/team",
    body: { name: "Bruno Achterberg", email: "bruno@example.com", role: "support" },
  });
  await spreadMoney(workspace.product);
  const states = {
    marta: await first.context().storageState(),
    ines: await third.context().storageState(),
  };
  return {
    app,
    feature,
    pack,
    promotions,
    sales,
    states,
    janaId,
    invitedId,
    tomaszId: colleague.id,
    colleaguePage: second,
    database: workspace.product.database,
  };
};
export type DemoCompany = Awaited<ReturnType<typeof createDemoCompany>>;
