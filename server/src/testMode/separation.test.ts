import { randomUUID } from "node:crypto";
import { endpoints } from "@purser/contract/endpoints";
import type { Endpoint } from "@purser/contract/http/endpoint";
import { isAnsweredByLive } from "@purser/contract/testMode/paths";
import { createWebhookEndpoint, webhookTypes } from "@purser/contract/workspace/webhooks";
import type pg from "pg";
import { expect, test } from "vitest";
import { shopIn } from "../modules/transactions/testing/testing.ts";
import { patiently } from "../patience.testing.ts";
import { connectAsOwner } from "../platform/db/db.ts";
import { seedDemo } from "../seedDemo.ts";
import type { TestProduct } from "../testing.ts";
import { bothModes } from "./bothModes.testing.ts";

const { live, test: testMode } = await bothModes();
const admin = await live.signIn("owner");
// Copies the team, so that the demo data of test mode has the same members.
await testMode.platform.testMode?.copies.refresh();

/** Demo data dates rows back, which only the owner of the tables can. */
const fill = async ({ config, platform }: TestProduct) => {
  const { db } = connectAsOwner(config.DATABASE_URL);
  await db
    .transaction()
    .execute((within) => seedDemo(within, config, { now: platform.now(), print: () => undefined }));
  await db.destroy();
};
await fill(live);
await fill(testMode);

/** What identifies rows: IDs, and numbers, codes and addresses that only one of the modes has. */
const marksOf = async (owner: pg.Pool) => {
  const { rows } = await owner.query<{ place: string; name: string }>(
    `select c.oid::regclass::text as place, a.attname as name
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0
       and (a.attname = 'id' and a.atttypid = 'uuid'::regtype or a.attname in ('number', 'reference')
         and a.atttypid = 'text'::regtype)`,
  );
  const marks = await Promise.all(
    rows.map(({ place, name }) =>
      owner.query<{ mark: string }>(`select ${name}::text as mark from ${place}`),
    ),
  );
  return new Set(marks.flatMap((found) => found.rows.map(({ mark }) => mark)));
};

const without = (all: Set<string>, others: Set<string>) =>
  new Set([...all].filter((one) => one && !others.has(one)));

const words = (text: string) => text.match(/[A-Za-z0-9-]{6,}/g) ?? [];

const reads = Object.entries(endpoints).filter(
  ([, { method, path, permission, stream }]) =>
    method === "GET" &&
    !stream &&
    !["anyone", "app key", "provider"].includes(permission) &&
    !isAnsweredByLive(method, path),
);

const idsFor = async (owner: pg.Pool, path: string) => {
  const place = path.split("/")[1]?.replaceAll("-", "_") ?? "";
  const table: Record<string, string> = { packages: "packages", audit: "audit_entries" };
  const { rows } = await owner
    .query<{ id: string }>(`select id::text from ${table[place] ?? place} order by id desc limit 2`)
    .catch(() => ({ rows: [] }));
  return rows.map(({ id }) => id);
};

/** The URLs of a read with the records of this database, also as a search and as a file. */
const urlsOf = async ({ path, query }: Endpoint, owners: pg.Pool[], terms: readonly string[]) => {
  const ids = (await Promise.all(owners.map((owner) => idsFor(owner, path)))).flat();
  const paths = path.includes("/:")
    ? ids.map((id) => path.replace(/:[a-zA-Z]+/, id).replaceAll(/:[a-zA-Z]+/g, "1"))
    : [path];
  const searches =
    query && "q" in query.shape ? terms.map((term) => `?q=${encodeURIComponent(term)}`) : [];
  return paths.flatMap((one) => [one, ...searches.map((search) => `${one}${search}`)]);
};

const [liveMarks, testMarks] = [await marksOf(live.owner), await marksOf(testMode.owner)];
const onlyLive = without(liveMarks, testMarks);
const onlyTest = without(testMarks, liveMarks);

const termsOf = async (owner: pg.Pool) => {
  const { rows } = await owner.query<{ term: string }>(
    `(select number as term from transactions limit 2)
     union all (select number from users where role is null limit 2)`,
  );
  return rows.map(({ term }) => term);
};

const cases = [
  { name: "live", asked: live, api: "/api", foreign: onlyTest, other: testMode },
  { name: "test mode", asked: testMode, api: "/api/test", foreign: onlyLive, other: live },
];

test("both modes have rows of their own", () => {
  expect(onlyLive.size).toBeGreaterThan(500);
  expect(onlyTest.size).toBeGreaterThan(500);
  expect(reads.length).toBeGreaterThan(90);
});

type Answer = { url: string; statusCode: number; body: string };

/** What is wrong with an answer, if these marks belong to the other mode. */
const faultsOf = ({ url, statusCode, body }: Answer, foreign: Set<string>) => {
  // The requested URL may be repeated in the answer.
  const found = words(body).find((word) => foreign.has(word) && !url.includes(word));
  const isForeign = url.split(/[/?]/).some((part) => foreign.has(part));
  return [
    ...(statusCode >= 500 ? [`${url} answers ${statusCode}`] : []),
    ...(found ? [`${url} has ${found}`] : []),
    ...(statusCode === 200 && isForeign ? [`${url} is answered`] : []),
  ];
};

test.each(cases)(
  "no list, report, export, search or count of $name has a row of the other mode",
  async ({ asked, api, foreign, other }) => {
    const terms = await termsOf(other.owner);
    const { cookie } = admin;
    const answered = new Set<string>();
    const faults: string[] = [];
    for (const [name, endpoint] of reads)
      for (const url of await urlsOf(endpoint, [asked.owner, other.owner], terms)) {
        const sent = { url: `${api}${url}`, headers: { cookie } };
        const { statusCode, body } = await asked.app.inject(sent);
        if (statusCode === 200) answered.add(name);
        faults.push(...faultsOf({ url, statusCode, body }, foreign));
      }
    expect(faults).toEqual([]);
    expect(answered.size).toBeGreaterThan(60);
  },
  patiently(120_000),
);

/** The number of rows of every table that isn't about sessions. */
const countsOf = async (owner: pg.Pool) => {
  const { rows } = await owner.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and relname not in ('sessions', 'tries', 'preferences')`,
  );
  const counts = await Promise.all(
    rows.map(async ({ name }) => {
      const found = await owner.query<{ count: string }>(`select count(*) from public.${name}`);
      return [name, Number(found.rows[0]?.count)] as const;
    }),
  );
  return Object.fromEntries(counts);
};

test.each(cases)(
  "a sale in $name writes only there, and its webhooks too",
  async ({ asked, other }) => {
    const shop = await shopIn(asked);
    const body = { url: "https://hooks.example.com/", types: [...webhookTypes] };
    const made = await asked.call(shop.admin, createWebhookEndpoint, { body });
    expect(made.status, made.text).toBe(201);
    await testMode.platform.testMode?.copies.refresh();
    const before = await countsOf(other.owner);
    const { webhook_events: eventsBefore = 0 } = await countsOf(asked.owner);
    const pack = await shop.sellPackage();
    await shop.sell(shop.saleOf(pack.id, { email: `${randomUUID()}@example.com` }));
    expect(await countsOf(other.owner)).toEqual(before);
    const { webhook_events: events = 0 } = await countsOf(asked.owner);
    expect(events).toBeGreaterThan(eventsBefore);
  },
);
