import { listApps } from "@purser/contract/apps/endpoints";
import { countTransactions } from "@purser/contract/transactions/counts";
import { listTransactions } from "@purser/contract/transactions/endpoints";
import { listUsers } from "@purser/contract/users/endpoints";
import { listTeam } from "@purser/contract/users/team";
import { listAudit } from "@purser/contract/workspace/audit";
import { expect, test } from "vitest";
import { loadRows, testProduct } from "../../testing.ts";

const { call, signIn, owner } = await testProduct();
const admin = await signIn("admin");

// The oldest is the only one with a website, so a search from the newest finds it last.
await loadRows(
  owner,
  `insert into apps (id, code, name, status, website, created_at)
   select uuid_v7(at), 'app-' || n, 'App ' || n, 'draft', case n when 1 then 'https://only.example.com' end, at
   from (select n, timestamptz '2026-01-01Z' + make_interval(mins => n) as at from generate_series(1, 12000) n) x`,
);
await owner.query("analyze apps");

const website = { f: "website:contains:only" };

test("P4 a filter without an index searches a part of the list and says so", async () => {
  const { body } = await call(admin, listApps, { query: website });
  expect(body.items).toEqual([]);
  expect(body.searched).toBe(10_000);
  expect(body.total).toEqual({ count: 0, kind: "at least" });
  expect(body.next).not.toBeNull();
});

test("P4 fewer rows are searched in another order than time, because they are anywhere in the table", async () => {
  for (const [sort, searched] of Object.entries({ name: 4000, "-name": 4000, createdAt: 10_000 })) {
    const { body } = await call(admin, listApps, { query: { ...website, sort } });
    expect(body.searched, sort).toBe(searched);
  }
  const byStatus = { f: ["status:any:draft", "website:contains:only"] };
  const { body } = await call(admin, listApps, { query: byStatus });
  expect(body.searched).toBe(4000);
});

test("P4 the search continues where it ended, and knows when it is complete", async () => {
  const first = await call(admin, listApps, { query: website });
  const { body } = await call(admin, listApps, {
    query: { ...website, after: first.body.next ?? "", count: "none" },
  });
  expect(body.items.map(({ code }) => code)).toEqual(["app-1"]);
  expect(body).toMatchObject({ searched: null, next: null });
});

test("P4 searches backwards from the end in the same way", async () => {
  const last = await call(admin, listApps, { query: { f: "name:is:App 11999", before: "end" } });
  expect(last.body.items).toHaveLength(1);
  const newest = { f: "website:empty:", q: "zz" };
  const { body } = await call(admin, listApps, { query: { ...newest, before: "end" } });
  expect(body).toMatchObject({ items: [], searched: 10_000, next: null });
  const { previous } = body;
  const rest = await call(admin, listApps, { query: { ...newest, before: previous ?? "" } });
  expect(rest.body).toMatchObject({ items: [], searched: null, previous: null });
});

test("P4 an exact count covers all rows", async () => {
  const { body } = await call(admin, listApps, { query: { ...website, count: "exact" } });
  expect(body.total).toEqual({ count: 1, kind: "exact" });
});

test("P4 a range of time is found however old it is", async () => {
  const query = { f: ["createdAt:before:2026-01-01T00:03:00Z", "website:contains:only"] };
  const { body } = await call(admin, listApps, { query });
  expect(body.items.map(({ code }) => code)).toEqual(["app-1"]);
  expect(body.searched).toBeNull();
});

test("P4 several values of an indexed field keep the order", async () => {
  const { body } = await call(admin, listApps, {
    query: { f: ["status:any:draft,active,archived"], size: "3", page: "2" },
  });
  expect(body.items.map(({ code }) => code)).toEqual(["app-11997", "app-11996", "app-11995"]);
});

const sale = `
  insert into transactions (number, kind, state, user_id, currency, subtotal, discount, tax, total, provider, reference,
    occurred_at, is_split)
  select 'TX-' || upper(reference), 'adjustment', state, $1, 'EUR', total, 0, 0, total, 'cardline', reference, now(), true
  from jsonb_to_recordset($2) as given (state text, total bigint, reference text)`;

const sales = [
  { state: "succeeded", total: 1000, reference: "pi_one" },
  { state: "voided", total: 2000, reference: "pi_two" },
  { state: "failed", total: 3000, reference: "ch_three" },
  { state: "pending", total: 4000, reference: "ch_four" },
];
await loadRows(owner, sale, [admin.id, JSON.stringify(sales)]);

const references = async (query: Record<string, string>) => {
  const { body } = await call(admin, listTransactions, { query });
  return body.items.map(({ reference }) => reference).toSorted();
};

test("P1 waiting transactions are counted by state", async () => {
  const { body } = await call(admin, countTransactions);
  const counts = { pending: 1, failed: 1, unknown: 0, disputed: 0 };
  for (const [state, count] of Object.entries(counts))
    expect(body).toMatchObject({ [state]: { count, kind: "exact" } });
});

test("P2 a search finds the beginning of references, also of voided transactions", async () => {
  expect(await references({ q: "pi_" })).toEqual(["pi_one", "pi_two"]);
  expect(await references({ q: "ch_t" })).toEqual(["ch_three"]);
  expect(await references({ q: admin.email.slice(0, 12) })).toHaveLength(sales.length);
  // Neither wildcards nor a part in the middle.
  expect(await references({ q: "i_one" })).toEqual([]);
  expect(await references({ q: "p%" })).toEqual([]);
});

test("P3 a number is found in any case", async () => {
  expect(await references({ f: "number:is:tx-pi_one" })).toEqual(["pi_one"]);
  expect(await references({ f: "number:starts:Tx-Ch" })).toEqual(["ch_four", "ch_three"]);
  expect(await references({ f: "number:not:TX-PI_ONE" })).toHaveLength(sales.length - 1);
});

test("P4 filters with and without an index are combined", async () => {
  const { body } = await call(admin, listTransactions, {
    query: { f: ["state:any:failed,pending,voided", "total:gt:2500"] },
  });
  expect(body.items.map(({ reference }) => reference).toSorted()).toEqual(["ch_four", "ch_three"]);
});

test("P4 the audit log by time and entity, and users by time", async () => {
  const { body } = await call(admin, listAudit, {
    query: { f: ["at:after:2020-01-01T00:00:00Z", "entity:any:users"] },
  });
  expect(body.items.map(({ entity }) => entity)).toContain("users");
  const future = await call(admin, listAudit, { query: { f: "at:after:2090-01-01T00:00:00Z" } });
  expect(future.body.items).toEqual([]);
  const past = await call(admin, listAudit, { query: { f: "at:before:2090-01-01T00:00:00Z" } });
  expect(past.body.items.length).toBeGreaterThan(0);
  const users = await call(admin, listUsers, { query: { f: "createdAt:last:1" } });
  expect(users.body.items.map(({ id }) => id)).toContain(admin.id);
});

test("the count of one list isn't taken for that of another list of the same table", async () => {
  await loadRows(
    owner,
    `insert into users (email, name, status)
     select 'many-' || n || '@example.com', 'Many', 'active' from generate_series(1, 10100) n`,
  );
  const query = { f: "createdAt:last:1", size: "1" };
  const users = await call(admin, listUsers, { query });
  expect(users.body.total).toEqual({ count: 10_000, kind: "at least" });
  const colleague = await signIn("viewer");
  const team = await call(admin, listTeam, { query });
  expect(team.body.total).toEqual({ count: 2, kind: "exact" });
  expect([admin.id, colleague.id]).toContain(team.body.items[0]?.id);
});
