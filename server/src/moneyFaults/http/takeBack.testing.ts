import { changeBalance } from "@purser/contract/money/balance";
import {
  disputeTransaction,
  previewRefund,
  refundTransaction,
} from "@purser/contract/transactions/actions";
import { getTransaction } from "@purser/contract/transactions/endpoints";
import { expect } from "vitest";
import { type Fact, walletOf } from "#modules/ledger/testing/facts.testing.ts";
import { expectedOfLostDispute } from "#modules/ledger/testing/oracle.testing.ts";
import { cashLeft, freeBalance } from "#modules/ledger/testing/oracleCharges.testing.ts";
import { leftOf } from "#modules/ledger/testing/oracleLines.testing.ts";
import { checkStep } from "./checkStep.testing.ts";
import { type CustomerRun, chargeOf, customerName, nextName } from "./customer.testing.ts";
import { type Of, ok, pick } from "./steps.testing.ts";

const paidStates = ["succeeded", "partially refunded"];

const paidSales = ({ stored, oracle, names }: CustomerRun) =>
  stored.transactions.filter(
    ({ id, kind, state }) =>
      !["refund", "chargeback"].includes(kind) &&
      paidStates.includes(state) &&
      oracle.charges.get(names.get(id) ?? "")?.state === "paid",
  );

export const refund = async (run: CustomerRun, step: Of<"refund">) => {
  const { product, shop, stored, now } = run;
  const sale = pick(paidSales(run), step.which);
  if (!sale) return;
  const charge = chargeOf(run, sale.id);
  const { of, to } = step;
  const amounts = charge.lines.map((line, place) =>
    Math.ceil(Number(leftOf(line)) * (step.parts[place] ?? 0)),
  );
  const lines = stored.lines
    .filter(({ transactionId }) => transactionId === sale.id)
    .map(({ id }, place) => ({ lineId: id, amount: amounts[place] ?? 0 }));
  const isPaused = stored.subscriptions.some(({ status }) => status === "paused");
  const access = isPaused && step.access === "end with period" ? "keep" : step.access;
  const body = { of, to, access, lines: of === "amount" ? lines : [] };
  const params = { id: sale.id };
  const shown = await product.call(shop.admin, previewRefund, { params, body });
  if (shown.status === 409) return expectNothingLeft(run, sale.id, shown.text);
  ok(shown);
  const { at, total } = shown.body;
  const name = nextName(run);
  const sent = { ...body, at, total, reason: "Requested" };
  const answer = await product.call(shop.admin, refundTransaction, { params, body: sent });
  if (total > 0) ok(answer);
  else expect(answer.status, answer.text).toBe(409);
  const transaction = charge.fact.id;
  const fact: Fact = { fact: "refund", id: name, transaction, at: now, of, amounts, to };
  await checkStep(run, { name, facts: [fact] });
};

const expectNothingLeft = (run: CustomerRun, id: string, text: string) => {
  const left = chargeOf(run, id).lines.map((line) => Number(leftOf(line)));
  expect(
    left.every((amount) => amount === 0),
    text,
  ).toBe(true);
};

export const adjust = async (run: CustomerRun, step: Of<"adjust balance">) => {
  const { product, shop, place, user, oracle } = run;
  const { currency } = place;
  const wallet = walletOf({ customer: customerName, currency });
  const amount = Math.max(step.amount, -Number(freeBalance(oracle, wallet)));
  if (amount === 0) return;
  const body = { currency, amount, reason: "Goodwill" };
  ok(await product.call(shop.admin, changeBalance, { params: { id: user.id }, body }));
  const name = nextName(run);
  const fact: Fact = { fact: "team credit", id: name, customer: customerName, currency, amount };
  await checkStep(run, { name, facts: [fact] });
};

export const dispute = async (run: CustomerRun, { which, isLost }: Of<"dispute">) => {
  const { product, shop } = run;
  const sale = pick(paidSales(run), which);
  if (!sale) return;
  const params = { id: sale.id };
  for (const outcome of ["disputed", isLost ? "dispute lost" : "dispute won"] as const) {
    const { version } = (await product.call(shop.admin, getTransaction, { params })).body;
    const body = { outcome, evidence: "Letter of the bank" };
    const answer = await product.call(shop.admin, disputeTransaction, { params, version, body });
    // A sale of which nothing is left, or that was paid from the balance, can't be disputed.
    if (outcome === "disputed" && answer.status === 409) {
      if (cashLeft(run.oracle, chargeOf(run, sale.id)) > 0n)
        expectNothingLeft(run, sale.id, answer.text);
      return;
    }
    ok(answer);
  }
  const name = nextName(run);
  const transaction = chargeOf(run, sale.id).fact.id;
  await checkStep(run, {
    name,
    facts: [],
    ...(isLost && { expects: (oracle) => expectedOfLostDispute(oracle, name, transaction) }),
  });
};
