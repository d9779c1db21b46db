import { found, type Subscription } from "./books.testing.ts";
import { record } from "./engine.testing.ts";
import type { Action } from "./history.testing.ts";
import {
  deliverAll,
  type Run,
  reportPayment,
  subscriptionsOf,
  tell,
  transactionsOf,
} from "./reports.testing.ts";

// Turns actions into facts: what they refer to, when they happen, and whether they are possible.

const graceMs = 7 * 86_400_000;

const pick = <T>(all: readonly T[], which: number): T | undefined => all[which % all.length];

export const isPaused = ({ pauses }: Subscription) => pauses.at(-1)?.resumedAt === null;

export const isCurrent = (run: Run, subscription: Subscription) =>
  !subscription.endedAt && (isPaused(subscription) || +run.now < +subscription.periodEnd + graceMs);

const openFor = (run: Run, { id }: Subscription) =>
  transactionsOf(run).filter(({ state, fact }) => state === "pending" && fact.subscription === id);

const withdrawOpen = (run: Run, subscription: Subscription) => {
  for (const { fact } of openFor(run, subscription))
    record(run.engine, { fact: "withdrawal", transaction: fact.id });
};

const endSubscription = (run: Run, subscription: Subscription) => {
  if (subscription.endedAt) return;
  withdrawOpen(run, subscription);
  record(run.engine, { fact: "end", subscription: subscription.id, at: run.now });
};

type Of<D extends Action["does"]> = Extract<Action, { does: D }>;

const payAs = (run: Run, id: string, pays: Of<"buy">["pays"]) => {
  if (pays !== "open")
    reportPayment(run, found(run.engine.books.transactions, id), pays === "late");
};

const walletAt = ({ history: { world } }: Run, customer: number, currency: number) => ({
  customer: customer % world.customers === 0 ? "A" : "B",
  currency: pick(world.currencies, currency)?.code ?? "",
});

/** A customer has one subscription to a thing. Buying another one of it is a change. */
const isTaken = (run: Run, customer: string, thing: string) =>
  subscriptionsOf(run).some(
    (one) => one.customer === customer && one.item.thing === thing && isCurrent(run, one),
  ) ||
  transactionsOf(run).some(
    ({ state, fact }) =>
      state === "pending" &&
      fact.kind === "purchase" &&
      fact.customer === customer &&
      fact.items.some((item) => item.thing === thing),
  );

const buy = (run: Run, id: string, action: Of<"buy">) => {
  const wallet = walletAt(run, action.customer, action.currency);
  const items = action.items
    .map((item, place) => ({
      ...item,
      id: `${id}.${place + 1}`,
      thing: item.interval === "once" ? `once ${place}` : `thing ${place}`,
    }))
    .filter(({ interval, thing }) => interval === "once" || !isTaken(run, wallet.customer, thing));
  if (items.length === 0) return;
  for (const old of subscriptionsOf(run))
    if (
      old.customer === wallet.customer &&
      items.some((item) => item.thing === old.item.thing) &&
      !isCurrent(run, old)
    )
      endSubscription(run, old);
  record(run.engine, {
    fact: "charge",
    id,
    ...wallet,
    at: run.now,
    kind: "purchase",
    subscription: null,
    items,
    freeDays: action.freeDays,
    discount: action.discount,
    payment: 1,
    useBalance: action.useBalance,
    rest: "balance",
  });
  payAs(run, id, action.pays);
};

const renew = (run: Run, id: string, action: Of<"renew">) => {
  const renewable = subscriptionsOf(run).filter(
    (one) => isCurrent(run, one) && !isPaused(one) && one.periodStart <= run.now,
  );
  const subscription = pick(renewable, action.which);
  if (!subscription || openFor(run, subscription).some(({ fact }) => fact.kind === "renewal"))
    return;
  // A change is planned for the period that was paid last.
  withdrawOpen(run, subscription);
  record(run.engine, {
    fact: "charge",
    id,
    customer: subscription.customer,
    currency: subscription.currency,
    at: run.now,
    kind: "renewal",
    subscription: subscription.id,
    items: [{ ...subscription.item, id: `${id}.1` }],
    freeDays: 0,
    discount: subscription.discount,
    payment: subscription.payments + 1,
    useBalance: action.useBalance,
    rest: "balance",
  });
  payAs(run, id, action.pays);
};

