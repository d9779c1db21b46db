import { Redis } from "ioredis";
import { expect, test } from "vitest";
import { compose } from "../compose.ts";
import { createLog } from "../platform/log.ts";
import { WrongModeError } from "../platform/testMode/testMode.ts";
import { bothModes } from "./bothModes.testing.ts";

const { live, test: testMode } = await bothModes();
const { owner, config } = testMode;

/** An attempt of a process to open test mode. */
const attempt = async () => {
  const log = createLog("silent");
  const product = await compose(config, { name: "attempt", works: true, log, live: live.platform });
  await product.close();
};

const openConnections = async () => {
  const { rows } = await owner.query<{ open: number }>(
    "select count(*)::int as open from pg_stat_activity where application_name = 'attempt'",
  );
  return rows[0]?.open;
};

const subscribers = async () => {
  const redis = new Redis(config.REDIS_URL);
  const [, open] = await redis.pubsub("NUMSUB", `${testMode.platform.redisPrefix}changes`);
  await redis.quit();
  return open;
};

const revoking = async (what: string, during: () => Promise<unknown>) => {
  await owner.query(`revoke ${what} from purser_app`);
  try {
    await during();
  } finally {
    await owner.query(`grant ${what} to purser_app`);
  }
};

test("failed attempts to open test mode leave no connection open", async () => {
  const before = await subscribers();
  await revoking("insert on test_team", async () => {
    await owner.query("delete from test_team");
    await live.signIn("viewer");
    for (let tries = 0; tries < 3; tries += 1)
      await expect(attempt()).rejects.toThrow("permission denied for table test_team");
  });
  await expect.poll(openConnections).toBe(0);
  await expect.poll(subscribers).toBe(before);
  await attempt();
  await expect.poll(openConnections).toBe(0);
});

test("a failed attempt to open the queues leaves no connection open", async () => {
  await revoking("select on pgboss.job_common", () =>
    expect(attempt()).rejects.toThrow("permission denied"),
  );
  await expect.poll(openConnections).toBe(0);
  await attempt();
});

test("a database that can't be read at the moment isn't taken for one of the wrong mode", async () => {
  await revoking("select on test_clock", () =>
    expect(attempt()).rejects.not.toBeInstanceOf(WrongModeError),
  );
  await attempt();
});

test("a process without test mode refuses its database, and the reverse", async () => {
  const log = createLog("silent");
  const asLive = compose(config, { name: "attempt", works: false, log });
  await expect(asLive).rejects.toThrow("Use it in TEST_MODE_DATABASE_URL");
  const settings = { name: "attempt", works: false, log, live: testMode.platform };
  const liveConfig = { ...config, DATABASE_URL: live.config.DATABASE_URL };
  await expect(compose(liveConfig, settings)).rejects.toThrow(WrongModeError);
  await expect.poll(openConnections).toBe(0);
});
