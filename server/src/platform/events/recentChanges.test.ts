import { createApp } from "@purser/contract/apps/endpoints";
import { getSession } from "@purser/contract/auth/session";
import type { Change } from "@purser/contract/workspace/liveChanges";
import { expect, test, vi } from "vitest";
import { testProduct } from "../../testing.ts";
import { follow } from "./testing.ts";

const { app, call, signIn, platform } = await testProduct();
const admin = await signIn("admin");
const address = await app.listen({ port: 0, host: "127.0.0.1" });
const many: Change = { entity: "apps", id: null, action: "update" };

const makeMarker = async (code: string) => {
  const { id } = (await call(admin, createApp, { body: { code, name: code } })).body;
  return { entity: "apps", id, action: "insert", own: true } as const;
};

test("VW5: a stream that opens later announces what changed since the session was read", async () => {
  const before = await follow(address, admin.cookie);
  const known = await makeMarker("known");
  await vi.waitFor(() => expect(before.told).toEqual([known]), 3000);
  before.stop();
  const { position } = (await call(admin, getSession)).body;
  const missed = [await makeMarker("missed-1"), await makeMarker("missed-2")];

  const late = await follow(address, admin.cookie, position);
  await vi.waitFor(() => expect(late.told).toEqual(missed), 3000);
  const live = await makeMarker("live");
  await vi.waitFor(() => expect(late.told).toEqual([...missed, live]), 3000);
  late.stop();

  // As after a break of the connection.
  const after = await makeMarker("after");
  const again = await follow(address, admin.cookie, late.state.position);
  await vi.waitFor(() => expect(again.told).toEqual([after]), 3000);
  expect([late.state.missed, again.state.missed]).toEqual([false, false]);
  again.stop();
});

test("VW5: changes that the user can't read are not announced later either", async () => {
  const viewer = await signIn("viewer");
  const { position } = (await call(viewer, getSession)).body;
  await platform.announcements.announce([
    { entity: "passwords", id: admin.id, action: "insert" },
    many,
  ]);
  const stream = await follow(address, viewer.cookie, position);
  await vi.waitFor(() => expect(stream.told).toEqual([many]), 3000);
  stream.stop();
});

const anHourAgo = Date.now() - 3_600_000;

test.each([
  ["before the kept changes", `${anHourAgo}-0a1b2c3d-7`],
  ["of another format", "7"],
  ["that is empty", ""],
])("VW5: a page learns that it missed changes after a position %s", async (_, since) => {
  const stream = await follow(address, admin.cookie, since);
  await vi.waitFor(() => expect(stream.state.missed).toBe(true), 3000);
  const { position } = stream.state;
  stream.stop();
  const next = await makeMarker(`next-${since.length}`);
  const again = await follow(address, admin.cookie, position);
  await vi.waitFor(() => expect(again.told).toEqual([next]), 3000);
  expect(again.state.missed).toBe(false);
  again.stop();
});

test("VW5: a page learns that it missed changes if there were more than are kept", async () => {
  const { position } = (await call(admin, getSession)).body;
  const stream = await follow(address, admin.cookie);
  for (let n = 0; n < 11; n += 1) await platform.announcements.announce(Array(100).fill(many));
  await vi.waitFor(() => expect(stream.told).toHaveLength(1100), 3000);
  const late = await follow(address, admin.cookie, position);
  await vi.waitFor(() => expect(late.state.missed).toBe(true), 3000);
  // Nothing was missed since the last of them.
  const next = await follow(address, admin.cookie, stream.state.position);
  await platform.announcements.announce([many]);
  await vi.waitFor(() => expect(next.told).toEqual([many]), 3000);
  expect(next.state.missed).toBe(false);
  for (const { stop } of [stream, late, next]) stop();
});

test("VW5: a position of another process counts by its time", async () => {
  // Its clock may be up to a second ahead.
  const known = Date.now() + 1000;
  const missed = await makeMarker("elsewhere");
  const stream = await follow(address, admin.cookie, `${known}-0a1b2c3d-999999`);
  await vi.waitFor(() => expect(stream.told).toContainEqual(missed), 3000);
  stream.stop();
});

test("VW5: streams end when Redis is reachable again, and pages learn that they missed changes", async () => {
  const stream = await follow(address, admin.cookie);
  const { position } = (await call(admin, getSession)).body;
  const { redis } = platform.announcements;
  const name = `${platform.redisPrefix}changes`;
  const subscribers = async () =>
    [...String(await redis.client("LIST")).matchAll(/^id=(\d+) .*? name=(\S*) /gm)].flatMap(
      ([, id, of]) => (of === name ? [Number(id)] : []),
    );
  for (const id of await subscribers()) await redis.client("KILL", "ID", id);
  await vi.waitFor(() => expect(stream.state.ended).toBe(true), 5000);
  const again = await follow(address, admin.cookie, position);
  await vi.waitFor(() => expect(again.state.missed).toBe(true), 3000);
  again.stop();
});
