import { giveAccess, listHolders, revokeAccess } from "@purser/contract/entitlements/grants";
import { archiveFeature, getFeature } from "@purser/contract/features/endpoints";
import { archivePackage } from "@purser/contract/packages/endpoints";
import { retireVersion } from "@purser/contract/packages/versions";
import type { Change } from "@purser/contract/workspace/liveChanges";
import { expect, test, vi } from "vitest";
import { testProduct } from "../../testing.ts";
import { catalogIn } from "../packages/testing/testing.ts";
import { grantsIn } from "./testing/testing.ts";

const product = await testProduct();
const { call, signIn, owner, platform } = product;
const admin = await signIn("admin");
const support = await signIn("support");
const { newApp, newLimit, newPackage, read, give, publish, addSubscribers } = catalogIn(
  product,
  admin,
);
const { newAddress, newPerson, giveTo, insertGrant } = grantsIn(product, support);

const onSale = async (details: object = {}) => {
  const app = await newApp();
  const seats = await newLimit(app.id);
  const made = await newPackage(details);
  await give(made.id, seats, 5);
  expect((await publish(made.id)).status).toBe(200);
  return { app, seats, stored: await read(made.id) };
};

const holdersOf = (id: string, query: { q?: string; after?: string } = {}) =>
  call(admin, listHolders, { params: { id }, query });

const revoke = (id: string, reason = "They asked for it.") =>
  call(support, revokeAccess, { params: { id }, body: { reason } });

const entriesOf = async (id: string) =>
  (
    await owner.query(
      `select action, actor_id, reason, after ->> 'revoked_at' is not null as revoked
       from audit_entries where entity = 'grants' and record_id = $1 order by id`,
      [id],
    )
  ).rows;

test("support gives a person a package, whatever the case of the address, and it is audited", async () => {
  const { stored } = await onSale();
  const person = await newPerson();
  const endsAt = new Date(Date.now() + 86_400_000).toISOString();
  const given = await giveTo(person.email.toUpperCase(), { packageId: stored.id }, { endsAt });
  expect(given.status).toBe(201);
  expect(given.body).toMatchObject({
    user: person,
    package: { id: stored.id, name: "Studio", number: 1 },
    feature: null,
    source: "staff",
    reason: "A gift for their patience.",
    endsAt,
    revokedAt: null,
  });
  const { rows } = await owner.query(
    "select source_id, promised_until = ends_at as kept from grants where id = $1",
    [given.body.id],
  );
  expect(rows).toEqual([{ source_id: support.id, kept: true }]);
  expect(await entriesOf(given.body.id)).toEqual([
    {
      action: "insert",
      actor_id: support.id,
      reason: "A gift for their patience.",
      revoked: false,
    },
  ]);
  expect((await holdersOf(stored.id)).body.items).toEqual([given.body]);
});

test("somebody unknown becomes a customer, called by what stands before the @", async () => {
  const { stored } = await onSale();
  const given = await giveTo("grace.hopper@example.com", { packageId: stored.id });
  expect(given.body).toMatchObject({ user: { name: "grace.hopper" }, endsAt: null });
  const { rows } = await owner.query("select role, status from users where id = $1", [
    given.body.user.id,
  ]);
  expect(rows).toEqual([{ role: null, status: "active" }]);
});

