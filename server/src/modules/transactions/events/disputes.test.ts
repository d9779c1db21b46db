import { disputeTransaction } from "@purser/contract/transactions/actions";
import { approveApproval, askApproval } from "@purser/contract/workspace/approvals";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import { lockTransaction } from "../queries.ts";
import { shopIn } from "../testing/testing.ts";
import { applyEvents } from "./applyEvents.ts";

const product = await testProduct();
const { call, owner, platform, signIn } = product;
const { sellPackage, saleOf, sell, read } = await shopIn(product);
const asker = await signIn("finance", "Fin Asker");
const second = await signIn("finance", "Sam Second");
await owner.query(
  `update settings set approval_rules = '{refund}', refund_limits = '{"EUR": 10000}'`,
);

const pack = await sellPackage();
const evidence = "The bank's letter";

const say = async (id: string, outcome: "disputed" | "dispute won" | "dispute lost") => {
  const { version } = await read(id);
  return call(asker, disputeTransaction, { params: { id }, version, body: { outcome, evidence } });
};

const newDisputed = async (interval: "month" | "once") => {
  const { id } = await sell(saleOf(pack.id, { interval }));
  expect((await say(id, "disputed")).status).toBe(200);
  return id;
};

test("T26 a lost dispute takes back what a refund might: above the limit it needs a second person", async () => {
  const id = await newDisputed("once");
  const refused = await say(id, "dispute lost");
  expect(refused.body).toMatchObject({ type: "urn:purser:problem:approval_needed" });
  expect(await read(id)).toMatchObject({ state: "disputed", refunded: 0 });
  const made = await call(asker, askApproval, {
    body: {
      operation: "POST /transactions/:id/dispute",
      params: { id },
      body: { outcome: "dispute lost", evidence },
      version: (await read(id)).version,
      reason: "The bank says so.",
    },
  });
  expect(made.body.summary).toMatch(/^Take 300\.00 EUR of TX.+ back: the dispute was lost$/);
  expect(made.body.facts).toContainEqual({ label: "Access", value: "ends at once" });
  const done = await call(second, approveApproval, { params: { id: made.body.id }, body: {} });
  expect(done.status, done.text).toBe(200);
  expect(await read(id)).toMatchObject({ state: "charged back", refunded: 30_000 });
});

test("up to the limit, and where it is won, a dispute is settled by one person", async () => {
  const small = await newDisputed("month");
  expect((await say(small, "dispute lost")).body.state).toBe("charged back");
  const large = await newDisputed("once");
  expect((await say(large, "dispute won")).body.state).toBe("succeeded");
});

test("what the provider tells of a dispute is a fact, whatever it comes to", async () => {
  const id = await newDisputed("once");
  await platform.db.transaction().execute(async (db) => {
    const sale = await lockTransaction(db, id);
    const lost = { type: "dispute lost" as const, at: new Date(), source: "provider" as const };
    const when = { now: new Date(), zone: "Europe/Tallinn" };
    if (sale) await applyEvents(db, sale, [{ ...lost, sourceId: "evt_1" }], when);
  });
  expect((await read(id)).state).toBe("charged back");
});
