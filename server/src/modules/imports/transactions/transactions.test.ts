import { issueDocuments } from "@purser/contract/documents/endpoints";
import { disputeTransaction } from "@purser/contract/transactions/actions";
import { getTransaction, listTransactions } from "@purser/contract/transactions/endpoints";
import { eraseCustomer } from "@purser/contract/users/privacy";
import { startImport, undoImport } from "@purser/contract/workspace/importActions";
import { getImport } from "@purser/contract/workspace/imports";
import { expect, test } from "vitest";
import { findBroken, type Query } from "#modules/transactions/testing/invariants.testing.ts";
import { testProduct } from "#testing.ts";
import { moneyIn, monthly } from "../../../moneyFaults/testing.ts";
import { runImport } from "../jobs.ts";
import { importing } from "../testing/importing.ts";

const product = await testProduct();
const { call, owner, signIn } = product;
const money = await moneyIn(product);
const { admin } = money;
const { upload, check, start, all, runJob, errorsOf, undo } = importing(
  product,
  admin,
  "transactions",
);
const query: Query = async (text, values) => (await owner.query(text, values)).rows;

// A seller and an endpoint, so that a document or event that should not follow would be there.
await owner.query(`update settings set seller = '{"name": "Purser Ltd", "country": "DE"}'`);
await owner.query(
  `insert into webhook_endpoints (url, types, secret) values ('https://hooks.example.com',
     '{entitlements.changed,subscription.changed,transaction.changed}', 'secret')`,
);

const count = async (text: string, values: unknown[] = []) =>
  Number((await owner.query(`select count(*) as n from ${text}`, values)).rows[0].n);

const salesOf = async (userId: string) =>
  (await call(admin, listTransactions, { query: { f: [`user:any:${userId}`] } })).body.items;

const pack = await money.putOnSale([monthly(1200)]);

test("past payments become paid transactions with lines and postings, and nothing else follows", async () => {
  const ada = await money.newCustomer({ externalId: "hist-ada" });
  const events = await count("webhook_events");
  const others = "pgboss.job where name not in ('check-import', 'run-import')";
  const jobs = await count(others);
  const imported = await all(
    [
      "id,customer_id,email,date,currency,amount,tax,vat rate,status,refunded amount,product,period start,period end",
      `p-1,hist-ada,,2024-03-01,EUR,11.90,1.90,19,paid,,${pack.code},2024-03-01,2024-04-01`,
      `p-2,,${ada.email},2024-04-01,EUR,11.90,1.90,,refunded,,,,`,
      `p-3,,${ada.email},2024-05-01,JPY,1190,,,paid,500,,,`,
    ].join("\n"),
  );
  expect(imported).toMatchObject({ done: { new: 3, rejected: 0 }, canUndo: true });
  const sales = await salesOf(ada.id);
  expect(
    sales.map(({ kind, state, total, tax, refunded, occurredAt, provider }) => ({
      kind,
      state,
      total,
      tax,
      refunded,
      provider,
      day: occurredAt.slice(0, 10),
    })),
  ).toEqual([
    {
      kind: "refund",
      state: "succeeded",
      total: 500,
      tax: 0,
      refunded: 0,
      provider: "imported",
      day: "2024-05-01",
    },
    {
      kind: "purchase",
      state: "partially refunded",
      total: 1190,
      tax: 0,
      refunded: 500,
      provider: "imported",
      day: "2024-05-01",
    },
    {
      kind: "refund",
      state: "succeeded",
      total: 1190,
      tax: 190,
      refunded: 0,
      provider: "imported",
      day: "2024-04-01",
    },
    {
      kind: "purchase",
      state: "refunded",
      total: 1190,
      tax: 190,
      refunded: 1190,
      provider: "imported",
      day: "2024-04-01",
    },
    {
      kind: "purchase",
      state: "succeeded",
      total: 1190,
      tax: 190,
      refunded: 0,
      provider: "imported",
      day: "2024-03-01",
    },
  ]);
  const first = sales.at(-1)?.id ?? "";
  const details = (await call(admin, getTransaction, { params: { id: first } })).body;
  expect(details).toMatchObject({
    importId: imported.id,
    reference: "p-1",
    settledAt: "2024-03-01T00:00:00.000Z",
    grants: [],
    lines: [{ net: 1000, tax: 190, gross: 1190, taxTreatment: "provider", taxBasisPoints: 1900 }],
  });
  const { rows } = await owner.query(
    `select account, amount::int from journal_entries e join postings p on p.entry_id = e.id
     where e.transaction_id = $1 and e.at = '2024-03-01' order by position`,
    [first],
  );
  expect(rows).toEqual([
    { account: "cash:imported", amount: 1190 },
    { account: "revenue", amount: -1000 },
    { account: "tax:provider", amount: -190 },
  ]);
  expect(await money.balanceOf(ada)).toBe(0);
  expect([await count("webhook_events"), await count(others)]).toEqual([events, jobs]);
  expect(await count("documents_to_issue"), "no invoice").toBe(0);
  expect(await count("grants where user_id = $1", [ada.id])).toBe(0);
  const refused = await call(admin, issueDocuments, { params: { id: first }, body: {} });
  expect([refused.status, refused.body["reason"]]).toEqual([409, "document_imported"]);
  expect(await findBroken(query)).toEqual([]);
});

