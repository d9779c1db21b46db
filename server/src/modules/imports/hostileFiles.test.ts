import { listUsers } from "@purser/contract/users/endpoints";
import { exportRejectedRows } from "@purser/contract/workspace/importActions";
import type { ImportKind } from "@purser/contract/workspace/imports";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import { daysAgo, moneyIn, monthly } from "../../moneyFaults/testing.ts";
import { earlierRows } from "./queries.ts";
import { importing } from "./testing/importing.ts";

const product = await testProduct();
const { call, owner } = product;
const money = await moneyIn(product);
const { admin } = money;
await owner.query("update settings set approval_rules = '{}'");

const pack = await money.putOnSale([monthly(1200)], { group: money.newGroup() });
const [from, until] = [daysAgo(10), daysAgo(-20)];

/** More rows than a batch between two rows with the same key. */
const between = Array.from({ length: 600 }, (_, place) => place);

/** What a file must not break: a BOM, quoted separators and line breaks, formulas, and repeated keys far apart. */
const importHostile = async (kind: ImportKind, header: string, rows: string[]) => {
  const own = importing(product, admin, kind);
  const uploaded = await own.upload(`\ufeff${[header, ...rows].join("\r\n")}\r\n`);
  expect(uploaded.columns[0]?.name, "without the BOM").toBe(header.split(",")[0]);
  await own.check(uploaded.id, uploaded.mapping, { decimalMark: "point" });
  const { done } = await own.start(uploaded.id);
  const params = { id: uploaded.id };
  const rejected = (await call(admin, exportRejectedRows, { params, query: {} })).text;
  return { done, errors: await own.errorsOf(uploaded.id), rejected };
};

test("customers: quotes, formulas and repeated IDs of another batch", async () => {
  const { done, errors, rejected } = await importHostile("customers", "id,email,name,country", [
    'h-0,h0@hostile.example.com,"Ann ""A"", Ltd",DE',
    "h-1,h1@hostile.example.com,=cmd|' /C calc'!A0,",
    "h-2,=h2@hostile.example.com+1,@SUM(1),Atlantis",
    ...between.map((place) => `far-${place},far${place}@hostile.example.com,Far,`),
    'h-8,h8@hostile.example.com,"Two\nlines",',
    "h-1,other@hostile.example.com,Twin,",
    "h-9,H0@hostile.example.com,Twin,",
    `h-10,h10@hostile.example.com,Long,,,,`,
  ]);
  expect(done).toEqual({ new: 602, update: 0, unchanged: 0, rejected: 5 });
  expect(errors).toEqual([
    [4, "email", "email_invalid"],
    [605, "name", "text_multiline"],
    [606, "externalId", "import_same_id"],
    [607, "email", "import_same_email"],
    [608, null, "import_row_too_long"],
  ]);
  expect(rejected, "no spreadsheet runs a formula of the file").toContain("'=h2@hostile");
  expect(rejected).toContain("'@SUM(1)");
  const { body } = await call(admin, listUsers, { query: { q: "h1@hostile.example.com" } });
  expect(body.items).toMatchObject([{ name: "=cmd|' /C calc'!A0" }]);
});

test("rejected rows come back as they were, without the apostrophes of their file", async () => {
  const named = ["@Ann", "'=1+1", "-50 %; =SUM(1)", "'tis"];
  const rows = named.map(
    (name, place) => `back-${place},back${place}@example.com,"${name}",Atlantis`,
  );
  const { rejected, done } = await importHostile("customers", "+id,email,name,country", rows);
  expect(done.rejected, rejected).toBe(4);
  expect(rejected).toContain("'@Ann");
  const own = importing(product, admin, "customers");
  const again = await own.upload(rejected.replaceAll("Atlantis", "DE"));
  expect(again.columns.map(({ name }) => name)).toEqual([
    "+id",
    "email",
    "name",
    "country",
    "error",
  ]);
  await own.check(again.id, again.mapping);
  expect((await own.start(again.id)).done).toMatchObject({ new: 4, rejected: 0 });
  const { body } = await call(admin, listUsers, { query: { q: "back", sort: "email" } });
  expect(body.items.map(({ name }) => name).toSorted()).toEqual(named.toSorted());
});

