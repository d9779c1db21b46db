import {
  activateApp,
  archiveApp,
  changeApp,
  createApp,
  deleteApp,
  getApp,
} from "@purser/contract/apps/endpoints";
import { changePackage, createPackage, getPackage } from "@purser/contract/packages/endpoints";
import {
  changePromotion,
  createPromotion,
  getPromotion,
} from "@purser/contract/promotions/endpoints";
import { changeStaffMember } from "@purser/contract/users/team";
import {
  getAppActivity,
  listAudit,
  previewRevert,
  revertEntry,
} from "@purser/contract/workspace/audit";
import { changeSettings, getSettings } from "@purser/contract/workspace/settings";
import { changeWebhookEndpoint, createWebhookEndpoint } from "@purser/contract/workspace/webhooks";
import { expect, test } from "vitest";
import { transact } from "#platform/audit/context.ts";
import { redactRecord } from "#platform/audit/redact.ts";
import { verifyAudit } from "#platform/audit/verification/verify.ts";
import { testProduct } from "../../testing.ts";
import { shopIn } from "../transactions/testing/testing.ts";

const product = await testProduct();
const { call, signIn, owner, platform } = product;
const boss = await signIn("owner", "Olga Owner");
const colleague = await signIn("catalogue", "Cato Colleague");

type Person = typeof boss;

const newestOf = async (record: string, entity?: string) => {
  const f = [`record:any:${record}`, ...(entity ? [`entity:any:${entity}`] : [])];
  const [entry] = (await call(boss, listAudit, { query: { f } })).body.items;
  if (!entry) throw new Error("There is no entry.");
  return entry;
};

const preview = async (id: string, as: Person = boss) =>
  (await call(as, previewRevert, { params: { id } })).body;

const revert = async (id: string, as: Person = boss) => {
  const { version, refusal } = await preview(id, as);
  expect(refusal).toBeNull();
  return call(as, revertEntry, {
    params: { id },
    ...(version && { version }),
    body: { reason: "Set back." },
  });
};

const newApp = async (code: string) =>
  (await call(boss, createApp, { body: { code, name: `App ${code}`, platforms: ["web"] } })).body;
const appNow = async (id: string) => (await call(boss, getApp, { params: { id } })).body;

const renamed = async (code: string) => {
  const app = await newApp(code);
  const body = { code, name: "Misnamed", platforms: ["web" as const, "ios" as const] };
  await call(colleague, changeApp, { params: { id: app.id }, version: 1, body });
  return { app, entry: await newestOf(app.id) };
};

test("a change is previewed and set back as a new change, and both entries know of each other", async () => {
  const { app, entry } = await renamed("mistake");
  expect(await preview(entry.id)).toMatchObject({
    act: "change",
    label: "Misnamed",
    sets: expect.arrayContaining([{ field: "name", from: "Misnamed", to: "App mistake" }]),
    version: 2,
    refusal: null,
  });
  expect((await appNow(app.id)).name).toBe("Misnamed");
  const done = await revert(entry.id);
  expect(done.status, done.text).toBe(200);
  expect(done.body).toMatchObject({
    reverts: entry.id,
    reason: "Set back.",
    actor: { id: boss.id },
  });
  expect(await appNow(app.id)).toMatchObject({
    name: "App mistake",
    platforms: ["web"],
    version: 3,
  });
  const { body } = await call(boss, getAppActivity, { params: { id: app.id } });
  expect(body.items.slice(0, 2)).toMatchObject([
    { id: done.body.id, reverts: entry.id, canRevert: true },
    { id: entry.id, revertedBy: done.body.id, canRevert: false },
  ]);
  expect(await verifyAudit(platform.db, new Date())).toBeNull();
});

test("what changed again since is refused, with who and when, and that one can be set back", async () => {
  const { app, entry } = await renamed("again");
  await call(colleague, changeApp, {
    params: { id: app.id },
    version: 2,
    body: { code: "again", name: "Worse", platforms: ["web", "ios"] },
  });
  const later = await newestOf(app.id);
  expect((await preview(entry.id)).refusal).toMatchObject({
    detail: expect.stringContaining("Cato Colleague changed it again since"),
    later: { id: later.id, actorName: "Cato Colleague" },
  });
  const refused = await call(boss, revertEntry, { params: { id: entry.id }, version: 3, body: {} });
  expect(refused.status).toBe(409);
  await revert(later.id);
  // Now the name is what the first entry made it, so that one can go too.
  expect((await revert(entry.id)).status).toBe(200);
  expect((await appNow(app.id)).name).toBe("App again");
  expect((await preview(entry.id)).refusal?.detail).toBe("Olga Owner has set it back already.");
});

test("fields that others changed meanwhile stay as they are", async () => {
  const { app, entry } = await renamed("merge");
  await call(colleague, changeApp, {
    params: { id: app.id },
    version: 2,
    body: { code: "merge", name: "Misnamed", platforms: ["web", "ios"], description: "New." },
  });
  await revert(entry.id);
  expect(await appNow(app.id)).toMatchObject({ name: "App merge", description: "New." });
});

