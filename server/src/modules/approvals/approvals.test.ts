import { refundTransaction } from "@purser/contract/transactions/actions";
import {
  changeStaffMember,
  inviteStaffMember,
  suspendStaffMember,
} from "@purser/contract/users/team";
import {
  approveApproval,
  askApproval,
  countApprovals,
  getApproval,
  listApprovals,
  rejectApproval,
  withdrawApproval,
} from "@purser/contract/workspace/approvals";
import { listActivity } from "@purser/contract/workspace/audit";
import { changeSettings, getSettings } from "@purser/contract/workspace/settings";
import { beforeEach, expect, test, vi } from "vitest";
import { testProduct } from "../../testing.ts";
import { shopIn } from "../transactions/testing/testing.ts";
import { expireApprovals, tellRequesterJob } from "./jobs.ts";

let shift = 0;
const product = await testProduct({ clock: { now: () => Date.now() + shift } });
const { call, signIn, owner, platform } = product;
const { admin: boss, sellPackage, saleOf, sell, read } = await shopIn(product);
const asker = await signIn("finance", "Fin Asker");
const second = await signIn("finance", "Sam Second");

const setRules = (rules: string[], limits: object = { EUR: 10_000 }) =>
  owner.query("update settings set approval_rules = $1, refund_limits = $2", [rules, limits]);

beforeEach(async () => {
  shift = 0;
  await setRules(["refund", "owner"]);
});

const pack = await sellPackage();
const newSale = () => sell(saleOf(pack.id, { interval: "once" }));
const refundOf = (amount: number) => ({
  amount,
  access: "keep" as const,
  reason: "Bought twice",
});

const ask = (sale: { id: string }, amount = 20_000, person = asker) =>
  call(person, askApproval, {
    body: {
      operation: "POST /transactions/:id/refund",
      params: { id: sale.id },
      body: refundOf(amount),
      reason: "The bank says so.",
    },
  });

const asked = async (amount = 20_000) => {
  const sale = await newSale();
  const made = await ask(sale, amount);
  expect(made.status, made.text).toBe(201);
  return { sale, id: made.body.id };
};

const approve = (person: { cookie: string }, id: string) =>
  call(person, approveApproval, { params: { id }, body: {} });

const refundsOf = async (sale: { id: string }) => (await read(sale.id)).refunds.length;

test("T26 a refund up to the limit is one person's; above it, also in parts, it needs a second", async () => {
  const sale = await newSale();
  const refund = (amount: number) =>
    call(asker, refundTransaction, { params: { id: sale.id }, body: refundOf(amount) });
  expect((await refund(10_000)).status).toBe(201);
  const refused = await refund(1);
  expect(refused.status).toBe(409);
  expect(refused.body).toMatchObject({
    type: "urn:purser:problem:approval_needed",
    detail:
      "Refunds above 100.00 EUR of one sale need a second person. Ask somebody to approve it.",
  });
  await setRules([]);
  expect((await refund(1)).status).toBe(201);
});

test("T26 what is asked is tried, kept and shown; a second person does it, once, in the name of both", async () => {
  const sale = await newSale();
  const made = await ask(sale);
  expect(made.body).toMatchObject({
    rule: "refund",
    status: "waiting",
    summary: expect.stringMatching(/^Refund 200\.00 EUR of TX/),
    entity: "transactions",
    recordId: sale.id,
    requestedBy: { id: asker.id, name: "Fin Asker" },
    isOwn: true,
    mayDecide: false,
  });
  expect(await refundsOf(sale)).toBe(0);
  const { id } = made.body;
  expect((await call(second, getApproval, { params: { id } })).body).toMatchObject({
    mayDecide: true,
    facts: expect.arrayContaining([{ label: "Left after it", value: "100.00 EUR" }]),
  });
  const done = await approve(second, id);
  expect(done.body).toMatchObject({
    status: "approved",
    decidedBy: { id: second.id, name: "Sam Second" },
  });
  expect(await refundsOf(sale)).toBe(1);
  const { rows } = await owner.query(
    `select actor_name, reason, request_id from audit_entries
     where entity = 'transactions' and action = 'insert' and after ->> 'parent_id' = $1`,
    [sale.id],
  );
  expect(rows).toEqual([
    {
      actor_name: "Sam Second",
      reason: "Asked by Fin Asker: The bank says so.",
      request_id: done.headers["x-request-id"],
    },
  ]);
});

test("nobody approves or rejects their own, nor what their role could not do", async () => {
  const { id, sale } = await asked();
  const own = await approve(asker, id);
  expect(own.body).toMatchObject({ type: "urn:purser:problem:own_account" });
  const reject = { params: { id }, body: { reason: "No." } };
  expect((await call(asker, rejectApproval, reject)).status).toBe(409);
  const support = await signIn("support");
  expect((await approve(support, id)).status).toBe(404);
  expect((await call(support, getApproval, { params: { id } })).status).toBe(404);
  expect((await call(support, listApprovals)).body.items).toEqual([]);
  expect(JSON.stringify((await call(support, listActivity)).body)).not.toContain("Refund 200");
  expect((await ask(sale, 20_000, support)).status).toBe(403);
  expect(await refundsOf(sale)).toBe(0);
});

