import {
  bulkFeatures,
  countFeatures,
  createFeature,
  exportFeatures,
  getFeature,
  getFeatureActivity,
  listFeatures,
} from "@purser/contract/features/endpoints";
import { expect, test } from "vitest";
import { testProduct } from "../../testing.ts";
import { packagesIn } from "./testing/testing.ts";

const { call, signIn, owner } = await testProduct();
const { newPackage, newVersion } = packagesIn(owner);
const admin = await signIn("admin");
const gone = "01a1dd06-0000-7000-8000-000000000000";

const { rows } = await owner.query<{ id: string }>(`
  insert into apps (code, name, icon)
  values ('harbor', 'Harbor', 'anchor'), ('ledgerly', 'Ledgerly', 'book'), ('galley', 'Galley', 'apps')
  returning id`);
const [harbor = "", ledgerly = "", galley = ""] = rows.map(({ id }) => id);

// 90 features in three apps, with repeated names.
await owner.query(
  `insert into features (app_id, code, name, kind, reset, combining, default_value, enforcement, fallback, status,
     activated_at)
   select ($1::uuid[])[1 + n % 3], 'feature-' || lpad(n::text, 2, '0'), 'Name ' || n % 10,
     case when n % 2 = 0 then 'limit' else 'switch' end, null, 'largest',
     case when n % 2 = 0 then to_jsonb(n) else to_jsonb(n % 4 = 1) end, 'hard', 'allow',
     case when n % 9 = 0 then 'draft' else 'active' end, case when n % 9 <> 0 then now() end
   from generate_series(1, 90) n`,
  [[harbor, ledgerly, galley]],
);

type Query = Parameters<typeof call<typeof listFeatures>>[2] extends { query?: infer Q } | undefined
  ? Q
  : never;
const ask = (query: Query) => call(admin, listFeatures, { query });
const codes = async (query: Query) => (await ask(query)).body.items.map(({ code }) => code);
const draft = async (code: string) => {
  const own = { code, name: `Feature ${code}`, kind: "switch", defaultValue: false } as const;
  return (await call(admin, createFeature, { body: { appId: harbor, ...own } })).body;
};
const chosen = ({ id, version }: { id: string; version: number }) => ({ id, version });

test("lists each feature's app and the number of its packages", async () => {
  const { body } = await ask({ q: "feature-03", f: "kind:any:switch" });
  const [feature] = body.items;
  expect(feature).toMatchObject({
    app: { id: harbor, code: "harbor", name: "Harbor", icon: "anchor" },
    defaultValue: false,
    frozen: false,
    packages: 0,
  });
  const given = { appId: harbor, featureId: feature?.id ?? "", value: true };
  const first = await newPackage("first");
  await newVersion(first, "on sale", [given]);
  await newVersion(first, "draft", [given]);
  await newVersion(await newPackage("second"), "scheduled", [given]);
  await newVersion(await newPackage("third"), "retired", [given]);
  const after = await ask({ q: "feature-03" });
  expect(after.body.items).toMatchObject([{ frozen: true, packages: 2, usedOptions: [] }]);
});

test.each([
  ["of one app", [`app:any:${harbor}`], 30],
  ["of some apps", [`app:any:${harbor},${galley.toUpperCase()}`], 60],
  ["of all but one", [`app:none:${harbor}`], 60],
  ["of none of these", [`app:none:${harbor},${ledgerly},${galley}`], 0],
  ["of an app that is gone", [`app:any:${gone}`], 0],
  ["of one app and kind", [`app:any:${harbor}`, "kind:any:limit"], 15],
  ["of a kind and status", ["kind:none:limit", "status:any:draft"], 5],
])("filters features %s", async (_what, f, found) => {
  const { body } = await ask({ f, size: "100", count: "exact" });
  expect(body.items).toHaveLength(found);
  expect(body.total).toEqual({ count: found, kind: "exact" });
});

test.each([
  ["app:any:harbor", "app:any"],
  ["app:any:", ""],
  [`app:any:${gone},`, "app:any"],
  [`app:is:${gone}`, "any, none"],
  ["app:any:'; drop table apps --", "app:any"],
])("refuses the filter %s and names the wrong part", async (f, word) => {
  const { status, body } = await ask({ f });
  expect(status).toBe(400);
  expect(body["errors"]).toMatchObject([
    { in: "query", pointer: "/f/0", message: expect.stringContaining(word) },
  ]);
});

test("refuses to sort by a relation", async () => {
  const { status, body } = await ask({ sort: "app" });
  expect([status, body["errors"]]).toMatchObject([400, [{ pointer: "/sort" }]]);
});

