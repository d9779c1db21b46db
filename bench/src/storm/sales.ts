import type { Sale, SaleState, Use } from "./model.ts";
import { isPaid, refundedOf, stateOf } from "./model.ts";
import type { Step } from "./step.ts";

type Quote = {
  total: number;
  trace: { promotionId: string; isApplied: boolean; amount: number }[];
};

const usesIn = ({ trace }: Quote): Use[] =>
  trace
    .filter(({ isApplied }) => isApplied)
    .map(({ promotionId, amount }) => ({ promotionId, amount }));

/** Adds the sale's new state from an answer to the model. */
const noteState = ({ model }: Step, sale: Sale, body: Record<string, unknown>) => {
  const state = String(body["state"]).replace(/^(partially )?refunded$/, "succeeded") as SaleState;
  sale.states.push({ version: Number(body["version"]), state });
  const id = body["subscriptionId"];
  if (typeof id !== "string" || sale.subscriptionId !== null || !isPaid(sale)) return;
  sale.subscriptionId = id;
  const { email, packageId } = sale;
  if (!model.subscriptions.has(id))
    model.subscriptions.set(id, { id, email, packageId, isEnded: false, statuses: [] });
};

type Wanted = {
  email: string;
  packageId: string;
  interval: "month" | "once";
  state: "draft" | "pending" | "succeeded";
  codes: string[];
  daysAgo?: number;
};

/** Requests a quote and records the sale at its price, as the form does. */
export const recordSale = async (step: Step, wanted: Wanted) => {
  const { api, model, marker, random, turn } = step;
  const { email, packageId, interval, codes, state, daysAgo = 0 } = wanted;
  const occurredAt = new Date(Date.now() - daysAgo * 86_400_000).toISOString();
  const manualTax = random.pick([null, null, 100, 37]) ?? null;
  const tax = manualTax === null ? {} : { manualTax, taxReason: marker };
  const sale = { email, packageId, currency: "EUR", interval, codes, ...tax, occurredAt };
  const quote = { path: "/transactions/quote", body: sale, key: `${marker}-quote` };
  const quoted = await api.send(quote, turn);
  if (quoted.status !== 200) return step.note("quote", quoted);
  const price = quoted.body["quote"] as Quote;
  const answer = await api.send(
    {
      path: "/transactions",
      key: marker,
      isDoubled: step.isDoubled,
      body: {
        ...sale,
        state,
        total: price.total,
        reference: marker,
        isNoDuplicate: true,
        reason: marker,
      },
    },
    turn,
  );
  step.note(`record ${state}`, answer);
  if (answer.status !== 201) return;
  const { total } = price;
  const { id } = answer.body as { id: string };
  const made = { id, email, packageId, total, subscriptionId: null, uses: usesIn(price) };
  const recorded: Sale = { ...made, states: [], refunds: [] };
  noteState(step, recorded, answer.body);
  model.sales.set(id, recorded);
  return recorded;
};

const versionOf = async ({ api, turn }: Step, id: string) => {
  const { body } = await api.get(`/transactions/${id}`, turn);
  return Number(body["version"]);
};

/** An action on a sale, with the version that was read. */
const sendAction = async (
  step: Step,
  sale: Sale,
  { name, body }: { name: string; body: object },
) => {
  const { api, marker, turn, isDoubled } = step;
  const version = await versionOf(step, sale.id);
  const path = `/transactions/${sale.id}/${name}`;
  const answer = await api.send({ path, body, key: marker, version, isDoubled }, turn);
  step.note(name, answer);
  if (answer.status === 200) noteState(step, sale, answer.body);
};

/** Submits, voids or resolves an open sale. */
export const advance = (step: Step, sale: Sale) => {
  const { random, marker } = step;
  const state = stateOf(sale);
  if (state === "draft" && random.next() < 0.25)
    return sendAction(step, sale, { name: "void", body: { reason: marker } });
  if (state === "draft") {
    const next = random.pick(["pending", "succeeded"]);
    return sendAction(step, sale, { name: "submit", body: { state: next, reason: marker } });
  }
  const outcome =
    state === "failed" ? "succeeded" : random.weighted({ succeeded: 6, failed: 2, canceled: 2 });
  return sendAction(step, sale, { name: "resolve", body: { outcome, evidence: marker } });
};

export const dispute = (step: Step, sale: Sale) => {
  const outcome =
    stateOf(sale) === "disputed"
      ? step.random.weighted({ "dispute won": 2, "dispute lost": 1 })
      : "disputed";
  return sendAction(step, sale, { name: "dispute", body: { outcome, evidence: step.marker } });
};

/** Refunds a part or the rest. For shared sales the rest is only an estimate, because others refund too. */
export const refund = async (step: Step, sale: Sale, isShared: boolean) => {
  const { api, random, marker, turn, isDoubled } = step;
  const left = sale.total - refundedOf(sale);
  const part = Math.max(1, Math.floor(sale.total * random.next() * (isShared ? 0.2 : 0.6)));
  const amount = random.next() < 0.25 && left > 0 ? left : part;
  // The model doesn't cover ending a paused subscription with its period.
  const access = isShared
    ? random.weighted({ keep: 20, "end now": 1 })
    : random.weighted({
        keep: 3,
        "end now": 1,
        "end with period": step.isPaused(sale.email) ? 0 : 1,
      });
  const body = { amount, access, reason: marker };
  const path = `/transactions/${sale.id}/refund`;
  const answer = await api.send({ path, body, key: marker, isDoubled }, turn);
  step.note("refund", answer);
  if (answer.status === 201) sale.refunds.push({ amount, access });
};
