import type { Wire } from "@purser/contract/http/endpoint";
import { changePackage } from "@purser/contract/packages/endpoints";
import { startDraft } from "@purser/contract/packages/versions";
import { revertEntry } from "@purser/contract/workspace/audit";
import { listActions, listRecentActions } from "@purser/contract/workspace/history";
import { expect, test } from "vitest";
import { testProduct } from "../../testing.ts";
import { catalogIn } from "../packages/testing/testing.ts";
import { revertingAs } from "./testing/reverting.testing.ts";

const product = await testProduct();
const { call, signIn, owner } = product;
const boss = await signIn("owner", "Olga Owner");
const { newPackage, newApp, newLimit, give, publish, read } = catalogIn(product, boss);
const { newestOf, preview, revert } = revertingAs(product, boss);

const eur = { currency: "EUR", amount: 3400, interval: "month" as const, intervalCount: 1 };
const yearly = { ...eur, amount: 34_000, interval: "year" as const };
const seat = { ...eur, currency: "USD", amount: 900, perUnit: true };
const changed = [
  { ...eur, amount: 3600 },
  { ...seat, perUnit: false },
  { ...eur, currency: "GBP" },
];

const change = async (id: string, values: object) => {
  const { code, name, trialDays, prices, version } = await read(id);
  const body = { code, name, trialDays, prices, ...values };
  const saved = await call(boss, changePackage, { params: { id }, version, body });
  expect(saved.status, saved.text).toBe(200);
};

/** A package whose second version has other prices, and the entry that published it. */
const repriced = async () => {
  const { id } = await newPackage({ prices: [eur, yearly, seat] });
  const seats = await newLimit((await newApp()).id);
  await give(id, seats, 5);
  await publish(id);
  await change(id, { prices: changed });
  await publish(id);
  const { onSale } = await read(id);
  return { id, seats, entry: await newestOf(onSale?.id ?? "", "package_versions") };
};

const offers = (prices: readonly { currency: string; interval: string; amount: number }[]) =>
  prices.map(({ currency, interval, amount }) => `${currency} ${interval} ${amount}`);

test("reverts published prices with a draft, which takes effect once it is published", async () => {
  const { id, entry } = await repriced();
  expect(await preview(entry.id)).toMatchObject({
    action: "draft",
    label: "Studio v2",
    review: `/package/publish/${id}`,
    sets: [
      { field: "EUR every 1 month", from: 3600, to: 3400 },
      { field: "EUR every 1 year", from: null, to: 34_000 },
      { field: "USD every 1 month", from: 900, to: { amount: 900, perUnit: true } },
      { field: "GBP every 1 month", from: 3400, to: null },
    ],
    refusal: null,
  });
  expect((await read(id)).draft).toBeNull();
  const done = await revert(entry.id);
  expect(done.status, done.text).toBe(200);
  expect(done.body).toMatchObject({ reverts: null, reason: "Set back." });
  const { draft, onSale, prices } = await read(id);
  expect([draft?.number, onSale?.number]).toEqual([3, 2]);
  expect(offers(prices)).toEqual(["EUR month 3400", "EUR year 34000", "USD month 900"]);
  expect(prices.map(({ perUnit }) => perUnit)).toEqual([false, false, true]);
  expect((await publish(id)).status).toBe(200);
  expect((await read(id)).onSale?.number).toBe(3);
  expect((await preview(entry.id)).refusal?.detail.code).toBe("revert_done");
});

test("keeps what was published since, except the reverted prices", async () => {
  const { id, seats, entry } = await repriced();
  await give(id, seats, 9);
  await change(id, { prices: [...changed, { ...eur, currency: "CHF" }] });
  await publish(id);
  await revert(entry.id);
  expect(offers((await read(id)).prices)).toEqual([
    ...["CHF month 3400", "EUR month 3400", "EUR year 34000", "USD month 900"],
  ]);
});

test("refuses while there is another draft, and if the prices were changed again", async () => {
  const { id, entry } = await repriced();
  await call(boss, startDraft, { params: { id }, body: {} });
  expect((await preview(entry.id)).refusal).toMatchObject({
    detail: { code: "draft_exists" },
    place: { path: `/package/view/${id}` },
  });
  await change(id, { prices: [{ ...eur, amount: 4000 }] });
  await publish(id);
  expect((await preview(entry.id)).refusal?.detail.code).toBe("revert_price_changed");
  const { version } = await read(id);
  const params = { id: entry.id };
  expect((await call(boss, revertEntry, { params, version, body: {} })).status).toBe(409);
});

test("publishing the draft requires the same approval as any price change", async () => {
  const { id, entry } = await repriced();
  await revert(entry.id);
  await owner.query("update settings set approval_rules = '{price}'");
  expect((await publish(id)).body).toMatchObject({ type: "urn:purser:problem:approval_required" });
  await owner.query("update settings set approval_rules = '{}'");
});

test("the history offers to revert prices, but no other published content", async () => {
  const { id, seats, entry } = await repriced();
  await give(id, seats, 7);
  await publish(id);
  type Items = Wire<typeof listActions>["reply"]["items"];
  const isAmong = (items: Items, recordId: string) =>
    items
      .flatMap(({ entries }) => entries)
      .some((one) => one.recordId === recordId && one.canRevert);
  const isOffered = async (recordId: string) => {
    const query = { f: [`record:any:${recordId}`] };
    return isAmong((await call(boss, listActions, { query })).body.items, recordId);
  };
  expect(await isOffered(entry.recordId)).toBe(true);
  expect(await isOffered((await read(id)).onSale?.id ?? "")).toBe(false);
  const recent = async (as: typeof boss) =>
    isAmong((await call(as, listRecentActions)).body.items, entry.recordId);
  expect(await recent(boss)).toBe(true);
  expect(await recent(await signIn("finance"))).toBe(false);
});

test("an action tells only what it published itself, not what the version before or its draft did", async () => {
  const { id } = await repriced();
  await change(id, { prices: [{ ...eur, amount: 4000 }] });
  await publish(id);
  const query = { q: "Studio", size: "100" };
  const { items } = (await call(boss, listActions, { query })).body;
  const own = items.filter(({ entries }) =>
    entries.some(({ facts, recordId }) => facts["packageId"] === id || recordId === id),
  );
  const told = own.map(({ entries, published }) => ({
    steps: entries.flatMap(({ entity, label, changes, canRevert }) =>
      entity === "package_versions"
        ? changes
            .filter(({ field }) => field === "state")
            .map(({ after }) => `${label} ${after}${canRevert ? ", revertible" : ""}`)
        : [],
    ),
    month: published
      .filter(({ field }) => field === "EUR every 1 month")
      .map(({ before, after }) => [before, after]),
  }));
  expect(told).toEqual([
    { steps: ["Studio v2 superseded", "Studio v3 on sale, revertible"], month: [[3600, 4000]] },
    { steps: ["Studio v3 draft"], month: [] },
    { steps: ["Studio v1 superseded", "Studio v2 on sale, revertible"], month: [[3400, 3600]] },
    { steps: ["Studio v2 draft"], month: [] },
    { steps: ["Studio v1 on sale"], month: [] },
    { steps: ["Studio v1 draft"], month: [] },
  ]);
});
