import { execFile } from "node:child_process";
import { createHmac, timingSafeEqual } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test, vi } from "vitest";
import { samplesIn } from "../../docs.testing.ts";
import { shapeOf } from "../../samples.testing.ts";
import { atEnd } from "../../testing.ts";
import { shopIn } from "../transactions/testing/testing.ts";
import { productWithReceiver, waiting } from "./testing/deliveries.testing.ts";

const rootOf = (path: string) => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));
const [event, library] = samplesIn(readFileSync(rootOf("docs/webhooks.md"), "utf8"));

const { receiver, product, deliver, newEndpoint } = await productWithReceiver();
const { secret } = await newEndpoint(receiver.url, ["subscription.changed"]);
deliver();
const shop = await shopIn(product);
await shop.sell(shop.saleOf((await shop.sellPackage()).id));
await vi.waitFor(() => expect(receiver.arrived.length).toBeGreaterThan(0), waiting);
const [{ body, headers } = { body: "", headers: {} as Record<string, string> }] = receiver.arrived;

/** Values that differ from one event to another are anything, as in the texts of the page. */
const anyOf = (sample: string) =>
  shapeOf(JSON.parse(sample.replaceAll(/"[^"]*(?:…|\d{4}-\d\d-\d\d)[^"]*"|\b7\b/g, '"…"')));

test("the event on the page of webhooks has the fields that are sent", () => {
  expect(event?.language).toBe("json");
  expect(JSON.parse(body)).toMatchObject(anyOf(event?.code ?? "") as object);
  const renamed = event?.code.replace("periodEnd", "endsAt") ?? "";
  expect(JSON.parse(body)).not.toMatchObject(anyOf(renamed) as object);
});

test("the sample verifies an event that was sent, and refuses an altered one", async () => {
  // Next to the library that it imports.
  const cache = rootOf("server/node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "webhooks-"));
  atEnd(async () => rmSync(folder, { recursive: true }));
  const file = join(folder, "verify.mjs");
  const given = "const { rawBody, headers } = JSON.parse(process.env.RECEIVED);";
  writeFileSync(file, `${given}\n${library?.code}console.log(event.type);\n`);
  const verify = (rawBody: string) =>
    promisify(execFile)(process.execPath, [file], {
      env: {
        PATH: process.env["PATH"],
        WEBHOOK_SECRET: secret,
        RECEIVED: JSON.stringify({ rawBody, headers }),
      },
    });
  expect((await verify(body)).stdout).toBe("subscription.changed\n");
  await expect(verify(`${body} `)).rejects.toThrow(/No matching signature/);
});

test("the steps without a library find the signature of an event", () => {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  const calculated = createHmac("sha256", key).update(signed).digest();
  const matches = (headers["webhook-signature"] ?? "")
    .split(" ")
    .filter((one) => one.startsWith("v1,"))
    .map((one) => timingSafeEqual(Buffer.from(one.slice(3), "base64"), calculated));
  expect(matches).toContain(true);
  const seconds = Number(headers["webhook-timestamp"]);
  expect(Math.abs(Date.now() / 1000 - seconds)).toBeLessThan(300);
});
