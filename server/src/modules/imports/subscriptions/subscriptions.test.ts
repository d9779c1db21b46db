import { archivePackage } from "@purser/contract/packages/endpoints";
import { listSubscriptions } from "@purser/contract/subscriptions/endpoints";
import { startImport, undoImport } from "@purser/contract/workspace/importActions";
import { getImport } from "@purser/contract/workspace/imports";
import { expect, test } from "vitest";
import { findBroken, type Query } from "#modules/transactions/testing/invariants.testing.ts";
import { testProduct } from "#testing.ts";
import { daysAgo, moneyIn, monthly, yearly } from "../../../moneyFaults/testing.ts";
import { runImport } from "../jobs.ts";
import { importing } from "../testing/importing.ts";

const product = await testProduct();
const { call, owner } = product;
const money = await moneyIn(product);
const { admin } = money;
const { upload, check, start, all, runJob, undo, errorsOf } = importing(
  product,
  admin,
  "subscriptions",
);
const payments = importing(product, admin, "transactions");
// Their access would need another team member.
await product.owner.query("update settings set approval_rules = '{}'");
const query: Query = async (text, values) => (await owner.query(text, values)).rows;

// An endpoint, so that an event that should not follow would be there.
await owner.query(
  `insert into webhook_endpoints (url, types, secret) values ('https://hooks.example.com',
     '{entitlements.changed,subscription.changed,transaction.changed}', 'secret')`,
);

const count = async (text: string, values: unknown[] = []) =>
  Number((await owner.query(`select count(*) as n from ${text}`, values)).rows[0].n);

const subscriptionsOf = async (id: string) =>
  (await call(admin, listSubscriptions, { params: { id } })).body.items;

const group = money.newGroup();
const pack = await money.putOnSale([monthly(1200), yearly(12_000)], { group });
/** Files have no fractions of seconds. */
const day = (days: number) => daysAgo(days).replace(/\.\d+Z$/, ".000Z");
const [from, until] = [day(10), day(-20)];

const header = "reference,email,package,interval,currency,started at,period start,period end";
const rowOf = (reference: string, { email }: { email: string }, more = "") =>
  `${reference},${email},${pack.code},month,EUR,2024-01-31,${from},${until}${more}`;

test("a subscription gives access until the end of its period, and Purser renews it", async () => {
  const ada = await money.newCustomer();
  const events = await count("webhook_events");
  const others = "pgboss.job where name not in ('check-import', 'run-import')";
  const jobs = await count(others);
  const imported = await all(`${header}\n${rowOf("s-1", ada)}`);
  expect(imported).toMatchObject({ done: { new: 1, rejected: 0 }, canUndo: true });
  const [own] = await subscriptionsOf(ada.id);
  expect(own).toMatchObject({
    status: "active",
    price: { amount: 1200, currency: "EUR", interval: "month" },
    periodStart: from,
    periodEnd: until,
    accessUntil: until,
    billedBy: null,
    createdAt: "2024-01-31T00:00:00.000Z",
  });
  expect([await count("webhook_events"), await count(others)]).toEqual([events, jobs]);
  expect(await money.check(ada)).toMatchObject({ limit: 5 });
  expect(await count("transactions where user_id = $1", [ada.id]), "nothing is charged").toBe(0);
  expect(await findBroken(query)).toEqual([]);

  await money.requestRenewal(own?.id ?? "");
  const [renewal] = await money.salesOf(ada);
  expect(renewal).toMatchObject({ kind: "renewal", state: "pending", total: 1200 });
  expect(renewal?.periodStart).toBe(until);
  await money.payPending(ada);
  const [renewed] = await subscriptionsOf(ada.id);
  expect(renewed).toMatchObject({ status: "active", periodStart: until });
  expect(await count("webhook_events"), "what follows later is announced").toBeGreaterThan(events);
  expect(await findBroken(query)).toEqual([]);
});

