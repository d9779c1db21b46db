import {
  getDocumentFile,
  issueDocuments,
  listCustomerDocuments,
  listTransactionDocuments,
} from "@purser/contract/documents/endpoints";
import { listTransactions } from "@purser/contract/transactions/endpoints";
import { getUser } from "@purser/contract/users/endpoints";
import { eraseCustomer, previewErasure } from "@purser/contract/users/privacy";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import { daysAgo, moneyIn, monthly, per30Days } from "../../moneyFaults/testing.ts";
import { issueWaitingDocuments, removeOldBuyers, sendDocumentJob } from "./jobs.ts";
import { readPdf } from "./testing/readPdf.ts";

const product = await testProduct();
const { app, call, owner, platform } = product;
const money = await moneyIn(product);
const { admin, putOnSale, newCustomer, buy, change, refund, payPending, salesOf, newGroup } = money;

const seller = { name: "Northquay GmbH", country: "DE", vatNumber: "DE123456789" };
const setSeller = (details: object) =>
  owner.query("update settings set seller = $1", [JSON.stringify(details)]);
await setSeller(seller);

const sent: { to: string; subject: string; attachments?: { filename: string }[] }[] = [];
const mail = {
  send: async (one: (typeof sent)[number]) => void sent.push(one),
  close: () => undefined,
};
const send = sendDocumentJob(mail);
const findZone = async () => "UTC";

const run = async (now = new Date()) => {
  const queued: string[] = [];
  const enqueue = async (_job: unknown, payload: { id: string }) => void queued.push(payload.id);
  const step = <T>(work: (db: typeof platform.db, enqueue: never) => Promise<T>) =>
    platform.db.transaction().execute((db) => work(db, enqueue as never));
  const tools = { db: platform.db, now, step, enqueue } as never;
  await issueWaitingDocuments(send, findZone).run(tools, {});
  for (const id of queued) await send.run(tools, { id });
  return tools;
};

const documentsOf = async (id: string) =>
  (await call(admin, listTransactionDocuments, { params: { id } })).body;

test("issues an invoice for a sale, with a number and the same amounts, and prints it", async () => {
  const customer = await newCustomer();
  const sale = await buy(customer, await putOnSale([monthly(1200)]));
  expect(await documentsOf(sale.id)).toMatchObject({ items: [], isWaiting: true, problem: null });
  await run();
  const { items, isWaiting } = await documentsOf(sale.id);
  expect(isWaiting).toBe(false);
  expect(items).toMatchObject([
    { kind: "invoice", total: sale.total, currency: "EUR", sentAt: null },
  ]);
  const [invoice] = items;
  expect(invoice?.number).toMatch(/^INV-\d{4}-\d{6}$/);
  const q = invoice?.number.toLowerCase() ?? "";
  const found = await call(admin, listTransactions, { query: { q } });
  expect(found.body.items.map(({ id }) => id)).toEqual([sale.id]);
  const params = { id: invoice?.id ?? "" };
  const printed = await call(admin, getDocumentFile, { params });
  expect(printed.status).toBe(200);
  const ofCustomer = await call(admin, listCustomerDocuments, { params: { id: customer.id } });
  expect(ofCustomer.body.items).toEqual(items);
});

test("the invoice of a sale that is recorded late has the day of the payment", async () => {
  const occurredAt = daysAgo(10);
  const sale = await buy(await newCustomer(), await putOnSale([monthly(900)]), { occurredAt });
  await run();
  const [invoice] = (await documentsOf(sale.id)).items;
  const { rows } = await owner.query("select content from documents where id = $1", [invoice?.id]);
  expect(rows[0]?.content).toMatchObject({
    suppliedAt: occurredAt,
    payments: [{ at: occurredAt }],
  });
});

test("a refund corrects the invoice with a credit note", async () => {
  const customer = await newCustomer();
  const sale = await buy(customer, await putOnSale([monthly(2000)]));
  const refunded = await refund(sale.id, "end now");
  expect(refunded.status, refunded.text).toBe(201);
  await run();
  const { items } = await documentsOf(sale.id);
  const [invoice, note] = items;
  expect(items).toHaveLength(2);
  expect(note).toMatchObject({ kind: "credit note", corrects: invoice?.number, total: 2000 });
});

test("an upgrade has an invoice for the new package and a credit note for the unused time", async () => {
  const group = newGroup();
  const small = await putOnSale([per30Days(3000)], { group });
  const large = await putOnSale([per30Days(9000)], { group });
  const customer = await newCustomer();
  const purchase = await buy(customer, small, { occurredAt: daysAgo(10) });
  await change(purchase.subscriptionId, large);
  await payPending(customer);
  await run();
  const [changed] = await salesOf(customer, "change");
  const { items } = await documentsOf(changed?.id ?? "");
  expect(items.map(({ kind, total }) => ({ kind, total }))).toEqual([
    { kind: "invoice", total: 9000 },
    { kind: "credit note", total: 2000 },
  ]);
});

