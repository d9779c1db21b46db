import { expect, test } from "vitest";
import { createClient } from "../../../client/src/client.ts";
import { attachSnapshots } from "../../../client/src/snapshots.ts";
import type { Refused } from "../../../client/src/types.ts";
import { signingKeys } from "../commands/signingKeys.ts";
import { runHere } from "../commands/testing.ts";
import { patiently } from "../patience.testing.ts";
import { atEnd } from "../testing.ts";
import { soldApp } from "./app.testing.ts";

const { product, app, exported, newKey, newSubscriber, grants, proxy } = await soldApp();
const { key } = await newKey();

const open = (onRefused?: (refused: Refused) => void) => {
  proxy.set("up");
  const client = createClient({
    url: proxy.url,
    key,
    timeoutMs: patiently(5000),
    failuresMax: 1e6,
    retries: 0,
    flushMs: 3_600_000,
    ...(onRefused && { onRefused }),
  });
  atEnd(async () => {
    await client.close();
  });
  return client;
};

const usedBy = async (user: string) => {
  const { rows } = await product.owner.query<{ used: number }>(
    "select used::int from feature_use where user_id = (select id from users where email = $1)",
    [user],
  );
  return rows[0]?.used;
};

test("I10 two processes of an app that use up a limit offline don't exceed it, and refused usage is reported", async () => {
  const { email } = await grants.newCustomer({});
  await grants.grantTo(email, { featureId: exported.id, value: 10 });
  const refused: Refused[] = [];
  const both = [open((one) => refused.push(one)), open((one) => refused.push(one))];
  for (const client of both) await client.check(email, "exports");
  proxy.set("down");
  for (const client of both) {
    for (let n = 0; n < 10; n += 1)
      expect(await client.consume(email, "exports")).toMatchObject({ result: "buffered" });
    expect(await client.consume(email, "exports")).toMatchObject({ result: "refused" });
  }
  proxy.set("up");
  await Promise.all(both.map((client) => client.flush()));
  expect(await usedBy(email)).toBe(10);
  expect(refused).toHaveLength(10);
  expect(new Set(refused.map(({ reason }) => reason))).toEqual(new Set(["limit reached"]));
  for (const client of both)
    expect(await client.consume(email, "exports")).toMatchObject({ allowed: false });
  expect(await usedBy(email)).toBe(10);
});

test("signing keys that are rotated twice while an app is offline end none of its snapshots", async () => {
  const { email } = await newSubscriber();
  const items = new Map<string, string>();
  const storage = {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
  };
  const start = () => {
    const client = open();
    return { client, snapshots: attachSnapshots(client, { app: app.code, storage }) };
  };
  await start().snapshots.refresh(email);
  const expectOffline = async () => {
    const { client, snapshots } = start();
    proxy.set("down");
    await snapshots.restore(email);
    expect(await client.check(email, "offline-maps")).toMatchObject({ source: "snapshot" });
  };
  proxy.set("down");
  for (let n = 0; n < 2; n += 1)
    expect((await runHere(product.config, signingKeys, "rotate")).code).toBe(0);
  await expectOffline();

  const online = start();
  await online.snapshots.refresh(email);
  await expectOffline();
});

test("a snapshot that can't be stored applies in this process", async () => {
  const { email } = await newSubscriber();
  const storage = {
    getItem: () => null,
    setItem: () => {
      throw new Error("no space left");
    },
  };
  const client = open();
  const snapshots = attachSnapshots(client, { app: app.code, storage });
  await expect(snapshots.refresh(email)).rejects.toThrow("no space left");
  proxy.set("down");
  expect(await client.check(email, "offline-maps")).toMatchObject({
    allowed: true,
    source: "snapshot",
  });
});
