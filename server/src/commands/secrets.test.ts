import { randomBytes } from "node:crypto";
import { createWebhookEndpoint, rotateWebhookSecret } from "@purser/contract/workspace/webhooks";
import { expect, test } from "vitest";
import { transact } from "../platform/audit/context.ts";
import { resealAll } from "../platform/auth/storedSecrets.ts";
import { beginAuthenticator, useTotpCode } from "../platform/auth/twoFactor/totp.ts";
import { run } from "../platform/db/db.ts";
import { testProduct } from "../testing.ts";
import { secrets } from "./secrets.ts";
import { runHere } from "./testing.ts";

const product = await testProduct({ environment: { WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8" } });
const { call, signIn, platform } = product;
const { db, config } = platform;
const [oldKey = ""] = config.SECRET_KEYS;
const newKey = randomBytes(32).toString("base64");

const purser = (keys: string[], ...words: string[]) =>
  runHere({ ...config, SECRET_KEYS: keys }, secrets, ...words);

const context = {
  actor: { kind: "system", id: null, name: "test" },
  address: null,
  requestId: null,
  reason: null,
} as const;

const owner = await signIn("owner");

const codeIsWrong = (keys: string[]) =>
  useTotpCode(db, { userId: owner.id, code: "000000", keys, now: new Date() });

test("D9 stored secrets are encrypted with a new key, and the old one can be removed", async () => {
  await beginAuthenticator(db, { userId: owner.id, email: owner.email, keys: [oldKey] });
  const body = { url: "https://127.0.0.1:8443/hook", types: ["transaction.changed" as const] };
  const made = await call(owner, createWebhookEndpoint, { body });
  expect(made.status, made.text).toBe(201);
  const { id, version } = made.body;
  const params = { id };
  await call(owner, rotateWebhookSecret, { params, version, body: { keepHours: 24 } });

  const both = [newKey, oldKey];
  expect(await purser(both, "status")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("3 stored secrets use an older key. Run"),
  });
  // Without the old key nothing is lost: the command says so and changes nothing.
  const tooEarly = await purser([newKey], "rotate");
  expect(tooEarly.code).toBe(1);
  expect(tooEarly.stdout).toContain("Encrypted 0 stored secrets");
  expect(tooEarly.stdout).toContain("3 stored secrets can't be read with any key");
  await expect(codeIsWrong([newKey])).rejects.toThrow(/Ask the operator/);

  const rotated = await purser(both, "rotate");
  expect(rotated.stdout).toContain("Encrypted 3 stored secrets with the newest key.");
  expect(rotated.stdout).toContain("No stored secret needs an older key.");
  expect(await purser(both, "rotate")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Encrypted 0 stored secrets"),
  });
  expect(await codeIsWrong([newKey])).toBe(false);
  await expect(codeIsWrong([oldKey])).rejects.toThrow(/Ask the operator/);
});

test("D9 a secret that is replaced while another key takes over is kept", async () => {
  const next = randomBytes(32).toString("base64");
  const replaced = Buffer.from("replaced meanwhile");
  await resealAll(db, [next, newKey], async (work) => {
    await transact(db, context, (inside) =>
      run(inside, "update webhook_endpoints set secret = $1", [replaced]),
    );
    return transact(db, context, work);
  });
  expect(await run(db, "select secret from webhook_endpoints")).toEqual([{ secret: replaced }]);
});

test("another action is refused", async () => {
  expect(await purser([newKey], "print")).toMatchObject({
    code: 1,
    stderr: "Usage: purser secrets status, or purser secrets rotate.\n",
  });
});