test("one that cancels ends with its period, and one of the past has no access", async () => {
  const [ben, cleo] = [await money.newCustomer(), await money.newCustomer()];
  await all(
    [
      `${header},cancel at period end,ended at`,
      rowOf("s-ends", ben, ",true,"),
      `s-ended,${cleo.email},${pack.code},month,EUR,2024-01-31,2024-05-01,2024-06-01,,2024-05-20`,
    ].join("\n"),
  );
  const [ending] = await subscriptionsOf(ben.id);
  expect(ending).toMatchObject({ status: "ending", accessUntil: until });
  await money.renewAt(ending?.id ?? "", new Date(until));
  expect(await subscriptionsOf(ben.id)).toMatchObject([{ status: "ended", endedAt: until }]);
  expect(await money.salesOf(ben)).toEqual([]);
  expect(await subscriptionsOf(cleo.id)).toMatchObject([
    { status: "ended", endedAt: "2024-05-20T00:00:00.000Z" },
  ]);
  expect(await money.check(cleo)).toMatchObject({ limit: 1, reason: "default" });
  // They can buy it again.
  await money.buy(cleo, pack);
  expect(await findBroken(query)).toEqual([]);
});

test("rejects rows that the product could not sell", async () => {
  const dora = await money.newCustomer();
  const eva = await money.newCustomer();
  const finn = await money.newCustomer();
  await money.buy(eva, pack);
  const { id } = await all(
    [
      `${header},price,quantity`,
      rowOf("r-1", { email: "unknown@example.com" }),
      rowOf("r-2", dora).replace(pack.code, "nothing"),
      rowOf("r-3", dora).replace(",EUR,", ",USD,"),
      rowOf("r-4", dora).replace(",month,", ",3 months,"),
      rowOf("r-5", dora, ",9.00"),
      rowOf("r-6", dora, ",12.00,3"),
      rowOf("r-7", eva),
      rowOf("r-8", finn),
      rowOf("r-9", finn),
      `r-10,${dora.email},${pack.code},month,EUR,,${day(40)},${day(10)}`,
    ].join("\n"),
  );
  expect(await errorsOf(id)).toEqual([
    [2, "email", "import_customer_unknown"],
    [3, "package", "import_package_unknown"],
    [4, "currency", "import_price_missing"],
    [5, "currency", "import_price_missing"],
    [6, "price", "import_price_unknown"],
    [7, "quantity", "import_not_per_unit"],
    [8, "package", "import_subscription_running"],
    [10, "package", "import_subscription_running"],
    [11, "periodEnd", "import_period_over"],
  ]);
  expect(await subscriptionsOf(finn.id)).toHaveLength(1);
  expect(await findBroken(query)).toEqual([]);
});

/** More rows than a batch. */
const between = Array.from({ length: 600 }, (_, place) => place);

test("the preview finds what excludes each other far apart in the file", async () => {
  const [ivo, jan] = [await money.newCustomer(), await money.newCustomer()];
  const file = [
    header,
    rowOf("apart-1", ivo),
    ...between.map((n) => rowOf(`apart-no-${n}`, { email: `no${n}@example.com` })),
    rowOf("apart-2", ivo),
    rowOf("apart-3", jan),
  ].join("\n");
  const uploaded = await upload(file);
  const checked = await check(uploaded.id, uploaded.mapping);
  expect(checked.checked).toMatchObject({ new: 2, rejected: 601 });
  expect(checked.errors).toContainEqual({
    field: "package",
    code: "import_subscription_running",
    rows: 1,
  });
  expect((await start(uploaded.id)).done).toEqual(checked.checked);

  const line = "reference,email,date,currency,amount,subscription,period start,period end";
  const paid = (reference: string, start: string, end: string) =>
    `${reference},${ivo.email},2020-01-01,EUR,12.00,apart-1,${start},${end}`;
  const payment = await payments.upload(
    [
      line,
      paid("far-1", "2020-02-01", "2020-03-01"),
      paid("far-2", "2019-12-01", "2020-01-01"),
      ...between.map((n) => `far-no-${n},${ivo.email},2020-01-01,EUR,1.00,,,`),
      paid("far-3", "2020-02-15", "2020-02-20"),
      paid("far-4", "2020-01-15", "2020-02-15"),
      paid("far-5", "2020-01-01", "2020-01-10"),
      paid("far-6", "2020-01-05", "2020-01-08"),
    ].join("\n"),
  );
  const found = await payments.check(payment.id, payment.mapping);
  const errors = [604, 605, 607].map((row) => [row, "periodStart", "import_period_paid"]);
  expect(await payments.errorsOf(payment.id)).toEqual(errors);
  expect((await payments.start(payment.id)).done).toEqual(found.checked);
  expect(await payments.errorsOf(payment.id)).toEqual(errors);
});

