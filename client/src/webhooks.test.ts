import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { verifyWebhook } from "./webhooks.ts";

const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`;
const [secret, other] = [newSecret(), newSecret()];
const at = new Date("2026-03-01T09:00:00Z");
const now = at.getTime();
const body = JSON.stringify({ type: "test", timestamp: at.toISOString(), data: { message: "ä" } });

const headersOf = (...secrets: string[]) => ({
  "webhook-id": "msg-1",
  "webhook-timestamp": String(now / 1000),
  "webhook-signature": secrets.map((one) => new Webhook(one).sign("msg-1", at, body)).join(" "),
});

test("a signed webhook is accepted, also while its secret is rotated", async () => {
  const headers = headersOf(secret);
  const expected = { id: "msg-1", event: { type: "test", data: { message: "ä" } } };
  expect(await verifyWebhook({ body, headers, secret, now })).toMatchObject(expected);
  const web = new Headers(headers);
  expect(await verifyWebhook({ body, headers: web, secret, now })).toMatchObject(expected);
  const both = headersOf(other, secret);
  expect(await verifyWebhook({ body, headers: both, secret, now })).toMatchObject(expected);
  const secrets = [other, secret];
  expect(await verifyWebhook({ body, headers, secret: secrets, now })).toMatchObject(expected);
});

test.each([
  ["another body", { body: `${body} ` }],
  ["another secret", { secret: other }],
  ["a changed signature", { headers: { ...headersOf(secret), "webhook-signature": "v1,AAAA" } }],
  [
    "a signature that isn't base64",
    { headers: { ...headersOf(secret), "webhook-signature": "v1,%" } },
  ],
  ["no signature", { headers: { ...headersOf(secret), "webhook-signature": "" } }],
  ["another ID", { headers: { ...headersOf(secret), "webhook-id": "msg-2" } }],
  ["an old time", { now: now + 301_000 }],
  ["a future time", { now: now - 301_000 }],
  ["no headers", { headers: {} }],
])("a webhook with %s is refused", async (_what, changed) => {
  const received = { body, headers: headersOf(secret), secret, now, ...changed };
  await expect(verifyWebhook(received)).rejects.toMatchObject({ code: "signature_wrong" });
});
