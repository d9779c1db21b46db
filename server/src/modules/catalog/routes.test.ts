import { randomUUID } from "node:crypto";
import { changeApp, listApps } from "@purser/contract/apps/endpoints";
import { appWritable } from "@purser/contract/apps/fields";
import { applyCatalog, diffCatalog, exportCatalog } from "@purser/contract/catalog/catalog";
import { listFeatures } from "@purser/contract/features/endpoints";
import { pick } from "@purser/contract/fields/declarations";
import { expect, test } from "vitest";
import { noChanges, openWorkspace, smallCatalog } from "./testing/workspace.ts";

test("an exported or applied file shows no changes", async () => {
  const { diff, apply, exported } = await openWorkspace();
  await apply(smallCatalog);
  const again = await apply(smallCatalog);
  expect(again.body.applied.counts).toEqual(noChanges);
  expect(again.body.detail.code).toBe("catalog_unchanged");
  for (const format of ["yaml", "json"] as const)
    expect((await diff(await exported(format), true)).body).toMatchObject({
      changes: [],
      blockingIssues: [],
      notes: [],
    });
});

test("exports YAML or JSON with a file name to anyone with packages:export", async () => {
  const { call, signIn, apply } = await openWorkspace();
  await apply(smallCatalog);
  const reader = await signIn("catalog");
  const yaml = await call(reader, exportCatalog, {});
  expect(yaml.headers).toMatchObject({
    "content-type": "application/yaml; charset=utf-8",
    "content-disposition": 'attachment; filename="catalog.yaml"',
  });
  const json = await call(reader, exportCatalog, { query: { format: "json" } });
  expect(json.headers).toMatchObject({
    "content-type": "application/json; charset=utf-8",
    "content-disposition": 'attachment; filename="catalog.json"',
  });
  expect(JSON.parse(json.text)).toMatchObject({ version: 1, packages: [{ code: "studio" }] });
});

test("refuses to apply if the workspace changed since the diff, and returns the new diff", async () => {
  const { call, admin, apply, diff } = await openWorkspace();
  await apply(smallCatalog);
  const source = smallCatalog.replace("name: Harbor", "name: Harbour");
  const { hash } = (await diff(source)).body;
  const [app] = (await call(admin, listApps, {})).body.items;
  if (!app) throw new Error("There is no app.");
  await call(admin, changeApp, {
    params: { id: app.id },
    version: app.version,
    body: { ...pick(app, appWritable), name: "Haven" },
  });
  const late = await call(admin, applyCatalog, { body: { source, hash } });
  expect(late).toMatchObject({
    status: 409,
    body: {
      type: "urn:purser:problem:impact_changed",
      current: {
        changes: [{ code: "harbor", changes: [{ before: "Haven", after: "Harbour" }] }],
      },
    },
  });
  const current = late.body["current"] as { hash: string };
  const next = await call(admin, applyCatalog, { body: { source, hash: current.hash } });
  expect(next.status).toBe(200);
});

test("audits each change with author and reason, and a repeated request has no effect", async () => {
  const { call, admin, diff, owner } = await openWorkspace();
  const { hash } = (await diff(smallCatalog)).body;
  const key = randomUUID();
  const body = { source: smallCatalog, hash, reason: "Pull request 12" };
  const first = await call(admin, applyCatalog, { body, key });
  const repeated = await call(admin, applyCatalog, { body, key });
  expect(repeated.text).toBe(first.text);
  const { rows } = await owner.query(
    `select entity, actor_name, reason, count(*)::int as entries from audit_entries
     where entity in ('apps', 'features', 'packages', 'version_values')
     group by 1, 2, 3 order by 1`,
  );
  expect(rows).toEqual(
    // The app and one feature have two entries each: created, then activated.
    [
      ["apps", 2],
      ["features", 3],
      ["packages", 1],
      ["version_values", 1],
    ].map(([entity, entries]) => ({
      entity,
      entries,
      actor_name: "Ada",
      reason: "Pull request 12",
    })),
  );
});

test("diffs with read permission and applies with write permission", async () => {
  const { call, signIn, diff } = await openWorkspace();
  const finance = await signIn("finance");
  const shown = await call(finance, diffCatalog, { body: { source: smallCatalog } });
  expect(shown.status).toBe(200);
  const { hash } = (await diff(smallCatalog)).body;
  const applied = await call(finance, applyCatalog, { body: { source: smallCatalog, hash } });
  expect(applied.status).toBe(403);
  const manager = await signIn("catalog");
  expect((await call(manager, applyCatalog, { body: { source: smallCatalog, hash } })).status).toBe(
    200,
  );
  const features = await call(manager, listFeatures, {});
  expect(features.body.items.map(({ code }) => code).sort()).toEqual(["export", "seats"]);
});
