import { changeTeamMember, inviteTeamMember, suspendTeamMember } from "@purser/contract/users/team";
import { approveApproval, requestApproval } from "@purser/contract/workspace/approvals";
import { changeSettings, getSettings } from "@purser/contract/workspace/settings";
import { expect, test } from "vitest";
import { testProduct } from "../../testing.ts";

test("requires a second owner to add or remove an owner", async () => {
  const { call, owner, signIn } = await testProduct();
  await owner.query("update settings set approval_rules = '{owner}'");
  const boss = await signIn("owner");
  const other = await signIn("owner", "Otto Owner");
  const member = await signIn("viewer", "Mia Member");
  const body = { name: "Mia Member", role: "owner" as const };
  const params = { id: member.id };
  const change = await call(boss, changeTeamMember, { params, version: 1, body });
  expect(change.body["type"]).toBe("urn:purser:problem:approval_required");
  const invite = await call(boss, inviteTeamMember, {
    body: { email: "new-owner@example.com", name: "Nia New", role: "owner" },
  });
  expect(invite.body["type"]).toBe("urn:purser:problem:approval_required");
  const operation = "PUT /team/:id";
  const made = await call(boss, requestApproval, {
    body: { operation, params, body, version: 1, reason: "Takes over." },
  });
  expect(made.body.summary).toBe("Make Mia Member an owner");
  expect(
    (await call(other, approveApproval, { params: { id: made.body.id }, body: {} })).status,
  ).toBe(200);
  const { rows } = await owner.query("select role from users where id = $1", [member.id]);
  expect(rows).toEqual([{ role: "owner" }]);
});

test("lets the only owner act without approval", async () => {
  const alone = await testProduct();
  await alone.owner.query("update settings set approval_rules = '{owner}'");
  const last = await alone.signIn("owner");
  const body = { email: "second@example.com", name: "Second", role: "owner" as const };
  expect((await alone.call(last, inviteTeamMember, { body })).status).toBe(201);
});

test("T26 applies the rule after suspending everyone else, until an owner turns it off", async () => {
  const company = await testProduct();
  await company.owner.query("update settings set approval_rules = '{owner}'");
  const last = await company.signIn("owner");
  const other = await company.signIn("owner");
  const params = { id: other.id };
  const suspended = await company.call(last, suspendTeamMember, { params, version: 1, body: {} });
  expect(suspended.body.status).toBe("suspended");
  const body = { email: "second@example.com", name: "Second", role: "owner" as const };
  const invite = () => company.call(last, inviteTeamMember, { body });
  expect((await invite()).body["type"]).toBe("urn:purser:problem:approval_required");
  const { version, updatedAt: _, ...decided } = (await company.call(last, getSettings)).body;
  const changed = await company.call(last, changeSettings, {
    version,
    body: { ...decided, approvalRules: [] },
  });
  expect(changed.status, changed.text).toBe(200);
  expect((await invite()).status).toBe(201);
});

test("does not count an invited member as an approver", async () => {
  const company = await testProduct();
  await company.owner.query("update settings set approval_rules = '{owner}'");
  const last = await company.signIn("owner");
  for (const name of ["First", "Second"]) {
    const body = { email: `${name.toLowerCase()}@example.com`, name, role: "owner" as const };
    expect((await company.call(last, inviteTeamMember, { body })).status).toBe(201);
  }
});
