import { changePackage, getPackage } from "@purser/contract/packages/endpoints";
import type { Price } from "@purser/contract/packages/prices";
import type { RolloutMode } from "@purser/contract/packages/publishing";
import { retireVersion } from "@purser/contract/packages/versions";
import { approveApproval, requestApproval } from "@purser/contract/workspace/approvals";
import { expect, test } from "vitest";
import { testProduct } from "../../testing.ts";
import { shopIn } from "../transactions/testing/testing.ts";

const product = await testProduct();
const { call, signIn, owner } = product;
const { admin: boss, sellPackage: sellFirst, ...catalog } = await shopIn(product);
const second = await signIn("admin");
const setRules = (rules: string) =>
  owner.query("update settings set approval_rules = $1::text[]", [rules]);
await setRules("{price}");

/** Sells a package at its first prices without approval. */
const sellPackage = async (details: object = {}) => {
  await setRules("{}");
  const pack = await sellFirst(details);
  await setRules("{price}");
  return pack;
};

const packageNow = async (id: string) => (await call(boss, getPackage, { params: { id } })).body;

const month = { currency: "EUR", amount: 1500, interval: "month", intervalCount: 1 } as const;

/** Puts other terms into the draft. */
const setTerms = async (id: string, prices: Price[], more: { trialDays?: number } = {}) => {
  const { version, code, name } = await packageNow(id);
  const body = { code, name, prices, ...more };
  const changed = await call(boss, changePackage, { params: { id }, version, body });
  expect(changed.status, changed.text).toBe(200);
};

const publishingOf = async (id: string) => {
  const { draft } = await packageNow(id);
  const { body: impact } = await catalog.impactOf(id);
  return { draftId: draft?.id ?? "", note: "Dearer", impact: impact.hash };
};

const askToPublish = async (id: string, more: { rollout?: RolloutMode; rolloutAt?: string } = {}) =>
  call(boss, requestApproval, {
    body: {
      operation: "POST /packages/:id/publish",
      params: { id },
      body: { ...(await publishingOf(id)), ...more },
      reason: "Costs rose.",
    },
  });

const approve = (id: string) => call(second, approveApproval, { params: { id }, body: {} });

test("new prices of a package on sale require approval of exactly what was shown", async () => {
  const { id } = await sellPackage();
  await setTerms(id, [month]);
  const refused = await catalog.publish(id);
  expect(refused.body["detail"]).toMatch(
    /^New prices, longer trials and promotions require approval/,
  );
  const made = await askToPublish(id);
  expect(made.body.facts).toContainEqual({
    label: "New prices",
    value: "15.00 EUR per month",
  });
  await setTerms(id, [{ ...month, amount: 1600 }]);
  expect((await approve(made.body.id)).status).toBe(409);
  const anew = await askToPublish(id);
  expect((await approve(anew.body.id)).status).toBe(200);
  expect((await packageNow(id)).onSale?.number).toBe(2);
});

test("T26 the same amount more often is another price", async () => {
  const yearly = { ...month, amount: 12_000, intervalCount: 12 };
  const { id } = await sellPackage({ prices: [yearly] });
  await setTerms(id, [{ ...yearly, intervalCount: 1 }]);
  expect((await catalog.publish(id)).body["type"]).toBe("urn:purser:problem:approval_required");
  expect((await askToPublish(id)).body.facts).toEqual(
    expect.arrayContaining([
      { label: "Current prices", value: "120.00 EUR every 12 months" },
      { label: "New prices", value: "120.00 EUR per month" },
    ]),
  );
});

test("T26 new prices still require approval after the package is taken off sale", async () => {
  const { id } = await sellPackage({ prices: [{ ...month, amount: 1200 }] });
  await setTerms(id, [month]);
  const { version } = await packageNow(id);
  const retired = await call(boss, retireVersion, { params: { id }, version, body: {} });
  expect(retired.body.onSale).toBeNull();
  expect((await catalog.publish(id)).body["type"]).toBe("urn:purser:problem:approval_required");
  const made = await askToPublish(id);
  expect(made.body.facts).toContainEqual({
    label: "Last prices on sale",
    value: "12.00 EUR per month",
  });
  await setTerms(id, [{ ...month, amount: 1200 }]);
  expect((await catalog.publish(id)).status).toBe(200);
});

test("T26 the approval request shows the prices that are scheduled next", async () => {
  const { id } = await sellPackage({ prices: [{ ...month, amount: 1200 }], trialDays: 7 });
  await setTerms(id, [{ ...month, amount: 1200 }], { trialDays: 0 });
  const publishAt = new Date(Date.now() + 86_400_000).toISOString();
  expect((await catalog.publish(id, { publishAt })).status).toBe(200);
  await setTerms(id, [month]);
  expect((await askToPublish(id)).body.facts).toContainEqual({
    label: "Scheduled next",
    value: `Version 2 on ${publishAt}, 12.00 EUR per month`,
  });
});

