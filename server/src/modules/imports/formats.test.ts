import { listTransactions } from "@purser/contract/transactions/endpoints";
import {
  createImport,
  getImport,
  mapImport,
  uploadImportPart,
} from "@purser/contract/workspace/imports";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import { moneyIn } from "../../moneyFaults/testing.ts";
import { importing } from "./testing/importing.ts";

const product = await testProduct();
const { call } = product;
const money = await moneyIn(product);
const { admin } = money;
const { upload, check, start, errorsOf } = importing(product, admin, "transactions");

const salesOf = async (userId: string) =>
  (await call(admin, listTransactions, { query: { f: [`user:any:${userId}`] } })).body.items.map(
    ({ total, tax, occurredAt }) => [occurredAt.slice(0, 10), total, tax],
  );

test("a file of a European spreadsheet is read as it is written", async () => {
  const ada = await money.newCustomer();
  const { id, mapping, columns } = await upload(
    [
      "Reference;E-mail;Date;Currency;Amount;VAT rate",
      `eu-1;${ada.email};01.03.2024;EUR;1.234,50 €;19 %`,
      `eu-2;${ada.email};28.02.2024 14:30;EUR;"11,90";7,5`,
    ].join("\r\n"),
  );
  expect(columns.map(({ written }) => written)).toEqual([
    [],
    [],
    ["day first"],
    [],
    ["comma"],
    ["comma"],
  ]);
  expect(await check(id, mapping)).toMatchObject({
    decimalMark: "comma",
    dateOrder: "day first",
    checked: { new: 2, rejected: 0 },
  });
  await start(id);
  expect(await salesOf(ada.id)).toEqual([
    ["2024-03-01", 123_450, 19_711],
    ["2024-02-28", 1190, 83],
  ]);
});

test("values that could be read in two ways are asked for, and not guessed", async () => {
  const ben = await money.newCustomer();
  const { id, mapping } = await upload(
    `reference,email,date,currency,amount\nus-1,${ben.email},03/01/2024,EUR,"1,234"`,
  );
  const asked = await call(admin, mapImport, { params: { id }, body: { mapping } });
  expect([asked.status, asked.body["errors"]]).toMatchObject([400, [{ pointer: "/decimalMark" }]]);
  const half = { mapping, decimalMark: "point" } as const;
  const again = await call(admin, mapImport, { params: { id }, body: half });
  expect([again.status, again.body["errors"]]).toMatchObject([400, [{ pointer: "/dateOrder" }]]);
  const written = { decimalMark: "point", dateOrder: "month first" } as const;
  expect(await check(id, mapping, written)).toMatchObject({ ...written, checked: { new: 1 } });
  await start(id);
  expect(await salesOf(ben.id)).toEqual([["2024-03-01", 123_400, 0]]);
});

test("a value far from the start that is written differently is asked for and rejected at its cell", async () => {
  const cleo = await money.newCustomer();
  const rows = Array.from({ length: 700 }, (_, n) => `far-${n},${cleo.email},2024-01-01,EUR,1.50`);
  const csv = `reference,email,date,currency,amount\n${rows.join("\n")}\nlast,${cleo.email},2024-01-01,EUR,"1,50"`;
  const { id, mapping, columns } = await upload(csv);
  expect(columns[4]?.written.toSorted()).toEqual(["comma", "point"]);
  expect((await call(admin, mapImport, { params: { id }, body: { mapping } })).status).toBe(400);
  const checked = await check(id, mapping, { decimalMark: "point" });
  expect(checked.checked).toMatchObject({ new: 700, rejected: 1 });
  expect(await errorsOf(id)).toEqual([[702, "amount", "import_amount_invalid"]]);
});

test("signs are collected over all parts of a file, and a column that isn't imported has none", async () => {
  const { id } = await importing(product, admin, "transactions").upload("x\n1");
  expect((await call(admin, getImport, { params: { id } })).body.columns[0]?.written).toEqual([]);
  const body = { kind: "transactions", name: "parts.csv" } as const;
  const created = await call(admin, createImport, { body });
  const params = { id: created.body.id };
  const parts = [
    "reference,email,date,currency,amount,note\na,a@example.com,2024",
    '-01-01,EUR,5,"7,5"\nb,a@example.com,13/01/2024,EUR,1.50,x',
  ];
  for (const [place, text] of parts.entries())
    await call(admin, uploadImportPart, {
      params: { ...params, part: String(place + 1) },
      body: { text, isLast: place === 1 },
    });
  const { mapping } = (await call(admin, getImport, { params })).body;
  const checked = await check(params.id, mapping);
  expect(checked).toMatchObject({ decimalMark: "point", dateOrder: "day first" });
});
