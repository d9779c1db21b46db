import { endTeamMemberSessions } from "@purser/contract/auth/activeSessions";
import { permissions, roles } from "@purser/contract/auth/permissions";
import { getSession } from "@purser/contract/auth/session";
import { endpoints } from "@purser/contract/endpoints";
import type { Endpoint } from "@purser/contract/http/endpoint";
import {
  changeTeamMember,
  getTeamMember,
  listTeam,
  removeTeamMember,
  resendTeamMemberInvitation,
  resetTeamMemberTwoFactor,
  restoreTeamMember,
  suspendTeamMember,
} from "@purser/contract/users/team";
import { expect, test } from "vitest";
import { addPerson, newAddress, password } from "#platform/auth/testing.ts";
import { testProduct } from "#testing.ts";
import { refusalToGrant } from "./rules.ts";

const product = await testProduct();
const { call, owner, signIn } = product;

const rowOf = async (id: string) =>
  (await owner.query("select * from users where id = $1", [id])).rows[0];

/** A valid body for every endpoint that writes to a team member or an account. */
const bodies: Record<string, Record<string, unknown>> = {
  inviteTeamMember: { email: "mass@example.com", name: "Robin", role: "viewer" },
  resendTeamMemberInvitation: {},
  changeTeamMember: { name: "Robin", role: "viewer" },
  suspendTeamMember: {},
  restoreTeamMember: {},
  removeTeamMember: {},
  resetTeamMemberTwoFactor: {},
  signIn: { email: "mass@example.com", password },
  signInWithCode: { challenge: "A".repeat(43), code: "123456" },
  startPasskeySignIn: {},
  signInWithPasskey: {},
  signInWithSso: { answer: "code=x" },
  startSso: {},
  forgotPassword: { email: "mass@example.com" },
  getLink: { token: "A".repeat(43) },
  setPassword: { token: "A".repeat(43), password },
  changePassword: { current: password, password: "seventeen copper lanterns" },
  startTotp: {},
  confirmTotp: { code: "123456" },
  removeTotp: {},
  startPasskey: {},
  addPasskey: {},
  renamePasskey: { name: "Key" },
  startPasskeyConfirmation: {},
  confirmWithPasskey: {},
  confirmWithCode: { code: "123456" },
  confirmWithPassword: { password },
  changeOwnName: { name: "Robin" },
  changePreferences: {},
};

const userEndpoints = Object.entries(endpoints).filter(
  ([, { path, body }]) =>
    body &&
    /^\/(team|session|sessions|password|two-factor|passkeys|account|preferences)\b/.test(path),
);

/** Endpoints that take the id of a team member, and the roles that can use them. */
const actions = [
  { endpoint: getTeamMember, may: ["owner", "admin"] },
  { endpoint: changeTeamMember, may: ["owner"], body: { name: "Robin", role: "viewer" } },
  { endpoint: suspendTeamMember, may: ["owner"], body: {} },
  { endpoint: restoreTeamMember, may: ["owner"], body: {} },
  { endpoint: removeTeamMember, may: ["owner"], body: {} },
  { endpoint: resendTeamMemberInvitation, may: ["owner"], body: {} },
  { endpoint: resetTeamMemberTwoFactor, may: ["owner"], body: {} },
  { endpoint: endTeamMemberSessions, may: ["owner"] },
] as const;

test("T1 a user can't grant a role with more permissions than their own", () => {
  for (const actor of roles)
    for (const role of roles) {
      const lacks = Object.values(permissions).some(
        (allowed: readonly string[]) => allowed.includes(role) && !allowed.includes(actor),
      );
      expect(refusalToGrant(actor, role) !== null, `${actor} gives ${role}`).toBe(lacks);
    }
});

test("T3 lists every body that writes to team members or accounts", () => {
  expect(userEndpoints.map(([name]) => name).sort()).toEqual(Object.keys(bodies).sort());
});

test.each(userEndpoints)(
  "T3 %s accepts no column of users besides its own fields",
  async (name, endpoint) => {
    const actingOwner = await signIn("owner");
    const victim = await addPerson(product, { role: "viewer" });
    const before = [await rowOf(victim.id), await rowOf(actingOwner.id)];
    const { rows } = await owner.query<{ column_name: string }>(
      "select column_name from information_schema.columns where table_name = 'users'",
    );
    const own = Object.keys(endpoint.body?.shape ?? {});
    const columns = rows
      .flatMap(({ column_name: column }) => [
        column,
        column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      ])
      .filter((column) => !own.includes(column));
    expect(columns.length).toBeGreaterThan(5);
    for (const column of columns) {
      const body = { ...bodies[name], [column]: column === "role" ? "owner" : "active" };
      const { status, text } = await call(actingOwner, endpoint as Endpoint, {
        params: { id: victim.id } as never,
        body: body as never,
        version: before[0].version,
        address: newAddress(),
      });
      expect(status, `${column}: ${text}`).toBe(400);
      expect(text).toContain(`"/${column}"`);
    }
    expect([await rowOf(victim.id), await rowOf(actingOwner.id)]).toEqual(before);
  },
);

test.each(roles.flatMap((role) => roles.map((victim) => ({ role, victim }))))(
  "T1 a $role can act on a $victim, and on themselves, only as the table allows",
  async (of) => {
    const actor = await signIn(of.role);
    const victim = await signIn(of.victim);
    for (const { endpoint, may, ...sent } of actions)
      for (const id of [victim.id, actor.id]) {
        if ((may as readonly string[]).includes(of.role)) continue;
        const before = await rowOf(id);
        const answer = await call(actor, endpoint as Endpoint, {
          params: { id } as never,
          version: before.version,
          ...(sent as object),
        });
        expect(answer.status, `${endpoint.path} ${id === actor.id ? "self" : "other"}`).toBe(403);
        expect(await rowOf(id)).toEqual(before);
      }
    expect((await call(victim, getSession)).status).toBe(200);
    expect((await call(actor, listTeam)).status).toBe(
      ["owner", "admin"].includes(of.role) ? 200 : 403,
    );
  },
);