test("T14 an approver who lost the role is refused", async () => {
  const { id, sale } = await asked();
  const leaver = await signIn("finance");
  await owner.query("update users set role = 'viewer' where id = $1", [leaver.id]);
  const cookie = await product.startSession(leaver.id);
  expect((await approve({ cookie }, id)).status).toBe(404);
  expect(await refundsOf(sale)).toBe(0);
});

test("I3 approved by 5 people 20 times at once, it is done exactly once", async () => {
  const { id, sale } = await asked();
  const people = await Promise.all(Array.from({ length: 5 }, () => signIn("finance")));
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => approve(people[n % 5] as { cookie: string }, id)),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
  expect(await refundsOf(sale)).toBe(1);
});

test("approved and rejected at once, one of both holds", async () => {
  for (let round = 0; round < 5; round += 1) {
    const { id, sale } = await asked();
    const [yes, no] = await Promise.all([
      approve(second, id),
      call(boss, rejectApproval, { params: { id }, body: { reason: "Not now." } }),
    ]);
    expect([yes.status, no.status].sort()).toEqual([200, 409]);
    const { body } = await call(asker, getApproval, { params: { id } });
    expect(body.status).toBe(yes.status === 200 ? "approved" : "rejected");
    expect(await refundsOf(sale)).toBe(yes.status === 200 ? 1 : 0);
  }
});

test("a repeated approval with the same key answers the same and does nothing more", async () => {
  const { id, sale } = await asked();
  const key = "approve-again-1";
  const first = await call(second, approveApproval, { params: { id }, body: {}, key });
  const again = await call(second, approveApproval, { params: { id }, body: {}, key });
  expect([first.status, again.status]).toEqual([200, 200]);
  expect(again.headers["idempotent-replayed"]).toBe("true");
  expect(await refundsOf(sale)).toBe(1);
});

test("if the world changed, it is refused, marked, and must be asked anew", async () => {
  const { id, sale } = await asked();
  await call(boss, refundTransaction, { params: { id: sale.id }, body: refundOf(500) });
  const refused = await approve(second, id);
  expect(refused.status).toBe(409);
  expect(refused.body["detail"]).toMatch(/^What it rests on has changed/);
  expect(await refundsOf(sale)).toBe(1);
  const { body } = await call(asker, getApproval, { params: { id } });
  expect(body).toMatchObject({ status: "stale", decidedBy: null });
  expect((await approve(boss, id)).status).toBe(409);
  expect((await ask(sale)).status).toBe(201);
});

test("if the rules of the act itself refuse it by then, that is the answer, and it is marked", async () => {
  const { id, sale } = await asked(30_000);
  await setRules([]);
  await call(boss, refundTransaction, { params: { id: sale.id }, body: refundOf(30_000) });
  await setRules(["refund"]);
  const refused = await approve(second, id);
  expect(refused.body["type"]).toBe("urn:purser:problem:wrong_state");
  expect((await call(asker, getApproval, { params: { id } })).body.status).toBe("stale");
  expect(await refundsOf(sale)).toBe(1);
});

test("rejected, withdrawn and expired requests never run", async () => {
  const one = await asked();
  const rejected = await call(second, rejectApproval, {
    params: { id: one.id },
    body: { reason: "Ask the bank again." },
  });
  expect(rejected.body).toMatchObject({ status: "rejected", answer: "Ask the bank again." });
  expect((await approve(boss, one.id)).status).toBe(409);

  const two = await asked();
  const stranger = await call(second, withdrawApproval, { params: { id: two.id }, body: {} });
  expect(stranger.status).toBe(403);
  const mine = await call(asker, withdrawApproval, { params: { id: two.id }, body: {} });
  expect(mine.body.status).toBe("withdrawn");
  expect((await approve(second, two.id)).status).toBe(409);

  const three = await asked();
  shift = 8 * 86_400_000;
  const late = { cookie: await product.startSession(second.id) };
  const expired = await approve(late, three.id);
  expect(expired.body).toMatchObject({ detail: "Nobody answered in time. Ask again." });
  for (const { sale } of [one, two, three]) {
    const { rows } = await owner.query("select from transactions where parent_id = $1", [sale.id]);
    expect(rows).toHaveLength(0);
  }
});

test("what nobody answered is ended by a job, and whoever asked is told by mail", async () => {
  const { id } = await asked();
  const send = vi.fn(async (_mail: { to: string; subject: string; text: string }) => undefined);
  const tell = tellRequesterJob({ send, close: () => undefined }, "https://office.example.com");
  const enqueue = vi.fn();
  const now = new Date(Date.now() + 8 * 86_400_000);
  const tools = { db: platform.db, now, enqueue, step: undefined as never };
  await expireApprovals(tell).run(tools, {});
  expect(enqueue).toHaveBeenCalledWith(tell, { id });
  await tell.run(tools, { id });
  expect(send.mock.lastCall?.[0]).toMatchObject({
    to: asker.email,
    subject: expect.stringMatching(/: expired$/),
    text: expect.stringContaining(`https://office.example.com/approvals?preview=${id}`),
  });
});

