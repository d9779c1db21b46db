import { randomUUID } from "node:crypto";
import { mergeUsers } from "@purser/contract/users/merge";
import { expect, test } from "vitest";
import { openAllowances } from "../subscriptions/testing/allowances.testing.ts";
import { addUse } from "./queries.ts";

const allowances = await openAllowances(Date.UTC(2026, 10, 7, 12));
const { product, shop, features, monthly, newPackage, at, newEmail, buy } = allowances;
const { check, consume } = allowances;
const { call, owner, platform } = product;
const { month } = features;
const one = await newPackage(10, { name: "One", group: "one" });
const two = await newPackage(10, { name: "Two", group: "two" });

const merge = async (id: string, otherId: string) => {
  const body = { otherId, reason: "Two addresses." };
  const merged = await call(shop.admin, mergeUsers, { params: { id }, body });
  expect(merged.status, merged.text).toBe(200);
};

/** Usage as it is written after the limit was read. */
const entryOf = (customer: string, { amount, since }: { amount: number; since: string }) => ({
  place: 0,
  app: allowances.app.id,
  key: null,
  event: randomUUID(),
  customer,
  feature: monthly.id,
  anchored: true,
  since,
  until: "2026-12-12T12:00:00Z",
  lasts: "2026-12-12T12:00:00Z",
  amount,
  bound: 10,
  at: allowances.nowIso(),
  day: "2026-11-12",
  expires: null,
});

test("I10 merging customers with different paid periods keeps what both used", async () => {
  const email = newEmail();
  await at("2026-10-20T12:00:01Z");
  const stays = await buy(email, one.id);
  await at("2026-11-07T12:00:01Z");
  const goes = await buy(newEmail(), two.id);
  await consume({ user: goes, feature: month, amount: 10 });
  await at("2026-11-20T12:00:00Z");
  await buy(email, one.id);
  await at("2026-11-25T12:00:00Z");
  await merge(stays, goes);
  expect(await check(stays, month)).toMatchObject({ limit: 20, used: 10, remaining: 10 });
  expect((await consume({ user: goes, feature: month, amount: 11 })).body).toMatchObject({
    allowed: false,
    used: 10,
  });
  await consume({ user: stays, feature: month, amount: 10 });
  expect(await check(stays, month)).toMatchObject({ used: 20, remaining: 0 });
  // The window of the other record ends.
  await at("2026-12-07T12:00:00Z");
  expect(await check(stays, month)).toMatchObject({ used: 10 });
});

test("I10 usage that was read before a merge is compared with what both used", async () => {
  await at("2026-11-07T12:00:01Z");
  const stays = await buy(newEmail(), one.id);
  await consume({ user: stays, feature: month, amount: 10 });
  await at("2026-11-12T12:00:01Z");
  const goes = await buy(newEmail(), two.id);
  await merge(stays, goes);
  const entry = entryOf(goes, { amount: 1, since: "2026-11-12T12:00:00Z" });
  const { rows } = await owner.query(
    "select outcome, used::int from count_usage($1::jsonb, '2026-11-12T12:00:02Z')",
    [JSON.stringify([entry])],
  );
  expect(rows).toEqual([{ outcome: "limit reached", used: 10 }]);
});

test("I10 the first usage beside a merge isn't lost", async () => {
  await at("2026-11-07T12:00:01Z");
  const stays = await buy(newEmail(), one.id);
  const goes = await buy(newEmail(), two.id);
  const counting = await owner.connect();
  await counting.query("begin");
  // Another connection counts the first usage of the record that goes, and hasn't committed yet.
  const entry = entryOf(goes, { amount: 4, since: "2026-11-07T12:00:00Z" });
  await counting.query("select outcome from count_usage($1::jsonb, '2026-11-07T12:00:02Z')", [
    JSON.stringify([entry]),
  ]);
  let isMoved = false;
  const moving = platform.db
    .transaction()
    .execute((db) => addUse(db, goes, stays))
    .then(() => {
      isMoved = true;
    });
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(isMoved).toBe(false);
  await counting.query("commit");
  counting.release();
  await moving;
  expect(await check(stays, month)).toMatchObject({ used: 4 });
});

test("a merge keeps the quantity that was bought", async () => {
  const seats = await newPackage(10, { name: "Seats", group: "seats" }, { perUnit: true });
  await at("2026-11-07T12:00:01Z");
  const stays = await buy(newEmail(), one.id);
  const goes = await buy(newEmail(), seats.id, { quantity: 5 });
  const limit = (await check(goes, month)).limit ?? 0;
  expect(limit).toBe(50);
  await merge(stays, goes);
  expect(await check(stays, month)).toMatchObject({ limit: 60 });
  const { rows } = await owner.query(
    "select quantity, line_id is not null as paid from grants where user_id = $1 and moved_from is not null",
    [stays],
  );
  expect(rows).toEqual([{ quantity: 5, paid: true }]);
});
