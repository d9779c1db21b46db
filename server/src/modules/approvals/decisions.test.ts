import { refundTransaction } from "@purser/contract/transactions/actions";
import { approveApproval, getApproval, rejectApproval } from "@purser/contract/workspace/approvals";
import { beforeEach, expect, test } from "vitest";
import { testProduct } from "../../testing.ts";
import { refundOf, refundRequestsIn } from "./testing/refundRequests.testing.ts";

const product = await testProduct();
const { call, signIn, owner } = product;
const { boss, requester, second, setRules, newSale, ask, asked, approve, refundsOf } =
  await refundRequestsIn(product);

beforeEach(() => setRules(["refund"]));

test("I3 carries out a request once when 5 team members approve it 20 times", async () => {
  const { id, sale } = await asked();
  const members = await Promise.all(Array.from({ length: 5 }, () => signIn("finance")));
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => approve(members[n % 5] as { cookie: string }, id)),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
  expect(await refundsOf(sale)).toBe(1);
});

test("keeps one of an approval and a rejection at the same time", async () => {
  for (let round = 0; round < 5; round += 1) {
    const { id, sale } = await asked();
    const [yes, no] = await Promise.all([
      approve(second, id),
      call(boss, rejectApproval, { params: { id }, body: { reason: "Not now." } }),
    ]);
    expect([yes.status, no.status].sort()).toEqual([200, 409]);
    const { body } = await call(requester, getApproval, { params: { id } });
    expect(body.status).toBe(yes.status === 200 ? "approved" : "rejected");
    expect(await refundsOf(sale)).toBe(yes.status === 200 ? 1 : 0);
  }
});

test("repeats the reply of an approval with the same key", async () => {
  const { id, sale } = await asked();
  const key = "approve-again-1";
  const first = await call(second, approveApproval, { params: { id }, body: {}, key });
  const again = await call(second, approveApproval, { params: { id }, body: {}, key });
  expect([first.status, again.status]).toEqual([200, 200]);
  expect(again.headers["idempotent-replayed"]).toBe("true");
  expect(await refundsOf(sale)).toBe(1);
});

test("refuses and marks a request whose basis changed", async () => {
  const { id, sale } = await asked();
  await call(boss, refundTransaction, { params: { id: sale.id }, body: refundOf(500) });
  const refused = await approve(second, id);
  expect(refused.status).toBe(409);
  expect(refused.body["detail"]).toMatch(/^The details have changed/);
  expect(await refundsOf(sale)).toBe(1);
  const { body } = await call(requester, getApproval, { params: { id } });
  expect(body).toMatchObject({ status: "stale", decidedBy: null });
  expect((await approve(boss, id)).status).toBe(409);
  expect((await ask(sale)).status).toBe(201);
});

test("refuses and marks a request that the action itself refuses", async () => {
  const { id, sale } = await asked(30_000);
  await setRules([]);
  await call(boss, refundTransaction, { params: { id: sale.id }, body: refundOf(30_000) });
  await setRules(["refund"]);
  const refused = await approve(second, id);
  expect(refused.body["type"]).toBe("urn:purser:problem:wrong_state");
  expect(refused.body).toMatchObject({ reason: "approval_outdated" });
  expect((await call(requester, getApproval, { params: { id } })).body).toMatchObject({
    status: "stale",
    answer: expect.stringMatching(/refund/),
  });
  expect(await refundsOf(sale)).toBe(1);
});

test.each([
  ["suspended", "status = 'suspended'"],
  ["lowered", "role = 'viewer'"],
  ["removed from the team", "role = null"],
])("T26 refuses the request of a team member who was %s since", async (_, change) => {
  const leaver = await signIn("finance", "Lea Leaver");
  const sale = await newSale();
  const { id } = (await ask(sale, 20_000, leaver)).body;
  await owner.query(`update users set ${change} where id = $1`, [leaver.id]);
  const refused = await approve(second, id);
  expect(refused.status).toBe(409);
  expect(refused.body["detail"]).toBe(
    "Lea Leaver no longer has permission for this action, so the request can't be approved.",
  );
  expect(await refundsOf(sale)).toBe(0);
  expect((await call(second, getApproval, { params: { id } })).body.status).toBe("stale");
});
