import { archiveApp } from "@purser/contract/apps/endpoints";
import { archiveFeature, getFeature } from "@purser/contract/features/endpoints";
import {
  archivePackage,
  changePackage,
  deletePackage,
  exportPackages,
  getPackageActivity,
  listPackages,
  restorePackage,
} from "@purser/contract/packages/endpoints";
import { packageColumns } from "@purser/contract/packages/fields";
import {
  discardDraft,
  getVersion,
  listVersions,
  retireVersion,
  startDraft,
} from "@purser/contract/packages/versions";
import { expect, test } from "vitest";
import { testProduct } from "../../testing.ts";
import { catalogueIn } from "./testing/testing.ts";

const product = await testProduct();
const { call, signIn, owner, platform } = product;
const admin = await signIn("admin");
const { newApp, newLimit, newPackage, read, edit, matrixOf, give, publish } = catalogueIn(
  product,
  admin,
);

const eur = { currency: "EUR", amount: 1200, interval: "month", intervalCount: 1 } as const;

const detailsOf = ({ code, name, prices, trialDays }: Awaited<ReturnType<typeof newPackage>>) => ({
  code,
  name,
  prices,
  trialDays,
});

const onSale = async (value = 5) => {
  const app = await newApp();
  const seats = await newLimit(app.id);
  const made = await newPackage({ prices: [eur], trialDays: 14 });
  await give(made.id, seats, value);
  expect((await publish(made.id)).status).toBe(200);
  return { app, seats, stored: await read(made.id) };
};

test("a new package has a first draft with its prices, and can be deleted", async () => {
  const made = await newPackage({ prices: [eur], trialDays: 14 });
  expect(made).toMatchObject({
    status: "draft",
    draft: { number: 1, state: "draft" },
    onSale: null,
    prices: [eur],
    trialDays: 14,
    holders: { count: 0, kind: "exact" },
  });
  const { status } = await call(admin, deletePackage, {
    params: { id: made.id },
    version: made.version,
  });
  expect(status).toBe(204);
});

test("a price in a currency that there is not, or twice, is refused at its place", async () => {
  const made = await newPackage();
  const attempt = (prices: object[]) =>
    call(admin, changePackage, {
      params: { id: made.id },
      version: made.version,
      body: { ...detailsOf(made), prices: prices as (typeof eur)[] },
    });
  const unknown = await attempt([{ ...eur, currency: "ABC" }]);
  expect(unknown.body["errors"]).toMatchObject([{ pointer: "/prices/0/currency" }]);
  const twice = await attempt([eur, { ...eur, amount: 1300 }]);
  expect(twice.body["errors"]).toMatchObject([{ pointer: "/prices/1/currency" }]);
});

test("publishing puts a version on sale, activates what it sells and freezes the code", async () => {
  const { stored, seats } = await onSale();
  expect(stored).toMatchObject({ status: "active", codeFrozen: true, draft: null });
  expect(stored.onSale).toMatchObject({ number: 1, note: "Because it is time." });
  const feature = await call(admin, getFeature, { params: { id: seats.id } });
  expect(feature.body).toMatchObject({ status: "active", frozen: true, packages: 1 });
  const renamed = await call(admin, changePackage, {
    params: { id: stored.id },
    version: stored.version,
    body: { ...detailsOf(stored), code: "another" },
  });
  expect(renamed.status).toBe(409);
  expect(renamed.body["type"]).toContain("code_frozen");
});

test("other prices than those on sale go into a draft; the version on sale keeps its own", async () => {
  const { stored } = await onSale();
  const prices = [{ ...eur, amount: 1500 }];
  const saved = await call(admin, changePackage, {
    params: { id: stored.id },
    version: stored.version,
    body: { ...detailsOf(stored), prices },
  });
  expect(saved.body).toMatchObject({ draft: { number: 2 }, prices });
  expect(saved.body.version).toBeGreaterThan(stored.version);
  const first = await call(admin, getVersion, { params: { id: stored.id, number: "1" } });
  expect(first.body.prices).toEqual([eur]);
  const stale = await call(admin, changePackage, {
    params: { id: stored.id },
    version: stored.version,
    body: detailsOf(stored),
  });
  expect(stale.status).toBe(412);
});