test("the same file again, and twice at the same time, adds each subscription once", async () => {
  const all20 = await Promise.all(Array.from({ length: 20 }, () => money.newCustomer()));
  const csv = [header, ...all20.map((one, n) => rowOf(`twice-${n}`, one))].join("\n");
  const two = [await upload(csv), await upload(csv)];
  for (const one of two) {
    expect((await check(one.id, one.mapping)).checked.new).toBe(20);
    await call(admin, startImport, { params: { id: one.id }, body: {} });
  }
  await Promise.all(two.map((one) => runJob(runImport, one.id)));
  const done = await Promise.all(
    two.map(async (one) => (await call(admin, getImport, { params: { id: one.id } })).body.done),
  );
  expect(done.map((one) => one.new).toSorted()).toEqual([0, 20]);
  expect(done.map((one) => one.unchanged).toSorted()).toEqual([0, 20]);
  expect((await all(csv)).done).toEqual({ new: 0, update: 0, unchanged: 20, rejected: 0 });
});

test("a package that was archived after the check gets no subscriptions", async () => {
  const late = await money.putOnSale([monthly(500)]);
  const gina = await money.newCustomer();
  const uploaded = await upload(
    `${header}\n${rowOf("late-1", gina).replace(pack.code, late.code)}`,
  );
  expect((await check(uploaded.id, uploaded.mapping)).checked.new).toBe(1);
  const { rows } = await owner.query("select version from packages where id = $1", [late.id]);
  const archived = await call(admin, archivePackage, {
    params: { id: late.id },
    version: rows[0].version,
    body: {},
  });
  expect(archived.status, archived.text).toBe(200);
  expect((await start(uploaded.id)).done).toMatchObject({ new: 0, rejected: 1 });
  expect(await errorsOf(uploaded.id)).toEqual([[2, "package", "import_package_archived"]]);
});

test("payments of an imported subscription are for different times, and a change credits them", async () => {
  const hugo = await money.newCustomer();
  await all(`${header}\n${rowOf("paid-1", hugo)}`);
  const [own] = await subscriptionsOf(hugo.id);
  const line = "reference,email,date,currency,amount,subscription,period start,period end";
  const { id } = await payments.all(
    [
      line,
      `hugo-1,${hugo.email},${day(40)},EUR,12.00,paid-1,${day(40)},${from}`,
      `hugo-2,${hugo.email},${from},EUR,12.00,paid-1,${from},${until}`,
      `hugo-3,${hugo.email},${from},EUR,12.00,paid-1,${day(5)},${until}`,
      `hugo-4,${hugo.email},${from},USD,12.00,paid-1,${until},${day(-50)}`,
      `hugo-5,${hugo.email},${from},EUR,12.00,other,${until},${day(-50)}`,
    ].join("\n"),
  );
  expect(await errorsOf(id)).toEqual([
    [4, "periodStart", "import_period_paid"],
    [5, "currency", "import_subscription_currency"],
    [6, "subscription", "import_subscription_unknown"],
  ]);
  const better = await money.putOnSale([monthly(3000)], { group });
  const shown = await money.preview(own?.id ?? "", better);
  expect(shown.body.credits).toMatchObject([{ gross: 800 }]);
  const changed = await money.change(own?.id ?? "", better);
  expect(changed.status, JSON.stringify(changed.body)).toBe(200);
  await money.payPending(hugo);
  expect(await subscriptionsOf(hugo.id)).toMatchObject([{ status: "active" }, { status: "ended" }]);
  expect(await findBroken(query)).toEqual([]);
});

