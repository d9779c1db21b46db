import { activateFeature, getFeature } from "@purser/contract/features/endpoints";
import {
  createPromotion,
  getPromotion,
  pausePromotion,
  publishPromotion,
  resumePromotion,
} from "@purser/contract/promotions/endpoints";
import { expect, test } from "vitest";
import { archivableParts, archivingIn } from "#modules/packages/testing/archiving.testing.ts";
import { testProduct } from "#testing.ts";
import { shopIn } from "../testing/testing.ts";

const product = await testProduct();
const { call, owner } = product;
const { admin, newApp, newLimit, sellPackage, promote, quote, saleOf, sell } =
  await shopIn(product);
const { archive, restore } = archivingIn(product, admin);

/** A feature that no package includes, as only promotions give it. */
const newFeature = async () => {
  const app = await newApp("Bonus");
  const feature = await newLimit(app.id, "Extra seats");
  const { id, version } = feature;
  await call(admin, activateFeature, { params: { id }, version, body: {} });
  await owner.query("update apps set status = 'active', activated_at = now() where id = $1", [
    app.id,
  ]);
  return { app, feature };
};

const giving = (featureId: string, packageId: string) => ({
  name: "Launch",
  kind: "feature" as const,
  basisPoints: null,
  featureId,
  value: 7,
  featureDays: 30,
  packageIds: [packageId],
  requiresCode: false,
});

const featureGrants = async (userId: string) =>
  (await owner.query("select from grants where user_id = $1 and feature_id is not null", [userId]))
    .rows.length;

test.each(archivableParts)("M11 a promotion doesn't give an archived %s", async (part) => {
  const pack = await sellPackage();
  const made = await newFeature();
  const { id } = await promote(giving(made.feature.id, pack.id));
  const before = await sell(saleOf(pack.id));
  expect(await featureGrants(before.user.id)).toBe(1);
  await archive(part, made);
  const { features, trace } = (await quote(saleOf(pack.id))).quote;
  expect(features).toEqual([]);
  expect(trace.filter(({ promotionId }) => promotionId === id)).toMatchObject([
    {
      isApplied: false,
      reason: "feature archived",
      message: { text: "Launch doesn't apply because its feature is archived." },
    },
  ]);
  const after = await sell(saleOf(pack.id));
  expect(await featureGrants(after.user.id)).toBe(0);
  expect(await featureGrants(before.user.id)).toBe(1);
  await restore(part, made);
  expect(await featureGrants((await sell(saleOf(pack.id))).user.id)).toBe(1);
});

const versionOf = async (id: string) =>
  (await call(admin, getPromotion, { params: { id } })).body.version;

test.each(archivableParts)("M11 a promotion of an archived %s can't be published", async (part) => {
  const pack = await sellPackage();
  const made = await newFeature();
  const { id } = (
    await call(admin, createPromotion, { body: giving(made.feature.id, pack.id) as never })
  ).body;
  await archive(part, made);
  const detail =
    part === "app"
      ? "This promotion gives Extra seats of Bonus, which is archived. Restore the app first."
      : "This promotion gives Extra seats, which is archived. Restore the feature first.";
  const publish = async () =>
    call(admin, publishPromotion, { params: { id }, version: await versionOf(id), body: {} });
  const refused = await publish();
  expect([refused.status, refused.body["detail"]]).toEqual([409, detail]);
  await restore(part, made);
  expect((await publish()).body.status).toBe("running");
  await call(admin, pausePromotion, { params: { id }, version: await versionOf(id), body: {} });
  await archive(part, made);
  const params = { id };
  const version = await versionOf(id);
  const resumed = await call(admin, resumePromotion, { params, version, body: {} });
  expect([resumed.status, resumed.body["detail"]]).toEqual([409, detail]);
});

test("M11 no promotion can be created for a feature of an archived app", async () => {
  const pack = await sellPackage();
  const made = await newFeature();
  await archive("app", made);
  const body = giving(made.feature.id, pack.id) as never;
  const refused = await call(admin, createPromotion, { body });
  expect([refused.status, refused.body["errors"]]).toMatchObject([
    400,
    [{ pointer: "/featureId" }],
  ]);
  const { status } = (await call(admin, getFeature, { params: { id: made.feature.id } })).body;
  expect(status).toBe("active");
});
