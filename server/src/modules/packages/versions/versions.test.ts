import { archivePackage, changePackage, restorePackage } from "@purser/contract/packages/endpoints";
import {
  discardDraft,
  getVersion,
  listVersions,
  retireVersion,
  startDraft,
} from "@purser/contract/packages/versions";
import { expect, test } from "vitest";
import { testProduct } from "../../../testing.ts";
import { catalogIn } from "../testing/testing.ts";

const product = await testProduct();
const { call, signIn, owner, platform } = product;
const admin = await signIn("admin");
const { newApp, newLimit, newPackage, read, give, publish } = catalogIn(product, admin);

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

test("saves new prices in a draft and keeps those of the version on sale", async () => {
  const { stored } = await onSale();
  const prices = [{ ...eur, amount: 1500 }];
  const saved = await call(admin, changePackage, {
    params: { id: stored.id },
    version: stored.version,
    body: { ...detailsOf(stored), prices },
  });
  expect(saved.body.draft).toMatchObject({ number: 2 });
  expect(saved.body.prices).toEqual([{ ...eur, amount: 1500, perUnit: false }]);
  expect(saved.body.version).toBeGreaterThan(stored.version);
  const first = await call(admin, getVersion, { params: { id: stored.id, number: "1" } });
  expect(first.body.prices).toEqual([{ ...eur, perUnit: false }]);
  const stale = await call(admin, changePackage, {
    params: { id: stored.id },
    version: stored.version,
    body: detailsOf(stored),
  });
  expect(stale.status).toBe(412);
});

test("creates a draft from any version, and only one at a time", async () => {
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

test("discards a draft unless it is the only version", async () => {
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

test("takes a version off sale, and archives and restores a package", async () => {
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

test("the database refuses to change a published version, its apps, values and prices", async () => {
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
    await expect(asApplication(text), text).rejects.toThrow(/can't/);
  for (const text of [
    "alter table version_values disable trigger all",
    "truncate version_values",
    "set session_replication_role = replica",
  ])
    await expect(platform.pool.query(text), text).rejects.toThrow(/denied|owner/);
});

test("the database allows one draft and one version on sale", async () => {
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
