import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { webhookTypes } from "@purser/contract/workspace/webhooks";
import { callApi, uniqueCode } from "../data/api.ts";
import { activateApp, makeApp } from "../data/apps.ts";
import { makeUser } from "../data/customers.ts";
import { makeFeature } from "../data/features.ts";
import { changeDraft, makePackage } from "../data/packages.ts";
import { prices, publishWith } from "../data/packageVersions.ts";
import { makePromotion, publishPromotion } from "../data/promotions.ts";
import type { Sale } from "../data/transactions.ts";
import type { Product } from "../environment/product.ts";
import { allPayloads, fitted } from "./payloads.ts";

const post = <Reply = { id: string }>(page: Page, path: string, body: unknown, version?: number) =>
  callApi<Reply>(page, { method: "POST", path, body, ...(version && { version }) });

/** The payload in a name that is taken only once. */
const uniqueName = (payload: string, max: number) =>
  `${fitted(payload, max - 9)} ${randomUUID().slice(0, 8)}`;

const makeCatalog = async (page: Page, payload: string) => {
  const name = fitted(payload, 120);
  const app = await activateApp(
    page,
    await makeApp(page, {
      name,
      description: allPayloads,
      website: `https://example.com/?${payload}`,
      reason: payload,
    }),
  );
  await post(page, `/apps/${app.id}/keys`, {
    name,
    kind: "server",
    scopes: ["entitlements:read"],
  });
  const account = await post(page, "/service-accounts", {
    name,
    role: "viewer",
    permissions: null,
  });
  await post(page, `/service-accounts/${account.id}/keys`, { name });
  const choice = {
    kind: "choice",
    options: [
      { code: "one", name: fitted(payload, 60) },
      { code: "two", name: `2 ${fitted(payload, 58)}` },
    ],
    defaultValue: "one",
  };
  const feature = await makeFeature(page, { name, description: allPayloads, ...choice }, app);
  const unit = { one: fitted(payload, 30), many: fitted(payload, 30) };
  const limit = await makeFeature(page, { name, kind: "limit", unit, defaultValue: 3 }, app);
  const pack = await makePackage(page, { name, description: allPayloads, prices, trialDays: 0 });
  await changeDraft(page, pack, {
    addApps: [app.id],
    cells: [
      { featureId: feature.id, value: "two", was: null },
      { featureId: limit.id, value: 7, was: null },
    ],
  });
  await publishWith(page, pack, { note: payload });
  const promotion = await publishPromotion(page, await makePromotion(page, { name }));
  for (const path of [
    `/apps/${app.id}`,
    `/features/${feature.id}`,
    `/packages/${pack.id}`,
    `/promotions/${promotion.id}`,
  ])
    await post(page, `${path}/comments`, { text: allPayloads });
  return { app, feature, limit, pack, promotion };
};

const makeCustomer = async (page: Page, payload: string) => {
  const line = fitted(payload, 100);
  const user = await makeUser(page, {
    name: fitted(payload, 120),
    externalId: `${uniqueCode()} ${fitted(payload, 120)}`,
    company: fitted(payload, 120),
    country: "EE",
    region: fitted(payload, 60),
    address: {
      lines: [line, line],
      postalCode: fitted(payload, 20),
      city: fitted(payload, 60),
    },
    note: allPayloads,
  });
  await post(page, `/users/${user.id}/notes`, { text: allPayloads });
  await post(page, `/users/${user.id}/balance`, {
    currency: "EUR",
    amount: 100,
    reason: payload,
  });
  return user;
};

const makeSale = async (page: Page, packageId: string, email: string, payload: string) => {
  const wanted = {
    email,
    packageId,
    currency: "EUR",
    interval: "month",
    occurredAt: new Date(Date.now() - 1000).toISOString(),
    manualTax: 0,
    taxReason: payload,
  };
  const { quote } = await post<{ quote: { total: number } }>(page, "/transactions/quote", wanted);
  return post<Sale>(page, "/transactions", {
    ...wanted,
    state: "succeeded",
    reference: `${randomUUID()} ${payload}`,
    note: allPayloads,
    tags: [fitted(payload, 40)],
    total: quote.total,
  });
};

const makeSales = async (page: Page, packageId: string, email: string, payload: string) => {
  const sale = await makeSale(page, packageId, email, payload);
  await post(page, `/transactions/${sale.id}/refund`, {
    amount: 100,
    access: "keep",
    reason: payload,
    note: allPayloads,
    reference: `${randomUUID()} ${payload}`,
  });
  await post(page, `/transactions/${sale.id}/comments`, { text: allPayloads });
  const other = await makeSale(page, packageId, `${uniqueCode()}@example.com`, payload);
  const read = () => callApi<Sale>(page, { path: `/transactions/${other.id}` });
  const tag = `${fitted(payload, 38)} 2`;
  await post(page, `/transactions/${other.id}/tag`, { tag }, (await read()).version);
  const { version } = await read();
  const evidence = { outcome: "disputed", evidence: payload };
  await post(page, `/transactions/${other.id}/dispute`, evidence, version);
  return { sale, disputed: other };
};