test("T1 I13 only who may change the record sets it back, and only from the version that was shown", async () => {
  const { entry } = await renamed("guarded");
  const viewer = await signIn("viewer");
  expect((await preview(entry.id, viewer)).refusal).toMatchObject({ code: "forbidden" });
  const forbidden = { params: { id: entry.id }, version: 2, body: {} };
  expect((await call(viewer, revertEntry, forbidden)).status).toBe(403);
  const hidden = await newestOf(boss.id);
  const unseen = await call(viewer, previewRevert, { params: { id: hidden.id } });
  expect(unseen.status).toBe(404);
  const stale = await call(boss, revertEntry, { params: { id: entry.id }, version: 1, body: {} });
  expect(stale.status).toBe(412);
  expect((await revert(entry.id, colleague)).status).toBe(200);
});

test("a revert at the same moment by two people happens once", async () => {
  const { app, entry } = await renamed("twice");
  const once = { params: { id: entry.id }, version: 2, body: {} };
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, n) => call(n % 2 ? boss : colleague, revertEntry, once)),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect((await appNow(app.id)).version).toBe(3);
});

test("the rules of the edit itself hold: a code that was frozen meanwhile stays", async () => {
  const app = await newApp("frozen-soon");
  const body = { code: "frozen-later", name: "Same", platforms: ["web" as const] };
  await call(boss, changeApp, { params: { id: app.id }, version: 1, body });
  const entry = await newestOf(app.id);
  await call(boss, activateApp, { params: { id: app.id }, version: 2, body: {} });
  const { refusal } = await preview(entry.id);
  expect(refusal).toMatchObject({ code: "code_frozen" });
  const refused = await call(boss, revertEntry, { params: { id: entry.id }, version: 3, body: {} });
  expect(refused.body["type"]).toBe("urn:purser:problem:code_frozen");
});

test("an archived app is restored, a draft that nobody uses deleted, a deleted one stays gone", async () => {
  const app = await newApp("life");
  await call(boss, activateApp, { params: { id: app.id }, version: 1, body: {} });
  expect((await preview((await newestOf(app.id)).id)).refusal?.detail).toContain(
    "Archive it instead",
  );
  await call(boss, archiveApp, { params: { id: app.id }, version: 2, body: {} });
  const archived = await newestOf(app.id);
  expect(await preview(archived.id)).toMatchObject({ act: "restore", refusal: null });
  await revert(archived.id);
  expect((await appNow(app.id)).status).toBe("active");

  const draft = await newApp("short-lived");
  const made = await newestOf(draft.id);
  expect(await preview(made.id)).toMatchObject({ act: "delete", refusal: null });
  const gone = await revert(made.id);
  expect(gone.body).toMatchObject({ action: "delete", reverts: made.id });
  expect((await preview(gone.body.id)).refusal?.detail).toContain("does not come back");

  const used = await newApp("used");
  const usedEntry = await newestOf(used.id);
  await call(boss, activateApp, { params: { id: used.id }, version: 1, body: {} });
  expect((await preview(usedEntry.id)).refusal).not.toBeNull();
  expect((await call(boss, deleteApp, { params: { id: used.id }, version: 2 })).status).toBe(409);
});

test("money and published versions are refused, with what to do instead and where", async () => {
  const { sellPackage, saleOf, sell } = await shopIn(product);
  const pack = await sellPackage();
  const sale = await sell(saleOf(pack.id));
  const { id } = await newestOf(sale.id, "transactions");
  expect((await preview(id)).refusal).toMatchObject({
    detail: "A settled sale is corrected by a refund, one that is not settled by voiding it.",
    place: { label: "Open the transaction", path: `/transaction/view/${sale.id}` },
  });
  const version = await newestOf(pack.onSale?.id ?? "", "package_versions");
  expect((await preview(version.id)).refusal).toMatchObject({
    place: { path: `/package/view/${pack.id}` },
  });
  const refused = await call(boss, revertEntry, { params: { id }, version: 1, body: {} });
  expect(refused.status).toBe(409);
});

test("packages, drafts, promotions, settings, webhooks and people are set back by their own calls", async () => {
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
  await call(boss, changeSettings, { version, body: { ...decided, graceDays: 30 } });
  const settingsEntry = (
    await call(boss, listAudit, { query: { f: ["entity:any:settings", "action:any:update"] } })
  ).body.items[0];
  expect((await revert(settingsEntry?.id ?? "")).status).toBe(200);
  expect((await call(boss, getSettings)).body.graceDays).toBe(decided.graceDays);

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
  await call(boss, changeStaffMember, {
    params: { id: member.id },
    version: 1,
    body: { name: "Mia Wrong", role: "support" },
  });
  expect((await revert((await newestOf(member.id)).id)).status).toBe(200);
  const { rows } = await owner.query("select name from users where id = $1", [member.id]);
  expect(rows).toEqual([{ name: "Mia Right" }]);
});

test("what has no call that sets it back leads to where it is changed", async () => {
  const { rows } = await owner.query(
    "insert into users (email, name) values ('customer@example.com', 'Before') returning id",
  );
  await owner.query("update users set status = 'active' where id = $1", [rows[0].id]);
  const entry = await newestOf(rows[0].id);
  expect((await preview(entry.id)).refusal).toMatchObject({
    place: { path: `/users/view/${rows[0].id}` },
  });
});

test("what was erased from the log cannot come back by it", async () => {
  const member = await signIn("support", "Gone Person");
  await call(boss, changeStaffMember, {
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
