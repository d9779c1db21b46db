import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { exportApps, listApps } from "@purser/contract/apps/endpoints";
import { afterEach, expect, test, vi } from "vitest";
import { compose } from "../../compose.ts";
import { loadRows, testProduct } from "../../testing.ts";

// Noon, so that it is already tomorrow on Kiritimati.
const clock = { now: () => Date.parse("2026-11-15T12:00:00Z") };
const product = await testProduct({ clock });
const { app, call, signIn, owner, config } = product;
const address = await app.listen({ port: 0, host: "127.0.0.1" });
const reader = await signIn("catalog");

// 40 MB, because the kernel may hold 37 MB for a connection whose reader was fast before.
const heavyRows = 20_000;
await loadRows(
  owner,
  `insert into apps (code, name, description)
   select 'heavy-' || lpad(n::text, 5, '0'), 'Heavy', rpad('', 2000, 'x') from generate_series(1, $1) n`,
  [heavyRows],
);
await owner.query(`
  insert into apps (code, name, status, activated_at, created_at)
  select 'app-' || lpad(n::text, 4, '0'), 'App ' || n, case when n % 2 = 0 then 'active' else 'draft' end,
    case when n % 2 = 0 then now() end, timestamptz '2026-07-01 12:00Z'
  from generate_series(1, 2500) n`);

type Query = Partial<Parameters<typeof call<typeof exportApps>>[2] & object>["query"];
type Asked = NonNullable<Query>;

const csv = async (query: Partial<Asked>) => {
  const sent = { format: "csv", columns: "code", ...query } as Asked;
  const answer = await call(reader, exportApps, { query: sent });
  return { ...answer, lines: answer.text.split("\r\n").slice(0, -1) };
};

const heavy = "format=csv&columns=code,description&f=code:starts:heavy-&sort=code";

/** A browser that reads the first bytes and then stops. */
const startReading = async (cookie: string, from = address, search = heavy) => {
  const request = get(`${from}/api/apps/export?${search}`, { headers: { cookie }, agent: false });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  return response;
};

const readAll = async (response: IncomingMessage) => {
  let text = "";
  for await (const chunk of response) text += chunk;
  return text;
};

/** The reader has stopped, and the server waits for them with the rest of the rows. */
const serverWaits = (response: IncomingMessage) =>
  vi.waitFor(
    async () => expect([response.statusCode, await openSnapshots()]).toEqual([200, 1]),
    5000,
  );

const openSnapshots = async () => {
  const { rowCount } = await owner.query(
    `select from pg_stat_activity where datname = current_database()
     and state = 'idle in transaction' and query like 'fetch%'`,
  );
  return rowCount;
};

const allFree = () =>
  vi.waitFor(async () => {
    const { totalCount, idleCount } = product.platform.pools.reads.pool;
    expect([await openSnapshots(), totalCount - idleCount]).toEqual([0, 0]);
  }, 5000);

afterEach(allFree);

test("writes a header and one line per row", async () => {
  const whole = await csv({ f: "code:starts:app-", columns: "name,status,code" });
  expect(whole.lines).toHaveLength(2501);
  const narrowed = await csv({
    f: ["code:starts:app-", "status:any:active"],
    columns: "name,status,code",
    sort: "-code",
  });
  expect(narrowed.lines).toHaveLength(1251);
  expect(narrowed.lines.slice(0, 3)).toEqual([
    "name,status,code",
    "App 2500,active,app-2500",
    "App 2498,active,app-2498",
  ]);
  expect(narrowed.text.endsWith("\r\n")).toBe(true);
});

test("has the rows and order of the list", async () => {
  const asked = { q: "app 1", f: "status:any:draft", sort: "-status,name" };
  const list = await call(reader, listApps, { query: { ...asked, size: "100" } });
  const { lines } = await csv(asked);
  expect(lines.length).toBeGreaterThan(100);
  expect(lines.slice(1, 101)).toEqual(list.body.items.map(({ code }) => code));
});

test("is a download named after the user's local date", async () => {
  const { status, headers } = await csv({ f: "code:is:app-0001", zone: "Pacific/Kiritimati" });
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    "content-type": "text/csv; charset=utf-8; header=present",
    "content-disposition": 'attachment; filename="apps-2026-11-16.csv"',
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  const lines = await csv({ f: "code:is:app-0001", format: "jsonl" });
  expect(lines.headers["content-type"]).toBe("application/jsonl");
  expect(lines.headers["content-disposition"]).toBe('attachment; filename="apps-2026-11-15.jsonl"');
});

test("writes times with the offset of the requested time zone", async () => {
  const asked = { f: "code:is:app-0001", columns: "createdAt" };
  const lisbon = await csv({ ...asked, zone: "Europe/Lisbon" });
  expect(lisbon.lines[1]).toBe("2026-07-01T13:00:00.000+01:00");
  expect((await csv(asked)).lines[1]).toBe("2026-07-01T12:00:00.000+00:00");
});

test("contains only the selected rows", async () => {
  const { rows } = await owner.query("select id from apps where code in ('app-0007', 'app-0009')");
  const ids = rows.map(({ id }) => id).join();
  expect((await csv({ ids, sort: "code" })).lines).toEqual(["code", "app-0007", "app-0009"]);
  expect((await csv({ ids, f: "code:is:app-0009" })).lines).toEqual(["code", "app-0009"]);
});