test.each(["name", "-code", "status,-name", "updatedAt", "-createdAt"])(
  "returns each feature of an app once when paging by '%s'",
  async (sort) => {
    const met: string[] = [];
    let place: { after?: string } = {};
    do {
      const { body } = await ask({ f: `app:any:${ledgerly}`, size: "7", sort, ...place });
      met.push(...body.items.map(({ id }) => id));
      place = body.next ? { after: body.next } : {};
    } while (place.after);
    expect([met.length, new Set(met).size]).toEqual([30, 30]);
  },
);

test("exports the app's code and readable values", async () => {
  const columns = "code,app,kind,defaultValue,packages";
  const asked = { f: `app:any:${galley}`, sort: "code", columns } as const;
  const csv = await call(admin, exportFeatures, { query: { ...asked, format: "csv" } });
  expect(csv.text.split("\r\n").slice(0, 3)).toEqual([
    columns,
    "feature-02,galley,limit,2,0",
    "feature-05,galley,switch,true,0",
  ]);
  const jsonl = await call(admin, exportFeatures, { query: { ...asked, format: "jsonl" } });
  expect(JSON.parse(jsonl.text.split("\n")[0] ?? "")).toEqual({
    code: "feature-02",
    app: "galley",
    kind: "limit",
    defaultValue: 2,
    packages: 0,
  });
  expect(jsonl.text.trim().split("\n")).toHaveLength(30);
});

test("counts features by status", async () => {
  const { body } = await call(await signIn("viewer"), countFeatures);
  expect(body).toEqual({
    draft: { count: 10, kind: "exact" },
    active: { count: 80, kind: "exact" },
    archived: { count: 0, kind: "exact" },
  });
});

test("applies a bulk action to the features that allow it and says why the others refuse", async () => {
  const [first, second, stale, active] = await Promise.all(
    ["bulk-1", "bulk-2", "bulk-stale", "bulk-active"].map(draft),
  );
  if (!first || !second || !stale || !active) throw new Error("Four were made.");
  await call(admin, bulkFeatures, { body: { action: "activate", features: [chosen(active)] } });
  const answer = await call(admin, bulkFeatures, {
    body: {
      action: "activate",
      reason: "The season starts.",
      features: [
        chosen(second),
        { id: gone, version: 1 },
        { id: stale.id, version: 7 },
        { id: active.id, version: 2 },
        { id: first.id.toUpperCase(), version: 1 },
      ],
    },
  });
  expect(answer.status).toBe(200);
  expect(answer.body.done).toMatchObject([
    { id: second.id, status: "active", version: 2 },
    { id: first.id, status: "active", version: 2 },
  ]);
  expect(answer.body.refused).toMatchObject([
    {
      id: gone,
      name: "",
      code: "not_found",
      detail: { text: expect.stringMatching(/^[A-Z].*\.$/) },
    },
    {
      id: stale.id,
      name: "Feature bulk-stale",
      code: "stale_version",
      detail: { text: expect.stringMatching(/^[A-Z].*\.$/) },
    },
    {
      id: active.id,
      name: "Feature bulk-active",
      code: "wrong_state",
      detail: { code: "feature_already_active" },
    },
  ]);
  const untouched = await call(admin, getFeature, { params: { id: stale.id } });
  expect(untouched.body).toMatchObject({ status: "draft", version: 1 });
  const { body } = await call(admin, getFeatureActivity, { params: { id: first.id } });
  expect(body.items[0]).toMatchObject({
    action: "update",
    reason: "The season starts.",
    actor: { id: admin.id },
    changes: expect.arrayContaining([{ field: "status", before: "draft", after: "active" }]),
  });
});

test("refuses a bulk action that names a feature twice", async () => {
  const features = Array.from({ length: 2 }, () => ({ id: gone, version: 1 }));
  const answer = await call(admin, bulkFeatures, { body: { action: "archive", features } });
  expect([answer.status, answer.body["errors"]]).toMatchObject([400, [{ pointer: "/features" }]]);
});

test("runs concurrent bulk actions on the same features without a deadlock", async () => {
  const made = await Promise.all(Array.from({ length: 20 }, (_, n) => draft(`circle-${n}`)));
  const shuffled = () =>
    made
      .map((one) => ({ one, place: Math.random() }))
      .sort((a, b) => a.place - b.place)
      .map(({ one }) => chosen(one));
  const answers = await Promise.all(
    Array.from({ length: 6 }, () =>
      call(admin, bulkFeatures, { body: { action: "activate", features: shuffled() } }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
  const done = answers.flatMap(({ body }) => body.done.map(({ id }) => id));
  expect(done.toSorted()).toEqual(made.map(({ id }) => id).sort());
  expect(await codes({ q: "circle-", f: "status:any:draft" })).toEqual([]);
});
