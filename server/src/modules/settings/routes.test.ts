import { createPackage } from "@purser/contract/packages/endpoints";
import {
  changeSettings,
  getCompany,
  getSettings,
  getSettingsActivity,
  type SettingsDetails,
} from "@purser/contract/workspace/settings";
import { expect, test, vi } from "vitest";
import { testProduct } from "../../testing.ts";

const product = await testProduct({
  environment: { COMPANY_NAME: "Northquay", COMPANY_TIME_ZONE: "Europe/Lisbon" },
});
const { call, signIn, owner, platform } = product;
const boss = await signIn("owner");
const admin = await signIn("admin");
const viewer = await signIn("viewer");

const read = async () => (await call(boss, getSettings)).body;

const change = async (changes: Partial<SettingsDetails> & { reason?: string }, as = boss) => {
  const { version, updatedAt: _, ...details } = await read();
  return call(as, changeSettings, { body: { ...details, ...changes }, version });
};

test("name and time zone default to the environment", async () => {
  expect(await read()).toMatchObject({
    companyName: "Northquay",
    timeZone: "Europe/Lisbon",
    currencies: [],
    graceDays: 7,
    passwordsAllowed: true,
    version: 1,
  });
});

test("owners change settings, admins read them, and others see only the company", async () => {
  expect((await change({ graceDays: 3 }, admin)).status).toBe(403);
  expect((await call(viewer, getSettings)).status).toBe(403);
  const changed = await change({ companyName: "Quay", reason: "The company has a new name." });
  expect(changed).toMatchObject({ status: 200, body: { companyName: "Quay" } });
  const { body } = await call(viewer, getCompany);
  expect(body).toEqual({ name: "Quay", timeZone: "Europe/Lisbon", currencies: [] });
  const { body: activity } = await call(admin, getSettingsActivity);
  expect(activity.items[0]).toMatchObject({
    entity: "settings",
    actor: { id: boss.id },
    reason: "The company has a new name.",
  });
  expect(activity.items[0]?.changes).toContainEqual({
    field: "companyName",
    before: null,
    after: "Quay",
  });
});

test("pages and lists use a new name and time zone without a restart", async () => {
  await change({ companyName: "Harbour", timeZone: "Asia/Tokyo" });
  await vi.waitFor(() =>
    expect(platform.company.current()).toEqual({ name: "Harbour", timeZone: "Asia/Tokyo" }),
  );
});

test("refuses the second of two concurrent changes", async () => {
  const { version, updatedAt: _, ...details } = await read();
  const [one, other] = await Promise.all(
    [3, 5].map((graceDays) =>
      call(boss, changeSettings, { body: { ...details, graceDays }, version }),
    ),
  );
  expect([one?.status, other?.status].sort()).toEqual([200, 412]);
});

test.each([
  [{ timeZone: "Mars/Olympus" }, "/timeZone"],
  [{ currencies: ["EUR", "EUR"] }, "/currencies"],
  [{ currencies: ["XXX"] }, "/currencies/0"],
  [{ graceDays: 91 }, "/graceDays"],
  // Without single sign-on, no one could sign in any more.
  [{ passwordsAllowed: false }, "/passwordsAllowed"],
  [{ refundLimits: { EUR: -1 } }, "/refundLimits/EUR"],
])("%j is refused at its field", async (changes, pointer) => {
  const refused = await change(changes);
  expect(refused.status).toBe(400);
  expect(refused.body["errors"]).toMatchObject([{ pointer }]);
});

test("refuses a new price in a currency that the company doesn't use", async () => {
  await change({ currencies: ["EUR", "PLN"] });
  const body = (currency: string) => ({
    code: `priced-${currency.toLowerCase()}`,
    name: "Priced",
    prices: [{ currency, amount: 900, interval: "month" as const }],
  });
  const refused = await call(boss, createPackage, { body: body("USD") });
  expect(refused.body["errors"]).toMatchObject([
    {
      pointer: "/prices/0/currency",
      message: expect.stringContaining("enabled currencies (EUR and PLN)"),
    },
  ]);
  expect((await call(boss, createPackage, { body: body("PLN") })).status).toBe(201);
});

test("there is exactly one row, which the application can't add or delete", async () => {
  await expect(owner.query("insert into settings (id) values (uuid_v7())")).rejects.toThrow(
    "settings_only_one",
  );
  await expect(platform.pool.query("delete from settings")).rejects.toThrow("permission denied");
});
