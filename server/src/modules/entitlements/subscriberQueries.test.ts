import { listSubscribers } from "@purser/contract/entitlements/grants";
import pg from "pg";
import { expect, test, vi } from "vitest";
import { testProduct } from "#testing.ts";
import { catalogIn } from "../packages/testing/testing.ts";

const product = await testProduct();
const { call, signIn, owner } = product;
const admin = await signIn("admin");
const { newApp, newLimit, newPackage, give, publish, read } = catalogIn(product, admin);

const subscribersCount = 100_000;

const feature = await newLimit((await newApp()).id);
const onSale = async () => {
  const { id } = await newPackage();
  await give(id, feature, 5);
  await publish(id);
  return { id, versionId: (await read(id)).onSale?.id ?? "" };
};
const popular = await onSale();
const abandoned = await onSale();

// Without triggers, because a hundred thousand audit entries aren't needed here.
const client = await owner.connect();
await client.query("set session_replication_role = replica");
await client.query(
  `insert into users (email, name, status)
   select 'subscriber-' || n || '@example.com', 'Subscriber ' || n, 'active' from generate_series(1, ${subscribersCount}) n`,
);
const insertGrants = ({ id, versionId }: typeof popular, ends: string) =>
  client.query(
    `insert into grants (user_id, package_id, version_id, source, source_id, starts_at, ends_at)
     select id, $1, $2, 'import', 'test', now() - interval '9 days', ${ends} from users where role is null`,
    [id, versionId],
  );
await insertGrants(popular, "now() + interval '9 days'");
await insertGrants(
  abandoned,
  "now() + case when email in ('subscriber-7@example.com', 'subscriber-8@example.com') then 1 else -1 end * interval '1 day'",
);
await client.query("set session_replication_role = origin");
await client.query("vacuum analyze grants");
await client.query("vacuum analyze users");
client.release();

type Plan = {
  "Node Type": string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Index Recheck"?: number;
  Plans?: Plan[];
};

/** The largest number of rows that a scan of the plan read. */
const rowsTouched = (plan: Plan): number => {
  const seen =
    plan["Actual Rows"] +
    (plan["Rows Removed by Filter"] ?? 0) +
    (plan["Rows Removed by Index Recheck"] ?? 0);
  const own = plan["Node Type"].endsWith("Scan") ? seen * plan["Actual Loops"] : 0;
  return Math.max(own, ...(plan.Plans ?? []).map(rowsTouched));
};

const explain = async (mode: string, text: string, values: unknown[]) => {
  const explaining = await owner.connect();
  try {
    await explaining.query(`set plan_cache_mode = ${mode}`);
    const { rows } = await explaining.query(`explain (analyze, format json) ${text}`, values);
    return rowsTouched(rows[0]["QUERY PLAN"][0].Plan);
  } finally {
    await explaining.query("reset plan_cache_mode");
    explaining.release();
  }
};

/** A page of subscribers, and the rows that its largest scan read with custom and generic plans. */
const pageOf = async (id: string, query: { q?: string; after?: string } = {}) => {
  const spy = vi.spyOn(pg.Client.prototype, "query");
  const { body } = await call(admin, listSubscribers, { params: { id }, query });
  const queries = (spy.mock.calls as unknown as [pg.QueryConfig | string][]).flatMap(
    ([asked]): [string, unknown[]][] =>
      typeof asked === "string" ? [] : [[asked.text, asked.values ?? []]],
  );
  spy.mockRestore();
  const touched = [];
  for (const [text, values] of queries.filter(([one]) => /\bgrants\b|from users u where/.test(one)))
    for (const mode of ["force_custom_plan", "force_generic_plan"])
      touched.push(await explain(mode, text, values));
  return { names: body.items.map(({ user }) => user.name), next: body.next, touched };
};

const idAt = async (share: number) => {
  const { rows } = await owner.query<{ id: string }>(
    `select id from grants where package_id = $1 order by id offset ${Math.floor(subscribersCount * share)} limit 1`,
    [popular.id],
  );
  return rows[0]?.id ?? "";
};

test("a page of 100,000 subscribers reads no more rows than a page, wherever it is", async () => {
  for (const after of [undefined, await idAt(0.5), await idAt(0.0003)]) {
    const { names, touched } = await pageOf(popular.id, after ? { after } : {});
    expect(names).toHaveLength(25);
    expect(touched.length).toBeGreaterThan(0);
    expect(Math.max(...touched)).toBeLessThan(100);
  }
});

test("a search reads few rows, whether few or many users match", async () => {
  const few = await pageOf(popular.id, { q: "subscriber-4242" });
  expect(few.names).toHaveLength(11);
  expect(Math.max(...few.touched)).toBeLessThan(2000);
  const named = await pageOf(popular.id, { q: "criber 4242" });
  expect(named.names.toSorted()).toEqual(few.names.toSorted());
  expect(Math.max(...named.touched)).toBeLessThan(2000);
  const many = await pageOf(popular.id, { q: "subscriber" });
  expect([many.names.length, many.next]).toEqual([25, expect.any(String)]);
  expect(Math.max(...many.touched)).toBeLessThan(20_000);
  expect((await pageOf(popular.id, { q: "nobody" })).names).toEqual([]);
});

test("finds the few active grants behind many that ended", async () => {
  const { names, next, touched } = await pageOf(abandoned.id);
  expect([names.toSorted(), next]).toEqual([["Subscriber 7", "Subscriber 8"], null]);
  expect(Math.max(...touched)).toBeLessThanOrEqual(20_000);
});
