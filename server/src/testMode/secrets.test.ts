import { randomBytes } from "node:crypto";
import { createWebhookEndpoint } from "@purser/contract/workspace/webhooks";
import { expect, test } from "vitest";
import { secrets } from "../commands/secrets.ts";
import { signingKeys } from "../commands/signingKeys.ts";
import { runHere } from "../commands/testing.ts";
import { countOutdated } from "../platform/auth/storedSecrets.ts";
import { bothModes } from "./bothModes.testing.ts";

const environment = { WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8" };
const { live, test: testMode } = await bothModes({ environment });
const admin = await live.signIn("owner");
const newKey = randomBytes(32).toString("base64");

test("secrets rotate also encrypts the secrets of test mode with the new key", async () => {
  const body = { url: "https://127.0.0.1:8443/hook", types: ["transaction.changed" as const] };
  const made = await testMode.call(admin, createWebhookEndpoint, { body });
  expect(made.status, made.text).toBe(201);
  const config = { ...live.config, SECRET_KEYS: [newKey, ...live.config.SECRET_KEYS] };
  const status = await runHere(config, secrets, "status");
  expect(status.stdout).toMatch(/Test mode:\n.*\n1 stored secrets use an older key/);
  const rotated = await runHere(config, secrets, "rotate");
  expect(rotated.stdout).toMatch(/Test mode:\nEncrypted 1 stored secrets/);
  const left = await countOutdated(testMode.platform.db, [newKey]);
  expect(left).toEqual({ older: 0, unreadable: 0 });
});

test("signing-keys rotate replaces the keys of both modes, with the time of each", async () => {
  await testMode.owner.query("update test_clock set ahead_ms = ahead_ms + 8640000000");
  for (let times = 0; times < 2; times += 1)
    expect((await runHere(live.config, signingKeys, "rotate")).code).toBe(0);
  for (const { owner } of [live, testMode]) {
    const { rows } = await owner.query(
      `select count(*)::int as keys, bool_and(listed_until is null or listed_until > now()) as listed
       from signing_keys`,
    );
    expect(rows).toEqual([{ keys: 2, listed: true }]);
  }
  const { stdout } = await runHere(live.config, signingKeys);
  expect(stdout.match(/signs/g)).toHaveLength(2);
});
