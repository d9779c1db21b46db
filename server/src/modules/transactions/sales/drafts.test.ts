import { randomUUID } from "node:crypto";
import { getEntitlements } from "@purser/contract/entitlements/explanation";
import { getPromotion } from "@purser/contract/promotions/endpoints";
import { submitTransaction, voidTransaction } from "@purser/contract/transactions/actions";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import { shopIn } from "../testing/testing.ts";

const product = await testProduct();
const { call, owner } = product;
const { admin, sellPackage, promote, saleOf, sell, read } = await shopIn(product);

const seatsOf = async (userId: string) => {
  const { body } = await call(admin, getEntitlements, { params: { id: userId } });
  return body.items.find(({ lines }) => lines.some(({ isApplied }) => isApplied))?.value ?? null;
};

test("a draft grants nothing until it is submitted, and can be voided", async () => {
  const pack = await sellPackage();
  const draft = await sell(saleOf(pack.id), { state: "draft", reference: null });
  expect(draft.state).toBe("draft");
  const without = await call(admin, submitTransaction, {
    params: { id: draft.id },
    version: draft.version,
    body: { state: "succeeded" },
  });
  expect(without.status).toBe(409);
  const recorded = await call(admin, submitTransaction, {
    params: { id: draft.id },
    version: draft.version,
    body: { state: "succeeded", reference: randomUUID() },
  });
  expect(recorded.body.state).toBe("succeeded");
  expect(await seatsOf(draft.user.id)).toBe(5);
  const other = await sell(saleOf(pack.id), { state: "draft", reference: null });
  const voided = await call(admin, voidTransaction, {
    params: { id: other.id },
    version: other.version,
    body: { reason: "Typed twice" },
  });
  expect(voided.body.state).toBe("voided");
});

test("a draft redeems its promotion when it is submitted", async () => {
  const pack = await sellPackage();
  const promotion = await promote({ code: "DRAFT-1", redemptionLimit: 1, packageIds: [pack.id] });
  const redemptions = async () =>
    (await call(admin, getPromotion, { params: { id: promotion.id } })).body.redemptions;
  const submit = async (draft: { id: string; version: number }) =>
    call(admin, submitTransaction, {
      params: { id: draft.id },
      version: draft.version,
      body: { state: "succeeded", reference: randomUUID() },
    });
  const codes = ["DRAFT-1"];
  const drafts = [
    await sell(saleOf(pack.id, { codes }), { state: "draft", reference: null }),
    await sell(saleOf(pack.id, { codes }), { state: "draft", reference: null }),
  ] as const;
  expect(await redemptions()).toBe(0);
  const recorded = await submit(drafts[0]);
  expect(recorded.body.state).toBe("succeeded");
  expect(await redemptions()).toBe(1);
  const { rows } = await owner.query(
    "select subscription_id from redemptions where transaction_id = $1",
    [drafts[0].id],
  );
  expect(rows).toEqual([{ subscription_id: recorded.body.subscriptionId }]);
  const refused = await submit(drafts[1]);
  expect(refused.status).toBe(409);
  expect((await read(drafts[1].id)).state).toBe("draft");
});
