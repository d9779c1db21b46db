import { randomUUID } from "node:crypto";
import { getSetup } from "@purser/contract/reports/home";
import { previewRevert, revertEntry } from "@purser/contract/workspace/audit";
import { expect, test } from "vitest";
import { serviceAccountsIn } from "../modules/users/testing/serviceAccounts.testing.ts";
import { keyLimits } from "../platform/auth/keyLimits.ts";
import { bothModes } from "./bothModes.testing.ts";

const { live, test: testMode, listen } = await bothModes();
const admin = await live.signIn("owner", "Ann Admin");
await live.app.ready();

/** Asks at the port that both modes share. */
const openPort = async () => {
  const origin = await listen();
  return async (path: string, headers: Record<string, string>, method = "GET") => {
    const answer = await fetch(`${origin}${path}`, { method, headers });
    return { status: answer.status, text: await answer.text() };
  };
};

test("a service account of test mode reads what both modes share, without the limits of live", async () => {
  const ask = await openPort();
  const { newCaller } = serviceAccountsIn(testMode, admin);
  const { serviceKey, id } = await newCaller();
  const headers = { authorization: `Bearer ${serviceKey}` };
  for (const path of ["/settings", "/roles", "/team"]) {
    const { status, text } = await ask(`/api/test${path}`, headers);
    expect([path, status, text]).toEqual([path, 200, expect.any(String)]);
  }
  const session = await ask("/api/test/session", headers);
  expect([session.status, JSON.parse(session.text)]).toMatchObject([200, { id }]);
  const settings = { ...headers, "content-type": "application/json" };
  expect(await ask("/api/test/settings", settings, "PUT")).toMatchObject({
    status: 409,
    text: expect.stringContaining("Exit test mode to change them."),
  });
});

test("wrong keys of service accounts in test mode don't count in live", async () => {
  const ask = await openPort();
  const { serviceKey } = await serviceAccountsIn(live, admin).newCaller();
  const wrong = { authorization: "Bearer purser_sa_test_unknown" };
  for (let tries = 0; tries < keyLimits.refused; tries += 1)
    await ask("/api/test/settings", { authorization: `${wrong.authorization}${tries}` });
  expect((await ask("/api/test/settings", wrong)).status).toBe(429);
  const own = { authorization: `Bearer ${serviceKey}` };
  expect((await ask("/api/settings", own)).status).toBe(200);
});

test("the profile of test mode shows the active sessions after the clock was moved", async () => {
  await testMode.owner.query("update test_clock set ahead_ms = ahead_ms + 864000000");
  const url = `/test/account/_payload.json?${"1".repeat(16)}`;
  const { cookie } = admin;
  const { statusCode, body } = await testMode.app.inject({ url, headers: { cookie } });
  expect([statusCode, body]).toEqual([200, expect.any(String)]);
  const { data } = JSON.parse(body);
  expect(data["/sessions"].items).toMatchObject([{ current: true }]);
});

test("the setup of test mode knows whether the account is secured", async () => {
  const { id, cookie } = await live.signIn("owner", "Olga");
  const isSecured = async () =>
    (await testMode.call({ cookie }, getSetup)).body.steps.find(({ step }) => step === "account")
      ?.isDone;
  expect(await isSecured()).toBe(false);
  await live.owner.query(
    `insert into passkeys (user_id, name, credential_id, public_key, counter, transports, created_at)
     values ($1, 'Key', $2, '\\x00', 0, '{}', now())`,
    [id, randomUUID()],
  );
  expect(await isSecured()).toBe(true);
});

const entryOf = async (entity: string, recordId: string) => {
  const { rows } = await testMode.owner.query<{ id: string }>(
    `select e.id::text from audit_entries e where entity = $1 and record_id = $2 and action = 'update'
     order by e.id desc limit 1`,
    [entity, recordId],
  );
  return { id: rows[0]?.id ?? "" };
};

test("an entry about settings or the team can't be reverted in test mode", async () => {
  const member = await live.signIn("viewer", "Bea");
  await testMode.platform.testMode?.copies.refresh();
  await live.owner.query("update settings set company_name = $1", [randomUUID()]);
  await live.owner.query("update users set name = 'Beatrice' where id = $1", [member.id]);
  await testMode.platform.testMode?.copies.refresh();
  const settings = "00000000-0000-7000-8000-000000000001";
  for (const params of [await entryOf("settings", settings), await entryOf("users", member.id)]) {
    const preview = await testMode.call(admin, previewRevert, { params });
    expect([preview.status, preview.text]).toEqual([
      200,
      expect.stringContaining("Exit test mode to change them."),
    ]);
    const { version } = preview.body;
    const reverted = await testMode.call(admin, revertEntry, {
      params,
      body: {},
      ...(typeof version === "number" && { version }),
    } as never);
    expect([reverted.status, reverted.text]).toEqual([
      409,
      expect.stringContaining("Exit test mode to change them."),
    ]);
  }
});
