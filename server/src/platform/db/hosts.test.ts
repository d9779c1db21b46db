import { expect, test } from "vitest";
import { testDatabase } from "../../testing.ts";
import { connect } from "./db.ts";
import { findPrimary, primaryFirst, urlsOf } from "./hosts.ts";

test.each([
  ["postgres://one/purser", ["postgres://one/purser"]],
  ["postgres:///purser?host=/run/postgresql", ["postgres:///purser?host=/run/postgresql"]],
  [
    "postgres://me:pass%2Cword@one:5432,two:5433/purser?sslmode=require",
    [
      "postgres://me:pass%2Cword@one:5432/purser?sslmode=require",
      "postgres://me:pass%2Cword@two:5433/purser?sslmode=require",
    ],
  ],
])("%s names %j", (url, urls) => {
  expect(urlsOf(url)).toEqual(urls);
});

const database = await testDatabase();
const { host, pathname, username } = new URL(database.url);
const login = username ? `${username}@` : "";
// Nothing listens at port 1.
const both = `postgres://${login}127.0.0.1:1,${host}${pathname}`;

test("a new process starts with the host that accepts changes", async () => {
  expect(await findPrimary(both)).toBe(`postgres://${login}${host}${pathname}`);
  expect((await primaryFirst(both)).map((url) => new URL(url).host)).toEqual([host, "127.0.0.1:1"]);
});

test("a pool continues with another host after one can't be reached", async () => {
  const { pool } = connect({ url: both, poolMax: 1, name: "hosts" });
  await expect(pool.query("select 1")).rejects.toMatchObject({ code: "ECONNREFUSED" });
  expect((await pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  await pool.end();
  await database.drop();
});

test("no host that accepts changes is an error", async () => {
  await expect(findPrimary("postgres://127.0.0.1:1,127.0.0.1:2/none")).rejects.toThrow(
    "ECONNREFUSED",
  );
});
