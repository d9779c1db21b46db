import { refundTransaction } from "@purser/contract/transactions/actions";
import {
  countApprovals,
  getApproval,
  listApprovals,
  rejectApproval,
  requestApproval,
  withdrawApproval,
} from "@purser/contract/workspace/approvals";
import { listActivity } from "@purser/contract/workspace/audit";
import { beforeEach, expect, test, vi } from "vitest";
import { testProduct } from "../../testing.ts";
import { expireApprovals, tellRequesterJob } from "./jobs.ts";
import { refundOf, refundRequestsIn } from "./testing/refundRequests.testing.ts";

let shift = 0;
const product = await testProduct({ clock: { now: () => Date.now() + shift } });
const { call, signIn, owner, platform } = product;
const { boss, requester, second, setRules, newSale, ask, asked, approve, refundsOf } =
  await refundRequestsIn(product);

beforeEach(async () => {
  shift = 0;
  await setRules(["refund"]);
});

test("T26 requires approval for refunds above the limit, also in parts", async () => {
  const sale = await newSale();
  const refund = (amount: number) =>
    call(requester, refundTransaction, { params: { id: sale.id }, body: refundOf(amount) });
  expect((await refund(10_000)).status).toBe(201);
  const refused = await refund(1);
  expect(refused.status).toBe(409);
  expect(refused.body).toMatchObject({
    type: "urn:purser:problem:approval_required",
    detail:
      "Refunds above 100.00 EUR per sale require approval. Send a request to another team member.",
  });
  await setRules([]);
  expect((await refund(1)).status).toBe(201);
});

test("T26 simulates and stores a request, and carries it out once in the name of both", async () => {
  const sale = await newSale();
  const made = await ask(sale);
  expect(made.body).toMatchObject({
    rule: "refund",
    status: "waiting",
    summary: expect.stringMatching(/^Refund 200\.00 EUR of TX/),
    entity: "transactions",
    recordId: sale.id,
    requestedBy: { id: requester.id, name: "Fin Requester" },
    isOwn: true,
    mayDecide: false,
  });
  expect(await refundsOf(sale)).toBe(0);
  const { id } = made.body;
  expect((await call(second, getApproval, { params: { id } })).body).toMatchObject({
    mayDecide: true,
    facts: expect.arrayContaining([{ label: "Remaining after this refund", value: "100.00 EUR" }]),
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
      reason: "Requested by Fin Requester: The bank says so.",
      request_id: done.headers["x-request-id"],
    },
  ]);
});

test("refuses decisions on own requests and without the permission", async () => {
  const { id, sale } = await asked();
  const own = await approve(requester, id);
  expect(own.body).toMatchObject({ type: "urn:purser:problem:own_account" });
  const reject = { params: { id }, body: { reason: "No." } };
  expect((await call(requester, rejectApproval, reject)).status).toBe(409);
  const support = await signIn("support");
  expect((await approve(support, id)).status).toBe(404);
  expect((await call(support, getApproval, { params: { id } })).status).toBe(404);
  expect((await call(support, listApprovals)).body.items).toEqual([]);
  expect(JSON.stringify((await call(support, listActivity)).body)).not.toContain("Refund 200");
  expect((await ask(sale, 20_000, support)).status).toBe(403);
  expect(await refundsOf(sale)).toBe(0);
});

test("T14 refuses an approver who lost the role", async () => {
  const { id, sale } = await asked();
  const leaver = await signIn("finance");
  await owner.query("update users set role = 'viewer' where id = $1", [leaver.id]);
  const cookie = await product.startSession(leaver.id);
  expect((await approve({ cookie }, id)).status).toBe(404);
  expect(await refundsOf(sale)).toBe(0);
});

test("never carries out rejected, withdrawn and expired requests", async () => {
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
  const mine = await call(requester, withdrawApproval, { params: { id: two.id }, body: {} });
  expect(mine.body.status).toBe("withdrawn");
  expect((await approve(second, two.id)).status).toBe(409);

  const three = await asked();
  shift = 8 * 86_400_000;
  const late = { cookie: await product.startSession(second.id) };
  const expired = await approve(late, three.id);
  expect(expired.body).toMatchObject({ detail: "This request has expired. Send a new one." });
  for (const { sale } of [one, two, three]) {
    const { rows } = await owner.query("select from transactions where parent_id = $1", [sale.id]);
    expect(rows).toHaveLength(0);
  }
});

test("expires unanswered requests with a job and emails the requester", async () => {
  const { id } = await asked();
  const send = vi.fn(async (_mail: { to: string; subject: string; text: string }) => undefined);
  const tell = tellRequesterJob({ send, close: () => undefined }, "https://purser.example.com");
  const enqueue = vi.fn();
  const now = new Date(Date.now() + 8 * 86_400_000);
  const tools = { db: platform.db, now, enqueue, step: undefined as never };
  await expireApprovals(tell).run(tools, {});
  expect(enqueue).toHaveBeenCalledWith(tell, { id });
  await tell.run(tools, { id });
  expect(send.mock.lastCall?.[0]).toMatchObject({
    to: requester.email,
    subject: expect.stringMatching(/ expired$/),
    text: expect.stringContaining(`https://purser.example.com/approvals?preview=${id}`),
  });
});

test("refuses requests without need, that can't be carried out, and duplicates", async () => {
  const sale = await newSale();
  expect((await ask(sale, 500)).body).toMatchObject({
    detail: "This action doesn't require approval. You can do it now.",
  });
  expect((await ask(sale, 99_999)).status).toBe(409);
  expect((await ask(sale)).status).toBe(201);
  expect((await ask(sale)).body).toMatchObject({ type: "urn:purser:problem:duplicate" });
  const unknown = await call(requester, requestApproval, {
    body: { operation: "PUT /apps/:id", params: {}, body: {}, reason: "x" },
  });
  expect(unknown.body["errors"]).toMatchObject([{ pointer: "/operation" }]);
});

test("counts waiting requests for approvers, not for the requester", async () => {
  await owner.query(
    "update approvals set status = 'withdrawn', decided_at = now() where status = 'waiting'",
  );
  await asked();
  const counts = async (person: { cookie: string }) =>
    (await call(person, countApprovals)).body.waiting;
  expect(await counts(second)).toBe(1);
  expect(await counts(requester)).toBe(0);
  expect(await counts(await signIn("viewer"))).toBe(0);
});