const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** An import of a row without an email address. With a mapping, the row is checked and rejected. */
const makeImport = async (page: Page, payload: string, mapping?: (string | null)[]) => {
  const { id } = await post(page, "/imports", { kind: "customers", name: fitted(payload, 200) });
  const text = `email,${cell(payload)}\n${uniqueCode()}@example.com,${cell(payload)}\n`;
  await callApi(page, {
    method: "PUT",
    path: `/imports/${id}/parts/1`,
    body: { text, isLast: true },
  });
  if (mapping)
    await callApi(page, { method: "PUT", path: `/imports/${id}/mapping`, body: { mapping } });
  return id;
};

/** The settings, a tax rate, a webhook endpoint and imports. They belong to the whole workspace. */
const storeInWorkspace = async (page: Page, payload: string) => {
  type Settings = { version: number; updatedAt: string; seller: object };
  const {
    version,
    updatedAt: _,
    ...settings
  } = await callApi<Settings>(page, { path: "/settings" });
  const part = fitted(payload, 50);
  await callApi(page, {
    method: "PUT",
    path: "/settings",
    version,
    body: {
      ...settings,
      companyName: fitted(payload, 60),
      signInGroups: [{ group: payload, role: "viewer" }],
      seller: {
        ...settings.seller,
        name: fitted(payload, 150),
        lines: [fitted(payload, 100)],
        postalCode: fitted(payload, 20),
        city: fitted(payload, 60),
        region: fitted(payload, 60),
        country: "EE",
        registrationNumber: part,
        bank: { name: fitted(payload, 100), iban: "EE382200221020145685", bic: null },
      },
    },
  });
  await post(page, "/tax-rates", {
    country: "US",
    region: fitted(payload, 60),
    name: fitted(payload, 60),
    category: "standard",
    basisPoints: 100,
    validFrom: "2026-01-01",
    validUntil: null,
  });
  await post(page, "/webhook-endpoints", {
    url: `https://127.0.0.1/${uniqueCode()}?${payload}`,
    description: payload,
    types: webhookTypes,
  });
  const view = { name: fitted(payload, 40), q: payload, f: [`name:contains:${payload}`] };
  const reference = { features: fitted(payload, 40) };
  const body = {
    views: { apps: [view] },
    defaultViews: reference,
    testModeDefaultViews: reference,
  };
  await callApi(page, { method: "PUT", path: "/preferences", body });
  await post(page, "/views", { ...view, name: uniqueName(payload, 40), list: "apps" });
  await post(page, "/imports/mappings", {
    kind: "customers",
    name: uniqueName(payload, 80),
    fields: [{ column: fitted(payload, 200), field: "email" }],
  });
  await post(page, "/reports/saved", {
    name: uniqueName(payload, 80),
    search: { tab: "mrr" },
  });
  return {
    mappedImport: await makeImport(page, payload),
    checkedImport: await makeImport(page, payload, [null, "email"]),
  };
};

/** What no call of a test can store: names of passkeys and devices. */
const storeInDatabase = async ({ database }: Product, payload: string) => {
  await database.query("update sessions set device = $1", [payload]);
  await database.query(
    `insert into passkeys (user_id, name, credential_id, public_key, counter, transports, created_at)
     select user_id, $1, gen_random_uuid()::text, '', 0, '{}', now() from sessions limit 1`,
    [fitted(payload, 60)],
  );
};

const requestRefund = (page: Page, { id }: Sale, payload: string) =>
  post(page, "/approvals", {
    operation: "POST /transactions/:id/refund",
    params: { id },
    body: { amount: 500, access: "keep", reason: payload },
    reason: payload,
  });

/** One record of each kind with the payload in every text. */
export const storeEverywhere = async (page: Page, product: Product, payload: string) => {
  await product.database.query("update settings set approval_rules = '{}'");
  const imports = await storeInWorkspace(page, payload);
  const catalog = await makeCatalog(page, payload);
  const user = await makeCustomer(page, payload);
  const sales = await makeSales(page, catalog.pack.id, user.email, payload);
  await post(page, "/grants", {
    userId: user.id,
    packageId: catalog.pack.id,
    endsAt: null,
    reason: payload,
  });
  const member = await post(page, "/team", {
    name: fitted(payload, 120),
    email: `${uniqueCode("member")}@example.com`,
    role: "viewer",
    reason: payload,
  });
  await product.database.query(
    `update settings set approval_rules = '{refund}', refund_limits = '{"EUR": 1}'`,
  );
  const approval = await requestRefund(page, sales.sale, payload);
  await storeInDatabase(product, payload);
  return { ...catalog, ...imports, user, ...sales, member, approval };
};
export type Stored = Awaited<ReturnType<typeof storeEverywhere>>;
