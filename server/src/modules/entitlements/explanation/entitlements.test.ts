import { archiveApp, createApp } from "@purser/contract/apps/endpoints";
import { getEntitlements } from "@purser/contract/entitlements/explanation";
import { createFeature } from "@purser/contract/features/endpoints";
import { expect, test } from "vitest";
import { catalogIn } from "#modules/packages/testing/testing.ts";
import { testProduct } from "#testing.ts";
import { grantsIn } from "../testing/testing.ts";

const product = await testProduct();
const { call, owner, signIn } = product;
const admin = await signIn("admin");
const viewer = await signIn("viewer");
const { newApp, newLimit, packageGiving } = catalogIn(product, admin);
const { newPerson, giveTo, insertGrant } = grantsIn(product, admin);

const entitlementsOf = async (id: string, query: { at?: string } = {}) =>
  call(viewer, getEntitlements, { params: { id }, query });

/** What a person has of a feature. */
const itemOf = async (id: string, featureId: string, query: { at?: string } = {}) => {
  const { body } = await entitlementsOf(id, query);
  const item = body.items.find(({ feature }) => feature.id === featureId);
  return item && { value: item.value, words: item.words, lines: item.lines };
};

const app = await newApp();
const seats = await newLimit(app.id);
const storage = await newLimit(app.id, "Storage", { combining: "sum", defaultValue: 2 });
const choices = await call(admin, createFeature, {
  body: {
    appId: app.id,
    code: "support",
    name: "Support",
    kind: "choice",
    options: [
      { code: "mail", name: "By mail" },
      { code: "phone", name: "By phone" },
    ],
    defaultValue: "mail",
  },
});
const studio = await packageGiving("Studio", [
  [seats, 5],
  [storage, 10],
  [choices.body, "phone"],
]);
const extra = await packageGiving("Extra", [
  [seats, 3],
  [storage, 100],
]);

test("without a grant everything is the default, of every feature of every active app", async () => {
  const { id, name, email } = await newPerson();
  const { body } = await entitlementsOf(id);
  expect(body.person).toEqual({ id, name, email, status: "active" });
  expect(
    body.items.map(({ feature, value, words, lines }) => [feature.name, value, words, lines]),
  ).toEqual([
    ["Seats", 1, "1 seat", []],
    ["Storage", 2, "2 seats", []],
    ["Support", "mail", "By mail", []],
  ]);
  expect(body.items[0]?.app).toEqual({ id: app.id, code: app.code, name: "Harbor", icon: "apps" });
});

test("the values of all grants in force are combined as the feature says, and each is named", async () => {
  const { id, email } = await newPerson();
  await giveTo(email, { packageId: studio });
  await insertGrant(id, extra, [-1, 5]);
  await giveTo(email, { featureId: storage.id, value: 7 });
  const lineOf = (name: string, more: object) =>
    expect.objectContaining({ package: expect.objectContaining({ name, number: 1 }), ...more });
  expect(await itemOf(id, seats.id)).toEqual({
    value: 5,
    words: "5 seats",
    lines: [
      lineOf("Studio", { isCounted: true, notCounted: null }),
      lineOf("Extra", {
        isCounted: false,
        notCounted: expect.objectContaining({ code: "smaller" }),
      }),
    ],
  });
  expect(await itemOf(id, storage.id)).toEqual({
    value: 117,
    words: "117 seats",
    lines: [
      expect.objectContaining({ source: "staff", value: 7, package: null, isCounted: true }),
      expect.objectContaining({ source: "staff", value: 10, endsAt: null, isCounted: true }),
      expect.objectContaining({ source: "import", value: 100, endsAt: expect.any(String) }),
    ],
  });
  expect(await itemOf(id, choices.body.id)).toMatchObject({ value: "phone", words: "By phone" });
});

test("a right counts from its start, and no longer at its end; any moment can be asked for", async () => {
  const { id } = await newPerson();
  const grantId = await insertGrant(id, studio, [5, 10]);
  const { rows } = await owner.query<{ starts: Date; ends: Date }>(
    "select starts_at as starts, ends_at as ends from grants where id = $1",
    [grantId],
  );
  const [{ starts, ends } = { starts: new Date(0), ends: new Date(0) }] = rows;
  const seatsAt = async (at: Date) => (await itemOf(id, seats.id, { at: at.toISOString() }))?.value;
  const later = (moment: Date, ms: number) => new Date(moment.getTime() + ms);
  expect((await itemOf(id, seats.id))?.value).toBe(1);
  expect(await seatsAt(later(starts, -1))).toBe(1);
  expect(await seatsAt(later(starts, 1))).toBe(5);
  expect(await seatsAt(later(ends, -1))).toBe(5);
  expect(await seatsAt(later(ends, 1))).toBe(1);
});

test("an archived app answers nothing; a draft's features neither", async () => {
  const other = await newApp("Ledgerly");
  const seat = await newLimit(other.id);
  const { id, email } = await newPerson();
  const packageId = await packageGiving("Ledger", [[seat, 4]]);
  await giveTo(email, { packageId });
  expect((await itemOf(id, seat.id))?.value).toBe(4);
  const draft = await call(admin, createApp, { body: { code: "not-yet", name: "Not yet" } });
  const unsold = await newLimit(draft.body.id);
  expect(await itemOf(id, unsold.id)).toBeUndefined();
  const { rows } = await owner.query<{ version: number }>(
    "select version from apps where id = $1",
    [other.id],
  );
  await call(admin, archiveApp, {
    params: { id: other.id },
    version: rows[0]?.version ?? 0,
    body: {},
  });
  expect(await itemOf(id, seat.id)).toBeUndefined();
});

test("of somebody unknown nothing is said", async () => {
  expect((await entitlementsOf(crypto.randomUUID())).status).toBe(404);
});