test("writes JSON lines with the values of the API", async () => {
  const { text } = await csv({
    f: "code:starts:app-",
    sort: "-code",
    format: "jsonl",
    columns: "code,platforms,createdAt",
  });
  const lines = text.split("\n").slice(0, -1);
  expect(lines).toHaveLength(2500);
  expect(JSON.parse(lines.at(-1) ?? "")).toEqual({
    code: "app-0001",
    platforms: [],
    createdAt: "2026-07-01T12:00:00.000Z",
  });
});

test("escapes formulas", async () => {
  await owner.query(
    `insert into apps (code, name, description) values ('evil', '=cmd|''/C calc''!A1', E'@a,"b"\nc')`,
  );
  const { text } = await csv({ f: "code:is:evil", columns: "name,description" });
  expect(text).toBe(`name,description\r\n'=cmd|'/C calc'!A1,"'@a,""b""\nc"\r\n`);
});

test.each([
  [{ columns: "code,secret" }, "/columns/1"],
  [{ columns: "" }, "/columns/0"],
  [{ format: "xlsx" }, "/format"],
  [{ zone: "Mars/Base" }, "/zone"],
  [{ ids: "1" }, "/ids/0"],
  [{ f: "colour:is:red" }, "/f/0"],
  [{ sort: "keys" }, "/sort"],
  [{ size: "10" }, "/size"],
])("refuses %j and names the place", async (query, pointer) => {
  const answer = await csv(query as Asked);
  expect(answer.status).toBe(400);
  expect(answer.headers["content-disposition"]).toBeUndefined();
  expect(answer.body["errors"]).toMatchObject([{ in: "query", pointer }]);
});

test("answers HEAD without reading a row", async () => {
  const url = `/api/apps/export?${heavy}`;
  await owner.query("alter table apps rename column icon to lost");
  const response = await app.inject({ method: "HEAD", url, headers: { cookie: reader.cookie } });
  await owner.query("alter table apps rename column lost to icon");
  expect([response.statusCode, response.body]).toEqual([200, ""]);
  expect(response.headers["content-disposition"]).toContain("apps-");
});

test("writes a snapshot of one moment, not faster than it is read", async () => {
  const response = await startReading(reader.cookie);
  await serverWaits(response);
  await owner.query("insert into apps (code, name) values ('heavy-99999', 'Late')");
  await owner.query("update apps set code = 'moved' where code = 'heavy-19999'");
  await owner.query("delete from apps where code = 'heavy-20000'");
  const lines = (await readAll(response)).split("\r\n").slice(1, -1);
  const codes = lines.map((line) => line.split(",")[0]);
  const numbers = Array.from({ length: heavyRows }, (_, n) => String(n + 1).padStart(5, "0"));
  expect(codes).toEqual(numbers.map((number) => `heavy-${number}`));
});

test("frees the connection of a reader who leaves, in the middle and before the first row", async () => {
  const response = await startReading(reader.cookie);
  await serverWaits(response);
  response.destroy();
  await allFree();

  const client = await owner.connect();
  await client.query("begin; lock table apps");
  const request = get(`${address}/api/apps/export?${heavy}`, {
    headers: { cookie: reader.cookie },
  });
  request.on("error", () => undefined);
  const waiting = `select from pg_stat_activity where datname = current_database()
     and wait_event_type = 'Lock' and query like 'declare%'`;
  await vi.waitFor(async () => expect((await owner.query(waiting)).rowCount).toBe(1), 3000);
  request.destroy();
  await client.query("commit");
  client.release();
  await allFree();
  expect((await csv({ f: "code:is:app-0001" })).lines).toHaveLength(2);
});

test("cuts the connection if the export fails in the middle", async () => {
  const response = await startReading(reader.cookie);
  await serverWaits(response);
  await owner.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and query like 'fetch%'`,
  );
  await expect(readAll(response)).rejects.toThrow("aborted");
});

test("answers with a problem if the export fails before the first row", async () => {
  await owner.query("alter table apps rename column icon to lost");
  const answer = await csv({});
  await owner.query("alter table apps rename column lost to icon");
  expect(answer.status).toBe(500);
  expect(answer.headers["content-type"]).toContain("application/problem+json");
  expect(answer.headers["content-disposition"]).toBeUndefined();
});

test("allows two exports per session at once, without limiting others", async () => {
  const person = await signIn("catalog");
  const both = [await startReading(person.cookie), await startReading(person.cookie)];
  const third = await startReading(person.cookie);
  expect(third.statusCode).toBe(429);
  expect(third.headers["retry-after"]).toBe("10");
  expect(JSON.parse(await readAll(third)).type).toBe("urn:purser:problem:too_many_requests");
  expect((await csv({ f: "code:is:app-0001" })).status).toBe(200);
  const whole = await Promise.all(both.map(readAll));
  expect(whole[0]).toBe(whole[1]);
  const again = await startReading(person.cookie, address, "format=csv&columns=id&q=app-0001");
  expect(again.statusCode).toBe(200);
  await readAll(again);
});

test("uses at most half of the connections, and ends long exports at a shutdown", async () => {
  const second = await compose(
    { ...config, DATABASE_POOL_SIZE: 5 },
    { name: "second instance", works: false, clock },
  );
  const secondApp = await second.serve();
  const secondAddress = await secondApp.listen({ port: 0, host: "127.0.0.1" });
  const response = await startReading(reader.cookie, secondAddress);
  const refused = await startReading((await signIn("catalog")).cookie, secondAddress);
  expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([503, "60"]);
  await readAll(refused);

  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const closing = secondApp.close();
  for (let second = 0; second < 6; second += 1) await vi.advanceTimersByTimeAsync(1000);
  vi.useRealTimers();
  await expect(readAll(response)).rejects.toThrow("aborted");
  await closing;
  await second.close();
});