test("the same file again, and twice at the same time, records each payment once", async () => {
  const ben = await money.newCustomer();
  const rows = Array.from(
    { length: 30 },
    (_, n) => `twice-${n},${ben.email},2025-01-${String(n + 1).padStart(2, "0")},EUR,5`,
  );
  const csv = `reference,email,date,currency,amount\n${rows.join("\n")}`;
  const two = [await upload(csv), await upload(csv)];
  for (const one of two) {
    expect((await check(one.id, one.mapping)).checked.new).toBe(30);
    await call(admin, startImport, { params: { id: one.id }, body: {} });
  }
  await Promise.all(two.map((one) => runJob(runImport, one.id)));
  const done = await Promise.all(
    two.map(async (one) => (await call(admin, getImport, { params: { id: one.id } })).body.done),
  );
  expect(done.map((one) => one.new).toSorted()).toEqual([0, 30]);
  expect(done.map((one) => one.unchanged).toSorted()).toEqual([0, 30]);
  expect((await all(csv)).done).toEqual({ new: 0, update: 0, unchanged: 30, rejected: 0 });
  expect(await count("transactions where user_id = $1", [ben.id])).toBe(30);
  const other = await all(`${csv.replace("EUR,5", "EUR,6").split("\n").slice(0, 2).join("\n")}`);
  expect(await errorsOf(other.id)).toEqual([[2, "reference", "import_reference_taken"]]);
});

test("rejects rows whose customer, package or payment doesn't fit", async () => {
  const cleo = await money.newCustomer();
  const sold = await money.buy(cleo, pack);
  const { id } = await all(
    [
      "reference,email,date,currency,amount,package,provider",
      "r-1,unknown@example.com,2025-01-01,EUR,5,,",
      `r-2,${admin.email},2025-01-01,EUR,5,,`,
      `r-3,${cleo.email},2025-01-01,EUR,5,nothing,`,
      `r-4,${cleo.email},2025-01-01,EUR,5,,`,
      `r-4,${cleo.email},2025-01-02,EUR,5,,`,
      `${sold.reference},${cleo.email},2025-01-02,EUR,5,,manual`,
    ].join("\n"),
  );
  expect(await errorsOf(id)).toEqual([
    [2, "email", "import_customer_unknown"],
    [3, "email", "import_team_member"],
    [4, "package", "import_package_unknown"],
    [6, "reference", "import_same_key"],
    [7, "reference", "import_reference_taken"],
  ]);
});

test("a customer who was erased after the check gets no payment, and their rows are gone", async () => {
  const dora = await money.newCustomer({ externalId: "hist-dora" });
  const kept = await money.newCustomer();
  const uploaded = await upload(
    `reference,customer id,email,date,currency,amount\ne-1,hist-dora,,2025-01-01,EUR,5\ne-2,,${kept.email},2025-01-01,EUR,5`,
  );
  expect((await check(uploaded.id, uploaded.mapping)).checked.new).toBe(2);
  const erased = await call(admin, eraseCustomer, {
    params: { id: dora.id },
    version: 1,
    body: { reason: "Requested." },
  });
  expect(erased.status, erased.text).toBe(200);
  expect(await count("import_rows where import_id = $1", [uploaded.id])).toBe(1);
  expect((await start(uploaded.id)).done.new).toBe(1);
  expect(await salesOf(dora.id)).toEqual([]);
});

test("a refund by hand returns money without a credit note, and a dispute takes it back", async () => {
  const eva = await money.newCustomer();
  await all(
    [
      "reference,email,date,currency,amount,tax,refunded amount",
      `h-1,${eva.email},2026-01-01,EUR,11.90,1.90,5.95`,
      `h-2,${eva.email},2026-01-02,EUR,11.90,1.90,`,
    ].join("\n"),
  );
  const [second, , sale] = await salesOf(eva.id);
  const refunded = await money.refund(sale?.id ?? "", "keep");
  expect(refunded.body).toMatchObject({ kind: "refund", total: 595, tax: 95 });
  const disputed = await call(admin, disputeTransaction, {
    params: { id: second?.id ?? "" },
    version: second?.version ?? 0,
    body: { outcome: "disputed", evidence: "The bank's letter" },
  });
  expect(disputed.status, disputed.text).toBe(200);
  const lost = await call(admin, disputeTransaction, {
    params: { id: second?.id ?? "" },
    version: disputed.body.version,
    body: { outcome: "dispute lost", evidence: "The bank's letter" },
  });
  expect(lost.body.state).toBe("charged back");
  expect(await money.balanceOf(eva)).toBe(0);
  const { rows } = await owner.query(
    `select t.id from documents_to_issue w join transactions t on t.id = w.transaction_id where t.user_id = $1`,
    [eva.id],
  );
  expect(rows).toHaveLength(2);
  for (const { id } of rows)
    expect((await call(admin, issueDocuments, { params: { id }, body: {} })).body.items).toEqual(
      [],
    );
  expect(await findBroken(query)).toEqual([]);
});

