import { randomInt } from "node:crypto";
import { listPackages } from "@purser/contract/packages/endpoints";
import { listVersions } from "@purser/contract/packages/versions";
import { beforeAll, expect, test } from "vitest";
import { subscribers as command } from "#commands/subscribers.ts";
import { runHere } from "#commands/testing.ts";
import { testProduct } from "#testing.ts";
import { catalogIn } from "../testing/testing.ts";
import { settleSubscribers } from "./subscriberQueries.ts";

const product = await testProduct();
const { owner, platform, config, call, signIn } = product;
const admin = await signIn("admin");
const { newApp, newLimit, newPackage, give, publish } = catalogIn(product, admin);

const day = 86_400_000;
const start = Date.now();
const inDays = (days: number) => new Date(start + days * day);

/** The packages and versions whose counts differ from their grants at some day from 30 days ago to in 60 days. */
const differences = async (from = -30) => {
  const { rows } = await owner.query(
    `with keys as (
       select id as package_id, null::uuid as version_id from packages
       union all select package_id, id from package_versions
     ), days as (
       select $1::timestamptz + n * interval '1 day' as at from generate_series($2::int, 60) n
     ), counts as (
       select k.*, d.at,
         (select count(distinct g.user_id)::int from grants g where g.package_id = k.package_id
           and (k.version_id is null or g.version_id = k.version_id)
           and g.starts_at <= d.at and g.ends_at > d.at) as expected,
         (select coalesce(sum(c.change), 0)::int from subscriber_changes c where c.package_id = k.package_id
           and c.version_id is not distinct from k.version_id and c.at <= d.at) as counted
       from keys k, days d
     )
     select * from counts where expected <> counted limit 5`,
    [new Date(start), from],
  );
  return rows;
};

const settleAll = async () => {
  while ((await settleSubscribers(platform.db, new Date())) > 0);
};

let packageIds: string[];
let userIds: string[];
beforeAll(async () => {
  const seats = await newLimit((await newApp()).id);
  packageIds = [];
  for (const name of ["Studio", "Team"]) {
    const { id } = await newPackage({ name });
    for (const value of [5, 7, 9]) {
      await give(id, seats, value);
      expect((await publish(id)).status).toBe(200);
    }
    packageIds.push(id);
  }
  const { rows } = await owner.query<{ id: string }>(
    `insert into users (email, name, status)
     select 'subscriber-' || n || '@example.com', 'Subscriber ' || n, 'active' from generate_series(1, 20) n
     returning id`,
  );
  userIds = rows.map(({ id }) => id);
});

const any = <T>(items: readonly T[]) => items[randomInt(items.length)] as T;

/** Grants of few customers, so that many overlap, follow each other without a gap, or are empty. */
const insertGrants = (count: number) => {
  const grants = Array.from({ length: count }, () => {
    const starts = randomInt(-30, 50);
    const ends = Math.random() < 0.2 ? null : starts + randomInt(0, 12);
    return { u: any(userIds), p: any(packageIds), n: randomInt(1, 4), starts, ends };
  });
  return owner.query(
    `insert into grants (user_id, package_id, version_id, source, source_id, starts_at, ends_at)
     select g.u, g.p, v.id, 'import', 'test', $2::timestamptz + g.starts * interval '1 day',
       coalesce($2::timestamptz + g.ends * interval '1 day', 'infinity')
     from jsonb_to_recordset($1) as g (u uuid, p uuid, n int, starts int, ends int)
     join package_versions v on v.package_id = g.p and v.number = g.n`,
    [JSON.stringify(grants), new Date(start)],
  );
};

const shortenGrants = (share: number) =>
  owner.query(
    `update grants set ends_at = least(ends_at, starts_at + random() * interval '9 days') where random() < $1`,
    [share],
  );

test("P5 counts equal the grants at every moment, whatever overlaps or is shortened", async () => {
  for (let round = 0; round < 12; round += 1) {
    await insertGrants(any([1, 1, 5, 40]));
    await shortenGrants(any([0.02, 0.2]));
    expect(await differences()).toEqual([]);
  }
  await settleAll();
  await insertGrants(20);
  expect(await differences(0)).toEqual([]);
  expect(await runHere(config, command, "recount")).toMatchObject({
    stdout: "Counted the subscribers of 2 packages, corrected 0.\n",
  });
});

test("P5 the list and the versions show these counts, and one row per count is left after settling", async () => {
  await insertGrants(60);
  await settleAll();
  const [studio] = packageIds;
  const { rows: expected } = await owner.query<{ number: number | null; count: number }>(
    `select v.number, count(distinct g.user_id)::int as count
     from package_versions v left join grants g on g.package_id = v.package_id and g.version_id = v.id
       and g.starts_at <= now() and g.ends_at > now()
     where v.package_id = $1
     group by grouping sets ((v.number), ()) order by v.number`,
    [studio],
  );
  const { items: versions } = (await call(admin, listVersions, { params: { id: studio ?? "" } }))
    .body;
  expect(versions.map(({ subscribers }) => subscribers).reverse()).toEqual(
    expected.filter(({ number }) => number !== null).map(({ count }) => count),
  );
  const { items } = (await call(admin, listPackages, { query: {} })).body;
  expect(items.find(({ id }) => id === studio)?.subscribers).toEqual({
    count: expected.find(({ number }) => number === null)?.count,
    kind: "exact",
  });
  const { rows: left } = await owner.query(
    "select count(*)::int as rows from subscriber_changes where at <= now() group by package_id, version_id",
  );
  expect(left).toEqual(left.map(() => ({ rows: 1 })));
});

test("P5 recount corrects counts that differ, now and in the future, and only those", async () => {
  await owner.query(
    `insert into subscriber_changes (package_id, version_id, at, change)
     select package_id, id, $2::timestamptz, 3 from package_versions where package_id = $1 and number = 2
     union all select $1, null, $3::timestamptz, -2`,
    [packageIds[0], inDays(-1), inDays(20)],
  );
  expect(await differences(0)).not.toEqual([]);
  expect((await runHere(config, command, "recount")).stdout).toBe(
    "Corrected: Studio\nCounted the subscribers of 2 packages, corrected 1.\n",
  );
  expect(await differences(0)).toEqual([]);
});

test("P5 two workers settle at the same time without counting twice", async () => {
  await insertGrants(200);
  await Promise.all([settleAll(), settleAll(), insertGrants(50), settleAll()]);
  await settleAll();
  expect(await differences(0)).toEqual([]);
});

test.each([[[]], [["count"]]])("subscribers %j is refused", async (words) => {
  expect(await runHere(config, command, ...words)).toMatchObject({
    code: 1,
    stderr: "Usage: purser subscribers recount.\n",
  });
});