const change = (run: Run, id: string, action: Of<"change">) => {
  const changeable = subscriptionsOf(run).filter((one) => isCurrent(run, one) && !isPaused(one));
  const subscription = pick(changeable, action.which);
  if (!subscription || openFor(run, subscription).some(({ fact }) => fact.kind === "change"))
    return;
  withdrawOpen(run, subscription);
  record(run.engine, {
    fact: "charge",
    id,
    customer: subscription.customer,
    currency: subscription.currency,
    at: run.now,
    kind: "change",
    subscription: subscription.id,
    items: [{ ...subscription.item, ...action.price, quantity: action.quantity, id: `${id}.1` }],
    freeDays: 0,
    discount: action.discount,
    payment: 1,
    useBalance: action.useBalance,
    rest: action.rest,
  });
  payAs(run, id, action.pays);
};

const pauseOrResume = (run: Run, { does, which }: { does: "pause" | "resume"; which: number }) => {
  const wanted = subscriptionsOf(run).filter(
    (one) =>
      !one.endedAt &&
      isPaused(one) === (does === "resume") &&
      (does === "resume" || run.now < one.periodEnd) &&
      openFor(run, one).every(({ fact }) => fact.kind !== "change"),
  );
  const subscription = pick(wanted, which);
  if (!subscription) return;
  withdrawOpen(run, subscription);
  record(run.engine, { fact: does, subscription: subscription.id, at: run.now });
};

const refund = (run: Run, id: string, action: Of<"refund">) => {
  const transaction = pick(
    transactionsOf(run).filter(({ state }) => state === "paid"),
    action.which,
  );
  if (!transaction) return;
  if (action.endsAccess)
    for (const { subscription } of transaction.lines)
      if (subscription) endSubscription(run, found(run.engine.books.subscriptions, subscription));
  const { of, amounts, to } = action;
  const at = new Date(Math.max(+transaction.fact.at, +run.now - action.earlierMs));
  record(run.engine, { fact: "refund", id, transaction: transaction.fact.id, at, of, amounts, to });
};

const moneyBack = (run: Run, id: string, action: Of<"charge back" | "refund at the provider">) => {
  const isChargeback = action.does === "charge back";
  const transaction = pick(
    transactionsOf(run).filter(
      ({ fact }) => run.paidAt.has(fact.id) && !(isChargeback && run.chargedBack.has(fact.id)),
    ),
    action.which,
  )?.fact.id;
  if (!transaction) return;
  if (isChargeback) run.chargedBack.add(transaction);
  const amount = isChargeback ? null : action.amount;
  tell(run, { fact: "money back", id, transaction, amount }, action.isLate);
};

const ofTeam = {
  "add balance": "team credit",
  "remove balance": "team credit",
  "write off": "write-off",
} as const;

export const act = (run: Run, id: string, action: Action) => {
  const { engine } = run;
  switch (action.does) {
    case "buy":
      return buy(run, id, action);
    case "renew":
      return renew(run, id, action);
    case "change":
      return change(run, id, action);
    case "pause":
    case "resume":
      return pauseOrResume(run, { does: action.does, which: action.which });
    case "end": {
      const one = pick(
        subscriptionsOf(run).filter(({ endedAt }) => !endedAt),
        action.which,
      );
      return one && endSubscription(run, one);
    }
    case "withdraw": {
      const open = transactionsOf(run).filter(({ state }) => state === "pending");
      const transaction = pick(open, action.which)?.fact.id;
      return transaction && record(engine, { fact: "withdrawal", transaction });
    }
    case "pay": {
      const transaction = pick(transactionsOf(run), action.which);
      return transaction && reportPayment(run, transaction, action.isLate);
    }
    case "charge back":
    case "refund at the provider":
      return moneyBack(run, id, action);
    case "charge a fee": {
      const { amount, isLate } = action;
      const wallet = walletAt(run, action.customer, action.currency);
      return tell(run, { fact: "fee", id, ...wallet, amount }, isLate);
    }
    case "refund":
      return refund(run, id, action);
    case "add balance":
    case "remove balance":
    case "write off": {
      const wallet = walletAt(run, action.customer, action.currency);
      const amount = action.does === "remove balance" ? -action.amount : action.amount;
      return record(engine, { fact: ofTeam[action.does], id, ...wallet, amount });
    }
    case "deliver":
      return deliverAll(run, action);
  }
};
