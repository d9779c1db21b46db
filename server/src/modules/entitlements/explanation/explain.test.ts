import { getEntitlements } from "@purser/contract/entitlements/explanation";
import { giveAccess, revokeAccess } from "@purser/contract/entitlements/grants";
import { changeFeature } from "@purser/contract/features/endpoints";
import { expect, test } from "vitest";
import { catalogIn } from "#modules/packages/testing/testing.ts";
import { testProduct } from "#testing.ts";
import { grantsIn } from "../testing/testing.ts";

const product = await testProduct();
const { call, owner, signIn } = product;
const admin = await signIn("admin", "Ines Okonjo");
const viewer = await signIn("viewer");
const { newApp, newLimit, packageGiving } = catalogIn(product, admin);
const { newPerson, giveTo, insertGrant, letCatalogueBeOld } = grantsIn(product, admin);

const dayMs = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString();

type Feature = Awaited<ReturnType<typeof newLimit>>;

const explanationOf = async (id: string, at?: string) => {
  const asked = { params: { id }, query: at === undefined ? {} : { at } };
  return (await call(viewer, getEntitlements, asked)).body;
};

const itemOf = async (id: string, feature: Feature, at?: string) => {
  const item = (await explanationOf(id, at)).items.find((one) => one.feature.id === feature.id);
  if (!item) throw new Error("The feature is not among what is explained.");
  return item;
};

const app = await newApp();
const seats = await newLimit(app.id);
const storage = await newLimit(app.id, "Storage", { combining: "sum", defaultValue: 0 });
const studio = await packageGiving("Studio", [
  [seats, 5],
  [storage, 100],
]);
const extra = await packageGiving("Extra", [
  [seats, 3],
  [storage, 50],
]);
await letCatalogueBeOld();

/** What an item says, short enough to compare. */
const said = ({ words, reason, rule, lines }: Awaited<ReturnType<typeof itemOf>>) => ({
  words,
  reason,
  rule,
  lines: lines.map(({ words: of, notCounted }) => [of, notCounted?.code ?? "counts"]),
});

test("VW6 every grant is told of: what counts, what does not and why not, and the rule at the end", async () => {
  const { id, email } = await newPerson();
  await insertGrant(id, studio, [-40, -10], { recordedDaysAgo: 40 });
  await insertGrant(id, studio, [-9, 30], { recordedDaysAgo: 9 });
  await insertGrant(id, extra, [-2, 20], { recordedDaysAgo: 2 });
  await insertGrant(id, extra, [50, 80]);
  const given = await giveTo(email, { featureId: storage.id, value: 7 });
  const params = { id: given.body.id };
  await call(admin, revokeAccess, { params, body: { reason: "By mistake." } });
  expect(said(await itemOf(id, seats))).toEqual({
    words: "5 seats",
    reason: "granted",
    rule: "The largest counts",
    lines: [
      ["5 seats", "counts"],
      ["3 seats", "not begun"],
      ["3 seats", "smaller"],
      ["5 seats", "ended"],
    ],
  });
  const stored = await itemOf(id, storage);
  expect(said(stored)).toEqual({
    words: "150 seats",
    reason: "granted",
    rule: "What is granted is added",
    lines: [
      ["50 seats", "counts"],
      ["100 seats", "counts"],
      ["50 seats", "not begun"],
      ["7 seats", "revoked"],
      ["100 seats", "ended"],
    ],
  });
  expect(stored.lines.find(({ notCounted }) => notCounted?.code === "revoked")).toMatchObject({
    cause: { kind: "staff", name: "Ines Okonjo", id: admin.id },
    reason: "A gift for their patience.",
    notCounted: {
      by: "Ines Okonjo",
      sentence: "It was revoked: By mistake.",
      at: expect.any(String),
    },
  });
});

test("the value is said until when: the largest as long as any gives it, a sum until its first part ends", async () => {
  const { id } = await newPerson();
  await insertGrant(id, studio, [-9, 30]);
  await insertGrant(id, extra, [-2, 20]);
  const endOf = async (feature: Feature) =>
    Math.round((Date.parse((await itemOf(id, feature)).until?.at ?? "") - Date.now()) / dayMs);
  expect(await endOf(seats)).toBe(30);
  expect(await endOf(storage)).toBe(20);
});

const today = Date.now();
const onDay = (day: number) => new Date(today + day * dayMs);

/** A subscription to Studio whose period ends, or ended, so many days from today. */
const subscribe = async (userId: string, periodEnds: number, status = "active") => {
  const { rows } = await owner.query<{ id: string }>(
    `insert into subscriptions (user_id, package_id, version_id, status, period_start, period_end, access_until)
     select $1, $2, id, $3, $4, $5, $6 from package_versions where package_id = $2 and state = 'on sale' returning id`,
    [userId, studio, status, ...[-30, 0, 7].map((days) => onDay(periodEnds + days))],
  );
  return rows[0]?.id ?? "";
};