test("a worker that dies at half continues, and no payment is recorded twice or left out", async () => {
  const finn = await money.newCustomer();
  const rows = Array.from({ length: 620 }, (_, n) => `half-${n},${finn.email},2025-02-01,EUR,1`);
  const { id, mapping } = await upload(`reference,email,date,currency,amount\n${rows.join("\n")}`);
  await check(id, mapping);
  await call(admin, startImport, { params: { id }, body: {} });
  // The batch is rolled back with everything that it wrote.
  await owner.query(
    `create function die() returns trigger language plpgsql as $$ begin
       if new.reference = 'half-600' then raise exception 'killed'; end if; return new; end $$;
     create trigger die before insert on transactions for each row execute function die()`,
  );
  await expect(runJob(runImport, id)).rejects.toThrow("killed");
  const half = (await call(admin, getImport, { params: { id } })).body;
  expect(half).toMatchObject({ status: "running", done: { new: 500 } });
  expect(await count("transactions where user_id = $1", [finn.id])).toBe(500);
  expect(await count("imported_records where import_id = $1", [id])).toBe(500);
  await owner.query("drop trigger die on transactions");
  await runJob(runImport, id);
  expect((await call(admin, getImport, { params: { id } })).body.done.new).toBe(620);
  expect(await count("transactions where user_id = $1", [finn.id])).toBe(620);
});

test("only owners and admins import payments", async () => {
  const finance = await signIn("finance");
  expect((await call(finance, getImport, { params: { id: crypto.randomUUID() } })).status).toBe(
    403,
  );
});

const undoAll = async (id: string) => {
  const { status, text } = await call(admin, undoImport, {
    params: { id },
    body: { reason: "Wrong file" },
  });
  expect(status, text).toBe(200);
  await undo(id);
  return (await call(admin, getImport, { params: { id } })).body;
};

const postedOn = async (day: string, userId: string) =>
  (
    await owner.query(
      `select p.account, sum(p.amount)::int as amount from journal_entries e join postings p on p.entry_id = e.id
       where e.user_id = $1 and e.at::date = $2 group by 1 having sum(p.amount) <> 0 order by 1`,
      [userId, day],
    )
  ).rows;

test("undoing reverses what is left at its own date, keeps what was used, and the file can be imported again", async () => {
  const gil = await money.newCustomer();
  const csv = [
    "reference,email,date,currency,amount,tax,refunded amount",
    `u-1,${gil.email},2025-06-01,EUR,11.90,1.90,`,
    `u-2,${gil.email},2025-06-02,EUR,11.90,1.90,5.95`,
    `u-3,${gil.email},2025-06-03,EUR,11.90,1.90,11.90`,
    `u-4,${gil.email},2025-06-04,EUR,11.90,1.90,`,
  ].join("\n");
  const events = await count("webhook_events");
  const imported = await all(csv);
  expect(imported.done.new).toBe(4);
  const used = (await salesOf(gil.id)).find(({ reference }) => reference === "u-4");
  await money.refund(used?.id ?? "", "keep");
  const before = await count("postings");
  const told = await count("webhook_events");
  expect(await undoAll(imported.id)).toMatchObject({ status: "undone", undone: 3, canUndo: false });
  expect(await count("webhook_events"), "no webhook").toBe(told);
  expect(told).toBeGreaterThanOrEqual(events);
  // Two payments had something left, and nothing that was posted has changed.
  expect(await count("postings")).toBe(before + 6);
  for (const day of ["2025-06-01", "2025-06-02", "2025-06-03"])
    expect(await postedOn(day, gil.id), day).toEqual([]);
  expect(await postedOn("2025-06-04", gil.id)).not.toEqual([]);
  const sales = await salesOf(gil.id);
  expect(
    sales.filter(({ kind, state }) => kind === "purchase" && state === "refunded"),
  ).toHaveLength(4);
  expect(await findBroken(query)).toEqual([]);

  const again = await all(csv);
  expect(again.done).toEqual({ new: 3, update: 0, unchanged: 1, rejected: 0 });
  expect(await postedOn("2025-06-01", gil.id)).toEqual([
    { account: "cash:imported", amount: 1190 },
    { account: "revenue", amount: -1000 },
    { account: "tax:provider", amount: -190 },
  ]);
  expect(await findBroken(query)).toEqual([]);
});

test("only imported payments lose their reference", async () => {
  const ida = await money.newCustomer();
  const sale = await money.buy(ida, pack);
  await expect(
    owner.query("update transactions set reference = 'undone ' || id where id = $1", [sale.id]),
  ).rejects.toThrow("Transactions can't be edited");
});
