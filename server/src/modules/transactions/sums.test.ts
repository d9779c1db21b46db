import type { Wire } from "@purser/contract/http/endpoint";
import {
  exportTransactions,
  listTransactions,
  sumTransactions,
} from "@purser/contract/transactions/endpoints";
import pg from "pg";
import { beforeAll, expect, test, vi } from "vitest";
import { loadRows, testProduct } from "#testing.ts";

const { call, signIn, owner } = await testProduct();
const viewer = await signIn("viewer");

// 600 transactions in three currencies, some of them refunds, an hour apart.
beforeAll(async () => {
  await owner.query(
    "insert into users (email, name, status) values ('a@example.com', 'A', 'active')",
  );
  await loadRows(
    owner,
    `insert into transactions (number, kind, parent_id, access, state, user_id, currency, subtotal, discount, tax, total, refunded,
       provider, reference, occurred_at, settled_at, is_split)
     select 'TX-' || n, case when n % 7 = 0 then 'refund' else 'adjustment' end,
       case when n % 7 = 0 then uuid_v7() end, case when n % 7 = 0 then 'keep' end,
       case when n % 5 = 0 then 'failed' else 'succeeded' end, (select id from users where email = 'a@example.com'),
       (array['EUR', 'USD', 'JPY'])[1 + n % 3], n * 100, 0, 0, n * 100, case when n % 11 = 0 then n else 0 end,
       case when n % 2 = 0 then 'cardline' else 'manual' end, 'ref-' || n,
       timestamptz '2026-01-01Z' + make_interval(hours => n), timestamptz '2026-01-01Z', true
     from generate_series(1, 600) n`,
  );
  await owner.query("analyze transactions");
});

type Query = NonNullable<Wire<typeof listTransactions>["query"]>;

/** Adds up the rows of all pages, as a reader of the list would. */
const addedUp = async (query: Pick<Query, "q" | "f">) => {
  const sums = new Map<string, { rows: number; total: bigint; refunded: bigint }>();
  let after: string | null = null;
  do {
    const place: Query = after ? { after } : {};
    const { body } = await call(viewer, listTransactions, {
      query: { ...query, ...place, size: "100", count: "none" },
    });
    for (const { currency, kind, total, refunded } of body.items) {
      const sum = sums.get(currency) ?? { rows: 0, total: 0n, refunded: 0n };
      const sign = kind === "refund" ? -1n : 1n;
      sums.set(currency, {
        rows: sum.rows + 1,
        total: sum.total + sign * BigInt(total),
        refunded: sum.refunded + BigInt(refunded),
      });
    }
    after = body.next;
  } while (after);
  return [...sums].toSorted().map(([currency, { rows, total, refunded }]) => ({
    currency,
    rows,
    amounts: { total: String(total), refunded: String(refunded) },
  }));
};

test.each<Pick<Query, "q" | "f">>([
  {},
  { f: "state:any:failed" },
  { f: "kind:any:refund,chargeback" },
  { f: "provider:is:manual" },
  { f: "currency:is:jpy" },
  { f: ["state:none:failed", "total:gt:30000"] },
  { f: "occurredAt:between:2026-01-05,2026-01-09" },
  { f: "settledAt:on:2026-01-01" },
  { q: "ref-1" },
  { q: "a@example.com", f: "provider:is:cardline" },
  { q: "none" },
])("the sums of %o are those of its rows, with and without a request for all", async (query) => {
  const rows = await addedUp(query);
  for (const asked of [query, { ...query, all: "true" as const }]) {
    const { body } = await call(viewer, sumTransactions, { query: asked });
    expect(body).toEqual({ state: "complete", sums: rows });
  }
});