/** Time of a subscription, whoever has it, from and until so many days from today. */
const insertTime = (
  userId: string,
  subscriptionId: string,
  [from, to]: [number, number],
  sourceId = "test",
) =>
  owner.query(
    `insert into grants (user_id, package_id, version_id, subscription_id, source, source_id, starts_at, ends_at,
       promised_until)
     select $1, package_id, version_id, id, 'transaction', $3, $4, $5, $5 from subscriptions where id = $2`,
    [userId, subscriptionId, sourceId, onDay(from), onDay(to)],
  );

/** Nine more of one feature, without an end or until so many days from today. */
const insertNine = (userId: string, feature: Feature, from: number, to?: number) =>
  owner.query(
    `insert into grants (user_id, feature_id, value, source, source_id, starts_at, ends_at)
     values ($1, $2, '9', 'import', 'test', $3, coalesce($4::timestamptz, 'infinity'))`,
    [userId, feature.id, onDay(from), to === undefined ? null : onDay(to)],
  );

/** In how many days a value changes, and whether it is paid for again then. */
const untilOf = async (id: string, feature: Feature, day?: number) => {
  const { until } = await itemOf(id, feature, day === undefined ? day : onDay(day).toISOString());
  return until && [(Date.parse(until.at) - today) / dayMs, until.isRenewal];
};

test("what is paid for again is said to renew, but not on a day before the one that is asked about", async () => {
  const { id } = await newPerson();
  await insertTime(id, await subscribe(id, 30), [-1, 37]);
  expect(await untilOf(id, seats)).toEqual([30, true]);
  expect(await untilOf(id, seats, 33)).toEqual([37, false]);
});

test("what is past due ends with its days of grace and has no renewal to come", async () => {
  const { id } = await newPerson();
  await insertTime(id, await subscribe(id, -2, "past due"), [-32, 5]);
  expect(await untilOf(id, seats)).toEqual([5, false]);
  expect((await itemOf(id, seats)).lines).toMatchObject([{ isCounted: true, renewsAt: null }]);
});

test("a right that another person pays for ends: the next period is theirs", async () => {
  const [giver, receiver] = [await newPerson(), await newPerson()];
  await insertTime(receiver.id, await subscribe(giver.id, 30), [-1, 37]);
  expect(await untilOf(receiver.id, seats)).toEqual([37, false]);
  expect((await itemOf(receiver.id, seats)).lines).toMatchObject([{ renewsAt: null }]);
});

test("a value lasts through whatever follows at once and gives the same, and changes with more", async () => {
  const { id } = await newPerson();
  const subscriptionId = await subscribe(id, 60);
  await insertTime(id, subscriptionId, [-1, 30]);
  await insertTime(id, subscriptionId, [30, 67]);
  expect(await untilOf(id, seats)).toEqual([60, true]);
  expect(await untilOf(id, storage)).toEqual([60, true]);
  await insertNine(id, seats, 40);
  expect(await untilOf(id, seats)).toEqual([40, false]);
  expect(await untilOf(id, seats, 50)).toBeNull();
});

test("a value that is made of more than what is paid for again does change", async () => {
  const { id } = await newPerson();
  await insertTime(id, await subscribe(id, 30), [-1, 37]);
  await insertNine(id, storage, -1, 37);
  expect(await untilOf(id, storage)).toEqual([37, false]);
});

test("time that was left is explained by the payment before it, not by a later one", async () => {
  const { id } = await newPerson();
  const subscriptionId = await subscribe(id, 25);
  const pay = async (day: number) => {
    const { rows } = await owner.query<{ id: string }>(
      `insert into transactions (kind, state, user_id, subscription_id, currency, subtotal, total, provider,
         occurred_at, settled_at, period_start, period_end)
       values ('renewal', 'succeeded', $1, $2, 'EUR', 1200, 1200, 'renewal', $3, $3, $3, $4) returning id`,
      [id, subscriptionId, onDay(day), onDay(day + 30)],
    );
    return rows[0]?.id ?? "";
  };
  const [first, second] = [await pay(-40), await pay(-5)];
  await insertTime(id, subscriptionId, [-40, -30], first);
  await insertTime(id, subscriptionId, [-25, -5], `resumed ${subscriptionId}`);
  await insertTime(id, subscriptionId, [-5, 32], second);
  const { lines } = await itemOf(id, seats);
  expect(lines.map(({ cause }) => cause)).toMatchObject([
    { kind: "transaction", id: second },
    { kind: "transaction", id: first },
    { kind: "transaction", id: first },
  ]);
});

test("of what somebody may not use it says what would give it", async () => {
  const { id } = await newPerson();
  const { reason, allowed, needs } = await itemOf(id, storage);
  expect({ reason, allowed }).toEqual({ reason: "not granted", allowed: false });
  expect(needs.map(({ package: { name }, words }) => [name, words])).toEqual([
    ["Studio", "100 seats"],
    ["Extra", "50 seats"],
  ]);
});

