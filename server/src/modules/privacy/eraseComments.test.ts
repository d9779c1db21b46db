import { randomUUID } from "node:crypto";
import { getUser } from "@purser/contract/users/endpoints";
import { addUserNote, listUserNotes } from "@purser/contract/users/notes";
import { eraseCustomer } from "@purser/contract/users/privacy";
import {
  addTransactionComment,
  listTransactionComments,
} from "@purser/contract/workspace/comments";
import { expect, test } from "vitest";
import { shopIn } from "#modules/transactions/testing/testing.ts";
import { testProduct } from "#testing.ts";

const product = await testProduct();
const { call, owner } = product;

test("a comment on a transaction isn't a note about the customer, and is erased with them", async () => {
  const shop = await shopIn(product);
  const sale = await shop.sell(shop.saleOf((await shop.sellPackage()).id));
  const params = { id: sale.id };
  const secret = `Zofia-${randomUUID()}`;
  await call(shop.admin, addTransactionComment, { params, body: { text: `Call ${secret}` } });
  const { rows } = await owner.query("select user_id from transactions where id = $1", [sale.id]);
  const customer = { id: rows[0].user_id };
  await call(shop.admin, addUserNote, { params: customer, body: { text: "A note" } });
  const notes = (await call(shop.admin, listUserNotes, { params: customer })).body.items;
  expect(notes.map(({ text }) => text)).toEqual(["A note"]);
  const { version } = (await call(shop.admin, getUser, { params: customer })).body;
  const body = { reason: "By letter." };
  const erased = await call(shop.admin, eraseCustomer, { params: customer, version, body });
  expect(erased.status).toBe(200);
  const { items } = (await call(shop.admin, listTransactionComments, { params })).body;
  expect(items.map(({ text }) => text)).toEqual(["erased"]);
  const left = await owner.query(
    "select from audit_entries where position($1 in to_jsonb(audit_entries)::text) > 0",
    [secret],
  );
  expect(left.rowCount).toBe(0);
});
