import { randomUUID } from "node:crypto";
import {
  changeSubscription,
  getSubscription,
  pauseSubscription,
  previewChange,
  resumeSubscription,
  withdrawChange,
} from "@purser/contract/subscriptions/endpoints";
import { resolveTransaction } from "@purser/contract/transactions/actions";
import { getTransaction } from "@purser/contract/transactions/endpoints";
import { createTransaction, quoteSale } from "@purser/contract/transactions/sales";
import type { ChargeFact, Fact } from "#modules/ledger/testing/facts.testing.ts";
import { checkStep } from "./checkStep.testing.ts";
import { type CustomerRun, customerName, cycleOf, itemOf, nextName } from "./customer.testing.ts";
import type { Step } from "./scenarios.testing.ts";
import { type Sold, type Term, terms } from "./shop.testing.ts";
import { type Of, ok, pick } from "./steps.testing.ts";
import type { StoredSubscription } from "./stored.testing.ts";
import { adjust, dispute, refund } from "./takeBack.testing.ts";

const paid = ({ now }: CustomerRun, transaction: string): Fact => ({
  fact: "payment",
  transaction,
  at: now,
});

export const chargeFact = (
  { place, now }: CustomerRun,
  id: string,
  more: Pick<ChargeFact, "kind" | "items"> & Partial<ChargeFact>,
): ChargeFact => ({
  fact: "charge",
  id,
  customer: customerName,
  currency: place.currency,
  at: now,
  subscription: null,
  freeDays: 0,
  discount: null,
  payment: 1,
  useBalance: true,
  rest: "balance",
  ...more,
});

export const termOf = ({ interval, intervalCount }: StoredSubscription) =>
  terms.find((term) => term.interval === interval && term.intervalCount === intervalCount) as Term;

export const soldAs = (
  { shop: { packs, addOn } }: CustomerRun,
  { packageId }: StoredSubscription,
) => [...packs, addOn].find(({ id }) => id === packageId) as Sold;

const running = ({ stored }: CustomerRun) =>
  stored.subscriptions.filter(({ status }) => status !== "ended");

const isOpenFor = (run: CustomerRun, subscription: StoredSubscription) => {
  const cycle = cycleOf(run, subscription);
  return [...run.oracle.charges.values()].some(
    ({ state, fact }) => state === "open" && fact.subscription === cycle,
  );
};

type Sale = {
  pack: Sold;
  term: Term | null;
  quantity: number;
  addOns?: number;
  useBalance: boolean;
  isPaid: boolean;
};

/** Records a sale at the price of its quote. */
const sell = async (run: CustomerRun, sale: Sale) => {
  const { product, shop, place, user, now } = run;
  const { pack, term, quantity, addOns = 0, useBalance, isPaid } = sale;
  const wanted = {
    email: user.email,
    packageId: pack.id,
    currency: place.currency,
    interval: term?.interval ?? ("once" as const),
    intervalCount: term?.intervalCount ?? 1,
    quantity,
    addOns: addOns > 0 ? [{ packageId: shop.addOn.id, quantity: addOns }] : [],
    useBalance,
    occurredAt: now.toISOString(),
  };
  const quoted = await product.call(shop.admin, quoteSale, { body: wanted });
  ok(quoted);
  const { quote, payment } = quoted.body;
  const recorded = await product.call(shop.admin, createTransaction, {
    body: {
      ...wanted,
      total: quote.total,
      due: payment.due,
      // With nothing due there is no payment to wait for.
      state: isPaid || payment.due === 0 ? "succeeded" : "pending",
      reference: randomUUID(),
      isNoDuplicate: true,
    } as never,
  });
  ok(recorded);
};

/** Another package of the group is a change, and the same one its next period. */
const buyAgain = async (
  run: CustomerRun,
  current: StoredSubscription,
  {
    pack,
    term,
    quantity,
    useBalance,
  }: Pick<Sale, "pack" | "quantity" | "useBalance"> & {
    term: Term;
  },
) => {
  const isSame = pack.id === current.packageId;
  if (isOpenFor(run, current) || (isSame ? quantity !== current.quantity : false)) return;
  if (!["active", ...(isSame ? ["paused"] : [])].includes(current.status)) return;
  const sale = { pack, term: isSame ? termOf(current) : term, quantity, useBalance };
  const cycle = cycleOf(run, current) ?? "";
  const name = nextName(run);
  await sell(run, { ...sale, isPaid: true });
  const resumed: Fact[] =
    current.status === "paused" ? [{ fact: "resume", subscription: cycle, at: run.now }] : [];
  const fact = chargeFact(run, name, {
    kind: isSame ? "renewal" : "change",
    subscription: cycle,
    items: [itemOf(run, `${name}.1`, sale)],
    useBalance,
  });
  await checkStep(run, { name, facts: [...resumed, fact, paid(run, name)] });
};

