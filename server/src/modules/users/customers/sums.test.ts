import type { Wire } from "@purser/contract/http/endpoint";
import { listUsers, sumUsers } from "@purser/contract/users/endpoints";
import { beforeAll, expect, test } from "vitest";
import { loadRows, testProduct } from "#testing.ts";

const { call, signIn, owner } = await testProduct();
const viewer = await signIn("viewer");

// 90 customers with up to two payments each, in two currencies, some of them refunded, failed or disputed.
beforeAll(async () => {
  await loadRows(
    owner,
    `insert into users (email, name, status, country)
     select 'sum-' || n || '@example.com', 'Sum ' || n, 'active', case when n % 2 = 0 then 'EE' end
     from generate_series(1, 90) n`,
  );
  await loadRows(
    owner,
    `insert into transactions (number, kind, state, user_id, currency, subtotal, total, refunded, provider, reference,
       occurred_at, settled_at, is_split)
     select 'TS-' || n || '-' || k, 'purchase', (array['succeeded', 'disputed', 'failed'])[1 + n % 3], u.id,
       (array['EUR', 'JPY'])[k], n * 100, n * 100, case when n % 5 = 0 then n else 0 end, 'manual', 'sum-' || n || '-' || k,
       now(), now(), true
     from generate_series(1, 90) n join users u on u.email = 'sum-' || n || '@example.com'
     cross join generate_series(1, 2) k where k = 1 or n % 4 = 0`,
  );
  await owner.query("analyze users");
});

type Query = NonNullable<Wire<typeof listUsers>["query"]>;

/** Adds up the rows of all pages, as a reader of the list would. */
const addedUp = async (query: Pick<Query, "q" | "f">) => {
  const sums = new Map<string, { rows: number; total: bigint; refunded: bigint }>();
  let after: string | null = null;
  do {
    const place: Query = after ? { after } : {};
    const { body } = await call(viewer, listUsers, {
      query: { ...query, ...place, size: "100", count: "none" },
    });
    for (const { currency, total, refunded } of body.items.flatMap(({ spent }) => spent)) {
      const sum = sums.get(currency) ?? { rows: 0, total: 0n, refunded: 0n };
      sums.set(currency, {
        rows: sum.rows + 1,
        total: sum.total + BigInt(total),
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
  { f: "country:any:EE" },
  { f: ["country:none:EE", "status:any:active"] },
  { f: "name:contains:Sum 1" },
  { q: "sum-2" },
  { q: "none" },
])(
  "LS5 the sums of %o are those of its rows, with and without a request for all",
  async (query) => {
    const sums = await addedUp(query);
    for (const asked of [query, { ...query, all: "true" as const }]) {
      const { status, text, body } = await call(viewer, sumUsers, { query: asked });
      expect(status, text).toBe(200);
      expect(body).toEqual({ state: "complete", sums });
    }
  },
);

test("more than 2,000 users are added up only on request", async () => {
  const before = (await call(viewer, sumUsers, { query: { all: "true" } })).body;
  expect(before.sums.length).toBe(2);
  await loadRows(
    owner,
    `insert into users (email, name, status)
     select 'many-' || n || '@example.com', 'Many', 'active' from generate_series(1, 2001) n`,
  );
  const few = await call(viewer, sumUsers, { query: {} });
  expect(few.body).toEqual({ state: "too many", sums: [] });
  expect((await call(viewer, sumUsers, { query: { all: "true" } })).body).toEqual(before);
});
