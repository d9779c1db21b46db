import { bulkApps, changeApp, createApp, deleteApp } from "@purser/contract/apps/endpoints";
import { forgotPassword } from "@purser/contract/auth/passwords";
import { addAppComment } from "@purser/contract/workspace/comments";
import type { Change } from "@purser/contract/workspace/liveChanges";
import { readNotifications } from "@purser/contract/workspace/notifications";
import { expect, test, vi } from "vitest";
import { compose } from "../../compose.ts";
import { testProduct } from "../../testing.ts";
import { transact } from "../audit/context.ts";
import { follow } from "./testing.ts";

const { app, call, signIn, config, owner, platform } = await testProduct();
const admin = await signIn("admin");

const context = {
  actor: { kind: "system", id: null, name: "test" },
  address: null,
  requestId: null,
  reason: null,
} as const;
const many: Change = { entity: "apps", id: null, action: "update" };

const second = await compose(config, { name: "second instance", works: false });
const secondApp = await second.serve();
const secondAddress = await secondApp.listen({ port: 0, host: "127.0.0.1" });

test("announces a change to a browser on another instance within 3 s", async () => {
  const stream = await follow(secondAddress, admin.cookie);
  expect(stream.response.headers.get("content-type")).toBe("text/event-stream");
  const started = performance.now();
  const { id } = (await call(admin, createApp, { body: { code: "told", name: "Told" } })).body;
  await vi.waitFor(
    () => expect(stream.told).toContainEqual({ entity: "apps", id, action: "insert", own: true }),
    3000,
  );
  expect(performance.now() - started).toBeLessThan(3000);
  stream.stop();
});

test("announces nothing that the user can't read", async () => {
  const viewer = await signIn("viewer");
  const [forViewer, forAdmin] = await Promise.all([
    follow(secondAddress, viewer.cookie),
    follow(secondAddress, admin.cookie),
  ]);
  await second.platform.announcements.announce([
    { entity: "users", id: admin.id, action: "update" },
    { entity: "passwords", id: admin.id, action: "insert" },
    many,
  ]);
  await vi.waitFor(() => expect(forAdmin.told).toHaveLength(2), 3000);
  expect(forAdmin.told.map(({ entity }) => entity)).toEqual(["users", "apps"]);
  // That a user changed, and not which one: it may be a team member.
  const somebody = { entity: "users", id: null, action: "update" };
  await vi.waitFor(() => expect(forViewer.told).toEqual([somebody, many]), 3000);
  forViewer.stop();
  forAdmin.stop();
});

test("announces a comment to everyone who can read its record", async () => {
  const viewer = await signIn("viewer");
  const stream = await follow(secondAddress, viewer.cookie);
  const { id } = (await call(admin, createApp, { body: { code: "noted", name: "Noted" } })).body;
  const comment = (await call(admin, addAppComment, { params: { id }, body: { text: "Look" } }))
    .body;
  const told = { entity: "user_notes", id: comment.id, action: "insert" };
  await vi.waitFor(() => expect(stream.told).toContainEqual(told), 3000);
  stream.stop();
});

test("announces to the other pages of a user, and to no one else, that notifications were read", async () => {
  const reader = await signIn("finance");
  const [theirs, others] = await Promise.all([
    follow(secondAddress, reader.cookie),
    follow(secondAddress, admin.cookie),
  ]);
  await call(reader, readNotifications, { body: {} });
  const told = { entity: "notifications", id: reader.id, action: "update", own: true };
  await vi.waitFor(() => expect(theirs.told).toEqual([told]), 3000);
  expect(others.told).toEqual([]);
  theirs.stop();
  others.stop();
});

test("announces nothing for a refused change", async () => {
  const stream = await follow(secondAddress, admin.cookie);
  await call(admin, createApp, { body: { code: "told", name: "Taken" } });
  const { id } = (await call(admin, createApp, { body: { code: "marker", name: "Marker" } })).body;
  await vi.waitFor(
    () => expect(stream.told).toEqual([{ entity: "apps", id, action: "insert", own: true }]),
    3000,
  );
  stream.stop();
});