const buy = async (run: CustomerRun, step: Of<"buy">) => {
  const { shop, hadTrial } = run;
  const pack = pick(shop.packs, step.pack) as Sold;
  const term = pick(terms, step.term) as Term;
  const { quantity, useBalance } = step;
  const open = [...run.oracle.charges.values()].filter(({ state }) => state === "open");
  if (open.some(({ fact }) => fact.kind === "purchase")) return;
  const groupIds = shop.packs.map(({ id }) => id);
  const current = running(run).find(({ packageId }) => groupIds.includes(packageId));
  if (current) return buyAgain(run, current, { pack, term, quantity, useBalance });
  const hasAddOn = running(run).some(({ packageId }) => packageId === shop.addOn.id);
  const addOns = pack.trialDays > 0 || hasAddOn ? 0 : step.addOns;
  const name = nextName(run);
  const isPaid = step.pays === "now";
  // A package that the customer had after a change has no free days either.
  const hadPack = run.stored.subscriptions.some(({ packageId }) => packageId === pack.id);
  await sell(run, { pack, term, quantity, addOns, useBalance, isPaid });
  const freeDays = hadPack || hadTrial.has(pack.id) ? 0 : pack.trialDays;
  hadTrial.add(pack.id);
  const added = { pack: shop.addOn, term, quantity: addOns };
  const fact = chargeFact(run, name, {
    kind: "purchase",
    items: [
      itemOf(run, `${name}.1`, { pack, term, quantity }),
      ...(addOns > 0 ? [itemOf(run, `${name}.2`, added)] : []),
    ],
    freeDays,
    useBalance,
  });
  await checkStep(run, {
    name,
    facts: [fact, ...(isPaid ? [paid(run, name)] : [])],
  });
};

const buyOnce = async (run: CustomerRun, { quantity, useBalance }: Of<"buy once">) => {
  const bought = { pack: run.shop.forever, term: null, quantity };
  const name = nextName(run);
  await sell(run, { ...bought, useBalance, isPaid: true });
  const items = [itemOf(run, `${name}.1`, bought)];
  const fact = chargeFact(run, name, { kind: "purchase", items, useBalance });
  await checkStep(run, { name, facts: [fact, paid(run, name)] });
};

const changeable = (run: CustomerRun) =>
  running(run).filter((one) => one.status === "active" && !isOpenFor(run, one));

type Change = {
  pack: Sold;
  term: Term;
  quantity: number;
  rest: ChargeFact["rest"];
  isPaid: boolean;
};

const changeTo = async (run: CustomerRun, current: StoredSubscription, change: Change) => {
  const { product, shop } = run;
  const { pack, term, quantity, rest, isPaid } = change;
  const params = { id: current.id };
  const wanted = { packageId: pack.id, ...term, quantity, when: "now" as const };
  const shown = await product.call(shop.admin, previewChange, { params, body: wanted });
  ok(shown);
  const { version } = (await product.call(shop.admin, getSubscription, { params })).body;
  const { at, payment } = shown.body;
  const name = nextName(run);
  const body = { ...wanted, at, due: payment.due, rest, reason: "Requested" };
  ok(await product.call(shop.admin, changeSubscription, { params, version, body }));
  const fact = chargeFact(run, name, {
    kind: "change",
    subscription: cycleOf(run, current),
    items: [itemOf(run, `${name}.1`, change)],
    rest,
    keepsPeriod: pack.id === current.packageId,
  });
  await checkStep(run, { name, facts: [fact] });
  if (isPaid) await payOpen(run, name);
};

