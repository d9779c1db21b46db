import { changeApp, createApp, deleteApp, getApp } from "@purser/contract/apps/endpoints";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";

const { call, signIn, owner } = await testProduct();
const admin = await signIn("admin");

const newApp = async (code: string) =>
  (await call(admin, createApp, { body: { code, name: "First" } })).body;
const renamed = (code: string, name: string) => ({ code, name });

test("I13 sends the version as a strong ETag, which works for one write", async () => {
  const { id } = await newApp("etag");
  const read = await call(admin, getApp, { params: { id } });
  expect(read.headers.etag).toBe('"1"');
  const written = await call(admin, changeApp, {
    params: { id },
    version: 1,
    body: renamed("etag", "B"),
  });
  expect(written.headers.etag).toBe('"2"');
  expect(written.body.version).toBe(2);
});

test("I13 answers a stale version with 412 and the current row", async () => {
  const { id } = await newApp("stale");
  await call(admin, changeApp, { params: { id }, version: 1, body: renamed("stale", "Theirs") });
  const mine = await call(admin, changeApp, {
    params: { id },
    version: 1,
    body: renamed("stale", "Mine"),
  });
  expect(mine.status).toBe(412);
  expect(mine.body["current"]).toMatchObject({ id, name: "Theirs", version: 2 });
  const { rows } = await owner.query("select name from apps where id = $1", [id]);
  expect(rows[0].name).toBe("Theirs");
});

test("I13 makes older versions stale after raw SQL too", async () => {
  const { id } = await newApp("stale-by-sql");
  await owner.query("update apps set name = 'By hand', version = 1 where id = $1", [id]);
  const mine = await call(admin, changeApp, {
    params: { id },
    version: 1,
    body: renamed("stale-by-sql", "Mine"),
  });
  expect(mine.status).toBe(412);
});

test("I13 accepts one of 20 writes from the same version", async () => {
  const { id } = await newApp("race");
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      call(admin, changeApp, { params: { id }, version: 1, body: renamed("race", `Writer ${n}`) }),
    ),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 412)).toHaveLength(19);
});

test("I13 refuses a write or deletion without a version", async () => {
  const { id } = await newApp("no-version");
  const change = await call(admin, changeApp, { params: { id }, body: renamed("no-version", "B") });
  const removal = await call(admin, deleteApp, { params: { id } });
  expect([change.status, removal.status]).toEqual([428, 428]);
});

test.each(['W/"1"', "*", "1", '"1", "2"', '"0"', '"x"'])(
  "I13 If-Match must be one strong ETag of ours, not %s",
  async (ifMatch) => {
    const { id } = await newApp(`match-${Buffer.from(ifMatch).toString("hex")}`);
    const answer = await call(admin, deleteApp, {
      params: { id },
      headers: { "if-match": ifMatch },
    });
    expect(answer.status).toBe(400);
    expect(answer.body["errors"]).toMatchObject([{ in: "header", pointer: "/if-match" }]);
  },
);