test("T26 prices that go on sale before the scheduled ones require approval too", async () => {
  const app = await catalog.newApp();
  const seats = await catalog.newLimit(app.id);
  const { id } = await catalog.newPackage({ prices: [{ ...month, amount: 1200 }] });
  await catalog.give(id, seats, 5);
  const publishAt = new Date(Date.now() + 86_400_000).toISOString();
  await setRules("{}");
  expect((await catalog.publish(id, { publishAt })).status).toBe(200);
  await setRules("{price}");
  await setTerms(id, [month]);
  expect((await catalog.publish(id)).body["type"]).toBe("urn:purser:problem:approval_required");
  expect((await askToPublish(id)).body.facts).toEqual(
    expect.arrayContaining([
      { label: "Current prices", value: "None" },
      { label: "Scheduled next", value: `Version 1 on ${publishAt}, 12.00 EUR per month` },
    ]),
  );
});

test("the approval request shows who is migrated, when, and who loses something", async () => {
  const app = await catalog.newApp();
  const seats = await catalog.newLimit(app.id);
  const { id } = await catalog.newPackage({ prices: [{ ...month, amount: 1200 }] });
  await catalog.give(id, seats, 5);
  await setRules("{}");
  await catalog.publish(id);
  await setRules("{price}");
  await catalog.addSubscribers(id, 3);
  await catalog.give(id, seats, 2);
  await setTerms(id, [month], { trialDays: 14 });
  const rolloutAt = new Date(Date.now() + 86_400_000).toISOString();
  const moving = await askToPublish(id, { rollout: "date", rolloutAt });
  expect(moving.body.facts).toEqual(
    expect.arrayContaining([
      { label: "Subscribers", value: "3" },
      { label: "Migration", value: `All subscribers on ${rolloutAt}` },
      { label: "Subscribers who lose something", value: "3" },
      { label: "Trial days", value: "14 (currently 0)" },
    ]),
  );
  const keeping = (await askToPublish(id)).body.facts;
  expect(keeping).toContainEqual({
    label: "Migration",
    value: "New buyers only",
  });
  expect(keeping.map(({ label }) => label)).not.toContain("Subscribers who lose something");
});

test("D8 a longer trial requires approval like a new price, a shorter one doesn't", async () => {
  const prices = [{ ...month, amount: 1200 }];
  const { id } = await sellPackage({ prices, trialDays: 7 });
  await setTerms(id, prices, { trialDays: 365 });
  expect((await catalog.publish(id)).body["type"]).toBe("urn:purser:problem:approval_required");
  const { facts } = (await askToPublish(id)).body;
  expect(facts).toContainEqual({ label: "Trial days", value: "365 (currently 7)" });
  await setTerms(id, prices, { trialDays: 3 });
  expect((await catalog.publish(id)).status).toBe(200);
});

test("D8 a lower price requires approval, whatever else changes with it", async () => {
  const app = await catalog.newApp();
  const [seats, exports] = [await catalog.newLimit(app.id), await catalog.newLimit(app.id)];
  const { id } = await catalog.newPackage({ prices: [{ ...month, amount: 1200 }] });
  await catalog.give(id, seats, 5);
  await setRules("{}");
  await catalog.publish(id);
  await setRules("{price}");
  const required = "urn:purser:problem:approval_required";
  const cheap = { ...month, amount: 1 };
  await catalog.give(id, exports, 1);
  await setTerms(id, [cheap]);
  expect((await catalog.publish(id)).body["type"]).toBe(required);
  // A new package of the same app with fewer, more or no common contents.
  for (const contents of [[seats], [seats, exports], [exports]]) {
    const other = await catalog.newPackage({ prices: [cheap] });
    for (const feature of contents) await catalog.give(other.id, feature, 5);
    expect((await catalog.publish(other.id)).body["type"]).toBe(required);
  }
  // Scheduling it, or another currency or interval next to the old price, is a new price as well.
  for (const prices of [
    [
      { ...month, amount: 1200 },
      { ...cheap, currency: "USD" },
    ],
    [
      { ...month, amount: 1200 },
      { ...cheap, interval: "year" as const },
    ],
  ]) {
    await setTerms(id, prices);
    expect((await catalog.publish(id)).body["type"]).toBe(required);
    const publishAt = new Date(Date.now() + 86_400_000).toISOString();
    expect((await catalog.publish(id, { publishAt })).body["type"]).toBe(required);
  }
});

test("D8 a copy of a package at another price requires approval too", async () => {
  const app = await catalog.newApp();
  const seats = await catalog.newLimit(app.id);
  const copyOf = async () => {
    const pack = await catalog.newPackage({ prices: [{ ...month, amount: 100 }] });
    await catalog.give(pack.id, seats, 5);
    return pack;
  };
  const { id } = await copyOf();
  expect((await catalog.publish(id)).body["type"]).toBe("urn:purser:problem:approval_required");
  const made = await askToPublish(id);
  expect(made.body).toMatchObject({
    summary: expect.stringMatching(/with its first prices$/),
    facts: expect.arrayContaining([{ label: "New prices", value: "1.00 EUR per month" }]),
  });
  expect((await approve(made.body.id)).status).toBe(200);
  expect((await packageNow(id)).onSale?.number).toBe(1);
});
