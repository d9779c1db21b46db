import { listSignIns } from "@purser/contract/auth/activeSessions";
import { getSession } from "@purser/contract/auth/session";
import { expect, test } from "vitest";
import { findDemoMember, seedDemoTeam } from "../modules/users/seed/team.ts";
import { connectAsOwner } from "../platform/db/db.ts";
import { atEnd, testConfig, testDatabase, testProduct } from "../testing.ts";
import { assertDemoConfig, demo, findDemoOwner, hasOnlyDemoTeam } from "./demo.ts";
import { addDemoLink } from "./demoSignIn.ts";
import { runHere } from "./testing.ts";

const clock = { at: Date.now(), now: () => clock.at };
const product = await testProduct({ environment: { ENVIRONMENT: "test" }, clock });
const { app, call, owner, database } = product;
const { db: ownerDb } = connectAsOwner(database.url);
await seedDemoTeam(ownerDb, new Date());
const userId = (await findDemoMember(ownerDb, "owner")) ?? "";
await ownerDb.destroy();
// A new installation requires two-factor authentication, which the demo owner doesn't have.
await owner.query(
  "update settings set second_factor_roles = '{owner}', second_factor_grace_days = 0",
);

type Given = { host?: string; token?: string; method?: "GET" | "HEAD" };

/** A link of its own, and a function that opens it. */
const linkAt = (path: string) => {
  const link = new URL(addDemoLink(app, { userId, isDemo: hasOnlyDemoTeam, path }));
  const open = ({ host = "localhost:3000", token, method = "GET" }: Given = {}) => {
    const url = new URL(link);
    if (token !== undefined) url.searchParams.set("token", token);
    return app.inject({ method, url: `${url.pathname}${url.search}`, headers: { host } });
  };
  return { link, open };
};
// Before the first request, because no route can be added later.
const [once, late, real] = [linkAt("/demo-once"), linkAt("/demo-late"), linkAt("/demo-real")];

const unusable = "This link has expired or was already used. Start the demo again for a new one.\n";
const sessions = async () => (await owner.query("select from sessions")).rowCount;

test("the link of the demo signs in as its owner, once and on this machine only", async () => {
  const { link, open } = once;
  expect(link.origin).toBe("http://localhost:3000");
  // Neither a wrong token or host nor a look at the link uses it up.
  for (const token of ["", "x".repeat(43)])
    expect(await open({ token })).toMatchObject({ statusCode: 410, body: unusable });
  for (const host of ["purser.example.com", "localhost.example.com", "192.168.1.4:3000"])
    expect(await open({ host })).toMatchObject({ statusCode: 410, body: unusable });
  expect((await open({ method: "HEAD" })).statusCode).toBe(404);
  expect(await sessions()).toBe(0);

  const opened = await Promise.all([open(), open()]);
  expect(opened.map(({ statusCode }) => statusCode).sort()).toEqual([303, 410]);
  const signedIn = opened.find(({ statusCode }) => statusCode === 303);
  expect(signedIn?.headers.location).toBe("/");
  const [cookie] = (signedIn?.cookies ?? []).filter(({ name }) => name === "__Host-purser");
  expect(cookie).toMatchObject({ httpOnly: true, secure: true, sameSite: "Strict", path: "/" });
  const session = await call({ cookie: `${cookie?.name}=${cookie?.value}` }, getSession);
  expect(session.status).toBe(200);
  expect(session.body).toMatchObject({ id: userId, role: "owner", twoFactorRequirement: null });

  const signIns = await call({ cookie: `${cookie?.name}=${cookie?.value}` }, listSignIns);
  expect(signIns.body.items).toMatchObject([{ how: "demo link", outcome: "ok" }]);

  const again = await open();
  expect(again).toMatchObject({ statusCode: 410, body: unusable });
  expect(again.headers["set-cookie"]).toBeUndefined();
  expect(await sessions()).toBe(1);
});

test("the link is refused after 10 minutes, and once there is a real team member", async () => {
  await owner.query(
    "insert into users (email, name, role, status) values ('ada@company.example', 'Ada', 'viewer', 'active')",
  );
  expect(await real.open()).toMatchObject({ statusCode: 410, body: unusable });
  await owner.query("delete from users where email = 'ada@company.example'");
  clock.at += 10 * 60_000;
  expect(await late.open()).toMatchObject({ statusCode: 410, body: unusable });
  expect(await sessions()).toBe(1);
});

test("a server that wasn't started as a demo doesn't have the link", async () => {
  expect((await app.inject({ url: "/demo-sign-in?token=x" })).statusCode).toBe(404);
});

test("the demo is refused on another host and in a live environment", async () => {
  const refusal = async (more: Record<string, string>) =>
    (await runHere(testConfig(database.url, more), demo)).stderr;
  expect(await refusal({ ENVIRONMENT: "live" })).toBe(
    "The demo doesn't start in a live environment. Set ENVIRONMENT=test.\n",
  );
  expect(await refusal({ ENVIRONMENT: "test", PUBLIC_URL: "https://purser.example.com" })).toMatch(
    /^The demo works only on this machine, and PUBLIC_URL is https:\/\/purser\.example\.com\./,
  );
  const allowed = { ENVIRONMENT: "test", PUBLIC_URL: "http://127.0.0.1:3000" };
  expect(() => assertDemoConfig(testConfig(database.url, allowed))).not.toThrow();
});

test("the demo takes an empty database or one with demo data, and no other", async () => {
  const empty = await testDatabase();
  const { db } = connectAsOwner(empty.url);
  atEnd(async () => {
    await db.destroy();
    await empty.drop();
  });
  const add = (email: string, role: "owner" | null) =>
    db.insertInto("users").values({ email, name: "Ada", role, status: "active" }).execute();
  expect(await findDemoOwner(db)).toBeNull();
  await add("ada@example.com", "owner");
  await expect(findDemoOwner(db)).rejects.toThrow(/^This database isn't a demo: /);
  await seedDemoTeam(db, new Date());
  await add("ada@customer.example", null);
  expect(await findDemoOwner(db)).toBe(await findDemoMember(db, "owner"));
  await add("ada@company.example", "owner");
  await expect(findDemoOwner(db)).rejects.toThrow(/^This database isn't a demo: /);
});
