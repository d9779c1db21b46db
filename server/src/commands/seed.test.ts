import { entityNames } from "@purser/contract/entities";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { testConfig, testDatabase } from "../testing.ts";
import { seed } from "./seed.ts";
import { runHere } from "./testing.ts";

const database = await testDatabase();
const client = new pg.Client({ connectionString: database.url });
await client.connect();
afterAll(async () => {
  await client.end();
  await database.drop();
});

const config = testConfig(database.url);

const seedHere = (...words: string[]) => runHere(config, seed, ...words);

test("seed loads the demo once and creates the requested number of audited apps", async () => {
  const summary = (apps: number, features: number, packages: number, customers: number) =>
    `Made ${apps} demo apps.\nMade ${features} demo features.\nMade ${packages} demo packages.\nMade ${customers} demo customers.\n`;
  const first = (await seedHere()).stdout;
  for (const name of entityNames) {
    const { rowCount } = await client.query(`select from ${name} limit 1`);
    expect(rowCount, `Add demo data of ${name} to seedDemo in compose.ts.`).toBe(1);
  }
  expect(first).toContain(summary(12, 37, 6, 300));
  expect(first).toMatch(/\nMade 5 demo promotions and \d{4} demo transactions\.\n$/);
  expect((await seedHere()).stdout).toBe(
    `${summary(0, 0, 0, 0)}Made 0 demo promotions and 0 demo transactions.\n`,
  );
  await seedHere("--apps", "1000");
  await seedHere("--apps", "500");
  const { rows } = await client.query(`
    select (select count(*)::int from apps) as apps,
      (select count(*)::int from audit_entries where entity = 'apps' and actor_name = 'seed') as audited,
      (select count(distinct status)::int from apps where code like 'bulk-%') as statuses`);
  expect(rows).toEqual([{ apps: 1512, audited: 1512, statuses: 3 }]);
  const { rows: features } = await client.query(`
    select count(distinct app_id)::int as apps, count(distinct kind)::int as kinds,
      count(distinct status)::int as statuses,
      (select count(*)::int from audit_entries where entity = 'features' and actor_name = 'seed') as audited
    from features`);
  expect(features).toEqual([{ apps: 12, kinds: 4, statuses: 3, audited: 37 }]);
});

test("seed creates the requested customers and grants, with subscribers of four versions", async () => {
  const { stdout } = await seedHere("--users", "2000", "--subscribers", "400", "--grants", "3000");
  expect(stdout).toContain("2,000 of 2,000 customers\n");
  await seedHere("--users", "100");
  const { rows } = await client.query(`
    select count(*)::int as grants, count(distinct g.user_id)::int as customers,
      count(distinct g.package_id)::int as packages, count(g.subscription_id)::int as subscribers,
      count(distinct g.version_id) filter (where g.subscription_id is not null)::int as versions,
      count(distinct s.price_id)::int as prices,
      bool_and(price.version_id = s.version_id) as bought,
      bool_and(g.starts_at <= now() and g.ends_at > now()) filter (where s.id is not null) as held
    from users u join grants g on g.user_id = u.id left join subscriptions s on s.id = g.subscription_id
    left join version_prices price on price.id = s.price_id
    where u.email like 'many-%'`);
  expect(rows).toEqual([
    {
      grants: 3150,
      customers: 2100,
      packages: 12,
      subscribers: 420,
      versions: 4,
      prices: 32,
      bought: true,
      held: true,
    },
  ]);
  const { rows: audited } = await client.query(`
    select entity, count(*)::int from audit_entries e
    where actor_name = 'seed' and record_id in (
      select id from users where email like 'many-%'
      union select s.id from subscriptions s join users u on u.id = s.user_id where u.email like 'many-%'
    ) group by entity order by entity`);
  expect(audited).toEqual([
    { entity: "subscriptions", count: 420 },
    { entity: "users", count: 2100 },
  ]);
});

test("seed refuses numbers that contradict each other", async () => {
  const refusal = async (...words: string[]) => (await seedHere(...words)).stderr.trim();
  expect(await refusal("--users", "10", "--subscribers", "11")).toBe(
    "--subscribers can't be greater than --users.",
  );
  expect(await refusal("--users", "10", "--subscribers", "5", "--grants", "4")).toBe(
    "--grants can't be less than --subscribers.",
  );
  expect(await refusal("--grants", "4")).toContain("require --users");
});
