import { getEntitlements } from "@purser/contract/entitlements/explanation";
import {
  bulkUsers,
  createUser,
  exportUsers,
  getUser,
  listUsers,
  restoreUser,
  suspendUser,
} from "@purser/contract/users/endpoints";
import { mergeUsers } from "@purser/contract/users/merge";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";

const { call, owner, signIn } = await testProduct();
const support = await signIn("support", "Sam Support");

const newCustomer = async (email: string) =>
  (await call(support, createUser, { body: { email, name: "Jana Kowalczyk" } })).body;

const newSuspended = async (email: string) => {
  const { id } = await newCustomer(email);
  return (await call(support, suspendUser, { params: { id }, version: 1, body: {} })).body;
};

/** A merged record and the one it was merged into. */
const newMerged = async (name: string) => {
  const stays = await newCustomer(`${name}-stays@example.com`);
  const goes = await newCustomer(`${name}-goes@example.com`);
  const body = { otherId: goes.id, reason: "Two addresses." };
  expect((await call(support, mergeUsers, { params: { id: stays.id }, body })).status).toBe(200);
  return { stays, merged: (await call(support, getUser, { params: { id: goes.id } })).body };
};

const mergedText = "This customer was merged into another one. Open that customer instead.";

test("a merged record names its target on the page, in the list and in the export", async () => {
  const { stays, merged } = await newMerged("told");
  expect(merged).toMatchObject({ status: "suspended", mergedIntoId: stays.id });
  const { body } = await call(support, listUsers, { query: { q: "told-", sort: "email" } });
  expect(body.items.map(({ mergedIntoId }) => mergedIntoId)).toEqual([stays.id, null]);
  const query = { format: "csv", columns: "email,mergedIntoId", q: "told-goes" } as const;
  expect((await call(await signIn("admin"), exportUsers, { query })).text).toContain(
    `told-goes@example.com,${stays.id}`,
  );
});

test("a bulk restore skips a merged record and explains why", async () => {
  const { merged } = await newMerged("bulk");
  const suspended = [
    await newSuspended("bulk-1@example.com"),
    await newSuspended("bulk-2@example.com"),
  ];
  const [first, second] = suspended.map(({ id, version }) => ({ id, version }));
  const chosen = [first, { id: merged.id, version: merged.version }, second];
  const answer = await call(support, bulkUsers, {
    body: { action: "restore", users: chosen.flatMap((one) => one ?? []) },
  });
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body.done.map(({ id, status }) => [id, status])).toEqual(
    suspended.map(({ id }) => [id, "active"]),
  );
  expect(answer.body.refused).toEqual([
    {
      id: merged.id,
      name: "Jana Kowalczyk",
      code: "wrong_state",
      detail: { code: expect.any(String), text: mergedText },
    },
  ]);
});

test("refuses to restore or suspend a merged record", async () => {
  const { merged } = await newMerged("alone");
  const asked = { params: { id: merged.id }, version: merged.version, body: {} };
  for (const endpoint of [restoreUser, suspendUser]) {
    const refused = await call(support, endpoint, asked);
    expect([refused.status, refused.body["detail"]]).toEqual([409, mergedText]);
  }
  expect((await call(support, getUser, { params: asked.params })).body).toEqual(merged);
});

test("T2 shows a merge target who is a team member only with team:read", async () => {
  const { stays, merged } = await newMerged("hidden");
  await owner.query("update users set role = 'viewer' where id = $1", [stays.id]);
  const targetFor = async (as: { cookie: string }) =>
    (await call(as, getEntitlements, { params: { id: merged.id } })).body.mergedInto;
  expect(await targetFor(support)).toBeNull();
  expect(await targetFor(await signIn("owner"))).toMatchObject({ id: stays.id });
});