const change = async (run: CustomerRun, step: Of<"change">) => {
  const { packs } = run.shop;
  const isPack = ({ packageId }: StoredSubscription) => packs.some(({ id }) => id === packageId);
  const current = pick(changeable(run).filter(isPack), step.which);
  const pack = pick(packs, step.pack) as Sold;
  if (!current || pack.id === current.packageId) return;
  const { quantity, rest, pays } = step;
  const term = pick(terms, step.term) as Term;
  await changeTo(run, current, { pack, term, quantity, rest, isPaid: pays === "now" });
};

const changeQuantity = async (run: CustomerRun, step: Of<"change quantity">) => {
  const current = pick(changeable(run), step.which);
  const { quantity, rest, pays } = step;
  if (!current || current.quantity === quantity) return;
  const [pack, term] = [soldAs(run, current), termOf(current)];
  await changeTo(run, current, { pack, term, quantity, rest, isPaid: pays === "now" });
};

const idOf = ({ names, stored }: CustomerRun, name: string) =>
  stored.transactions.find(({ id }) => names.get(id) === name)?.id ?? "";

/** A payment for a period that is over goes to the balance. */
const payOpen = async (run: CustomerRun, name: string) => {
  const { product, shop, oracle, now } = run;
  const charge = oracle.charges.get(name);
  if (charge?.state !== "open") return;
  const params = { id: idOf(run, name) };
  const { version } = (await product.call(shop.admin, getTransaction, { params })).body;
  const body = { outcome: "succeeded" as const, evidence: "Bank statement" };
  ok(await product.call(shop.admin, resolveTransaction, { params, version, body }));
  const isOver =
    charge.fact.kind === "change" && charge.lines.some(({ ends }) => (ends ?? 0) <= +now);
  const facts: Fact[] = isOver ? [{ fact: "withdrawal", transaction: name }] : [];
  await checkStep(run, { name, facts: [...facts, paid(run, name)] });
};

const pay = async (run: CustomerRun, { which }: { which: number }) => {
  const open = [...run.oracle.charges.values()].filter(({ state }) => state === "open");
  const charge = pick(open, which);
  if (charge) await payOpen(run, charge.fact.id);
};

const withdraw = async (run: CustomerRun, { which }: { which: number }) => {
  const { product, shop, stored } = run;
  const open = [...run.oracle.charges.values()].filter(
    ({ state, fact }) => state === "open" && fact.kind === "change",
  );
  const charge = pick(open, which);
  const subscription = stored.subscriptions.find(
    (one) => one.status !== "ended" && cycleOf(run, one) === charge?.fact.subscription,
  );
  if (!charge || !subscription) return;
  const params = { id: subscription.id };
  const { version } = (await product.call(shop.admin, getSubscription, { params })).body;
  ok(await product.call(shop.admin, withdrawChange, { params, version, body: {} }));
  const { id: transaction } = charge.fact;
  await checkStep(run, {
    name: transaction,
    facts: [{ fact: "withdrawal", transaction }],
  });
};

const turns = { pause: pauseSubscription, resume: resumeSubscription };

const pauseOrResume = async (
  run: CustomerRun,
  { does, which }: { does: "pause" | "resume"; which: number },
) => {
  const { product, shop, now } = run;
  const wanted = does === "pause" ? "active" : "paused";
  const current = pick(
    running(run).filter((one) => one.status === wanted && !isOpenFor(run, one)),
    which,
  );
  const subscription = current && cycleOf(run, current);
  if (!current || !subscription) return;
  const params = { id: current.id };
  const { version } = (await product.call(shop.admin, getSubscription, { params })).body;
  ok(
    await product.call(shop.admin, turns[does], {
      params,
      version,
      body: { reason: "Requested" } as never,
    }),
  );
  await checkStep(run, {
    name: does,
    facts: [{ fact: does, subscription, at: now }],
  });
};

export const perform = (run: CustomerRun, step: Step) => {
  switch (step.does) {
    case "buy":
      return buy(run, step);
    case "buy once":
      return buyOnce(run, step);
    case "change":
      return change(run, step);
    case "change quantity":
      return changeQuantity(run, step);
    case "refund":
      return refund(run, step);
    case "adjust balance":
      return adjust(run, step);
    case "pause":
    case "resume":
      return pauseOrResume(run, { does: step.does, which: step.which });
    case "withdraw":
      return withdraw(run, step);
    case "pay":
      return pay(run, step);
    case "dispute":
      return dispute(run, step);
  }
};
