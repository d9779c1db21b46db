import { createHmac } from "node:crypto";
import {
  type Customer,
  findSales,
  findSubscriptions,
  type ListedSale,
  type MoneyStep,
  preview,
  send,
} from "./customers.ts";

const dayMs = 86_400_000;

const chooseSale = ({ random, packages, marker }: MoneyStep, isFirst: boolean) => {
  const name = random.weighted({ solo: 3, studio: 2, team: 2 });
  // Sales of 33 days ago are due for renewal.
  const daysAgo = isFirst ? (random.pick([0, 0, 5, 20, 33]) ?? 0) : 0;
  const manual = { manualTax: random.below(300), taxReason: marker };
  return {
    packageId: packages[name],
    quantity: name === "team" ? 1 + random.below(5) : 1,
    interval: "month",
    useBalance: random.next() < 0.8,
    occurredAt: new Date(Date.now() - daysAgo * dayMs - 1000).toISOString(),
    ...(random.next() < 0.1 && manual),
  };
};

/** A first purchase, the next period, or a change to another package of the group. */
export const buy = async (step: MoneyStep, customer: Customer) => {
  const { random, marker } = step;
  const { email, currency } = customer;
  const isFirst = (await findSubscriptions(step, customer)).length === 0;
  const sale = { email, currency, ...chooseSale(step, isFirst) };
  const shown = await preview(step, "/transactions/quote", sale);
  if (!shown) return;
  const { quote, payment } = shown as { quote: { total: number }; payment: { due: number } };
  const state = random.weighted({ draft: 1, pending: 4, succeeded: 6 });
  const seen = { total: quote.total, due: payment.due };
  const entered = { state, reference: marker, isNoDuplicate: true, reason: marker };
  const name = `record ${state}`;
  await send(step, { name, path: "/transactions", body: { ...sale, ...seen, ...entered } });
};

const isOpen = ({ state }: ListedSale) =>
  ["draft", "pending", "unknown", "failed", "canceled"].includes(state);

const chooseOutcome = ({ random }: MoneyStep, { state }: ListedSale) => {
  if (state === "failed" || state === "canceled") return "succeeded";
  if (state === "unknown") return random.weighted({ succeeded: 2, failed: 1 });
  return random.weighted({ succeeded: 5, failed: 2, canceled: 2 });
};

/** Submits a draft, or resolves a payment. One that failed or was canceled can still succeed. */
export const resolve = async (step: MoneyStep, customer: Customer) => {
  const { random, marker } = step;
  const sale = random.pick((await findSales(step, customer)).filter(isOpen));
  if (!sale) return buy(step, customer);
  const { id, version, state } = sale;
  const path = `/transactions/${id}`;
  if (state === "draft" && random.next() < 0.2)
    return send(step, { name: "void", path: `${path}/void`, body: { reason: marker }, version });
  if (state === "draft") {
    const body = { state: random.pick(["pending", "succeeded"]), reason: marker };
    return send(step, { name: "submit", path: `${path}/submit`, body, version });
  }
  const outcome = chooseOutcome(step, sale);
  const name = state === "pending" ? `resolve ${outcome}` : `resolve ${outcome} after ${state}`;
  const body = { outcome, evidence: marker };
  return send(step, { name, path: `${path}/resolve`, body, version });
};

/** The headers of the Standard Webhooks scheme. */
const signed = (secret: string, id: string, body: object) => {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const signature = createHmac("sha256", key)
    .update(`${id}.${timestamp}.${JSON.stringify(body)}`)
    .digest("base64");
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${signature}`,
  };
};

/** A notification of the payment provider, which a worker applies later. */
export const report = async (step: MoneyStep, customer: Customer) => {
  const { random, marker, api, turn, isDoubled } = step;
  const sale = random.pick((await findSales(step, customer)).filter(isOpen));
  if (!sale) return buy(step, customer);
  const body = {
    type: "payment",
    payment: `pay-${sale.id}`,
    transaction: sale.number,
    at: new Date().toISOString(),
    outcome: random.weighted({ succeeded: 6, failed: 1, canceled: 1 }),
    amount: sale.total - sale.balanceAmount,
    currency: customer.currency,
  };
  const headers = signed(step.providerSecret, marker, body);
  const sent = { path: "/providers/stormpay/events", body, key: marker, headers, isDoubled };
  const answer = await api.send(sent, turn);
  // A worker leaves the trace.
  step.note(`money: report ${body.outcome}`, answer, true);
};

const isPaid = ({ kind, state }: ListedSale) =>
  kind !== "refund" &&
  kind !== "chargeback" &&
  ["succeeded", "partially refunded", "disputed"].includes(state);

const chooseRefund = ({ random }: MoneyStep, { total }: ListedSale) => {
  const of = random.weighted({ full: 2, unused: 3, amount: 4 });
  const amount = 1 + random.below(Math.max(1, Math.floor(total * 0.7)));
  return {
    of,
    ...(of === "amount" && { amount }),
    to: random.pick(["payment method", "balance"]) ?? "balance",
    access: random.weighted({ keep: 5, "end now": 2, "end with period": 2 }),
  };
};

/** Half of the refunds name the moment and total of their preview. */
export const refund = async (step: MoneyStep, customer: Customer) => {
  const { random, marker } = step;
  const sale = random.pick((await findSales(step, customer)).filter(isPaid));
  if (!sale) return resolve(step, customer);
  const path = `/transactions/${sale.id}/refund`;
  const choice = chooseRefund(step, sale);
  const shown = await preview(step, `${path}/preview`, choice);
  if (!shown) return;
  const { at, total } = shown;
  const seen = random.next() < 0.5 ? { at, total } : {};
  const name = `refund ${choice.of} to ${choice.to}`;
  return send(step, { name, path, body: { ...choice, ...seen, reason: marker } });
};

export const dispute = async (step: MoneyStep, customer: Customer) => {
  const { random, marker } = step;
  const paid = (await findSales(step, customer)).filter(isPaid);
  const sale = paid.find(({ state }) => state === "disputed") ?? random.pick(paid);
  if (!sale) return resolve(step, customer);
  const outcome =
    sale.state === "disputed" ? random.pick(["dispute won", "dispute lost"]) : "disputed";
  const path = `/transactions/${sale.id}/dispute`;
  const body = { outcome, evidence: marker };
  return send(step, { name: String(outcome), path, body, version: sale.version });
};

export const changeBalance = (step: MoneyStep, { id, currency }: Customer) => {
  const { random, marker } = step;
  const isAdded = random.next() < 0.6;
  const amount = (isAdded ? 1 : -1) * (1 + random.below(isAdded ? 3000 : 900));
  const name = isAdded ? "add balance" : "remove balance";
  return send(step, {
    name,
    path: `/users/${id}/balance`,
    body: { currency, amount, reason: marker },
  });
};
