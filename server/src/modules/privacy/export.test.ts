import { randomUUID } from "node:crypto";
import { createUser, getUser } from "@purser/contract/users/endpoints";
import {
  eraseCustomer,
  listPersonalExports,
  requestPersonalExport,
} from "@purser/contract/users/privacy";
import { strFromU8, unzipSync } from "fflate";
import { expect, test, vi } from "vitest";
import { patiently } from "../../patience.testing.ts";
import { testProduct } from "../../testing.ts";
import { shopIn } from "../transactions/testing/testing.ts";
import { forgetPersonalExports } from "./jobs.ts";

let laterMs = 0;
const clock = { now: () => Date.now() + laterMs };
const product = await testProduct({ works: true, clock });
await product.product.work();
const { app, call, owner, platform, signIn } = product;
const { admin, sellPackage, saleOf, sell } = await shopIn(product);

const newPerson = async (as = admin) => {
  const email = `${randomUUID()}@example.com`;
  const body = {
    email,
    name: "=HYPERLINK(1)",
    note: "A first note",
    company: "Quay",
    vatNumber: "PT123456789",
    address: { lines: ["1 Pier"], postalCode: null, city: "Lisbon" },
  };
  return (await call(as, createUser, { body })).body;
};

const exported = async (id: string) => {
  const asked = await call(admin, requestPersonalExport, { params: { id }, body: {} });
  expect(asked, asked.text).toMatchObject({ status: 202, body: { readyAt: null } });
  return vi.waitFor(
    async () => {
      const { body } = await call(admin, listPersonalExports, { params: { id } });
      const [newest] = body.items;
      expect(newest?.readyAt).not.toBeNull();
      return newest?.id ?? "";
    },
    { timeout: patiently(20_000), interval: 200 },
  );
};

const take = (cookie: string, id: string, exportId: string) =>
  app.inject({ url: `/api/users/${id}/exports/${exportId}`, headers: { cookie } });

test("exports personal data as JSON and tables in a zip, and deletes the file after a week", async () => {
  const { id, email } = await newPerson();
  const pack = await sellPackage();
  const sale = await sell(saleOf(pack.id, { email }));
  const exportId = await exported(id);
  const answer = await take(admin.cookie, id, exportId);
  expect(answer.headers).toMatchObject({
    "content-type": "application/zip",
    "content-disposition": 'attachment; filename="personal-data.zip"',
  });
  const files = unzipSync(answer.rawPayload);
  expect(Object.keys(files).sort()).toEqual([
    ...[
      "all.json",
      "changes.csv",
      "customer.csv",
      "grants.csv",
      "lines.csv",
      "notes.csv",
      "readme.txt",
    ],
    ...["subscriptions.csv", "transactions.csv"],
  ]);
  const all = JSON.parse(strFromU8(files["all.json"] as Uint8Array));
  expect(all).toMatchObject({
    customer: {
      email,
      company: "Quay",
      vatNumber: "PT123456789",
      address: { lines: ["1 Pier"], city: "Lisbon" },
    },
    notes: [{ text: "A first note" }],
    transactions: [{ number: sale.number, total: sale.total }],
    subscriptions: [{ status: "active" }],
  });
  // A spreadsheet must not run a name as a formula.
  expect(strFromU8(files["customer.csv"] as Uint8Array)).toContain("'=HYPERLINK(1)");

  laterMs = 7 * 86_400_000 + 1000;
  const again = await signIn("admin");
  expect((await take(again.cookie, id, exportId)).statusCode).toBe(404);
  await platform.db
    .transaction()
    .execute((db) => forgetPersonalExports.run({ db, now: platform.now() } as never, {}));
  const kept = await owner.query("select from personal_exports where id = $1", [exportId]);
  expect(kept.rowCount).toBe(0);
});

test("requires permission and the right customer, and an erased customer has no export", async () => {
  const boss = await signIn("owner");
  const { id } = await newPerson(boss);
  const asked = await call(boss, requestPersonalExport, { params: { id }, body: {} });
  const exportId = asked.body.id;
  const support = await signIn("support");
  expect((await take(support.cookie, id, exportId)).statusCode).toBe(403);
  const other = await newPerson(boss);
  expect((await take(boss.cookie, other.id, exportId)).statusCode).toBe(404);
  expect((await take(boss.cookie, id, exportId)).statusCode).not.toBe(500);
  const { version } = (await call(boss, getUser, { params: { id } })).body;
  await call(boss, eraseCustomer, { params: { id }, version, body: { reason: "Asked for" } });
  expect((await take(boss.cookie, id, exportId)).statusCode).toBe(404);
  const refused = await call(boss, requestPersonalExport, { params: { id }, body: {} });
  expect(refused.body["reason"]).toBe("export_erased");
});
