/**
 * The expected state, derived only from acknowledged operations. It doesn't cover the customers of customers.ts,
 * whose balances and changes are checked by the invariants.
 */

export type SaleState =
  | "draft"
  | "pending"
  | "succeeded"
  | "failed"
  | "canceled"
  | "voided"
  | "disputed"
  | "charged back";

export type Use = { promotionId: string; amount: number };
type Access = "keep" | "end now" | "end with period";

export type Sale = {
  id: string;
  email: string;
  packageId: string;
  total: number;
  uses: Use[];
  /** The acknowledged states with their versions, because several clients can change one sale at once. */
  states: { version: number; state: SaleState }[];
  refunds: { amount: number; access: Access }[];
  /** The subscription that the sale paid for. */
  subscriptionId: string | null;
};

type Status = "active" | "paused" | "ending" | "ended";
export type Subscription = {
  id: string;
  email: string;
  packageId: string;
  isEnded: boolean;
  statuses: { version: number; status: Status }[];
};

/** An operation with its marker in the audit log, and whether it was acknowledged or refused. */
export type Done = {
  marker: string;
  operation: string;
  isDone: boolean;
  refusal: string | null;
  /** The requested state was already reached, so nothing was written. */
  isIdle?: boolean;
};

const last = <T extends { version: number }>(list: readonly T[]) =>
  list.toSorted((one, other) => one.version - other.version).at(-1);

export const stateOf = ({ states }: Sale): SaleState => last(states)?.state ?? "draft";

export const isPaid = (sale: Sale) =>
  ["succeeded", "disputed", "charged back"].includes(stateOf(sale));

export const refundedOf = (sale: Sale) =>
  stateOf(sale) === "charged back"
    ? sale.total
    : sale.refunds.reduce((sum, { amount }) => sum + amount, 0);

const endsAccess = (sale: Sale) =>
  stateOf(sale) === "charged back" || sale.refunds.some(({ access }) => access === "end now");

export const isOver = (subscription: Subscription, sales: readonly Sale[]) =>
  subscription.isEnded ||
  sales.some((sale) => sale.subscriptionId === subscription.id && endsAccess(sale));

export const statusOf = ({ statuses }: Subscription): Status => last(statuses)?.status ?? "active";

/** Whether the redemptions of a sale count. Those of drafts and failed payments don't. */
const countsRedemptions = (sale: Sale, restoresRedemption: boolean) => {
  const isRecorded = isPaid(sale) || stateOf(sale) === "pending";
  return isRecorded && !(restoresRedemption && refundedOf(sale) === sale.total && sale.total > 0);
};

export const createModel = (promotions: readonly { id: string; restoresRedemption: boolean }[]) => {
  const sales = new Map<string, Sale>();
  const subscriptions = new Map<string, Subscription>();
  const done: Done[] = [];
  /** Customers whose period is over. No operation touches them, so each is renewed exactly once. */
  const due: { email: string; packageId: string }[] = [];

  const usesOf = (id: string) => {
    const restoresRedemption = promotions.some((one) => one.id === id && one.restoresRedemption);
    const counted = [...sales.values()]
      .filter((sale) => countsRedemptions(sale, restoresRedemption))
      .flatMap(({ uses }) => uses.filter(({ promotionId }) => promotionId === id));
    return { uses: counted.length, given: counted.reduce((sum, { amount }) => sum + amount, 0) };
  };

  /** The current access, as "email package". */
  const access = () => {
    const all = [...sales.values()];
    const bought = all.filter(
      (sale) => sale.subscriptionId === null && isPaid(sale) && !endsAccess(sale),
    );
    const subscribed = [...subscriptions.values()].filter(
      (one) => !isOver(one, all) && statusOf(one) !== "paused",
    );
    const active = [...bought, ...subscribed, ...due];
    return new Set(active.map(({ email, packageId }) => `${email} ${packageId}`));
  };

  return { promotions, sales, subscriptions, done, due, usesOf, access };
};
export type Model = ReturnType<typeof createModel>;