test("transactions: decimals that a currency doesn't have, and repeated references of another batch", async () => {
  const { email } = await money.newCustomer();
  const { done, errors } = await importHostile(
    "transactions",
    "reference,email,date,currency,amount,description",
    [
      `t-0,${email},2025-01-01,EUR,5.00,"a ""quoted"", text"`,
      `t-1,${email},2025-01-01,JPY,500.50,=1+1`,
      `t-2,${email},2025-01-01,KWD,1.234,`,
      `t-3,${email},2025-01-01,EUR,1.234,`,
      `t-4,${email},2025-01-01,EUR,"1,50",`,
      `t-5,${email},2025-01-01,EUR,=1+1,`,
      `t-6,${email},2025-01-01,XXX9,1,`,
      `t-7,${email},2025-01-01,JPY,500.00,=1+1`,
      ...between.map((place) => `far-${place},${email},2025-01-01,EUR,1,`),
      `t-0,${email},2025-01-01,EUR,5.00,`,
    ],
  );
  expect(done).toEqual({ new: 603, update: 0, unchanged: 0, rejected: 6 });
  expect(errors).toEqual([
    [3, "amount", "import_amount_decimals"],
    [5, "amount", "import_amount_decimals"],
    [6, "amount", "import_amount_invalid"],
    [7, "amount", "import_amount_invalid"],
    [8, "currency", "currency_invalid"],
    [610, "reference", "import_same_key"],
  ]);
  const { rows } = await owner.query(
    "select currency, total::int from transactions where reference in ('t-2', 't-7') order by 1",
  );
  expect(rows).toEqual([
    { currency: "JPY", total: 500 },
    { currency: "KWD", total: 1234 },
  ]);
});

test("subscriptions: repeated references, formulas and prices with too many decimals", async () => {
  const [one, two] = [await money.newCustomer(), await money.newCustomer()];
  const rowOf = (reference: string, email: string, price = "") =>
    `${reference},${email},"${pack.code}",month,EUR,${price},${from},${until}`;
  const { done, errors } = await importHostile(
    "subscriptions",
    "reference,email,package,interval,currency,price,period start,period end",
    [
      rowOf("s-0", one.email),
      rowOf("s-0", two.email),
      rowOf("s-1", two.email, "12.001"),
      rowOf("s-2", `=${two.email}`),
      rowOf("=s-3", two.email, "12.00"),
    ],
  );
  expect(done).toEqual({ new: 2, update: 0, unchanged: 0, rejected: 3 });
  expect(errors).toEqual([
    [3, "reference", "import_same_key"],
    [4, "price", "import_amount_decimals"],
    [5, "email", "email_invalid"],
  ]);
});

test("promotion codes: quotes, formulas and the same code in another form and batch", async () => {
  await money.promote({ name: "Hostile, the first", code: "HOSTILE-FIRST" });
  const named = '"Hostile, the first"';
  const { done, errors } = await importHostile("codes", "code,promotion,limit", [
    `H0ST-0,${named},`,
    `=H0ST-1,${named},`,
    `H0ST-2,${named},1.5`,
    ...between.map((place) => `FAR-${place},${named},2`),
    `h0st 0,${named},`,
  ]);
  expect(done.rejected).toBe(errors.length);
  expect(errors).toEqual([
    [3, "code", "promotion_code_invalid"],
    [4, "redemptionLimit", "whole_number"],
    [605, "code", "import_same_key"],
  ]);
  expect(done.new).toBe(601);
});

test("an address that many rows repeat is found without reading all of them", async () => {
  const { id } = await importing(product, admin).upload("email\nfirst@hostile.example.com");
  const rows = 20_000;
  await owner.query(
    `insert into import_results (import_id, row, outcome, key, email)
     select $1, n + 1, 'rejected', 'key ' || n,
       case when n % 2 = 0 then 'same@hostile.example.com' else n || '@hostile.example.com' end
     from generate_series(1, $2::int) n`,
    [id, rows],
  );
  await owner.query("vacuum (analyze) import_results");
  const batch = Array.from({ length: 500 }, (_, place) => ({
    row: rows + 2 + place,
    key: `key ${rows + 1 + place}`,
    email: "same@hostile.example.com",
  }));
  const values = [id, JSON.stringify(batch)];
  const plan = await owner.query(
    `explain (analyze, buffers, format json) ${earlierRows.text}`,
    values,
  );
  const top = plan.rows[0]["QUERY PLAN"][0].Plan;
  expect(top["Shared Hit Blocks"] + top["Shared Read Blocks"]).toBeLessThan(20_000);
  const found = await owner.query(earlierRows.text, values);
  expect(found.rows[0]).toMatchObject({ sameKey: null, sameEmail: 3 });
});
