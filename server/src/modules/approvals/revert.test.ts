import {
  activateApp,
  archiveApp,
  changeApp,
  createApp,
  deleteApp,
  getApp,
} from "@purser/contract/apps/endpoints";
import { getAppActivity, previewRevert, revertEntry } from "@purser/contract/workspace/audit";
import { expect, test } from "vitest";
import { verifyAudit } from "#platform/audit/verification/verify.ts";
import { testProduct } from "../../testing.ts";
import { revertingAs } from "./testing/reverting.testing.ts";

const product = await testProduct();
const { call, signIn, platform } = product;
const boss = await signIn("owner", "Olga Owner");
const colleague = await signIn("catalog", "Cato Colleague");
const { newestOf, preview, revert } = revertingAs(product, boss);

const newApp = async (code: string) =>
  (await call(boss, createApp, { body: { code, name: `App ${code}`, platforms: ["web"] } })).body;
const appNow = async (id: string) => (await call(boss, getApp, { params: { id } })).body;

const renamed = async (code: string) => {
  const app = await newApp(code);
  const body = { code, name: "Misnamed", platforms: ["web" as const, "ios" as const] };
  await call(colleague, changeApp, { params: { id: app.id }, version: 1, body });
  return { app, entry: await newestOf(app.id) };
};

test("previews and reverts a change as a new change, and links both entries", async () => {
  const { app, entry } = await renamed("mistake");
  expect(await preview(entry.id)).toMatchObject({
    action: "change",
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

test("refuses a change that was changed again, and names the later one", async () => {
  const { app, entry } = await renamed("again");
  await call(colleague, changeApp, {
    params: { id: app.id },
    version: 2,
    body: { code: "again", name: "Worse", platforms: ["web", "ios"] },
  });
  const later = await newestOf(app.id);
  expect((await preview(entry.id)).refusal).toMatchObject({
    detail: expect.objectContaining({ code: "revert_changed_since" }),
    later: { id: later.id, actorName: "Cato Colleague" },
  });
  const refused = await call(boss, revertEntry, { params: { id: entry.id }, version: 3, body: {} });
  expect(refused.status).toBe(409);
  await revert(later.id);
  // Now the name is what the first entry made it, so that one can go too.
  expect((await revert(entry.id)).status).toBe(200);
  expect((await appNow(app.id)).name).toBe("App again");
  expect((await preview(entry.id)).refusal?.detail.code).toBe("revert_done");
});

test("keeps fields that others changed since", async () => {
  const { app, entry } = await renamed("merge");
  await call(colleague, changeApp, {
    params: { id: app.id },
    version: 2,
    body: { code: "merge", name: "Misnamed", platforms: ["web", "ios"], description: "New." },
  });
  await revert(entry.id);
  expect(await appNow(app.id)).toMatchObject({ name: "App merge", description: "New." });
});

test("T1 I13 requires the permission to change the record and the version that was shown", async () => {
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

test("reverts once when two team members do it at the same time", async () => {
  const { app, entry } = await renamed("twice");
  const once = { params: { id: entry.id }, version: 2, body: {} };
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, n) => call(n % 2 ? boss : colleague, revertEntry, once)),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect((await appNow(app.id)).version).toBe(3);
});

test("applies the rules of the edit, such as for a locked code", async () => {
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

test("restores an archived app, deletes an unused draft, and refuses a deleted record", async () => {
  const app = await newApp("life");
  await call(boss, activateApp, { params: { id: app.id }, version: 1, body: {} });
  expect((await preview((await newestOf(app.id)).id)).refusal?.detail.code).toBe(
    "revert_activation",
  );
  await call(boss, archiveApp, { params: { id: app.id }, version: 2, body: {} });
  const archived = await newestOf(app.id);
  expect(await preview(archived.id)).toMatchObject({ action: "restore", refusal: null });
  await revert(archived.id);
  expect((await appNow(app.id)).status).toBe("active");

  const draft = await newApp("short-lived");
  const made = await newestOf(draft.id);
  expect(await preview(made.id)).toMatchObject({ action: "delete", refusal: null });
  const gone = await revert(made.id);
  expect(gone.body).toMatchObject({ action: "delete", reverts: made.id });
  expect((await preview(gone.body.id)).refusal?.detail.code).toBe("revert_deletion");

  const used = await newApp("used");
  const usedEntry = await newestOf(used.id);
  await call(boss, activateApp, { params: { id: used.id }, version: 1, body: {} });
  expect((await preview(usedEntry.id)).refusal).not.toBeNull();
  expect((await call(boss, deleteApp, { params: { id: used.id }, version: 2 })).status).toBe(409);
});
