import { createFeature } from "@purser/contract/features/endpoints";
import { unschedulePackage } from "@purser/contract/packages/publishing";
import { listVersions, startDraft } from "@purser/contract/packages/versions";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import { archivableParts, archivingIn } from "../testing/archiving.testing.ts";
import { catalogIn } from "../testing/testing.ts";
import { publishDue } from "./jobs.ts";

const product = await testProduct();
const { call, signIn, platform } = product;
const admin = await signIn("admin");
const { newApp, newLimit, newPackage, read, edit, give, impactOf, publish } = catalogIn(
  product,
  admin,
);
const { archive, restore } = archivingIn(product, admin);

const names = { app: "Harbor", feature: "Seats" };

const onSale = async () => {
  const app = await newApp();
  const feature = await newLimit(app.id);
  const { id } = await newPackage();
  await give(id, feature, 5);
  expect((await publish(id)).status).toBe(200);
  return { id, app, feature };
};

/** The package with an unpublished change that has nothing to do with the archived part. */
const withDraft = async () => {
  const made = await onSale();
  const other = await newLimit((await newApp("Ledgerly")).id, "Books");
  await give(made.id, other, 3);
  return made;
};

test.each(archivableParts)("M11 a draft with an archived %s can't be published", async (part) => {
  const made = await withDraft();
  await archive(part, made);
  const text = `${names[part]} is archived. Restore it or remove it from the draft.`;
  expect((await impactOf(made.id)).body.blockingIssues).toMatchObject([{ text }]);
  const refused = await publish(made.id);
  expect([refused.status, refused.body["detail"]]).toEqual([409, text]);
  await restore(part, made);
  expect((await publish(made.id)).status).toBe(200);
});

test.each(archivableParts)(
  "M11 a version without the archived %s can be published",
  async (part) => {
    const made = await withDraft();
    await archive(part, made);
    const cells = [{ featureId: made.feature.id, value: null, was: 5 }];
    const change = part === "app" ? { removeApps: [made.app.id] } : { cells };
    expect((await edit(made.id, change)).status).toBe(200);
    const published = await publish(made.id);
    expect(published.body.onSale).toMatchObject({ number: 2, archived: [] });
  },
);

test("M11 a package lists what is archived in its version on sale and its draft", async () => {
  const made = await withDraft();
  await archive("feature", made);
  const feature = { what: "feature", id: made.feature.id, name: "Seats" };
  expect(await read(made.id)).toMatchObject({
    onSale: { archived: [feature] },
    draft: { archived: [feature] },
  });
  await archive("app", made);
  const app = { what: "app", id: made.app.id, name: "Harbor" };
  expect((await read(made.id)).onSale?.archived).toEqual([app, feature]);
  const { items } = (await call(admin, listVersions, { params: { id: made.id } })).body;
  expect(items.map(({ archived }) => archived.length)).toEqual([2, 2]);
});

test("M11 a scheduled version with an archived app is published once the app is restored", async () => {
  const made = await withDraft();
  const publishAt = new Date(Date.now() + 86_400_000);
  await publish(made.id, { publishAt: publishAt.toISOString() });
  await archive("app", made);
  const { scheduled } = await read(made.id);
  const publishScheduled = () =>
    platform.db.transaction().execute((db) =>
      publishDue(db, scheduled?.id ?? "", {
        now: new Date(+publishAt + 1000),
        enqueue: async () => {},
      }),
    );
  await publishScheduled();
  expect(await read(made.id)).toMatchObject({ scheduled: { number: 2 }, onSale: { number: 1 } });
  await restore("app", made);
  await publishScheduled();
  expect(await read(made.id)).toMatchObject({ scheduled: null, onSale: { number: 2 } });
});

test("M11 a scheduled version with an archived app can be unscheduled", async () => {
  const made = await withDraft();
  await publish(made.id, { publishAt: new Date(Date.now() + 86_400_000).toISOString() });
  await archive("app", made);
  const { version } = await read(made.id);
  const { body } = await call(admin, unschedulePackage, {
    params: { id: made.id },
    version,
    body: {},
  });
  expect(body).toMatchObject({ scheduled: null, draft: { number: 2 } });
});

test("M11 a draft can't include more of an archived app", async () => {
  const { id, app, feature } = await onSale();
  const added = await newLimit(app.id, "Desks");
  await call(admin, startDraft, { params: { id }, body: {} });
  await archive("app", { app, feature });
  const refused = await edit(id, { cells: [{ featureId: added.id, value: 2, was: null }] });
  expect(refused.status).toBe(400);
  expect(refused.body["errors"]).toMatchObject([
    {
      pointer: "/cells/0/value",
      message: "Harbor is archived. Restore it to include it in a package.",
    },
  ]);
  const body = { appId: app.id, code: "another", name: "Another", kind: "switch" as const };
  const created = await call(admin, createFeature, { body: { ...body, defaultValue: false } });
  expect(created.status).toBe(409);
});
