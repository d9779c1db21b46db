import { listApps } from "@purser/contract/apps/endpoints";
import { listPackages } from "@purser/contract/packages/endpoints";
import { expect, test } from "vitest";
import { noChanges, openWorkspace, smallCatalog } from "./testing/workspace.ts";

test("applies a file to an empty workspace without publishing, and exports the same file", async () => {
  const { diff, apply, exported, call, admin } = await openWorkspace();
  expect(await exported()).toBe("version: 1\n");
  const shown = (await diff(smallCatalog)).body;
  expect(shown.counts).toEqual({ ...noChanges, create: 4 });
  expect(shown.changes.map(({ what, code }) => `${what} ${code}`)).toEqual([
    "app harbor",
    "feature harbor/export",
    "feature harbor/seats",
    "package studio",
  ]);
  expect(await exported()).toBe("version: 1\n");

  const applied = await apply(smallCatalog);
  expect(applied.body).toMatchObject({
    detail: { text: "4 changes applied. 1 draft is ready to publish." },
    drafts: [{ code: "studio", name: "Studio", number: 1 }],
    applied: { hash: shown.hash },
  });
  const [studio] = (await call(admin, listPackages, {})).body.items;
  expect(studio).toMatchObject({ status: "draft", onSale: null, draft: { number: 1 } });
  expect(await exported()).toBe(smallCatalog);
});

test("changed values and prices start a draft, and changed details apply immediately", async () => {
  const { apply, call, admin, publish, exported, diff, matrixOf } = await openWorkspace();
  await apply(smallCatalog);
  const before = (await call(admin, listPackages, {})).body.items[0];
  const id = before?.id ?? "";
  expect((await publish(id)).status).toBe(200);
  const changed = smallCatalog
    .replace("seats: 10", "seats: 25")
    .replace("amount: 1200,", "amount: 1500,")
    .replace("name: Studio", "name: Studio Plus");
  expect((await diff(changed)).body.changes).toEqual([
    {
      action: "change",
      what: "package",
      code: "studio",
      name: "Studio Plus",
      changes: [
        { field: "name", before: "Studio", after: "Studio Plus" },
        { field: "prices/EUR every 1 month", before: 1200, after: 1500 },
        { field: "apps/harbor/seats", before: 10, after: 25 },
      ],
      note: {
        code: "catalog_draft_created",
        text: "Creates a draft, version 2, from version 1.",
        parameters: { next: 2, number: 1 },
      },
    },
  ]);
  const { drafts } = (await apply(changed)).body;
  expect(drafts).toEqual([{ id, code: "studio", name: "Studio Plus", number: 2 }]);
  const { package: after, apps } = await matrixOf(id);
  expect(after).toMatchObject({ name: "Studio Plus", draft: { number: 2 }, onSale: { number: 1 } });
  expect(apps[0]?.features.find(({ code }) => code === "seats")).toMatchObject({
    value: 25,
    onSale: 10,
  });
  // Publishing activated the feature, and the export says so.
  expect(await exported()).toBe(
    changed.replace("defaultValue: false\n", "defaultValue: false\n        status: active\n"),
  );
  expect((await diff(changed)).body.changes).toEqual([]);
});

test("removes apps and values from a draft that the file leaves out", async () => {
  const { apply, exported } = await openWorkspace();
  await apply(smallCatalog);
  const fewer = smallCatalog.replace("        export: true\n", "");
  await apply(fewer);
  expect(await exported()).toBe(fewer);
  const none = smallCatalog.replace(/ {4}apps:\n {6}harbor:\n.*\n.*\n/, "");
  await apply(none);
  expect(await exported()).toBe(none);
});

test("reports a frozen field with its line and applies nothing", async () => {
  const { apply, call, admin, publish, diff, exported } = await openWorkspace();
  await apply(smallCatalog);
  await publish((await call(admin, listPackages, {})).body.items[0]?.id ?? "");
  const before = await exported();
  const changed = smallCatalog
    .replace("name: Harbor", "name: Harbour")
    .replace("combining: sum", "combining: largest");
  expect((await diff(changed)).body.blockingIssues).toMatchObject([
    {
      what: "feature",
      code: "harbor/seats",
      message: { code: "feature_combining_frozen" },
      pointer: "/apps/0/features/1/combining",
      line: 16,
      column: 9,
    },
  ]);
  expect(await apply(changed)).toMatchObject({
    status: 409,
    body: { type: "urn:purser:problem:wrong_state" },
  });
  expect(await exported()).toBe(before);
});

test("archives missing records on request, and restores them with the file", async () => {
  const { apply, call, admin, publish, diff, exported } = await openWorkspace();
  await apply(smallCatalog);
  await publish((await call(admin, listPackages, {})).body.items[0]?.id ?? "");
  const before = await exported();
  const archived = await apply("version: 1\n", true);
  expect(archived.body.applied.counts).toEqual({ ...noChanges, archive: 2 });
  expect((await call(admin, listApps, {})).body.items[0]?.status).toBe("archived");
  expect((await call(admin, listPackages, {})).body.items[0]?.status).toBe("archived");
  expect((await diff("version: 1\n", true)).body.changes).toEqual([]);
  const back = await apply(before);
  expect(back.body.applied.counts).toEqual({ ...noChanges, restore: 2 });
  expect(await exported()).toBe(before);
});

test("M11 a file that archives an app stops sales of its package, and no file adds more of it", async () => {
  const { apply, call, admin, publish, read, diff, exported } = await openWorkspace();
  await apply(smallCatalog);
  const { id = "" } = (await call(admin, listPackages, {})).body.items[0] ?? {};
  await publish(id);
  const archivedApp = (await exported()).replace("status: active", "status: archived");
  const { changes } = (await apply(archivedApp)).body.applied;
  expect(changes).toMatchObject([
    { action: "archive", what: "app", note: { code: "catalog_app_archive_effect" } },
  ]);
  expect((await read(id)).onSale?.archived).toMatchObject([{ what: "app", name: "Harbor" }]);
  expect((await diff(await exported())).body).toMatchObject({ changes: [], blockingIssues: [] });
  const more = archivedApp.replace("seats: 10", "seats: 25");
  expect((await diff(more)).body.blockingIssues).toMatchObject([
    {
      what: "package",
      message: { code: "cell_app_archived" },
      pointer: "/packages/0/apps/harbor/seats",
    },
  ]);
  expect((await apply(more)).status).toBe(409);
});

test("activates a draft app without creating it again", async () => {
  const { apply, call, admin } = await openWorkspace();
  await apply("version: 1\napps: [{ code: atlas, name: Atlas, status: draft }]\n");
  const active = await apply("version: 1\napps: [{ code: atlas, name: Atlas, status: active }]\n");
  expect(active.body.applied.counts).toEqual({ ...noChanges, activate: 1 });
  expect((await call(admin, listApps, {})).body.items).toMatchObject([
    { code: "atlas", status: "active", codeFrozen: true },
  ]);
});
