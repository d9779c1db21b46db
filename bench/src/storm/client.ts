import type { ApiClient } from "./api.ts";
import { isPaid, type Model, type Sale, stateOf, statusOf } from "./model.ts";
import { randomOf } from "./random.ts";
import { advance, dispute, recordSale, refund } from "./sales.ts";
import type { Step } from "./step.ts";
import { changeSubscription, isRunning } from "./subscriptions.ts";

export type World = {
  api: ApiClient;
  model: Model;
  packages: Step["packages"];
  codes: string[];
  /** Sales that all clients refund and dispute. */
  shared: Sale[];
  seed: number;
};

const stepOf = ({ api, model, packages, seed }: World, client: number, number: number): Step => {
  const random = randomOf(seed, client, number);
  const marker = `storm-${seed}-${client}-${number}`;
  return {
    api,
    model,
    random,
    packages,
    marker,
    turn: random.below(2),
    isDoubled: random.next() < 0.15,
    isPaused: (email) =>
      [...model.subscriptions.values()].some(
        (one) => one.email === email && !one.isEnded && statusOf(one) === "paused",
      ),
    isChanged: (email) => model.changedTo.some((one) => one.email === email),
    note: (operation, { status, code }, isIdle = false) => {
      model.done.push({ marker, operation, isDone: status < 300, refusal: code, isIdle });
    },
  };
};

type Own = { sales: Sale[]; customers: string[] };

// Another purchase for a paused or changed subscription isn't covered by the model.
const mayBuy = ({ isPaused, isChanged }: Step, email: string) =>
  !isPaused(email) && !isChanged(email);

const sellSomething = async (world: World, step: Step, own: Own, client: number) => {
  const { random, packages } = step;
  const known = random.next() < 0.3 ? random.pick(own.customers) : undefined;
  const email =
    known && mayBuy(step, known) ? known : `${client}-${own.customers.length}@storm.example`;
  if (!own.customers.includes(email)) own.customers.push(email);
  const sale = await recordSale(step, {
    email,
    packageId: packages.usual,
    interval: random.weighted({ month: 3, once: 1 }),
    state: random.weighted({ draft: 2, pending: 3, succeeded: 5 }),
    codes: random.next() < 0.5 ? [random.pick(world.codes) ?? ""] : [],
  });
  if (sale) own.sales.push(sale);
};

/** A sale whose period ended days ago. A worker must renew it once. */
const sellDue = async (step: Step, client: number, number: number) => {
  const email = `due-${client}-${number}@storm.example`;
  const wanted = { packageId: step.packages.usual, interval: "month", state: "succeeded" } as const;
  const sale = await recordSale(step, { ...wanted, email, codes: [], daysAgo: 33 });
  if (!sale) return;
  step.model.subscriptions.delete(sale.subscriptionId ?? "");
  step.model.due.push({ email, packageId: sale.packageId });
};

const isOpen = (sale: Sale) =>
  ["draft", "pending"].includes(stateOf(sale)) ||
  // The model doesn't cover redemptions that are restored and repeated.
  (stateOf(sale) === "failed" && sale.uses.length === 0);

const takeStep = async (world: World, step: Step, own: Own, [client, number]: [number, number]) => {
  const { random, model } = step;
  const chosen = random.weighted({
    sell: 34,
    due: 2,
    advance: 30,
    refund: 16,
    dispute: 8,
    subscription: 16,
  });
  const isShared = random.next() < 0.5;
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
  const own: Own = { sales: [], customers: [] };
  for (let number = 0; !isOver(); number += 1) {
    const step = stepOf(world, client, number);
    await takeStep(world, step, own, [client, number]);
  }
};
