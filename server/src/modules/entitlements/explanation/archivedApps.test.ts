import { createAppKey } from "@purser/contract/apps/keys";
import { checkFeature } from "@purser/contract/entitlements/explanation";
import { expect, test } from "vitest";
import { archivableParts, archivingIn } from "#modules/packages/testing/archiving.testing.ts";
import { catalogIn } from "#modules/packages/testing/testing.ts";
import { testProduct } from "#testing.ts";
import { explanationsIn } from "../testing/explanations.testing.ts";
import { grantsIn } from "../testing/testing.ts";

const product = await testProduct();
const { call, owner, signIn } = product;
const admin = await signIn("admin");
const { newApp, newLimit, packageGiving } = catalogIn(product, admin);
const { newCustomer, insertGrant } = grantsIn(product, admin);
const { explanationOf, itemOf } = explanationsIn(product, admin);
const { archive, restore } = archivingIn(product, admin);

/** A package on sale with 5 seats of an app that has an API key. */
const sold = async () => {
  const app = await newApp();
  const feature = await newLimit(app.id, "Seats", { defaultValue: 0 });
  const packageId = await packageGiving("Studio", [[feature, 5]]);
  const body = { name: "Server", kind: "server" as const, scopes: ["entitlements:read" as const] };
  const { secret } = (await call(admin, createAppKey, { params: { id: app.id }, body })).body;
  const headers = { authorization: `Bearer ${secret}` };
  const check = async (user: string) =>
    (await call(null, checkFeature, { query: { user, feature: feature.code }, headers })).body;
  return { app, feature, packageId, check };
};

test.each(archivableParts)("M11 checks answer from the grants of an archived %s", async (part) => {
  const made = await sold();
  const [subscriber, other] = [await newCustomer(), await newCustomer()];
  const grantId = await insertGrant(subscriber.id, made.packageId, [-1, 30]);
  await archive(part, made);
  expect(await made.check(subscriber.id)).toMatchObject({
    allowed: true,
    reason: "granted",
    value: 5,
    grants: [{ id: grantId }],
  });
  const reason = part === "feature" ? "feature archived" : "not included";
  expect(await made.check(other.id)).toMatchObject({ allowed: false, reason });
  await owner.query("update grants set ends_at = now() where id = $1", [grantId]);
  expect(await made.check(subscriber.id)).toMatchObject({ allowed: false, reason: "expired" });
});

test("M11 an archived app is in the entitlements of customers who have or had it", async () => {
  const made = await sold();
  const [subscriber, former, other] = await Promise.all([
    newCustomer(),
    newCustomer(),
    newCustomer(),
  ]);
  await insertGrant(subscriber.id, made.packageId, [-1, 30]);
  await insertGrant(former.id, made.packageId, [-30, -1]);
  await archive("app", made);
  const { feature } = made;
  expect(await itemOf(subscriber.id, feature)).toMatchObject({
    allowed: true,
    value: 5,
    app: { status: "archived", suspendedAt: null },
    until: { isRenewal: false },
    needs: [],
  });
  expect(await itemOf(former.id, feature)).toMatchObject({
    value: 0,
    lines: [{ notApplied: { code: "ended" } }],
    needs: [],
  });
  const hasApp = ({ app }: { app: { id: string } }) => app.id === made.app.id;
  expect((await explanationOf(other.id)).items.some(hasApp)).toBe(false);
  await restore("app", made);
  expect(await itemOf(other.id, feature)).toMatchObject({ needs: [{ value: 5 }] });
});