test("saving only a name starts no draft", async () => {
  const { stored } = await onSale();
  const saved = await call(admin, changePackage, {
    params: { id: stored.id },
    version: stored.version,
    body: { ...detailsOf(stored), name: "Studio plus" },
  });
  expect(saved.body).toMatchObject({ name: "Studio plus", draft: null });
});

test("any old version can be taken as a new draft, and there is only ever one", async () => {
  const { stored, seats } = await onSale(5);
  await give(stored.id, seats, 10);
  await publish(stored.id);
  const again = await call(admin, startDraft, { params: { id: stored.id }, body: { from: 1 } });
  expect(again.body.draft).toMatchObject({ number: 3 });
  const third = await call(admin, getVersion, { params: { id: stored.id, number: "3" } });
  expect(third.body.contents[0]?.features[0]?.value).toBe(5);
  const second = await call(admin, startDraft, { params: { id: stored.id }, body: {} });
  expect(second.status).toBe(409);
  const states = await call(admin, listVersions, { params: { id: stored.id } });
  expect(states.body.items.map(({ state }) => state)).toEqual(["draft", "on sale", "superseded"]);
});

test("a draft can be discarded, but not a package's only version", async () => {
  const { stored, seats } = await onSale();
  await give(stored.id, seats, 6);
  const draftId = (await read(stored.id)).draft?.id ?? "";
  const gone = await call(admin, discardDraft, { params: { id: stored.id }, body: { draftId } });
  expect(gone.body.draft).toBeNull();
  const fresh = await newPackage();
  const kept = await call(admin, discardDraft, {
    params: { id: fresh.id },
    body: { draftId: fresh.draft?.id ?? "" },
  });
  expect(kept.status).toBe(409);
});

test("a version can be taken off sale, and a package archived and restored", async () => {
  const { stored } = await onSale();
  const act = async (
    endpoint: typeof retireVersion | typeof archivePackage | typeof restorePackage,
  ) =>
    call(admin, endpoint, {
      params: { id: stored.id },
      version: (await read(stored.id)).version,
      body: {},
    });
  expect((await act(archivePackage)).body.status).toBe("archived");
  const start = await call(admin, startDraft, { params: { id: stored.id }, body: {} });
  expect(start.status).toBe(409);
  expect((await act(restorePackage)).body.status).toBe("active");
  expect((await act(retireVersion)).body.onSale).toBeNull();
  expect((await act(retireVersion)).status).toBe(409);
});

test("MX6 MX7 cells of two people are both kept, and the same cell refuses the second", async () => {
  const app = await newApp();
  const [seats, exports] = [await newLimit(app.id), await newLimit(app.id, "Exports")];
  const { id } = await newPackage();
  await edit(id, { addApps: [app.id] });
  const set = (featureId: string, value: number, was: number | null) =>
    edit(id, { cells: [{ featureId, value, was }] });
  expect((await set(seats.id, 5, null)).status).toBe(200);
  expect((await set(exports.id, 7, null)).status).toBe(200);
  const refused = await set(seats.id, 9, null);
  expect(refused.status).toBe(409);
  expect(refused.body["errors"]).toMatchObject([
    { pointer: "/cells/0", message: "Seats is 5 seats by now." },
  ]);
  const values = (await matrixOf(id)).apps[0]?.features.map(({ value }) => value);
  expect(values).toEqual([5, 7]);
});

test("MX5 an emptied cell returns to the default", async () => {
  const app = await newApp();
  const seats = await newLimit(app.id);
  const { id } = await newPackage();
  await give(id, seats, 5);
  await give(id, seats, null);
  expect((await matrixOf(id)).apps[0]?.features[0]?.value).toBeNull();
});

test("a value that does not fit is refused at its cell", async () => {
  const app = await newApp();
  const seats = await newLimit(app.id);
  const other = await newLimit((await newApp()).id);
  const { id } = await newPackage();
  await edit(id, { addApps: [app.id] });
  const refused = await edit(id, {
    cells: [
      { featureId: seats.id, value: true, was: null },
      { featureId: other.id, value: 3, was: null },
    ],
  });
  expect(refused.status).toBe(400);
  expect(refused.body["errors"]).toMatchObject([
    { pointer: "/cells/0/value" },
    { pointer: "/cells/1/value" },
  ]);
});

