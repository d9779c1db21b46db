import { randomUUID } from "node:crypto";
import { getEntitlements } from "@purser/contract/entitlements/explanation";
import { startTrial } from "@purser/contract/subscriptions/endpoints";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import { shopIn } from "../transactions/testing/testing.ts";
import { renew } from "./renewals.ts";

const product = await testProduct();
const { call, owner, platform } = product;
const { admin, sellPackage } = await shopIn(product);

const start = (packageId: string, email = `${randomUUID()}@example.com`) =>
  call(admin, startTrial, {
    body: { email, packageId, currency: "EUR", interval: "month" as const },
  });

test("a trial grants access once and requests the first payment at its end", async () => {
  const pack = await sellPackage({ trialDays: 14 });
  const started = await start(pack.id);
  expect(started.status, started.text).toBe(201);
  const { id, user, status, periodStart, periodEnd } = started.body;
  expect(status).toBe("trialing");
  const days = (Date.parse(periodEnd as string) - Date.parse(periodStart as string)) / 86_400_000;
  expect(Math.round(days)).toBe(14);
  const { body } = await call(admin, getEntitlements, { params: { id: user.id } });
  expect(body.items.flatMap(({ lines }) => lines.map(({ source }) => source))).toEqual(["trial"]);
  const again = await start(pack.id, user.email);
  expect(again.status).toBe(409);

  const now = new Date(periodEnd as string);
  const zone = "Europe/Tallinn";
  await platform.db.transaction().execute((db) => renew(db, id, { now, zone }));
  const { rows } = await owner.query(
    "select state, total::int, period_start from transactions where subscription_id = $1",
    [id],
  );
  expect(rows).toEqual([{ state: "pending", total: 1200, period_start: now }]);
});

test("refuses a trial of a package without trial days", async () => {
  const refused = await start((await sellPackage()).id);
  expect(refused.status).toBe(409);
  expect(refused.text).toContain("has no trial. Record a sale instead.");
});
