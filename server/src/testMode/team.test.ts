import { randomUUID } from "node:crypto";
import { getTestClock } from "@purser/contract/testMode/endpoints";
import { getUser } from "@purser/contract/users/endpoints";
import { mergeUsers } from "@purser/contract/users/merge";
import { addUserNote } from "@purser/contract/users/notes";
import { eraseCustomer } from "@purser/contract/users/privacy";
import { requestApproval } from "@purser/contract/workspace/approvals";
import { expect, test } from "vitest";
import { tracesIn } from "../modules/privacy/testing/traces.ts";
import { shopIn } from "../modules/transactions/testing/testing.ts";
import { bothModes } from "./bothModes.testing.ts";

const { live, test: testMode } = await bothModes();
const admin = await live.signIn("owner");
const testShop = await shopIn(testMode);
const { findIn } = await tracesIn(testMode);

const refresh = () => testMode.platform.testMode?.copies.refresh();

const newCustomer = async () =>
  (await testShop.sell(testShop.saleOf((await testShop.sellPackage()).id))).user;

/** No longer a team member in live. */
const remove = (id: string) => live.owner.query("update users set role = null where id = $1", [id]);

const copyOf = async (id: string) => {
  const { rows } = await testMode.owner.query(
    "select name, role, status from users where id = $1",
    [id],
  );
  return rows[0];
};

/** Leaves the member's name in as many places as possible. */
const workAs = async (member: { cookie: string }) => {
  const { id } = await newCustomer();
  const noted = await testMode.call(member, addUserNote, {
    params: { id },
    body: { text: "Called.", mentions: [admin.id] },
  });
  expect(noted.status, noted.text).toBe(201);
  await live.owner.query("update settings set approval_rules = '{erase}'");
  await refresh();
  const { version } = (await testMode.call(member, getUser, { params: { id } })).body;
  const asked = await testMode.call(member, requestApproval, {
    body: {
      operation: "POST /users/:id/erase",
      params: { id },
      body: { reason: "By letter." },
      version,
      reason: "By letter.",
    },
  } as never);
  expect(asked.status, asked.text).toBe(201);
  await live.owner.query("update settings set approval_rules = '{}'");
};

test.each(["before", "after"])(
  "a team member who is erased in live leaves no trace in test mode, if they were removed %s a copy",
  async (when) => {
    const mark = randomUUID().slice(0, 8);
    const member = await live.signIn("admin", `Zofia ${mark}`);
    await live.owner.query("update users set email = $2 where id = $1", [
      member.id,
      `zofia.${mark}@example.com`,
    ]);
    await workAs(member);
    expect((await findIn([mark])).length).toBeGreaterThan(4);
    await remove(member.id);
    if (when === "before") await refresh();
    const { version } = (await live.call(admin, getUser, { params: { id: member.id } })).body;
    const erased = await live.call(admin, eraseCustomer, {
      params: { id: member.id },
      version,
      body: { reason: "By letter." },
    });
    expect(erased.status, erased.text).toBe(200);
    await refresh();
    expect(await findIn([mark])).toEqual([]);
    expect(await copyOf(member.id)).toEqual({
      name: "Erased person",
      role: null,
      status: "erased",
    });
    await refresh();
  },
);

test("a former team member who was merged in test mode can come back", async () => {
  const member = await live.signIn("admin", "Ann");
  await refresh();
  await remove(member.id);
  await refresh();
  expect(await copyOf(member.id)).toMatchObject({ name: "Former team member", role: null });
  const merged = await testMode.call(testShop.admin, mergeUsers, {
    params: { id: (await newCustomer()).id },
    body: { otherId: member.id, reason: "The same person." },
  });
  expect(merged.status, merged.text).toBe(200);
  await live.owner.query("update users set role = 'admin', status = 'active' where id = $1", [
    member.id,
  ]);
  const cookie = await live.startSession(member.id);
  const shown = await testMode.call({ cookie }, getTestClock);
  expect(shown.status, shown.text).toBe(200);
  // The record stays closed, but shows who it is.
  expect(await copyOf(member.id)).toEqual({ name: "Ann", role: "admin", status: "suspended" });
  const { id } = await newCustomer();
  const note = { params: { id }, body: { text: "Called." } };
  expect((await testMode.call({ cookie }, addUserNote, note)).status).toBe(201);
  await remove(member.id);
  await refresh();
  expect(await copyOf(member.id)).toMatchObject({ name: "Former team member", role: null });
});
