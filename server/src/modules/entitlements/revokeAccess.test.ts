import { listSubscribers, revokeAccess } from "@purser/contract/entitlements/grants";
import type { Change } from "@purser/contract/workspace/liveChanges";
import { expect, test, vi } from "vitest";
import { testProduct } from "../../testing.ts";
import { catalogIn } from "../packages/testing/testing.ts";
import { grantsIn } from "./testing/testing.ts";

const product = await testProduct();
const { call, signIn, owner, platform } = product;
// Grants without an end are usual here, and would require approval of the role support.
await owner.query("update settings set approval_rules = '{}'");
const admin = await signIn("admin");
const support = await signIn("support");
const { newApp, newLimit, newPackage, read, give, publish, addSubscribers } = catalogIn(
  product,
  admin,
);
const { newEmail, newCustomer, grantTo, insertGrant } = grantsIn(product, support);

const onSale = async () => {
  const app = await newApp();
  const seats = await newLimit(app.id);
  const made = await newPackage();
  await give(made.id, seats, 5);
  expect((await publish(made.id)).status).toBe(200);
  return { stored: await read(made.id) };
};

const subscribersOf = (id: string) => call(admin, listSubscribers, { params: { id } });

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

test("revokes a grant once, immediately, and stores the reason", async () => {
  const { stored } = await onSale();
  const { body: given } = await grantTo(newEmail(), { packageId: stored.id });
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
  expect((await subscribersOf(stored.id)).body.items).toEqual([]);
  const again = await revoke(given.id);
  expect([again.status, again.body["reason"]]).toEqual([409, "grant_already_revoked"]);
  expect((await revoke(crypto.randomUUID())).status).toBe(404);
});

test("revokes a grant that hasn't started, and refuses one that ended", async () => {
  const { stored } = await onSale();
  const { id } = await newCustomer();
  const future = await revoke(await insertGrant(id, stored.id, [5, 10]));
  expect(future.status).toBe(200);
  expect(future.body.endsAt).toBe(future.body.startsAt);
  const past = await revoke(await insertGrant(id, stored.id, [-10, -5]));
  expect([past.status, past.body["reason"]]).toEqual([409, "grant_already_ended"]);
});

test("revokes a grant of a subscription, which is audited too", async () => {
  const { stored } = await onSale();
  await addSubscribers(stored.id, 1);
  const [grant] = (await subscribersOf(stored.id)).body.items;
  expect(grant?.source).toBe("import");
  expect((await revoke(grant?.id ?? "")).status).toBe(200);
  expect(await entriesOf(grant?.id ?? "")).toMatchObject([{ action: "update", revoked: true }]);
});

test("announces grants and revocations to open pages of the package", async () => {
  const { stored } = await onSale();
  const announced: Change[] = [];
  const stop = platform.announcements.listen((changes) => announced.push(...changes));
  const ofPackage = () =>
    announced.filter(({ entity, id }) => entity === "packages" && id === stored.id);
  const { body } = await grantTo(newEmail(), { packageId: stored.id });
  await vi.waitFor(() => expect(ofPackage()).toHaveLength(1), 3000);
  await revoke(body.id);
  await vi.waitFor(() => expect(ofPackage()).toHaveLength(2), 3000);
  stop();
});

test("refuses grants and revocations without the permission", async () => {
  const { stored } = await onSale();
  const { body } = await grantTo(newEmail(), { packageId: stored.id });
  for (const role of ["viewer", "catalog", "finance"] as const) {
    const by = await signIn(role);
    expect((await grantTo(newEmail(), { packageId: stored.id }, { by })).status).toBe(403);
    const params = { id: body.id };
    expect((await call(by, revokeAccess, { params, body: { reason: "No." } })).status).toBe(403);
    expect((await call(by, listSubscribers, { params: { id: stored.id } })).status).toBe(200);
  }
});
