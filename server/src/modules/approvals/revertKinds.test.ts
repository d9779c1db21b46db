import { changePackage, createPackage, getPackage } from "@purser/contract/packages/endpoints";
import {
  changePromotion,
  createPromotion,
  getPromotion,
} from "@purser/contract/promotions/endpoints";
import { changeTeamMember } from "@purser/contract/users/team";
import { listAudit, revertEntry } from "@purser/contract/workspace/audit";
import { changeSettings, getSettings } from "@purser/contract/workspace/settings";
import { changeWebhookEndpoint, createWebhookEndpoint } from "@purser/contract/workspace/webhooks";
import { expect, test } from "vitest";
import { transact } from "#platform/audit/context.ts";
import { redactRecord } from "#platform/audit/redact.ts";
import { testProduct } from "../../testing.ts";
import { shopIn } from "../transactions/testing/testing.ts";
import { revertingAs } from "./testing/reverting.testing.ts";

const product = await testProduct();
const { call, signIn, owner, platform } = product;
const boss = await signIn("owner", "Olga Owner");
const colleague = await signIn("catalog", "Cato Colleague");
const { newestOf, preview, revert } = revertingAs(product, boss);

test("refuses transactions and published versions with advice and a link", async () => {
  const { sellPackage, saleOf, sell } = await shopIn(product);
  const pack = await sellPackage();
  const sale = await sell(saleOf(pack.id));
  const { id } = await newestOf(sale.id, "transactions");
  expect((await preview(id)).refusal).toMatchObject({
    detail: {
      text: "Transactions can't be reverted. Refund a paid transaction, or void a draft.",
    },
    place: { label: { text: "Open transaction" }, path: `/transaction/view/${sale.id}` },
  });
  const version = await newestOf(pack.onSale?.id ?? "", "package_versions");
  expect((await preview(version.id)).refusal).toMatchObject({
    place: { path: `/package/view/${pack.id}` },
  });
  const refused = await call(boss, revertEntry, { params: { id }, version: 1, body: {} });
  expect(refused.status).toBe(409);
});

test("reverts packages, drafts, promotions, settings, webhooks and users with their endpoints", async () => {
  const eur = { currency: "EUR", amount: 900, interval: "month" as const };
  const details = { code: "pack", name: "Pack", prices: [eur], trialDays: 7 };
  const pack = (await call(boss, createPackage, { body: details })).body;
  const params = { id: pack.id };
  const body = { ...details, name: "Pick", trialDays: 14 };
  await call(colleague, changePackage, { params, version: pack.version, body });
  const named = await newestOf(pack.id, "packages");
  expect((await revert(named.id)).status).toBe(200);
  const draft = await newestOf(pack.draft?.id ?? "", "package_versions");
  expect((await revert(draft.id)).status).toBe(200);
  const restored = (await call(boss, getPackage, { params })).body;
  expect(restored).toMatchObject({ name: "Pack", trialDays: 7, prices: [{ amount: 900 }] });

  const offer = { name: "Spring", kind: "percent" as const, basisPoints: 1000 };
  const promotion = (await call(boss, createPromotion, { body: offer })).body;
  const endsAt = new Date(Date.now() + 86_400_000).toISOString();
  await call(colleague, changePromotion, {
    params: { id: promotion.id },
    version: promotion.version,
    body: { ...offer, name: "Sprung", basisPoints: 9000, endsAt },
  });
  expect((await revert((await newestOf(promotion.id)).id)).status).toBe(200);
  const offered = await call(boss, getPromotion, { params: { id: promotion.id } });
  expect(offered.body).toMatchObject({ name: "Spring", basisPoints: 1000, endsAt: null });

  const { version, updatedAt: _, ...decided } = (await call(boss, getSettings)).body;
  const changed = { ...decided, graceDays: 30, waitingHours: 48, approvalDays: 60 };
  await call(boss, changeSettings, { version, body: changed });
  const settingsEntry = (
    await call(boss, listAudit, { query: { f: ["entity:any:settings", "action:any:update"] } })
  ).body.items[0];
  expect((await revert(settingsEntry?.id ?? "")).status).toBe(200);
  expect((await call(boss, getSettings)).body).toMatchObject(decided);

  const hook = { url: "https://hooks.example.com/a", types: ["transaction.changed" as const] };
  const made = (await call(boss, createWebhookEndpoint, { body: hook })).body;
  await call(boss, changeWebhookEndpoint, {
    params: { id: made.id },
    version: made.version,
    body: { ...hook, description: "Wrong" },
  });
  const hooked = await revert((await newestOf(made.id)).id);
  expect(hooked.status, hooked.text).toBe(200);

  const member = await signIn("support", "Mia Right");
  await call(boss, changeTeamMember, {
    params: { id: member.id },
    version: 1,
    body: { name: "Mia Wrong", role: "support" },
  });
  expect((await revert((await newestOf(member.id)).id)).status).toBe(200);
  const { rows } = await owner.query("select name from users where id = $1", [member.id]);
  expect(rows).toEqual([{ name: "Mia Right" }]);
});

test("reverts settings that have the old name of a role", async () => {
  const set = (roles: string[], groups: object[]) =>
    owner.query("update settings set second_factor_roles = $1, sign_in_groups = $2", [
      roles,
      JSON.stringify(groups),
    ]);
  await owner.query("alter table settings drop constraint settings_second_factor_roles");
  await set(["owner", "catalogue"], [{ group: "catalogue", role: "catalogue" }]);
  await set([], []);
  const { body } = await call(boss, listAudit, { query: { f: ["entity:any:settings"] } });
  expect((await revert(body.items[0]?.id ?? "")).status).toBe(200);
  expect((await call(boss, getSettings)).body).toMatchObject({
    twoFactorRoles: ["owner", "catalog"],
    signInGroups: [{ group: "catalogue", role: "catalog" }],
  });
});

test("reverts a promotion whose columns and values have other names in the API", async () => {
  const offer = { name: "Summer", kind: "percent" as const, basisPoints: 1000 };
  const { id } = (await call(boss, createPromotion, { body: offer })).body;
  const set = (duration: string, limit: number) =>
    owner.query("update promotions set duration = $2, max_uses = $3 where id = $1", [
      ...[id, duration, limit],
    ]);
  await owner.query("alter table promotions drop constraint promotions_duration");
  await set("for ever", 5);
  await set("once", 10);
  expect((await revert((await newestOf(id)).id)).status).toBe(200);
  expect((await call(boss, getPromotion, { params: { id } })).body).toMatchObject({
    duration: "forever",
    redemptionLimit: 5,
  });
});

test("links to the record if no endpoint reverts the change", async () => {
  const { rows } = await owner.query(
    "insert into users (email, name) values ('customer@example.com', 'Before') returning id",
  );
  await owner.query("update users set status = 'active' where id = $1", [rows[0].id]);
  const entry = await newestOf(rows[0].id);
  expect((await preview(entry.id)).refusal).toMatchObject({
    place: { path: `/users/view/${rows[0].id}` },
  });
});

test("refuses values that were erased from the log", async () => {
  const member = await signIn("support", "Gone Person");
  await call(boss, changeTeamMember, {
    params: { id: member.id },
    version: 1,
    body: { name: "Other Name", role: "support" },
  });
  const entry = await newestOf(member.id);
  const actor = { kind: "user" as const, id: boss.id, name: "Olga Owner" };
  const context = { actor, address: null, requestId: null, reason: null };
  await transact(platform.db, context, (db) =>
    redactRecord(db, { entity: "users", id: member.id, columns: ["name"] }),
  );
  expect((await preview(entry.id)).refusal).not.toBeNull();
});