test("asking is refused where nobody is needed, where it cannot be done, and where it was asked before", async () => {
  const sale = await newSale();
  expect((await ask(sale, 500)).body).toMatchObject({
    detail: "It needs no second person. Do it yourself.",
  });
  expect((await ask(sale, 99_999)).status).toBe(409);
  expect((await ask(sale)).status).toBe(201);
  expect((await ask(sale)).body).toMatchObject({ type: "urn:purser:problem:duplicate" });
  const unknown = await call(asker, askApproval, {
    body: { operation: "PUT /apps/:id", params: {}, body: {}, reason: "x" },
  });
  expect(unknown.body["errors"]).toMatchObject([{ pointer: "/operation" }]);
});

test("those who could approve it see how much waits for them; whoever asked does not", async () => {
  await owner.query(
    "update approvals set status = 'withdrawn', decided_at = now() where status = 'waiting'",
  );
  await asked();
  const counts = async (person: { cookie: string }) =>
    (await call(person, countApprovals)).body.waiting;
  expect(await counts(second)).toBe(1);
  expect(await counts(asker)).toBe(0);
  expect(await counts(await signIn("viewer"))).toBe(0);
});

test.each([
  ["suspended", "status = 'suspended'"],
  ["lowered", "role = 'viewer'"],
  ["taken off the staff", "role = null"],
])("T26 what somebody asked who was %s since is not done", async (_, change) => {
  const leaver = await signIn("finance", "Lea Leaver");
  const sale = await newSale();
  const { id } = (await ask(sale, 20_000, leaver)).body;
  await owner.query(`update users set ${change} where id = $1`, [leaver.id]);
  const refused = await approve(second, id);
  expect(refused.status).toBe(409);
  expect(refused.body["detail"]).toBe(
    "What it rests on has changed, so it must be asked anew. Lea Leaver may no longer do it.",
  );
  expect(await refundsOf(sale)).toBe(0);
  expect((await call(second, getApproval, { params: { id } })).body.status).toBe("stale");
});

test("who becomes an owner, or no longer is one, needs a second owner", async () => {
  const other = await signIn("owner", "Otto Owner");
  const member = await signIn("viewer", "Mia Member");
  const body = { name: "Mia Member", role: "owner" as const };
  const params = { id: member.id };
  const change = await call(boss, changeStaffMember, { params, version: 1, body });
  expect(change.body["type"]).toBe("urn:purser:problem:approval_needed");
  const invite = await call(boss, inviteStaffMember, {
    body: { email: "new-owner@example.com", name: "Nia New", role: "owner" },
  });
  expect(invite.body["type"]).toBe("urn:purser:problem:approval_needed");
  const operation = "PUT /staff/:id";
  const made = await call(boss, askApproval, {
    body: { operation, params, body, version: 1, reason: "Takes over." },
  });
  expect(made.body.summary).toBe("Make Mia Member an owner");
  expect((await approve(other, made.body.id)).status).toBe(200);
  const { rows } = await owner.query("select role from users where id = $1", [member.id]);
  expect(rows).toEqual([{ role: "owner" }]);
});

test("where nobody else could approve it, the last owner does it alone", async () => {
  const alone = await testProduct();
  await alone.owner.query("update settings set approval_rules = '{owner}'");
  const last = await alone.signIn("owner");
  const body = { email: "second@example.com", name: "Second", role: "owner" as const };
  expect((await alone.call(last, inviteStaffMember, { body })).status).toBe(201);
});

test("T26 suspending everybody else leaves the rule in force; an owner ends it in the settings", async () => {
  const company = await testProduct();
  await company.owner.query("update settings set approval_rules = '{owner}'");
  const last = await company.signIn("owner");
  const other = await company.signIn("owner");
  const params = { id: other.id };
  const suspended = await company.call(last, suspendStaffMember, { params, version: 1, body: {} });
  expect(suspended.body.status).toBe("suspended");
  const body = { email: "second@example.com", name: "Second", role: "owner" as const };
  const invite = () => company.call(last, inviteStaffMember, { body });
  expect((await invite()).body["type"]).toBe("urn:purser:problem:approval_needed");
  const { version, updatedAt: _, ...decided } = (await company.call(last, getSettings)).body;
  const changed = await company.call(last, changeSettings, {
    version,
    body: { ...decided, approvalRules: [] },
  });
  expect(changed.status, changed.text).toBe(200);
  expect((await invite()).status).toBe(201);
});

test("somebody who was invited and never came is no second person", async () => {
  const company = await testProduct();
  await company.owner.query("update settings set approval_rules = '{owner}'");
  const last = await company.signIn("owner");
  for (const name of ["First", "Second"]) {
    const body = { email: `${name.toLowerCase()}@example.com`, name, role: "owner" as const };
    expect((await company.call(last, inviteStaffMember, { body })).status).toBe(201);
  }
});
