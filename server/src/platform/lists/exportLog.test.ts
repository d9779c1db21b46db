import { setTimeout } from "node:timers/promises";
import { createApp, exportApps } from "@purser/contract/apps/endpoints";
import { allows, type Permission, roles } from "@purser/contract/auth/permissions";
import { exportCatalog } from "@purser/contract/catalog/catalog";
import { endpoints } from "@purser/contract/endpoints";
import { exportUsers } from "@purser/contract/users/endpoints";
import { expect, test } from "vitest";
import { loadRows, testProduct } from "#testing.ts";
import { openMailSink } from "../auth/testing.ts";

const sink = await openMailSink();
const product = await testProduct({ works: true, environment: { SMTP_URL: sink.url } });
await product.product.work();
const { app, call, owner, signIn } = product;

const files = Object.entries(endpoints).filter(([, { file }]) => file);

test("D5 every file of several records requires an export permission, which viewers don't have", () => {
  const others = files.filter(([, { permission }]) => !permission.endsWith(":export"));
  expect(others.map(([name, { permission }]) => `${name} ${permission}`)).toEqual([
    // Has figures of the installation, and no data of customers (diagnostics.test.ts).
    "getDiagnostics jobs:read",
    "getDocumentFile transactions:read",
    "getReportFile reports:read",
    "getPersonalExport users:privacy",
    // Has IDs and results. Names only with the export permission of the list.
    "exportListJobRows signed in",
    // Checks the export permission of the list.
    "downloadListJob signed in",
    "exportRejectedRows imports:write",
  ]);
  const exporting = files.flatMap(([, { permission }]) => permission as Permission);
  for (const permission of exporting.filter((one) => one.endsWith(":export")))
    expect(roles.filter((role) => allows(role, permission))).not.toContain("viewer");
});

test("D5 refuses a viewer and a support agent who export all customers", async () => {
  const query = { format: "csv" as const, columns: "email" };
  for (const role of ["viewer", "support"] as const)
    expect((await call(await signIn(role), exportUsers, { query })).status).toBe(403);
});

const entriesOf = async (userId: string) => {
  const { rows } = await owner.query(
    `select action, before, after from audit_entries where entity = 'exports' and actor_id = $1 order by id`,
    [userId],
  );
  return rows;
};

/** The number of rows is recorded after the file was sent. */
const recorded = async (userId: string) => {
  const ended =
    "select from exports e join audit_entries a on a.record_id = e.id where a.actor_id = $1 and rows is not null";
  while (!(await owner.query(ended, [userId])).rowCount) await setTimeout(5);
  return entriesOf(userId);
};

test("D5 records a list with its filters, columns and number of rows", async () => {
  const admin = await signIn("admin");
  for (const code of ["harbor-one", "harbor-two", "other"])
    await call(admin, createApp, { body: { code, name: code } });
  const query = { format: "csv" as const, columns: "code,name", q: "harbor" };
  const { status, text } = await call(admin, exportApps, { query });
  expect([status, text.trim().split("\n").length]).toEqual([200, 3]);
  const [begun, ended] = await recorded(admin.id);
  expect(begun).toMatchObject({
    action: "insert",
    after: { list: "apps", format: "csv", query: { q: "harbor", columns: ["code", "name"] } },
  });
  expect(ended).toMatchObject({ action: "update", after: { rows: 2 } });
});

test("D5 records a document, and nothing for HEAD or a refusal", async () => {
  const admin = await signIn("admin");
  const viewer = await signIn("viewer");
  const url = "/api/catalog";
  await app.inject({ method: "HEAD", url, headers: { cookie: admin.cookie } });
  expect((await call(viewer, exportCatalog)).status).toBe(403);
  expect([await entriesOf(admin.id), await entriesOf(viewer.id)]).toEqual([[], []]);
  expect((await call(admin, exportCatalog)).status).toBe(200);
  expect(await entriesOf(admin.id)).toMatchObject([{ after: { list: "catalog", rows: 1 } }]);
});

test("D5 emails the owners about more than 10,000 rows", async () => {
  const boss = await signIn("owner", "Olga Owner");
  const admin = await signIn("admin", "Ada Admin");
  await loadRows(
    owner,
    `insert into users (email, name, status)
     select 'many' || n || '@example.com', 'Many', 'active' from generate_series(1, 10001) n`,
  );
  await call(admin, exportUsers, { query: { format: "csv", columns: "email" } });
  while (!sink.mails.some(({ to }) => to === boss.email)) await setTimeout(20);
  const mail = sink.mails.find(({ to }) => to === boss.email);
  expect(mail?.text).toContain("Ada Admin");
  expect(mail?.text).toMatch(/10,\d{3} rows/);
});
