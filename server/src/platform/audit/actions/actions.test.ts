import { changeApp, createApp } from "@purser/contract/apps/endpoints";
import { getAction, listActions } from "@purser/contract/workspace/history";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";

const { call, signIn, owner } = await testProduct();
const admin = await signIn("admin", "Ada Admin");

const newApp = async (code: string) =>
  (await call(admin, createApp, { body: { code, name: `App ${code}` } })).body;

type Page = Awaited<ReturnType<typeof call<typeof listActions>>>["body"];

/** All pages of a query, each continuing after the one before. */
const readAll = async (query: Record<string, string | string[]>) => {
  const pages: Page[] = [];
  let after: string | null = null;
  do {
    const reply: Awaited<ReturnType<typeof call<typeof listActions>>> = await call(
      admin,
      listActions,
      { query: { ...query, ...(after && { after }) } },
    );
    expect(reply.status, reply.text).toBe(200);
    pages.push(reply.body);
    after = reply.body.next;
  } while (after);
  return pages;
};

const requestsOf = (pages: Page[]) =>
  pages.flatMap(({ items }) => items.map(({ requestId, id }) => requestId ?? id));

/** Entries as triggers would write them, of several requests at the same time. */
const addEntries = (requests: (string | null)[], reason: string) =>
  owner.query(
    `insert into audit_entries (entity, record_id, action, after, actor_kind, actor_name, request_id, reason)
     select 'apps', gen_random_uuid(), 'insert', '{"name": "Harbor"}', 'user', 'Ada Admin', r, $2
     from unnest($1::text[]) with ordinality as given (r, n) order by n`,
    [requests, reason],
  );

test("an action is listed once, also if other requests wrote between its entries", async () => {
  const requests = ["one", "two", "one", "three", "two", "one", "four", "three", "five", "one"];
  await addEntries([...requests, null, null], "Interleaved.");
  const f = "reason:is:Interleaved.";
  const all = requestsOf(await readAll({ f }));
  expect(all.slice(2)).toEqual(["one", "five", "three", "four", "two"]);
  expect(new Set(all).size).toBe(7);
  for (const size of ["1", "2", "3"])
    expect(requestsOf(await readAll({ f, size })), `pages of ${size}`).toEqual(all);
  const unfiltered = requestsOf(await readAll({ size: "3" }));
  expect(new Set(unfiltered).size).toBe(unfiltered.length);
  expect(unfiltered.slice(0, 7)).toEqual(all);
});

test("has the name of the record, the changes and whether it was reverted", async () => {
  const { id } = await newApp("told");
  const body = { code: "told", name: "Told again", reason: "A typing mistake." };
  await call(admin, changeApp, { params: { id }, version: 1, body });
  const [page] = await readAll({ f: [`record:any:${id}`] });
  expect(page?.items).toMatchObject([
    {
      reason: "A typing mistake.",
      actor: { name: "Ada Admin" },
      total: { count: 1, kind: "exact" },
      entries: [
        {
          label: "Told again",
          canRevert: true,
          revertedBy: null,
          changes: [{ field: "name", before: "App told", after: "Told again" }],
        },
      ],
    },
    { entries: [{ action: "insert" }] },
  ]);
});

test.each([
  ["a person", { q: "ada adm" }],
  ["a value", { q: "orchid harb" }],
  ["an earlier value", { q: "App searched" }],
  ["a reason", { q: "renamed by" }],
  ["the name of a field", { q: "Nom", fields: "website,name" }],
  ["the name of a type", { q: "Anwend", types: "apps" }],
])("finds actions by %s", async (_, query) => {
  const code = `searched-${Math.random().toString(36).slice(2, 8)}`;
  const { id } = await newApp(code);
  await call(admin, changeApp, {
    params: { id },
    version: 1,
    body: { code, name: "Orchid Harbor", reason: "Renamed by marketing." },
  });
  const found = await call(admin, listActions, { query });
  const records = found.body.items.flatMap(({ entries }) => entries.map((one) => one.recordId));
  expect(records).toContain(id);
  const nothing = await call(admin, listActions, {
    query: { ...query, q: "zz-absent", fields: "icon", types: "rollouts" },
  });
  expect(nothing.body).toMatchObject({ items: [], next: null, searched: null });
});

test("finds an action by the number of an entry and by its request ID", async () => {
  await newApp("numbered");
  const [newest] = (await call(admin, listActions)).body.items;
  for (const q of [newest?.id ?? "", newest?.requestId ?? ""])
    expect((await call(admin, listActions, { query: { q } })).body.items).toMatchObject([
      { requestId: newest?.requestId },
    ]);
});

test.each([
  [
    "prices",
    [
      ["version_prices", {}],
      ["tax_rates", {}],
    ],
  ],
  [
    "refunds",
    [
      ["transactions", { kind: "refund" }],
      ["balance_entries", {}],
    ],
  ],
  ["access", [["grants", {}]]],
  [
    "team",
    [
      ["settings", {}],
      ["users", { role: "viewer" }],
    ],
  ],
] as const)("lists actions on %s", async (topic, rows) => {
  const others = [
    ["transactions", { kind: "purchase" }],
    ["users", {}],
    ["features", {}],
  ] as const;
  const reason = `Topic ${topic}`;
  await owner.query(
    `insert into audit_entries (entity, record_id, action, after, actor_kind, request_id, reason)
     select entity, gen_random_uuid(), 'insert', row, 'user', gen_random_uuid()::text, $2
     from jsonb_to_recordset($1) as given (entity text, row jsonb)`,
    [JSON.stringify([...rows, ...others].map(([entity, row]) => ({ entity, row }))), reason],
  );
  const f = [`topic:any:${topic}`, `reason:is:${reason}`];
  const { body } = await call(admin, listActions, { query: { f } });
  const found = body.items.flatMap(({ entries }) => entries.map(({ entity }) => entity));
  expect(found.toSorted()).toEqual(rows.map(([entity]) => entity).toSorted());
});

test("a long job is one action, and pages search a limited number of entries", async () => {
  await newApp("before-the-job");
  await owner.query(
    `insert into audit_entries (entity, record_id, action, after, actor_kind, actor_name, request_id)
     select 'subscriptions', gen_random_uuid(), 'update', '{}', 'system', 'renew', 'long-job'
     from generate_series(1, 12000) n`,
  );
  const pages = await readAll({ size: "5" });
  expect(pages[0]?.items).toMatchObject([
    { requestId: "long-job", total: { count: 40, kind: "at least" } },
  ]);
  expect(pages[0]?.searched).toBe(10_000);
  expect(requestsOf(pages).filter((one) => one === "long-job")).toHaveLength(1);
  const second = pages.flatMap(({ items }) => items)[1];
  expect(second?.entries).toMatchObject([{ label: "App before-the-job" }]);

  const search = await call(admin, listActions, { query: { q: "before-the-job" } });
  expect(search.body).toMatchObject({ items: [], searched: 10_000 });
  const rest = await call(admin, listActions, {
    query: { q: "before-the-job", after: search.body.next ?? "" },
  });
  expect(rest.body.items).toHaveLength(1);

  const opened = await call(admin, getAction, { params: { id: pages[0]?.items[0]?.id ?? "" } });
  expect(opened.body.action).toMatchObject({ total: { count: 200, kind: "at least" } });
  expect(opened.body.action.entries).toHaveLength(200);
});

test("refuses a cursor of another list", async () => {
  const reply = await call(admin, listActions, { query: { after: "AAAA" } });
  expect(reply.status).toBe(400);
});
