import { randomBytes, randomUUID } from "node:crypto";
import type { Change } from "@purser/contract/workspace/liveChanges";
import { Redis } from "ioredis";
import pg from "pg";
import { expect, test, vi } from "vitest";
import { compose } from "../../compose.ts";
import { atEnd, testConfig, testDatabase } from "../../testing.ts";

const REDIS_PREFIX = `test:${randomBytes(6).toString("hex")}:`;

/** An installation with its own ID. Test databases are copies of one, so they start with the same ID. */
const install = async () => {
  const database = await testDatabase();
  const owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  await owner.query("update installation set id = gen_random_uuid()");
  await owner.end();
  atEnd(database.drop);
  return testConfig(database.url, { REDIS_PREFIX });
};

const start = async (config: Awaited<ReturnType<typeof install>>) => {
  const product = await compose(config, { name: "test", works: false });
  const app = await product.serve();
  atEnd(async () => {
    await app.close();
    await product.close();
  });
  const heard: Change[] = [];
  product.platform.announcements.listen((changes) => heard.push(...changes));
  return { app, platform: product.platform, heard };
};

const changeOf = (id: string): Change => ({ entity: "apps", id, action: "update" });

test("D14 two installations that share a Redis and a prefix don't hear each other", async () => {
  const config = await install();
  const [first, second, other] = [
    await start(config),
    await start(config),
    await start(await install()),
  ];
  const [theirs, ours] = [changeOf(randomUUID()), changeOf(randomUUID())];
  // Redis delivers in the order of publication, so theirs would be heard before ours.
  await other.platform.announcements.announce([theirs]);
  await first.platform.announcements.announce([ours]);
  for (const { heard } of [first, second])
    await vi.waitFor(() => expect(heard).toContainEqual(ours), 3000);
  expect([first.heard, second.heard]).toEqual([[ours], [ours]]);
  await other.platform.announcements.announce([theirs]);
  await vi.waitFor(() => expect(other.heard).toEqual([theirs, theirs]), 3000);
});

test("D14 every Redis key has the ID of the installation", async () => {
  const { app, platform } = await start(await install());
  await app.inject({
    method: "POST",
    url: "/api/password/forgot",
    headers: { origin: platform.config.PUBLIC_URL },
    payload: { email: "anna@example.com" },
  });
  await app.inject({ url: "/api/calling-app", headers: { authorization: "Bearer wrong" } });
  await platform.keyLimits.settle();
  const redis = new Redis(platform.config.REDIS_URL);
  const keys = await redis.keys(`${REDIS_PREFIX}*`);
  await redis.quit();
  const own = keys.filter((key) => key.startsWith(platform.redisPrefix));
  expect(own.some((key) => key.includes(":requests:"))).toBe(true);
  expect(keys.filter((key) => !/^test:\w+:[0-9a-f-]{36}:/.test(key))).toEqual([]);
});
