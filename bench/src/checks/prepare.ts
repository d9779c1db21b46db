import { newKeySecret } from "../../../server/src/platform/auth/apiKeys.ts";
import { type BenchDatabase, fillDatabase } from "../setup/database.ts";
import type { Settings } from "../setup/product.ts";

export type Size = { users: number; grants: number; subscribers: number };

/** How many packages the customers of the benchmark have. */
export const packageCounts = [1, 10, 100];

export const customerWith = (packages: number) => `holds-${packages}@example.com`;

/** One after another, from the first one again after the last one. */
export const inTurn = (customers: readonly string[]) => {
  let asked = 0;
  return () => {
    asked += 1;
    return customers[asked % customers.length] ?? "";
  };
};

const headersInTurn = (secrets: readonly string[]) => {
  const next = inTurn(secrets);
  return () => ({ authorization: `Bearer ${next()}` });
};

const sampledMax = 50_000;

/** One key may send 60,000 requests a minute. */
const keysCount = 40;

/** Keys of an app, a counted feature of it, customers with one, ten and a hundred packages, and a sample of all others. */
const prepare = async ({ query }: BenchDatabase) => {
  const [offer] = await query<{
    app: string;
    feature: string;
    code: string;
    version: string;
    package: string;
  }>(
    `select f.app_id as app, f.id as feature, f.code, v.version_id as version, pv.package_id as package
     from version_values v join features f on f.id = v.feature_id
     join package_versions pv on pv.id = v.version_id
     join apps a on a.id = f.app_id
     where f.kind = 'metered' and f.status = 'active' and a.status = 'active' and pv.state = 'on sale'
     order by f.id limit 1`,
  );
  if (!offer) throw new Error("The seed has no metered feature on sale.");
  const keys = Array.from({ length: keysCount }, () => newKeySecret("server"));
  for (const { prefix, secretHash } of keys)
    await query(
      `insert into app_keys (app_id, name, kind, scopes, prefix, secret_hash, created_at)
       values ($1, 'Bench', 'server', '{entitlements:read,usage:write}', $2, $3, now())`,
      [offer.app, prefix, secretHash],
    );
  for (const packages of packageCounts)
    await query(
      `with customer as (
         insert into users (email, name, status) values ($1, 'Bench', 'active') returning id
       )
       insert into grants (user_id, package_id, version_id, source, source_id, reason, starts_at)
       select id, $2, $3, 'manual', 'bench-' || n, 'Bench', now() from customer, generate_series(1, $4) n`,
      [customerWith(packages), offer.package, offer.version, packages],
    );
  await query("update features set default_value = '\"unlimited\"' where id = $1", [offer.feature]);
  await query("vacuum (analyze) grants, users");
  const customers = await query<{ email: string }>(
    "select email from users where email like 'many-%' order by random() limit $1",
    [sampledMax],
  );
  return {
    headersOf: headersInTurn(keys.map(({ secret }) => secret)),
    feature: offer.code,
    customers: customers.map(({ email }) => email),
  };
};
export type Prepared = Awaited<ReturnType<typeof prepare>>;

export const prepareChecks = async (
  database: BenchDatabase,
  { size, settings, signal }: { size: Size; settings: Settings; signal: AbortSignal },
) => {
  const seed = {
    options: Object.entries(size).flatMap(([name, count]) => [`--${name}`, String(count)]),
    description: `${size.users.toLocaleString("en")} users and ${size.grants.toLocaleString("en")} grants`,
  };
  await fillDatabase(database, { seed, settings, signal });
  return prepare(database);
};

export const checkPath = (feature: string, user: string) =>
  `/api/check?user=${user}&feature=${feature}`;