test("ignores invalid messages, and replaces the first stream by a sixth", async () => {
  const person = await signIn("admin");
  const streams: Awaited<ReturnType<typeof follow>>[] = [];
  for (let n = 0; n < 6; n += 1) streams.push(await follow(secondAddress, person.cookie));
  await vi.waitFor(() => expect(streams[0]?.state.ended).toBe(true), 3000);
  const { announcements, redisPrefix } = second.platform;
  await announcements.redis.publish(`${redisPrefix}changes`, "nonsense");
  await second.platform.announcements.announce([many]);
  for (const stream of streams.slice(1)) {
    await vi.waitFor(() => expect(stream.told).toEqual([many]), 3000);
    stream.stop();
  }
});

test("requires a session for the stream", async () => {
  expect((await fetch(`${secondAddress}/api/events`)).status).toBe(401);
});

test("names the action, and announces changes of many rows as one", async () => {
  const stream = await follow(secondAddress, admin.cookie);
  const others = await follow(secondAddress, (await signIn("viewer")).cookie);
  const { id } = (await call(admin, createApp, { body: { code: "acted", name: "A" } })).body;
  const body = { code: "acted", name: "B" };
  await call(admin, changeApp, { params: { id }, version: 1, body });
  await call(admin, deleteApp, { params: { id }, version: 2 });

  const { rows: drafts } = await owner.query<{ id: string; version: number }>(
    `insert into apps (code, name) select 'lots-' || n, 'L' from generate_series(1, 22) n
     returning id, version`,
  );
  const one = drafts.slice(0, 1);
  await call(admin, bulkApps, { body: { action: "activate", apps: one } });
  await call(admin, bulkApps, { body: { action: "activate", apps: drafts.slice(1) } });

  const expected = [
    { entity: "apps", id, action: "insert" },
    { entity: "apps", id, action: "update" },
    { entity: "apps", id, action: "delete" },
    { entity: "apps", id: one[0]?.id, action: "update" },
    many,
  ];
  // Another browser of the same user learns that the changes are their own.
  const own = expected.map((change) => ({ ...change, own: true }));
  await vi.waitFor(() => expect(stream.told).toEqual(own), 3000);
  await vi.waitFor(() => expect(others.told).toEqual(expected), 3000);
  stream.stop();
  others.stop();
});

test("announces many small changes by id up to a limit, then as one", async () => {
  const { changed } = await transact(platform.db, context, async (db) => {
    for (let n = 0; n < 100; n += 1)
      await db
        .insertInto("apps")
        .values({ code: `small-${n}`, name: "S" })
        .execute();
  });
  expect(changed.length).toBeGreaterThan(20);
  expect(changed.length).toBeLessThan(60);
  const one = { ...many, by: null };
  expect(changed.filter(({ id }) => id === null)).toEqual([one]);
  expect(changed.at(-1)).toEqual(one);
});

test("loses only announcements without Redis", async () => {
  const alone = await testProduct({ environment: { REDIS_URL: "redis://127.0.0.1:1/0" } });
  const person = await alone.signIn("admin");
  const saved = await alone.call(person, createApp, {
    body: { code: "no-redis", name: "No Redis" },
  });
  expect(saved.status).toBe(201);
  const asked = await alone.call(null, forgotPassword, { body: { email: "a@example.com" } });
  expect(asked.status).toBe(202);
  const ready = await alone.app.inject("/readyz");
  expect(ready.statusCode).toBe(200);
  expect(ready.json()).toMatchObject({ status: "ready", redis: "degraded" });
});

test("VW5: announces what an instance changed while only its own connection to Redis was down", async () => {
  const stream = await follow(secondAddress, admin.cookie);
  platform.announcements.redis.disconnect(true);
  const { id } = (await call(admin, createApp, { body: { code: "unsent", name: "Unsent" } })).body;
  await vi.waitFor(
    () => expect(stream.told).toEqual([{ entity: "apps", id, action: "insert", own: true }]),
    3000,
  );
  stream.stop();
});

test("ends the streams at a shutdown", async () => {
  const stream = await follow(secondAddress, admin.cookie);
  await secondApp.close();
  await second.close();
  await vi.waitFor(() => expect(stream.state.ended).toBe(true), 3000);
  expect(app.server.listening).toBe(false);
});