test("undo ends subscriptions without payments or changes since, and frees their references", async () => {
  const [ivo, jana] = [await money.newCustomer(), await money.newCustomer()];
  const csv = [header, rowOf("undo-1", ivo), rowOf("undo-2", jana)].join("\n");
  const { id } = await all(csv);
  await money.requestRenewal((await subscriptionsOf(jana.id))[0]?.id ?? "");
  await call(admin, undoImport, { params: { id }, body: { reason: "Wrong file." } });
  await undo(id);
  expect((await call(admin, getImport, { params: { id } })).body).toMatchObject({
    status: "undone",
    undone: 1,
  });
  expect(await subscriptionsOf(ivo.id)).toMatchObject([{ status: "ended" }]);
  expect(await money.check(ivo)).toMatchObject({ limit: 1, reason: "default" });
  expect(await subscriptionsOf(jana.id)).toMatchObject([{ status: "past due" }]);
  expect((await all(csv)).done).toMatchObject({ new: 1, unchanged: 1 });
});

test("undo keeps what had already ended as history, and their references can be imported again", async () => {
  const [kai, lea] = [await money.newCustomer(), await money.newCustomer()];
  const csv = [
    `${header},ended at`,
    `past-1,${kai.email},${pack.code},month,EUR,2024-01-31,2024-05-01,2024-06-01,2024-05-20`,
    rowOf("past-2", lea, ","),
  ].join("\n");
  const imported = await all(csv);
  expect(imported).toMatchObject({ done: { new: 2 }, ended: 1 });
  await call(admin, undoImport, {
    params: { id: imported.id },
    body: { reason: "Wrong package." },
  });
  await undo(imported.id);
  const { body } = await call(admin, getImport, { params: { id: imported.id } });
  expect(body).toMatchObject({ status: "undone", undone: 1 });
  expect(await subscriptionsOf(kai.id)).toMatchObject([{ endedAt: "2024-05-20T00:00:00.000Z" }]);
  expect((await all(csv.replace("2024-05-20", "2024-05-10"))).done).toMatchObject({ new: 2 });
  expect(await subscriptionsOf(kai.id)).toHaveLength(2);
});

test("undo ends a subscription whose imported payments were undone before", async () => {
  const mia = await money.newCustomer();
  const { id } = await all(`${header}\n${rowOf("both-1", mia)}`);
  const paid = await payments.all(
    [
      "reference,email,date,currency,amount,subscription,period start,period end",
      `both-pay,${mia.email},${from},EUR,12.00,both-1,${from},${until}`,
    ].join("\n"),
  );
  expect(paid.done.new).toBe(1);
  for (const one of [
    { id: paid.id, ...payments },
    { id, undo },
  ]) {
    const body = { reason: "Wrong files." };
    await call(admin, undoImport, { params: { id: one.id }, body });
    await one.undo(one.id);
  }
  expect(await subscriptionsOf(mia.id)).toMatchObject([{ status: "ended" }]);
  expect(await money.check(mia)).toMatchObject({ limit: 1, reason: "default" });
  expect(await findBroken(query)).toEqual([]);
});

test("a customer who buys the package during the import has one subscription", async () => {
  const customers = await Promise.all(Array.from({ length: 6 }, () => money.newCustomer()));
  const { id, mapping } = await upload(
    [header, ...customers.map((one, n) => rowOf(`race-${n}`, one))].join("\n"),
  );
  await check(id, mapping);
  await call(admin, startImport, { params: { id }, body: {} });
  await Promise.all([
    runJob(runImport, id),
    ...customers.map(async (one) => {
      const answer = await money.record(money.saleTo(one, pack));
      // The price that was quoted before may be for something else now.
      expect([201, 409, 412]).toContain(answer.status);
    }),
  ]);
  for (const one of customers) {
    const running = (await subscriptionsOf(one.id)).filter(({ status }) => status !== "ended");
    expect(running).toHaveLength(1);
  }
  expect(await findBroken(query)).toEqual([]);
});
