import {
  activateApp,
  archiveApp,
  createApp,
  deleteApp,
  getApp,
  listApps,
  restoreApp,
  resumeApp,
  suspendApp,
} from "@purser/contract/apps/endpoints";
import { roles } from "@purser/contract/auth/permissions";
import { getAppActivity } from "@purser/contract/workspace/audit";
import { expect, test } from "vitest";
import { testProduct } from "../../testing.ts";

const { call, signIn, owner } = await testProduct();
const admin = await signIn("admin");

let made = 0;
const newApp = async () => {
  made += 1;
  return (await call(admin, createApp, { body: { code: `app-${made}`, name: `App ${made}` } }))
    .body;
};

const activeApp = async () => {
  const { id, version } = await newApp();
  return (await call(admin, activateApp, { params: { id }, version, body: {} })).body;
};

const read = async (id: string) => (await call(admin, getApp, { params: { id } })).body;

type Action = typeof suspendApp | typeof resumeApp | typeof archiveApp | typeof restoreApp;

const act = async (action: Action, id: string, more: object = {}) => {
  const body = action === suspendApp ? { reason: "A security incident" } : {};
  const { version } = await read(id);
  return call(admin, action, { params: { id }, version, body: body as never, ...more });
};

test("an app is suspended once and resumed once", async () => {
  const { id } = await activeApp();
  const suspended = await act(suspendApp, id);
  expect(suspended.body).toMatchObject({ status: "active", suspendedAt: expect.any(String) });
  const again = await act(suspendApp, id);
  expect([again.status, again.body["reason"]]).toEqual([409, "app_already_suspended"]);
  expect((await read(id)).suspendedAt).toBe(suspended.body.suspendedAt);
  expect((await act(resumeApp, id)).body.suspendedAt).toBeNull();
  const twice = await act(resumeApp, id);
  expect([twice.status, twice.body["reason"]]).toEqual([409, "app_not_suspended"]);
});

test("a draft can't be suspended", async () => {
  const { id } = await newApp();
  const refused = await act(suspendApp, id);
  expect([refused.status, refused.body["reason"]]).toEqual([409, "app_draft_suspend"]);
});

test("suspending requires a reason, the version that was seen and an idempotency key", async () => {
  const { id, version } = await activeApp();
  const params = { id };
  const unexplained = await call(admin, suspendApp, { params, version, body: { reason: " " } });
  expect([unexplained.status, unexplained.body["errors"]]).toMatchObject([
    400,
    [{ pointer: "/reason" }],
  ]);
  const body = { reason: "A security incident" };
  expect((await call(admin, suspendApp, { params, body })).status).toBe(428);
  const stale = await call(admin, suspendApp, { params, version: version + 1, body });
  expect(stale.status).toBe(412);
  const key = crypto.randomUUID();
  const first = await call(admin, suspendApp, { params, version, body, key });
  const repeated = await call(admin, suspendApp, { params, version, body, key });
  expect([first.status, repeated.status]).toEqual([200, 200]);
  expect(repeated.body).toEqual(first.body);
});

test("only owners and admins suspend and resume apps", async () => {
  for (const role of roles) {
    const { id, version } = await activeApp();
    const member = await signIn(role);
    const body = { reason: "A security incident" };
    const { status } = await call(member, suspendApp, { params: { id }, version, body });
    expect([role, status]).toEqual([role, role === "owner" || role === "admin" ? 200 : 403]);
    if (status === 403) await act(suspendApp, id);
    const suspended = await read(id);
    const params = { id };
    const resumed = await call(member, resumeApp, { params, version: suspended.version, body: {} });
    expect([role, resumed.status]).toEqual([role, status]);
  }
});

test("an app is archived and suspended independently of each other", async () => {
  const { id } = await activeApp();
  await act(suspendApp, id);
  expect((await act(archiveApp, id)).body).toMatchObject({
    status: "archived",
    suspendedAt: expect.any(String),
  });
  expect((await act(resumeApp, id)).body).toMatchObject({ status: "archived", suspendedAt: null });
  await act(suspendApp, id);
  expect((await act(restoreApp, id)).body).toMatchObject({
    status: "active",
    suspendedAt: expect.any(String),
  });
  const { version } = await read(id);
  const deleted = await call(admin, deleteApp, { params: { id }, version });
  expect(deleted.status).toBe(409);
});

test("the database refuses a suspended draft", async () => {
  const { id } = await newApp();
  await expect(
    owner.query("update apps set suspended_at = now() where id = $1", [id]),
  ).rejects.toThrow("apps_suspended");
});

test("the list finds suspended apps, and the history has who suspended them and why", async () => {
  const { id } = await activeApp();
  await act(suspendApp, id);
  const idsOf = async (value: string) => {
    const query = { f: [`isSuspended:is:${value}`], size: "100" } as never;
    return (await call(admin, listApps, { query })).body.items.map((app) => app.id);
  };
  expect(await idsOf("true")).toContain(id);
  expect(await idsOf("false")).not.toContain(id);
  const { items } = (await call(admin, getAppActivity, { params: { id } })).body;
  expect(items[0]).toMatchObject({
    reason: "A security incident",
    changes: [{ field: "suspendedAt", before: null }],
  });
});