test("more than 10,000 rows are added up only on request, exactly beyond 2^53", async () => {
  await loadRows(
    owner,
    `insert into transactions (number, kind, state, user_id, currency, subtotal, discount, tax, total, provider,
       reference, occurred_at, is_split)
     select 'TY-' || n, 'adjustment', 'pending', (select id from users where email = 'a@example.com'), 'CLP',
       999999999999999, 0, 0, 999999999999999, 'manual', 'many-' || n, timestamptz '2026-06-01Z', true
     from generate_series(1, 10001) n`,
  );
  const query = { f: "state:any:pending" };
  const few = await call(viewer, sumTransactions, { query });
  expect(few.body).toEqual({ state: "too many", sums: [] });
  const { body } = await call(viewer, sumTransactions, { query: { ...query, all: "true" } });
  const total = String(999_999_999_999_999n * 10_001n);
  expect(body).toEqual({
    state: "complete",
    sums: [{ currency: "CLP", rows: 10_001, amounts: { total, refunded: "0" } }],
  });
});

test("LS5 no statement of a list or its sums counts or adds up more rows than a limit", async () => {
  const sent = vi.spyOn(pg.Client.prototype, "query");
  for (const query of [
    {},
    { f: "provider:is:manual" },
    { f: "state:any:failed" },
    { q: "ref-1" },
  ]) {
    await call(viewer, listTransactions, { query });
    await call(viewer, sumTransactions, { query });
  }
  const texts = sent.mock.calls.map(([asked]) =>
    typeof asked === "string" ? asked : (asked as unknown as pg.QueryConfig).text,
  );
  sent.mockRestore();
  const adding = texts.filter(
    (text) => /\/\* lists\./.test(text) && /count\(\*\)|sum\(/.test(text),
  );
  expect(adding.length).toBeGreaterThan(5);
  // The size in the statistics of the table is no count.
  const counting = adding.filter((text) => !text.includes("pg_class"));
  expect(counting.filter((text) => !/from \(.* limit \d+/s.test(text))).toEqual([]);
});

test("a renewal is found by the provider that received it, in the list and in an export", async () => {
  await loadRows(
    owner,
    `insert into transactions (number, kind, state, user_id, currency, subtotal, discount, tax, total, provider,
       settled_by, reference, occurred_at, settled_at, is_split)
     select 'TZ-' || n, 'renewal', case when n = 1 then 'succeeded' else 'canceled' end,
       (select id from users where email = 'a@example.com'), 'EUR', 100, 0, 0, 100, 'renewal',
       case when n = 1 then 'slowpay' end, 'renewed-' || n, timestamptz '2026-07-01Z',
       case when n = 1 then timestamptz '2026-07-02Z' end, true
     from generate_series(1, 2) n`,
  );
  const query = { f: "provider:is:slowpay" };
  const { body } = await call(viewer, listTransactions, { query });
  expect(body.items.map(({ number, provider }) => [number, provider])).toEqual([
    ["TZ-1", "renewal"],
  ]);
  const file = await call(await signIn("finance"), exportTransactions, {
    query: { format: "csv", columns: "number,provider", f: "number:starts:TZ-" },
  });
  const lines = file.text.split("\r\n").slice(1, -1);
  expect(lines.toSorted()).toEqual(["TZ-1,slowpay", "TZ-2,renewal"]);
});

test("a CSV file has amounts as the list shows them, and JSON lines those of the API", async () => {
  const person = await signIn("finance");
  const file = async (format: "csv" | "jsonl") => {
    const columns = "number,total,refunded,currency";
    const query = { format, columns, f: "number:starts:TX-2", sort: "occurredAt" };
    return (await call(person, exportTransactions, { query })).text.trim().split(/\r?\n/);
  };
  const csv = await file("csv");
  expect(csv).toContain("TX-22,22.00,0.22,USD");
  expect(csv).toContain("TX-23,2300,0,JPY");
  // A refund, like in the sums.
  expect(csv).toContain("TX-21,-21.00,0.00,EUR");
  expect(await file("jsonl")).toContain(
    JSON.stringify({ number: "TX-21", currency: "EUR", total: 2100, refunded: 0 }),
  );
});