test("a credit note of a sale that was recorded before the sale it corrects is issued after its invoice", async () => {
  const group = newGroup();
  const small = await putOnSale([monthly(1000)], { group });
  const large = await putOnSale([monthly(3000)], { group });
  const customer = await newCustomer();
  const first = await buy(customer, large, { state: "pending" });
  const second = await buy(customer, small);
  await payPending(customer);
  await run();
  expect((await documentsOf(first.id)).items.map(({ kind }) => kind)).toEqual([
    "invoice",
    "credit note",
  ]);
  const [invoice, note] = (await documentsOf(second.id)).items;
  expect(note).toMatchObject({ kind: "credit note", corrects: invoice?.number });
});

test("numbers have no gaps when several workers issue documents", async () => {
  const pack = await putOnSale([monthly(500)]);
  for (let count = 0; count < 6; count++) await buy(await newCustomer(), pack);
  await Promise.all([run(), run(), run()]);
  const { rows } = await owner.query<{ number: string }>(
    "select number from documents where kind = 'invoice' order by number",
  );
  const numbers = rows.map(({ number }) => Number(number.split("-")[2]));
  expect(numbers).toEqual(numbers.map((_, place) => place + 1));
});

test("emails documents if the settings say so", async () => {
  await owner.query("update settings set send_documents = true");
  const customer = await newCustomer();
  const sale = await buy(customer, await putOnSale([monthly(700)]));
  await run();
  await owner.query("update settings set send_documents = false");
  const [invoice] = (await documentsOf(sale.id)).items;
  expect(sent).toMatchObject([
    {
      to: customer.email,
      subject: `Invoice ${invoice?.number}`,
      attachments: [{ filename: `${invoice?.number}.pdf` }],
    },
  ]);
  expect(invoice?.sentAt).not.toBeNull();
});

test("says why a document can't be issued, and issues it once that is corrected", async () => {
  await setSeller({ name: "Northquay GmbH" });
  const sale = await buy(await newCustomer(), await putOnSale([monthly(800)]));
  await run();
  const waiting = await documentsOf(sale.id);
  expect(waiting.items).toEqual([]);
  expect(waiting.problem?.code).toBe("document_without_seller");
  const params = { id: sale.id };
  expect((await call(admin, issueDocuments, { params, body: {} })).status).toBe(409);
  await setSeller(seller);
  const issued = await call(admin, issueDocuments, { params, body: {} });
  expect(issued.status, issued.text).toBe(200);
  expect(issued.body).toMatchObject({ items: [{ kind: "invoice" }], problem: null });
});

test("a document can't be changed, and loses its buyer after the retention period", async () => {
  const customer = await newCustomer();
  const sale = await buy(customer, await putOnSale([monthly(900)]));
  const tools = await run();
  const [invoice] = (await documentsOf(sale.id)).items;
  const id = invoice?.id ?? "";
  const change = (text: string) => owner.query(`update documents set ${text} where id = $1`, [id]);
  await expect(change("total = 1")).rejects.toThrow("can't be edited");
  await expect(change(`content = content || '{"number": "X"}'`)).rejects.toThrow("can't be edited");
  await expect(owner.query("delete from documents where id = $1", [id])).rejects.toThrow();
  const printed = async () => {
    const headers = { cookie: admin.cookie };
    const { rawPayload } = await app.inject({ url: `/api/documents/${id}`, headers });
    return (await readPdf(rawPayload)).pages.map(({ text }) => text.replaceAll(" ", "")).join();
  };
  expect(await printed()).toContain(customer.email);
  const later = new Date(Date.now() + 10.1 * 365.25 * 86_400_000);
  await removeOldBuyers(findZone).run({ ...(tools as object), now: later } as never, {});
  expect(await printed()).not.toContain(customer.email);
  expect((await documentsOf(sale.id)).items[0]?.buyerRemovedAt).not.toBeNull();
});

test("an erased customer's documents keep the buyer until the retention period is over", async () => {
  const customer = await newCustomer();
  const sale = await buy(customer, await putOnSale([monthly(900)]));
  await run();
  const params = { id: customer.id };
  const { body: counted } = await call(admin, previewErasure, { params });
  expect(counted.documents).toBe(1);
  const year = new Date(counted.documentsUntil ?? 0).getUTCFullYear();
  expect(year).toBe(new Date().getUTCFullYear() + 10);
  const { version } = (await call(admin, getUser, { params })).body;
  const erased = await call(admin, eraseCustomer, { params, version, body: { reason: "Asked." } });
  expect(erased.status, erased.text).toBe(200);
  const { rows } = await owner.query("select content from documents where transaction_id = $1", [
    sale.id,
  ]);
  expect(rows).toMatchObject([{ content: { buyer: { email: customer.email } } }]);
});
