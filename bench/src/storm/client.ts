import type { ApiClient } from "./api.ts";
import type { Packages } from "./catalog.ts";
import type { Customer, MoneyStep } from "./customers.ts";
import { isPaid, type Model, type Sale, stateOf, statusOf } from "./model.ts";
import { moveMoney } from "./money.ts";
import { randomOf } from "./random.ts";
import { advance, dispute, recordSale, refund } from "./sales.ts";
import type { Step } from "./step.ts";
import { changeSubscription, isRunning } from "./subscriptions.ts";

export type World = {
  api: ApiClient;
  model: Model;
  packages: Packages;
  codes: string[];
  /** Sales that all clients refund and dispute. */
  shared: Sale[];
  /** Customers whose money all clients change at the same time. */
  customers: Customer[];
  /** Signs the notifications of the payment provider. */
  providerSecret: string;
  seed: number;
};

const stepOf = (world: World, client: number, number: number): MoneyStep => {
  const { api, model, packages, seed, providerSecret } = world;
  const random = randomOf(seed, client, number);
  const marker = `storm-${seed}-${client}-${number}`;
  return {
    api,
    model,
    random,
    packages,
    packageId: packages.usual,
    providerSecret,
    marker,
    turn: random.below(2),
    isDoubled: random.next() < 0.15,
    isPaused: (email) =>
      [...model.subscriptions.values()].some(
        (one) => one.email === email && !one.isEnded && statusOf(one) === "paused",
      ),
    note: (operation, { status, code }, isIdle = false) => {
      model.done.push({ marker, operation, isDone: status < 300, refusal: code, isIdle });
    },
  };
};

type Own = { sales: Sale[]; customers: string[]; withMoney: Customer[] };

// Another purchase for a paused subscription isn't covered by the model.
const mayBuy = ({ isPaused }: Step, email: string) => !isPaused(email);

const sellSomething = async (world: World, step: Step, own: Own, client: number) => {
  const { random, packageId } = step;
  const known = random.next() < 0.3 ? random.pick(own.customers) : undefined;
  const email =
    known && mayBuy(step, known) ? known : `${client}-${own.customers.length}@storm.example`;
  if (!own.customers.includes(email)) own.customers.push(email);
  const sale = await recordSale(step, {
    email,
    packageId,
    interval: random.weighted({ month: 3, once: 1 }),
    state: random.weighted({ draft: 2, pending: 3, succeeded: 5 }),
    codes: random.next() < 0.5 ? [random.pick(world.codes) ?? ""] : [],
  });
  if (sale) own.sales.push(sale);
};

/** A sale whose period ended days ago. A worker must renew it once. */
const sellDue = async (step: Step, client: number, number: number) => {
  const email = `due-${client}-${number}@storm.example`;
  const wanted = { packageId: step.packageId, interval: "month", state: "succeeded" } as const;
  const sale = await recordSale(step, { ...wanted, email, codes: [], daysAgo: 33 });
  if (!sale) return;
  step.model.subscriptions.delete(sale.subscriptionId ?? "");
  step.model.due.push({ email, packageId: sale.packageId });
};

const isOpen = (sale: Sale) =>
  ["draft", "pending"].includes(stateOf(sale)) ||
  // The model doesn't cover redemptions that are restored and repeated.
  (stateOf(sale) === "failed" && sale.uses.length === 0);

type Place = [client: number, number: number];

const takeStep = async (world: World, step: MoneyStep, own: Own, [client, number]: Place) => {
  const { random, model } = step;
  const chosen = random.weighted({
    money: 200,
    sell: 34,
    due: 2,
    advance: 30,
    refund: 16,
    dispute: 8,
    subscription: 16,
  });
  const isShared = random.next() < 0.5;
  if (chosen === "money") return moveMoney(step, { shared: world.customers, own: own.withMoney });
  if (chosen === "due") return sellDue(step, client, number);
  if (chosen === "advance") {
    const sale = random.pick(own.sales.filter((one) => isOpen(one) && mayBuy(step, one.email)));
    if (sale) return advance(step, sale);
  }
  const paid = random.pick(isShared ? world.shared : own.sales.filter(isPaid));
  if (chosen === "refund" && paid) return refund(step, paid, isShared);
  if (chosen === "dispute" && paid) return dispute(step, paid);
  if (chosen === "subscription") {
    const ids = new Set(own.sales.map(({ subscriptionId }) => subscriptionId));
    const subscription = random.pick(
      [...ids]
        .flatMap((id) => model.subscriptions.get(id ?? "") ?? [])
        .filter((one) => isRunning(step, one)),
    );
    if (subscription) return changeSubscription(step, subscription);
  }
  return sellSomething(world, step, own, client);
};

/** One client, which runs operations one after the other until stopped. */
export const runClient = async (world: World, client: number, isOver: () => boolean) => {
  const own: Own = { sales: [], customers: [], withMoney: [] };
  for (let number = 0; !isOver(); number += 1) {
    const step = stepOf(world, client, number);
    await takeStep(world, step, own, [client, number]);
  }
};
