import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { changeApp, listApps } from "@purser/contract/apps/endpoints";
import { appWritable } from "@purser/contract/apps/fields";
import { applyCatalogue, diffCatalogue, exportCatalogue } from "@purser/contract/catalog/catalog";
import { listFeatures } from "@purser/contract/features/endpoints";
import { pick } from "@purser/contract/fields/declarations";
import { listPackages } from "@purser/contract/packages/endpoints";
import { expect, test } from "vitest";
import { testProduct } from "../../testing.ts";
import { catalogIn } from "../packages/testing/testing.ts";

/** An office of a test's own, with somebody who may do everything in it. */
const openOffice = async () => {
  const product = await testProduct();
  const admin = await product.signIn("admin", "Ada");
  const { app } = product;
  // A machine that does much else at once makes the server refuse, which is not what these are about.
  const call: typeof product.call = async (...asked) => {
    while (app.isUnderPressure()) await setTimeout(50);
    return product.call(...asked);
  };
  const exported = async (format: "yaml" | "json" = "yaml") =>
    (await call(admin, exportCatalogue, { query: { format } })).text;
  const diff = (source: string, archiveMissing = false) =>
    call(admin, diffCatalogue, { body: { source, archiveMissing } });
  const apply = async (source: string, archiveMissing = false) => {
    const { hash } = (await diff(source, archiveMissing)).body;
    return call(admin, applyCatalogue, { body: { source, archiveMissing, hash } });
  };
  return {
    ...product,
    call,
    admin,
    exported,
    diff,
    apply,
    ...catalogIn({ ...product, call }, admin),
  };
};

const small = `version: 1
apps:
  - code: harbor
    name: Harbor
    platforms: [ web, ios ]
    status: active
    features:
      - code: export
        name: Export
        kind: switch
        defaultValue: false
      - code: seats
        name: Seats
        kind: limit
        unit: { one: seat, many: seats }
        combining: sum
        defaultValue: 1
        status: active
packages:
  - code: studio
    name: Studio
    group: plans
    sort: 20
    trialDays: 14
    prices:
      - { currency: EUR, amount: 1200, interval: month }
      - { currency: EUR, amount: 12000, interval: year }
    apps:
      harbor:
        export: true
        seats: 10
`;

const nothing = { create: 0, change: 0, activate: 0, restore: 0, archive: 0 };

test("an empty office becomes what the file says, publishes nothing, and then exports that file", async () => {
  const { diff, apply, exported, call, admin } = await openOffice();
  expect(await exported()).toBe("version: 1\n");
  const shown = (await diff(small)).body;
  expect(shown.counts).toEqual({ ...nothing, create: 4 });
  expect(shown.changes.map(({ what, code }) => `${what} ${code}`)).toEqual([
    "app harbor",
    "feature harbor/export",
    "feature harbor/seats",
    "package studio",
  ]);
  expect(await exported()).toBe("version: 1\n");

  const applied = await apply(small);
  expect(applied.body).toMatchObject({
    detail: "Applied: 4 create. Nothing was published: 1 draft is ready to publish.",
    drafts: [{ code: "studio", name: "Studio", number: 1 }],
    applied: { hash: shown.hash },
  });
  const [studio] = (await call(admin, listPackages, {})).body.items;
  expect(studio).toMatchObject({ status: "draft", onSale: null, draft: { number: 1 } });
  expect(await exported()).toBe(small);
});

test("a file that was exported changes nothing, and one that was applied changes nothing again", async () => {
  const { diff, apply, exported } = await openOffice();
  await apply(small);
  const again = await apply(small);
  expect(again.body.applied.counts).toEqual(nothing);
  expect(again.body.detail).toBe("The office already is as the file has it. Nothing was changed.");
  for (const format of ["yaml", "json"] as const)
    expect((await diff(await exported(format), true)).body).toMatchObject({
      changes: [],
      obstacles: [],
      notes: [],
    });
});

test("the file comes as YAML or JSON, by name and type, to everybody who may read packages", async () => {
  const { call, signIn, apply } = await openOffice();
  await apply(small);
  const viewer = await signIn("viewer");
  const yaml = await call(viewer, exportCatalogue, {});
  expect(yaml.headers).toMatchObject({
    "content-type": "application/yaml; charset=utf-8",
    "content-disposition": 'attachment; filename="catalogue.yaml"',
  });
  const json = await call(viewer, exportCatalogue, { query: { format: "json" } });
  expect(json.headers).toMatchObject({
    "content-type": "application/json; charset=utf-8",
    "content-disposition": 'attachment; filename="catalogue.json"',
  });
  expect(JSON.parse(json.text)).toMatchObject({ version: 1, packages: [{ code: "studio" }] });
});

