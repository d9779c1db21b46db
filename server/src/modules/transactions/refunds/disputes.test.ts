import { getEntitlements } from "@purser/contract/entitlements/explanation";
import { getBalance } from "@purser/contract/money/balance";
import { disputeTransaction, refundTransaction } from "@purser/contract/transactions/actions";
import { approveApproval, requestApproval } from "@purser/contract/workspace/approvals";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import { applyEvents } from "../events/applyEvents.ts";
import { lockTransaction } from "../queries.ts";
import { shopIn } from "../testing/testing.ts";

const product = await testProduct();
const { call, owner, platform, signIn } = product;
const { admin, sellPackage, saleOf, sell, read } = await shopIn(product);
const requester = await signIn("finance", "Fin Requester");
const approver = await signIn("finance", "Sam Approver");
await owner.query(
  `update settings set approval_rules = '{refund}', refund_limits = '{"EUR": 10000}'`,
);

const pack = await sellPackage();
const evidence = "The bank's letter";

const say = async (id: string, outcome: "disputed" | "dispute won" | "dispute lost") => {
  const { version } = await read(id);
  return call(requester, disputeTransaction, {
    params: { id },
    version,
    body: { outcome, evidence },
  });
};

const newDisputed = async (interval: "month" | "once") => {
  const { id } = await sell(saleOf(pack.id, { interval }));
  expect((await say(id, "disputed")).status).toBe(200);
  return id;
};

test("T26 a lost dispute above the refund limit requires approval", async () => {
  const id = await newDisputed("once");
  const refused = await say(id, "dispute lost");
  expect(refused.body).toMatchObject({ type: "urn:purser:problem:approval_required" });
  expect(await read(id)).toMatchObject({ state: "disputed", refunded: 0 });
  const made = await call(requester, requestApproval, {
    body: {
      operation: "POST /transactions/:id/dispute",
      params: { id },
      body: { outcome: "dispute lost", evidence },
      version: (await read(id)).version,
      reason: "The bank says so.",
    },
  });
  expect(made.body.summary).toMatch(/^Charge back 300\.00 EUR of TX.+ \(dispute lost\)$/);
  expect(made.body.facts).toContainEqual({ label: "Access", value: "Ends immediately" });
  const done = await call(approver, approveApproval, { params: { id: made.body.id }, body: {} });
  expect(done.status, done.text).toBe(200);
  expect(await read(id)).toMatchObject({ state: "charged back", refunded: 30_000 });
});

test("a won dispute, or a lost one up to the limit, requires no approval", async () => {
  const small = await newDisputed("month");
  expect((await say(small, "dispute lost")).body.state).toBe("charged back");
  const large = await newDisputed("once");
  expect((await say(large, "dispute won")).body.state).toBe("succeeded");
});

test("a lost dispute refunds the rest and ends access", async () => {
  const sale = await sell(saleOf(pack.id));
  expect((await say(sale.id, "disputed")).body.state).toBe("disputed");
  expect((await say(sale.id, "dispute lost")).body.state).toBe("charged back");
  const details = await read(sale.id);
  expect(details.refunds).toMatchObject([{ kind: "chargeback", total: 1200 }]);
  const { body } = await call(admin, getEntitlements, { params: { id: sale.user.id } });
  expect(body.items.flatMap(({ lines }) => lines.filter(({ isApplied }) => isApplied))).toEqual([]);
});

test("a lost dispute takes back what was refunded to the balance before", async () => {
  const sale = await sell(saleOf(pack.id));
  const refund = { amount: 500, to: "balance", access: "keep", reason: "Requested" } as const;
  const refunded = await call(admin, refundTransaction, { params: { id: sale.id }, body: refund });
  expect(refunded.status, refunded.text).toBe(201);
  expect((await say(sale.id, "disputed")).status).toBe(200);
  const lost = await say(sale.id, "dispute lost");
  expect(lost.status, lost.text).toBe(200);
  expect(await read(sale.id)).toMatchObject({ state: "charged back", refunded: 1200 });
  const balance = await call(admin, getBalance, { params: { id: sale.user.id } });
  expect(balance.body.items).toEqual([]);
  const { rows } = await owner.query(
    `select p.account, p.amount::int from journal_entries e join postings p on p.entry_id = e.id
     where e.user_id = $1 and e.kind = 'chargeback' order by 1`,
    [sale.user.id],
  );
  expect(rows).toEqual([
    { account: "balance", amount: 500 },
    { account: "cash:manual", amount: -1200 },
    { account: "revenue", amount: 700 },
  ]);
});

test("a dispute reported by the provider never requires approval", async () => {
  const id = await newDisputed("once");
  await platform.db.transaction().execute(async (db) => {
    const sale = await lockTransaction(db, id);
    const lost = { type: "dispute lost" as const, at: new Date(), source: "provider" as const };
    const when = { now: new Date(), zone: "Europe/Tallinn" };
    if (sale) await applyEvents(db, sale, [{ ...lost, sourceId: "evt_1" }], when);
  });
  expect((await read(id)).state).toBe("charged back");
});