test("two who give the same unknown person something at once make one customer", async () => {
  const [one, other] = [await onSale(), await onSale()];
  const email = newAddress();
  const given = await Promise.all(
    [one, other, one].map(({ stored }) => giveTo(email, { packageId: stored.id })),
  );
  expect(given.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(new Set(given.map(({ body }) => body.user.id)).size).toBe(1);
});

test("a suspended or erased person is given nothing", async () => {
  const { stored } = await onSale();
  for (const status of ["suspended", "erased"]) {
    const { email } = await newPerson({ status });
    const refused = await giveTo(email, { packageId: stored.id });
    expect([refused.status, refused.body["detail"]]).toEqual([
      409,
      expect.stringContaining(status),
    ]);
  }
  expect((await holdersOf(stored.id)).body.items).toEqual([]);
});

test("only an active package with a version on sale can be given", async () => {
  const email = newAddress();
  const draft = await newPackage();
  expect((await giveTo(email, { packageId: draft.id })).body["detail"]).toBe(
    "Only an active package can be given. Studio is draft.",
  );
  const { stored } = await onSale();
  const act = async (endpoint: typeof retireVersion | typeof archivePackage) => {
    const { version } = await read(stored.id);
    await call(admin, endpoint, { params: { id: stored.id }, version, body: {} });
    return giveTo(email, { packageId: stored.id });
  };
  const retired = await act(retireVersion);
  expect(retired.body["type"]).toBe("urn:purser:problem:wrong_state");
  expect(retired.body["detail"]).toContain("No version of Studio is on sale.");
  expect((await act(archivePackage)).body["detail"]).toContain("Studio is archived.");
  const unknown = await giveTo(email, { packageId: crypto.randomUUID() });
  expect(unknown.status).toBe(404);
  const { rowCount } = await owner.query("select from users where email = $1", [email]);
  expect(rowCount).toBe(0);
});

test("one feature's value is given where it is active and the value fits", async () => {
  const { seats } = await onSale();
  const email = newAddress();
  const wrong = await giveTo(email, { featureId: seats.id, value: true });
  expect([wrong.status, wrong.body["errors"]]).toMatchObject([400, [{ pointer: "/value" }]]);
  const given = await giveTo(email, { featureId: seats.id, value: "unlimited" });
  expect(given.body).toMatchObject({
    package: null,
    feature: { id: seats.id, name: "Seats", value: "unlimited" },
  });

  const draft = await newLimit((await newApp()).id);
  expect((await giveTo(email, { featureId: draft.id, value: 1 })).body["detail"]).toBe(
    "Only an active feature can be given. Seats is draft.",
  );
  const { version } = (await call(admin, getFeature, { params: { id: seats.id } })).body;
  await call(admin, archiveFeature, { params: { id: seats.id }, version, body: {} });
  expect((await giveTo(email, { featureId: seats.id, value: 1 })).status).toBe(409);
  expect((await giveTo(email, { featureId: crypto.randomUUID(), value: 1 })).status).toBe(404);
});

test("a right ends later than now, and is given for a reason", async () => {
  const { stored } = await onSale();
  const past = await giveTo(
    newAddress(),
    { packageId: stored.id },
    { endsAt: "2020-01-01T00:00:00Z" },
  );
  expect([past.status, past.body["errors"]]).toMatchObject([400, [{ pointer: "/endsAt" }]]);
  const body = { email: newAddress(), packageId: stored.id, endsAt: null, reason: " " };
  const silent = await call(support, giveAccess, { body });
  expect(silent.body["errors"]).toMatchObject([{ pointer: "/reason" }]);
});

test("nobody has two base packages of one group; the refusal names the one that is held", async () => {
  const [solo, team] = [
    await onSale({ name: "Solo", group: "plans" }),
    await onSale({ name: "Team", group: "plans" }),
  ];
  const addOn = await onSale({ name: "Storage", kind: "add-on" });
  const { id, email } = await newPerson();
  const held = await giveTo(email, { packageId: solo.stored.id });
  expect((await giveTo(email, { packageId: solo.stored.id })).status).toBe(201);
  expect((await giveTo(email, { packageId: addOn.stored.id })).status).toBe(201);
  const refused = await giveTo(email, { packageId: team.stored.id });
  expect(refused.body["type"]).toBe("urn:purser:problem:wrong_state");
  expect(refused.body["detail"]).toContain("Revoke Solo before you give Team.");

  const { rows } = await owner.query("select id from grants where user_id = $1", [id]);
  for (const { id: grantId } of rows) await revoke(grantId);
  expect((await giveTo(email, { packageId: team.stored.id })).status).toBe(201);
  expect(held.status).toBe(201);
});

test("a package of the group that begins before the other ends is in its way, one that begins later is not", async () => {
  const [solo, team] = [
    await onSale({ name: "Solo", group: "later" }),
    await onSale({ name: "Team", group: "later" }),
  ];
  const { id, email } = await newPerson();
  await insertGrant(id, solo.stored.id, [10, 20]);
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const until = (days: number) =>
    giveTo(email, { packageId: team.stored.id }, { endsAt: inDays(days) });
  expect((await until(11)).status).toBe(409);
  expect((await until(9)).status).toBe(201);
});

test("two packages of one group given at the same moment: one is refused", async () => {
  const [solo, team] = [await onSale({ group: "race" }), await onSale({ group: "race" })];
  for (let round = 0; round < 5; round += 1) {
    const { email } = await newPerson();
    const given = await Promise.all(
      [solo, team].map(({ stored }) => giveTo(email, { packageId: stored.id })),
    );
    expect(given.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  }
});

test("a right is revoked once, at once, and the reason is kept", async () => {
  const { stored } = await onSale();
  const { body: given } = await giveTo(newAddress(), { packageId: stored.id });
  const revoked = await revoke(given.id, "Given by mistake.");
  expect(revoked.status).toBe(200);
  expect(revoked.body.revokedAt).not.toBeNull();
  expect(revoked.body.endsAt).toBe(revoked.body.revokedAt);
  expect((await entriesOf(given.id)).at(-1)).toEqual({
    action: "update",
    actor_id: support.id,
    reason: "Given by mistake.",
    revoked: true,
  });
  expect((await holdersOf(stored.id)).body.items).toEqual([]);
  const again = await revoke(given.id);
  expect([again.status, again.body["detail"]]).toEqual([409, "This right was revoked already."]);
  expect((await revoke(crypto.randomUUID())).status).toBe(404);
});

test("a right that has not begun can be revoked and never begins; one that ended cannot", async () => {
  const { stored } = await onSale();
  const { id } = await newPerson();
  const future = await revoke(await insertGrant(id, stored.id, [5, 10]));
  expect(future.status).toBe(200);
  expect(future.body.endsAt).toBe(future.body.startsAt);
  const past = await revoke(await insertGrant(id, stored.id, [-10, -5]));
  expect([past.status, past.body["detail"]]).toEqual([409, "This right has ended already."]);
});

test("a right of a subscription can be revoked, and that is audited too", async () => {
  const { stored } = await onSale();
  await addSubscribers(stored.id, 1);
  const [held] = (await holdersOf(stored.id)).body.items;
  expect(held?.source).toBe("import");
  expect((await revoke(held?.id ?? "")).status).toBe(200);
  expect(await entriesOf(held?.id ?? "")).toMatchObject([{ action: "update", revoked: true }]);
});

test("whoever looks at the package is told when a right to it is given or revoked", async () => {
  const { stored } = await onSale();
  const told: Change[] = [];
  const stop = platform.announcements.listen((changes) => told.push(...changes));
  const ofPackage = () =>
    told.filter(({ entity, id }) => entity === "packages" && id === stored.id);
  const { body } = await giveTo(newAddress(), { packageId: stored.id });
  await vi.waitFor(() => expect(ofPackage()).toHaveLength(1), 3000);
  await revoke(body.id);
  await vi.waitFor(() => expect(ofPackage()).toHaveLength(2), 3000);
  stop();
});

test("holders are those in force now, newest first, 25 a page", async () => {
  const { stored } = await onSale();
  const { id } = await newPerson();
  await insertGrant(id, stored.id, [-10, -5]);
  await insertGrant(id, stored.id, [5, 10]);
  const people = await addSubscribers(stored.id, 60);
  const pages = [];
  let after: string | null = null;
  do {
    const { body } = await holdersOf(stored.id, after ? { after } : {});
    pages.push(body.items);
    after = body.next;
  } while (after);
  expect(pages.map(({ length }) => length)).toEqual([25, 25, 10]);
  const seen = pages.flat();
  expect(seen.map((grant) => grant.id)).toEqual(
    seen
      .map((grant) => grant.id)
      .toSorted()
      .toReversed(),
  );
  expect(seen.map(({ user }) => user.id).toSorted()).toEqual(people.toSorted());
  expect((await holdersOf(crypto.randomUUID())).status).toBe(404);
});

test("holders are found by the beginning of the address or a part of the name; % and _ mean themselves", async () => {
  const { stored } = await onSale();
  const holders = [
    { email: "zoe_1@example.com", name: "Zoë Quill" },
    { email: "zoex1@example.com", name: "100% Sure" },
    { email: "other@example.com", name: "Åsa zoe_1" },
  ];
  for (const holder of holders) {
    const { id } = await newPerson(holder);
    await insertGrant(id, stored.id, [-1, 1]);
  }
  await newPerson({ email: "zoe_2@example.com", name: "Holds nothing" });
  const found = async (q: string) =>
    (await holdersOf(stored.id, { q })).body.items.map(({ user }) => user.email).toSorted();
  expect(await found("zoe_1")).toEqual(["other@example.com", "zoe_1@example.com"]);
  expect(await found("ZOE")).toEqual(holders.map(({ email }) => email).toSorted());
  expect(await found("0%")).toEqual([]);
  expect(await found("00%")).toEqual(["zoex1@example.com"]);
  expect(await found("zo")).toEqual(["zoe_1@example.com", "zoex1@example.com"]);
  expect(await found("åsa")).toEqual(["other@example.com"]);
  expect(await found("example.com")).toEqual([]);
});

test("who may not write users gives and revokes nothing", async () => {
  const { stored } = await onSale();
  const { body } = await giveTo(newAddress(), { packageId: stored.id });
  for (const role of ["viewer", "catalogue", "finance"] as const) {
    const by = await signIn(role);
    expect((await giveTo(newAddress(), { packageId: stored.id }, { by })).status).toBe(403);
    const params = { id: body.id };
    expect((await call(by, revokeAccess, { params, body: { reason: "No." } })).status).toBe(403);
    expect((await call(by, listHolders, { params: { id: stored.id } })).status).toBe(200);
  }
});
