import { randomUUID } from "node:crypto";
import { listApps } from "@purser/contract/apps/endpoints";
import { getSession } from "@purser/contract/auth/session";
import { getTeamMember, resetTeamMemberTwoFactor } from "@purser/contract/users/team";
import { requestApproval } from "@purser/contract/workspace/approvals";
import { expect, test, vi } from "vitest";
import { workersOf } from "#modules/packages/testing/workers.testing.ts";
import {
  addPersonWithCode,
  attemptSignIn,
  enter,
  movableClock,
  openMailSink,
  startCode,
} from "#platform/auth/testing.ts";
import { testProduct } from "#testing.ts";
import { patiently } from "../../../patience.testing.ts";

const mail = await openMailSink();
const clock = movableClock();
const product = await testProduct({ clock, environment: { SMTP_URL: mail.url } });
const { call, owner, signIn } = product;

const reset = (by: { cookie: string }, id: string) =>
  call(by, resetTeamMemberTwoFactor, { params: { id }, body: { reason: "Lost the phone." } });

const addPasskey = (id: string) =>
  owner.query(
    `insert into passkeys (user_id, name, credential_id, public_key, counter, transports, created_at)
     values ($1, 'Key', $2, '', 0, '{}', now())`,
    [id, randomUUID()],
  );

test("D6 D7 an owner resets lost factors: sessions end, it is audited and emailed, and new factors are set up first", async () => {
  await owner.query(
    "update settings set second_factor_roles = '{viewer}', second_factor_grace_days = 14",
  );
  const boss = await signIn("owner", "Olga Owner");
  const person = await addPersonWithCode(product, clock);
  await addPasskey(person.id);
  await startCode(product, person.email);
  const done = await reset(boss, person.id);
  expect(done.status, done.text).toBe(200);
  expect(done.body.twoFactor).toEqual({ authenticator: false, passkeys: 0 });
  expect((await call(person, getSession)).status).toBe(401);
  const { rows } = await owner.query(
    `select entity, actor_name, reason from audit_entries
     where action = 'delete' and entity in ('authenticators', 'passkeys') order by entity`,
  );
  expect(rows).toEqual([
    { entity: "authenticators", actor_name: "Olga Owner", reason: "Lost the phone." },
    { entity: "passkeys", actor_name: "Olga Owner", reason: "Lost the phone." },
  ]);
  const codes = await owner.query("select from recovery_codes where user_id = $1", [person.id]);
  expect(codes.rowCount).toBe(0);
  // Without a grace period, although the settings have one.
  const again = await enter(product, person.email);
  expect((await call(again, listApps)).body["type"]).toBe("urn:purser:problem:two_factor_required");
  await workersOf(product).work();
  await vi.waitFor(
    () => {
      const letters = mail.mails.filter(({ to }) => to === person.email);
      expect(letters.map(({ text }) => text).join()).toContain("Olga Owner removed your passkeys");
    },
    { timeout: patiently(10_000) },
  );
});

test("D4 D6 a reset needs a recent proof, another person, and approval for an owner", async () => {
  const boss = await signIn("owner");
  const other = await signIn("owner");
  const member = await addPersonWithCode(product, clock);
  const stale = await signIn("owner", "Stale", "stale");
  expect((await reset(stale, member.id)).body["type"]).toBe("urn:purser:problem:proof_required");
  await addPasskey(boss.id);
  await addPasskey(other.id);
  expect((await reset(boss, boss.id)).body["type"]).toBe("urn:purser:problem:own_account");
  expect((await reset(boss, other.id)).body["type"]).toBe("urn:purser:problem:approval_required");
  const asked = await call(boss, requestApproval, {
    body: {
      operation: "POST /team/:id/two-factor/reset",
      params: { id: other.id },
      body: {},
      reason: "Lost the phone.",
    },
  });
  expect(asked.body.takesEffectAt, asked.text).not.toBeNull();
  const { twoFactor } = (await call(boss, getTeamMember, { params: { id: other.id } })).body;
  expect(twoFactor.passkeys).toBe(1);
  for (const role of ["admin", "support", "viewer"] as const)
    expect((await reset(await signIn(role), member.id)).status).toBe(403);
  const none = await signIn("viewer");
  expect((await reset(boss, none.id)).body["type"]).toBe("urn:purser:problem:wrong_state");
  expect((await attemptSignIn(product, { email: member.email })).body.state).toBe("second factor");
});