test("what is archived cannot enter a draft; what a version has stays in its copies", async () => {
  const { stored, seats, app } = await onSale();
  const feature = await call(admin, getFeature, { params: { id: seats.id } });
  await call(admin, archiveFeature, {
    params: { id: seats.id },
    version: feature.body.version,
    body: {},
  });
  await call(admin, startDraft, { params: { id: stored.id }, body: {} });
  const lowered = await edit(stored.id, {
    cells: [{ featureId: seats.id, value: 3, was: 5 }],
  });
  expect(lowered.status).toBe(400);
  const { rows } = await owner.query<{ version: number }>(
    "select version from apps where id = $1",
    [app.id],
  );
  await call(admin, archiveApp, {
    params: { id: app.id },
    version: rows[0]?.version ?? 0,
    body: {},
  });
  const fresh = await newPackage();
  const added = await edit(fresh.id, { addApps: [app.id] });
  expect(added.body["errors"]).toMatchObject([{ pointer: "/addApps/0" }]);
});

test("published versions, their apps, values and prices cannot be changed by raw SQL either", async () => {
  const { stored } = await onSale();
  const id = stored.onSale?.id ?? "";
  const asApplication = (text: string) => platform.pool.query(text, [id]);
  for (const text of [
    "update version_values set value = '6' where version_id = $1",
    "delete from version_values where version_id = $1",
    "delete from version_apps where version_id = $1",
    "update version_prices set amount = 1 where version_id = $1",
    "insert into version_prices (version_id, currency, amount, interval, interval_count) values ($1, 'USD', 1, 'month', 1)",
    "update package_versions set trial_days = 30 where id = $1",
    "update package_versions set state = 'draft' where id = $1",
    "update package_versions set note = 'Another.' where id = $1",
    "delete from package_versions where id = $1",
  ])
    await expect(asApplication(text), text).rejects.toThrow(/never|cannot become/);
  for (const text of [
    "alter table version_values disable trigger all",
    "truncate version_values",
    "set session_replication_role = replica",
  ])
    await expect(platform.pool.query(text), text).rejects.toThrow(/denied|owner/);
});

test("the database holds one draft and one version on sale at most", async () => {
  const { stored } = await onSale();
  const insert = (state: string) =>
    owner.query(
      `insert into package_versions (package_id, number, state, note, published_at)
       values ($1, 9, $2, 'A note.', case when $2 = 'on sale' then now() end)`,
      [stored.id, state],
    );
  await expect(insert("on sale")).rejects.toThrow(/package_versions_one_on_sale/);
  await insert("draft");
  await expect(
    owner.query("insert into package_versions (package_id, number) values ($1, 10)", [stored.id]),
  ).rejects.toThrow(/package_versions_one_draft/);
});

test("the activity tells which values changed, one entry a save", async () => {
  const { stored, seats } = await onSale();
  await give(stored.id, seats, 8);
  const { body } = await call(admin, getPackageActivity, { params: { id: stored.id } });
  expect(body.items[0]).toMatchObject({
    entity: "version_values",
    action: "update",
    actor: { name: "A admin" },
    changes: [{ field: seats.id, before: 5, after: 8 }],
  });
});

test("packages can be listed by group, and searched", async () => {
  await newPackage({ name: "Needle", group: "plans", sort: 3 });
  const { body } = await call(admin, listPackages, {
    query: { q: "needl", f: ["group:is:plans"], sort: "-sort" },
  });
  expect(body.items.map(({ name }) => name)).toEqual(["Needle"]);
});

test("a file has every column of a package, its customers as a number", async () => {
  const { id } = await newPackage({ prices: [eur] });
  const query = { format: "jsonl", columns: packageColumns.join(), ids: id } as const;
  const { status, text } = await call(admin, exportPackages, { query });
  expect(status).toBe(200);
  const line = JSON.parse(text);
  expect(Object.keys(line).toSorted()).toEqual([...packageColumns].toSorted());
  expect(line.holders).toBe(0);
});

test("a viewer reads packages and changes nothing", async () => {
  const viewer = await signIn("viewer");
  const { id } = await newPackage();
  const answer = await call(viewer, startDraft, { params: { id }, body: {} });
  expect(answer.status).toBe(403);
});
