import { listApps } from "@purser/contract/apps/endpoints";
import { expect, test } from "vitest";
import { loadRows, testProduct } from "../../testing.ts";

const { call, signIn, owner } = await testProduct({
  environment: { COMPANY_TIME_ZONE: "Pacific/Honolulu" },
});
const viewer = await signIn("viewer");

// 123 apps, an hour apart; names repeat, so that a sort by name alone would not be a total order.
await owner.query(`
  insert into apps (id, code, name, platforms, support_email, status, activated_at, created_at, updated_at)
  select uuid_v7(at), 'app-' || lpad(n::text, 3, '0'), 'Name ' || n % 10,
    case when n % 2 = 0 then array['web', 'ios'] else array['api'] end,
    case when n % 5 = 0 then null else 'help' || n || '@example.com' end,
    case when n % 3 = 0 then 'draft' else 'active' end, case when n % 3 = 0 then null else at end, at, at
  from (select n, timestamptz '2026-03-01 00:00Z' + make_interval(hours => n) as at
        from generate_series(1, 123) n) x`);
await owner.query("analyze apps");

type Query = Parameters<typeof call<typeof listApps>>[2] extends { query?: infer Q } | undefined
  ? Q
  : never;
const ask = async (query: Query) => call(viewer, listApps, { query });
const codes = async (query: Query) => (await ask(query)).body.items.map(({ code }) => code);

const walk = async (query: Record<string, string>, direction: "next" | "previous") => {
  const pages: string[][] = [];
  let place: Record<string, string> = direction === "next" ? {} : { before: "end" };
  for (let guard = 0; guard < 50; guard += 1) {
    const { body } = await ask({ ...query, ...place } as Query);
    pages.push(body.items.map(({ id }) => id));
    const cursor = body[direction];
    if (!cursor) break;
    place = direction === "next" ? { after: cursor } : { before: cursor };
  }
  return (direction === "next" ? pages : pages.reverse()).flat();
};

test("lists the newest first, 25 at a time, with the total", async () => {
  const { body } = await ask({});
  expect(body.items).toHaveLength(25);
  expect(body.items[0]?.code).toBe("app-123");
  expect(body.total).toEqual({ count: 123, kind: "exact" });
  expect(body.previous).toBeNull();
});

test.each(["", "name", "-name", "status,name", "-status,name", "updatedAt", "-code", "createdAt"])(
  "following pages by sort '%s' meets every row once, forwards and backwards, in the same order",
  async (sort) => {
    const query: Record<string, string> = { size: "10", ...(sort && { sort }) };
    const forwards = await walk(query, "next");
    expect(new Set(forwards).size).toBe(123);
    expect(await walk(query, "previous")).toEqual(forwards);
  },
);

test("neither repeats nor skips rows while others insert", async () => {
  const first = await ask({ size: "50", sort: "-createdAt" });
  await owner.query("insert into apps (code, name) values ('late-comer', 'Late')");
  const second = await ask({ size: "50", sort: "-createdAt", after: first.body.next ?? "" });
  await owner.query("delete from apps where code = 'late-comer'");
  expect(second.body.items[0]?.code).toBe("app-073");
});

// In Honolulu, a day begins at 10:00 UTC. App n was created n hours after the first of March, UTC.
test.each([
  { sort: "-createdAt", at: "2026-03-02", first: "app-057" },
  { sort: "createdAt", at: "2026-03-02", first: "app-034" },
  { sort: undefined, at: "2026-03-02", first: "app-057" },
  { sort: "-updatedAt", at: "2026-03-02", first: "app-057" },
  { sort: "-updatedAt,name", at: "2026-03-02", first: "app-057" },
  { sort: "-createdAt", at: "2030-01-01", first: "app-123" },
])(
  "goes to the first row of $at sorted by $sort, and on from there",
  async ({ sort, at, first }) => {
    const asked = { size: "10", ...(sort && { sort }) };
    const all = await walk(asked, "next");
    const { body } = await ask({ ...asked, at });
    expect(body.items[0]?.code).toBe(first);
    expect(body.total).toEqual({ count: 123, kind: "exact" });
    const place = all.indexOf(body.items[0]?.id ?? "");
    expect(body.items.map(({ id }) => id)).toEqual(all.slice(place, place + 10));
    expect(body.previous === null).toBe(place === 0);
    if (body.previous) {
      const before = await ask({ ...asked, before: body.previous });
      expect(before.body.items.map(({ id }) => id)).toEqual(all.slice(place - 10, place));
    }
    const after = await ask({ ...asked, after: body.next ?? "" });
    expect(after.body.items.map(({ id }) => id)).toEqual(all.slice(place + 10, place + 20));
  },
);

test("a date before the first row goes to the last page, and an order without dates to none", async () => {
  const { body } = await ask({ sort: "-createdAt", at: "1999-01-01", size: "10" });
  expect(body.items.at(-1)?.code).toBe("app-001");
  expect(body).toMatchObject({ next: null });
  const unsorted = await ask({ sort: "name", at: "2026-03-02" });
  expect([unsorted.status, unsorted.body["errors"]]).toMatchObject([400, [{ pointer: "/at" }]]);
  for (const at of ["2026-02-30", "0000-01-01", "yesterday"])
    expect((await ask({ at })).status, at).toBe(400);
  expect((await ask({ at: "2026-03-02", page: "2" })).status).toBe(400);
});