test("what is on sale stays: other values and prices start a draft, other details are there at once", async () => {
  const { apply, call, admin, publish, exported, diff, matrixOf } = await openOffice();
  await apply(small);
  const before = (await call(admin, listPackages, {})).body.items[0];
  const id = before?.id ?? "";
  expect((await publish(id)).status).toBe(200);
  const changed = small
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
      note: "Starts the draft of version 2 from version 1, which is on sale.",
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
  // Publishing made the feature active, which the file need not say.
  expect(await exported()).toBe(
    changed.replace("defaultValue: false\n", "defaultValue: false\n        status: active\n"),
  );
  expect((await diff(changed)).body.changes).toEqual([]);
});

test("an app leaves a draft with its values, and a value that is left out returns to the default", async () => {
  const { apply, exported } = await openOffice();
  await apply(small);
  const fewer = small.replace("        export: true\n", "");
  await apply(fewer);
  expect(await exported()).toBe(fewer);
  const none = small.replace(/ {4}apps:\n {6}harbor:\n.*\n.*\n/, "");
  await apply(none);
  expect(await exported()).toBe(none);
});

test("what is promised cannot change: it is told with its line, and nothing of the file is applied", async () => {
  const { apply, call, admin, publish, diff, exported } = await openOffice();
  await apply(small);
  await publish((await call(admin, listPackages, {})).body.items[0]?.id ?? "");
  const before = await exported();
  const changed = small
    .replace("name: Harbor", "name: Harbour")
    .replace("combining: sum", "combining: largest");
  expect((await diff(changed)).body.obstacles).toEqual([
    {
      what: "feature",
      code: "harbor/seats",
      message:
        "A published package has this feature, so its combining stays. Create another feature instead.",
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

test("what the file does not have is archived when asked for, and comes back with the file", async () => {
  const { apply, call, admin, publish, diff, exported } = await openOffice();
  await apply(small);
  await publish((await call(admin, listPackages, {})).body.items[0]?.id ?? "");
  const before = await exported();
  const archived = await apply("version: 1\n", true);
  expect(archived.body.applied.counts).toEqual({ ...nothing, archive: 2 });
  expect((await call(admin, listApps, {})).body.items[0]?.status).toBe("archived");
  expect((await call(admin, listPackages, {})).body.items[0]?.status).toBe("archived");
  expect((await diff("version: 1\n", true)).body.changes).toEqual([]);
  const back = await apply(before);
  expect(back.body.applied.counts).toEqual({ ...nothing, restore: 2 });
  expect(await exported()).toBe(before);
});

test("a draft of an app becomes active by the file, and its code is taken once", async () => {
  const { apply, call, admin } = await openOffice();
  await apply("version: 1\napps: [{ code: atlas, name: Atlas, status: draft }]\n");
  const active = await apply("version: 1\napps: [{ code: atlas, name: Atlas, status: active }]\n");
  expect(active.body.applied.counts).toEqual({ ...nothing, activate: 1 });
  expect((await call(admin, listApps, {})).body.items).toMatchObject([
    { code: "atlas", status: "active", codeFrozen: true },
  ]);
});

test("applying names what was shown: another office is shown instead of changed", async () => {
  const { call, admin, apply, diff } = await openOffice();
  await apply(small);
  const source = small.replace("name: Harbor", "name: Harbour");
  const { hash } = (await diff(source)).body;
  const [app] = (await call(admin, listApps, {})).body.items;
  if (!app) throw new Error("There is no app.");
  await call(admin, changeApp, {
    params: { id: app.id },
    version: app.version,
    body: { ...pick(app, appWritable), name: "Haven" },
  });
  const late = await call(admin, applyCatalogue, { body: { source, hash } });
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
  const next = await call(admin, applyCatalogue, { body: { source, hash: current.hash } });
  expect(next.status).toBe(200);
});

test("who applied it and why is in the audit log, with each change; a repeat has no other effect", async () => {
  const { call, admin, diff, owner } = await openOffice();
  const { hash } = (await diff(small)).body;
  const key = randomUUID();
  const body = { source: small, hash, reason: "Pull request 12" };
  const first = await call(admin, applyCatalogue, { body, key });
  const repeated = await call(admin, applyCatalogue, { body, key });
  expect(repeated.text).toBe(first.text);
  const { rows } = await owner.query(
    `select entity, actor_name, reason, count(*)::int as entries from audit_entries
     where entity in ('apps', 'features', 'packages', 'version_values')
     group by 1, 2, 3 order by 1`,
  );
  expect(rows).toEqual(
    // The app is made and then active; so is one of its features.
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

test("who may read may compare; who may write may apply", async () => {
  const { call, signIn, diff } = await openOffice();
  const finance = await signIn("finance");
  const shown = await call(finance, diffCatalogue, { body: { source: small } });
  expect(shown.status).toBe(200);
  const { hash } = (await diff(small)).body;
  const applied = await call(finance, applyCatalogue, { body: { source: small, hash } });
  expect(applied.status).toBe(403);
  const manager = await signIn("catalogue");
  expect((await call(manager, applyCatalogue, { body: { source: small, hash } })).status).toBe(200);
  const features = await call(manager, listFeatures, {});
  expect(features.body.items.map(({ code }) => code).sort()).toEqual(["export", "seats"]);
});

const bombed = `version: 1
a: &a [x, x, x, x, x, x, x, x, x]
b: &b [*a, *a, *a, *a, *a, *a, *a]
c: &c [*b, *b, *b, *b, *b, *b, *b]
`;

const refused = [
  ["billion laughs", bombed, "Line 3: Write out what *a stands for: aliases are not read."],
  [
    "a key that is no key",
    "version: 1\n__proto__: { x: 1 }\n",
    "Line 2: No part of a catalogue is called __proto__.",
  ],
  ["a tag", "version: 1\napps: !!js/function 'x'\n", "Line 2: Leave the tag out:"],
  [
    "a repeated key",
    "version: 1\nversion: 1\n",
    'Line 2: "version" stands here twice. Keep one of them.',
  ],
  [
    "a repeated key of JSON",
    '{ "version": 1,\n"version": 1 }',
    'Line 2: "version" stands here twice.',
  ],
  ["too large a number", "version: 1e999\n", "Line 1: version must be 1."],
  [
    "several documents",
    "version: 1\n---\nversion: 1\n",
    "Line 2: It holds several documents. Send one.",
  ],
  ["no end", "version: 1\napps: [\n", "Line 3: It cannot be read: "],
  [
    "depth",
    `version: 1\napps: ${"[".repeat(300)}${"]".repeat(300)}\n`,
    "Line 2: It is nested too deeply",
  ],
  ["merging", "version: 1\n<<: { apps: [] }\n", "Line 2: << is not known here; leave it out."],
  ["nothing", "", "Line 1: The file must not be empty."],
  ["another version", "version: 2\n", "Line 1: version must be 1."],
  [
    "an id",
    "version: 1\napps:\n  - { id: 5, code: atlas, name: Atlas }\n",
    "Line 3: apps/atlas/id is not known here; leave it out.",
  ],
  [
    "a code twice",
    "version: 1\napps:\n  - { code: atlas, name: A }\n  - { code: atlas, name: B }\n",
    "Line 4: apps/atlas/code stands here twice.",
  ],
  [
    "a package that says it is on sale",
    "version: 1\npackages:\n  - code: studio\n    name: Studio\n    status: active\n",
    "Line 5: packages/studio/status is archived or left out:",
  ],
  [
    "a switch that is on",
    small.replace("defaultValue: false", "defaultValue: on"),
    "Line 11: apps/harbor/features/export/defaultValue must be true or false.",
  ],
] as const;

const office = await openOffice();

test.each(refused)("%s is refused with a sentence and its line", async (_name, source, detail) => {
  const answer = await office.diff(source);
  expect(answer.status).toBe(400);
  expect(answer.body["detail"]).toContain(detail);
  const [error] = answer.body["errors"] as { pointer: string; line: number }[];
  expect(error?.pointer.startsWith("/source")).toBe(true);
  expect(`Line ${error?.line}:`).toBe(detail.slice(0, detail.indexOf(":") + 1));
  expect(Object.prototype).not.toHaveProperty("x");
});

test("a file that never ends to be read holds nobody up", async () => {
  const bomb = office.diff("[".repeat(400_000));
  expect((await office.call(office.admin, listApps, {})).status).toBe(200);
  const answer = await bomb;
  expect(answer.status).toBe(400);
  expect(answer.body["detail"]).toMatch(
    /nested too deeply|needs too much (processing time|memory)/,
  );
  expect((await office.diff("version: 1\n")).body.changes).toEqual([]);
});