test("what was used is told with what is left; a hard limit stops, a soft one does not", async () => {
  const { id } = await newPerson();
  await insertGrant(id, studio, [-1, 30]);
  const use = (used: number) =>
    owner.query(
      `insert into feature_use (user_id, feature_id, used) values ($1, $2, $3)
       on conflict (feature_id, user_id, window_start) do update set used = $3`,
      [id, seats.id, used],
    );
  await use(4);
  expect(await itemOf(id, seats)).toMatchObject({ allowed: true, used: 4, remaining: 1, limit: 5 });
  await use(6);
  expect(await itemOf(id, seats)).toMatchObject({
    allowed: false,
    reason: "used up",
    remaining: 0,
  });
  await owner.query("update features set enforcement = 'soft' where id = $1", [seats.id]);
  expect(await itemOf(id, seats)).toMatchObject({ allowed: true, reason: "over limit" });
});

test("in the last month that can be written nothing begins again", async () => {
  const calls = await newLimit(app.id, "Last calls", {
    kind: "metered",
    reset: "month",
    combining: "sum",
  });
  const { id } = await newPerson();
  const resets = (at: string) => itemOf(id, calls, at).then(({ resetsAt }) => resetsAt);
  expect(await resets("9999-11-30T23:59:59.999Z")).toBe("9999-12-01T00:00:00.000Z");
  expect(await resets("9999-12-31T23:59:59.999Z")).toBeNull();
});

test("a grant counts from when it was recorded, however early it begins", async () => {
  const { id } = await newPerson();
  await insertGrant(id, studio, [-40, 30], { recordedDaysAgo: 5 });
  expect(await itemOf(id, storage, daysAgo(6))).toMatchObject({ value: 0, lines: [] });
  expect(await itemOf(id, storage, daysAgo(4))).toMatchObject({ value: 100 });
});

test("a grant that was shortened counted until then, also after the end that it was given", async () => {
  const { id } = await newPerson();
  const grantId = await insertGrant(id, studio, [-40, 30], { recordedDaysAgo: 40 });
  const before = daysAgo(1);
  await owner.query("update grants set ends_at = now() - interval '10 days' where id = $1", [
    grantId,
  ]);
  expect(await itemOf(id, storage, before)).toMatchObject({ value: 100 });
  const [line] = (await itemOf(id, storage)).lines;
  expect(line?.notCounted).toMatchObject({ code: "shortened" });
});

test("whoever is suspended or erased may use nothing, and might while they were not", async () => {
  const { id } = await newPerson();
  await insertGrant(id, studio, [-40, 30], { recordedDaysAgo: 40 });
  const before = new Date().toISOString();
  await owner.query("update users set status = 'suspended' where id = $1", [id]);
  expect(said(await itemOf(id, storage))).toEqual({
    words: "Nothing",
    reason: "suspended",
    rule: "Whoever is suspended may use nothing",
    lines: [["100 seats", "suspended"]],
  });
  expect((await itemOf(id, storage)).needs, "nothing that is sold would help").toEqual([]);
  expect(await itemOf(id, storage, before)).toMatchObject({ value: 100, reason: "granted" });
  await owner.query("update users set status = 'erased' where id = $1", [id]);
  expect(await itemOf(id, storage)).toMatchObject({ value: null, reason: "erased", needs: [] });
});

test("a feature's default and an app's state are those of the moment", async () => {
  const other = await newApp("Ledgerly");
  const desks = await newLimit(other.id, "Desks", { defaultValue: 2 });
  await owner.query("update apps set status = 'active', activated_at = now() where id = $1", [
    other.id,
  ]);
  const { id } = await newPerson();
  const before = (await explanationOf(id)).at;
  const { code, unit, kind } = desks;
  const body = { code, name: "Tables", kind, unit, defaultValue: 9 };
  const changed = await call(admin, changeFeature, { params: { id: desks.id }, version: 1, body });
  expect(changed.status, changed.text).toBe(200);
  expect(await itemOf(id, desks)).toMatchObject({ value: 9, feature: { name: "Tables" } });
  expect(await itemOf(id, desks, before)).toMatchObject({ value: 2, feature: { name: "Desks" } });
  await owner.query("update apps set status = 'archived' where id = $1", [other.id]);
  expect((await explanationOf(id)).items.some(({ app: { id: of } }) => of === other.id)).toBe(
    false,
  );
  expect(await itemOf(id, desks, before)).toMatchObject({ value: 2 });
});

test("access is given by a person's id as by their address", async () => {
  const { id } = await newPerson();
  const body = { userId: id, packageId: studio, endsAt: null, reason: "A pilot." };
  expect((await call(admin, giveAccess, { body })).status).toBe(201);
  expect(await itemOf(id, storage)).toMatchObject({ value: 100, until: null });
  const both = { ...body, email: "ada@example.com" };
  expect((await call(admin, giveAccess, { body: both })).status).toBe(400);
});

test("staff are explained to those who may read staff", async () => {
  const params = { id: viewer.id };
  expect((await call(viewer, getEntitlements, { params })).status).toBe(404);
  expect((await call(admin, getEntitlements, { params })).status).toBe(200);
});