test("finds a record by its whole ID, in any case", async () => {
  const { id, code } = (await ask({ q: "app-050" })).body.items[0] ?? { id: "", code: "" };
  for (const q of [id, id.toUpperCase()]) {
    const { body } = await ask({ q });
    expect(body.items.map((app) => app.code)).toEqual([code]);
    expect(body.total).toEqual({ count: 1, kind: "exact" });
  }
  expect(await codes({ q: id.slice(0, -1) })).toEqual([]);
});

test("has the same numbered and followed pages, up to row 10,000", async () => {
  expect((await codes({ size: "25", page: "2" }))[0]).toBe("app-098");
  expect(await codes({ size: "25", page: "9" })).toEqual([]);
  const deep = await ask({ size: "100", page: "101" });
  expect(deep.status).toBe(400);
  expect(deep.body["detail"]).toContain("10,000");
});

test.each([
  ["status:any:draft", 41],
  ["status:any:draft,active", 123],
  ["status:none:draft", 82],
  ["platforms:any:ios,desktop", 61],
  ["platforms:none:web", 62],
  ["name:is:name 3", 13],
  ["name:not:Name 3", 110],
  ["name:contains:AME 4", 12],
  ["code:starts:app-12", 4],
  ["supportEmail:empty:", 24],
  ["supportEmail:is:HELP7@example.com", 1],
  ["createdAt:before:2026-03-02T00:00:00Z", 23],
  ["createdAt:after:2026-03-06T00:00:00+00:00", 3],
  ["createdAt:between:2026-03-01T01:00:00Z,2026-03-01T03:00:00Z", 3],
  // The company is in Honolulu, ten hours behind: its 2 March starts at 10:00 UTC.
  ["createdAt:on:2026-03-02", 24],
  ["createdAt:before:2026-03-02", 33],
  ["createdAt:after:2026-03-04", 18],
  ["createdAt:between:2026-03-02,2026-03-03", 48],
  ["createdAt:last:1", 0],
])("finds with the filter %s %i rows", async (f, found) => {
  const { body } = await ask({ f, size: "100", count: "exact" });
  expect(body.total).toEqual({ count: found, kind: "exact" });
});

test("uses the company's time zone for 'this month'", async () => {
  await owner.query("insert into apps (code, name) values ('right-now', 'Now')");
  expect(await codes({ f: ["createdAt:this:month", "createdAt:this:year"] })).toEqual([
    "right-now",
  ]);
  await owner.query("delete from apps where code = 'right-now'");
});

test("combines filters and search", async () => {
  expect(await codes({ q: "app-12", f: ["status:any:draft", "platforms:any:web"] })).toEqual([
    "app-120",
  ]);
});

test("treats a search literally, without wildcards or SQL", async () => {
  for (const q of ["%", "_", "app_001", "\\", "' or 1=1 --", "name:is:x"])
    expect((await ask({ q })).body.items).toEqual([]);
  expect((await ask({ f: "name:contains:%" })).body.items).toEqual([]);
});

test.each([
  [{ f: "colour:is:red" }, "/f/0", "Unknown filter field"],
  [{ f: "__proto__:is:x" }, "/f/0", "Unknown filter field"],
  [{ f: ["name:is:a", "name:like:b"] }, "/f/1", "Unknown operator for name"],
  [{ f: "status:any:red" }, "/f/0", "status:any"],
  [{ f: "createdAt:on:2026-02-30" }, "/f/0", "createdAt:on"],
  [{ f: "createdAt:on:0000-01-01" }, "/f/0", "createdAt:on"],
  [{ f: "createdAt:last:0" }, "/f/0", "createdAt:last"],
  [{ sort: "platforms" }, "/sort", "Unknown sort field"],
  [{ sort: "constructor" }, "/sort", "Unknown sort field"],
  [{ size: "101" }, "/size", "100"],
  [{ size: "1e1" }, "/size", "whole number"],
  [{ colour: "red" }, "/colour", "isn't supported"],
])("refuses %j and names the place and the word", async (query, pointer, word) => {
  const { status, body } = await ask(query as Query);
  expect(status).toBe(400);
  expect(body["errors"]).toMatchObject([
    { in: "query", pointer, message: expect.stringContaining(word) },
  ]);
});

test("refuses a forged cursor and one of another sort", async () => {
  const { next } = (await ask({ sort: "name" })).body;
  const cursor = next ?? "";
  const flipped = `${cursor.slice(0, -2)}${cursor.endsWith("A") ? "B" : "A"}A`;
  for (const query of [
    { sort: "name", after: flipped },
    { sort: "name", after: "made-up" },
    { sort: "code", after: cursor },
    { sort: "name", before: "End" },
  ])
    expect((await ask(query)).status).toBe(400);
  expect((await ask({ sort: "name", after: cursor, page: "2" })).status).toBe(400);
});

test("returns 'at least 10,000' for a large table, and counts on request", async () => {
  await loadRows(
    owner,
    "insert into apps (code, name) select 'more-' || n, 'More' from generate_series(1, 30000) n",
  );
  await owner.query("analyze apps");
  const fresh = (await ask({ f: "name:is:more" })).body.total;
  expect(fresh).toEqual({ count: 10_000, kind: "at least" });
  expect((await ask({ f: "name:is:more", count: "exact" })).body.total).toEqual({
    count: 30_000,
    kind: "exact",
  });
  expect((await ask({ count: "none" })).body.total).toBeNull();
});
