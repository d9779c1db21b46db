import { changeTeamMember, inviteTeamMember } from "@purser/contract/users/team";
import { approveApproval, requestApproval } from "@purser/contract/workspace/approvals";
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

test("lets the only owner add another one after the waiting period, with an invited one too", async () => {
  const alone = await testProduct();
  await alone.owner.query("update settings set approval_rules = '{owner}'");
  const last = await alone.signIn("owner");
  for (const name of ["First", "Second"]) {
    const body = { email: `${name.toLowerCase()}@example.com`, name, role: "owner" as const };
    const refused = await alone.call(last, inviteTeamMember, { body });
    expect(refused.body["type"]).toBe("urn:purser:problem:approval_required");
    const made = await alone.call(last, requestApproval, {
      body: { operation: "POST /team", params: {}, body, reason: "Takes over." },
    });
    expect(made.body.takesEffectAt).not.toBeNull();
    await alone.owner.query("insert into users (email, name, role) values ($1, 'I', 'owner')", [
      `invited-${name.toLowerCase()}@example.com`,
    ]);
  }
});
