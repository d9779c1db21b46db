import { changeTaxRate, createTaxRate, listTaxRates } from "@purser/contract/money/taxRates";
import { createPackage } from "@purser/contract/packages/endpoints";
import {
  changeSettings,
  getCompany,
  getEncryption,
  getSettings,
  getSettingsActivity,
  noSeller,
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
  [{ taxIncluded: ["EUR", "EUR"] }, "/taxIncluded"],
  [{ invoicePrefix: "inv" }, "/invoicePrefix"],
  [{ creditNotePrefix: "INV" }, "/creditNotePrefix"],
  [{ documentRetentionYears: 31 }, "/documentRetentionYears"],
  [{ seller: { ...noSeller, vatNumber: "DE12" } }, "/seller/vatNumber"],
  [{ seller: { ...noSeller, bank: { name: null, iban: "12", bic: null } } }, "/seller/bank/iban"],
  [{ accountCodes: { revenue: "4 000" } }, "/accountCodes/revenue"],
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

test("stores tax, documents and account codes, and lists them in the activity", async () => {
  expect(await read()).toMatchObject({
    taxIncluded: [],
    seller: noSeller,
    invoicePrefix: "INV",
    creditNotePrefix: "CN",
    sendDocuments: false,
    documentRetentionYears: 10,
    accountCodes: {},
  });
  const seller = {
    ...noSeller,
    name: "Quay GmbH",
    lines: ["Kai 1"],
    postalCode: "20457",
    city: "Hamburg",
    country: "DE",
    vatNumber: "DE123456789",
    bank: { name: "Bank", iban: "DE02120300000000202051", bic: null },
  };
  const wanted = {
    taxIncluded: ["EUR"],
    seller,
    invoicePrefix: "QINV",
    creditNotePrefix: "QCN",
    sendDocuments: true,
    documentRetentionYears: 8,
    accountCodes: { revenue: "8400", tax: "1776" },
  };
  const saved = await change(wanted);
  expect(saved, saved.text).toMatchObject({ status: 200, body: wanted });
  const { body: activity } = await call(admin, getSettingsActivity);
  expect(activity.items[0]?.changes).toEqual(
    expect.arrayContaining([
      { field: "taxIncluded", before: [], after: ["EUR"] },
      { field: "seller", before: {}, after: expect.objectContaining({ name: "Quay GmbH" }) },
      { field: "accountCodes", before: {}, after: { revenue: "8400", tax: "1776" } },
    ]),
  );
});

test("a tax rate can't start before the year 1", async () => {
  const body = { country: "TO", name: "VAT", basisPoints: 865, validFrom: "0000-01-01" };
  const refused = await call(boss, createTaxRate, { body: body as never });
  expect([refused.status, refused.body["errors"]]).toMatchObject([
    400,
    [{ pointer: "/validFrom", code: "time_too_early" }],
  ]);
});

test("owners manage tax rates, which are in the activity", async () => {
  const rate = {
    country: "DE",
    name: "VAT",
    category: "standard" as const,
    basisPoints: 1900,
    validFrom: "2026-01-01",
  };
  expect((await call(admin, createTaxRate, { body: rate })).status).toBe(403);
  const made = await call(boss, createTaxRate, { body: rate });
  expect(made, made.text).toMatchObject({
    status: 201,
    body: { ...rate, region: null, validUntil: null },
  });
  const overlapping = await call(boss, createTaxRate, {
    body: { ...rate, validFrom: "2026-06-01" },
  });
  expect(overlapping.status).toBe(409);
  const { id, version } = made.body;
  const ended = await call(boss, changeTaxRate, {
    params: { id },
    version,
    body: { ...rate, validUntil: "2027-01-01" },
  });
  expect(ended.body).toMatchObject({ validUntil: "2027-01-01" });
  const next = { ...rate, basisPoints: 2000, validFrom: "2027-01-01" };
  expect((await call(boss, createTaxRate, { body: next })).status).toBe(201);
  const { body: rates } = await call(admin, listTaxRates);
  expect(rates.items.map(({ basisPoints }) => basisPoints)).toEqual([1900, 2000]);
  const { body: activity } = await call(admin, getSettingsActivity);
  expect(activity.items.slice(0, 3).map(({ entity, action }) => [entity, action])).toEqual([
    ["tax_rates", "insert"],
    ["tax_rates", "update"],
    ["tax_rates", "insert"],
  ]);
});

test("there is exactly one row, which the application can't add or delete", async () => {
  await expect(owner.query("insert into settings (id) values (uuid_v7())")).rejects.toThrow(
    "settings_only_one",
  );
  await expect(platform.pool.query("delete from settings")).rejects.toThrow("permission denied");
});

test("D9 the settings say how many secrets use an older key", async () => {
  expect((await call(admin, getEncryption)).body).toEqual({ keys: 1, older: 0, unreadable: 0 });
  expect((await call(viewer, getEncryption)).status).toBe(403);
});
