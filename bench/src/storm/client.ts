import type { Office } from "./api.ts";
import { isPaid, type Model, type Sale, stateOf, statusOf } from "./model.ts";
import { randomOf } from "./random.ts";
import { advance, dispute, recordSale, refund } from "./sales.ts";
import type { Step } from "./step.ts";
import { actOnSubscription, goesOn } from "./subscriptions.ts";

export type World = {
  office: Office;
  model: Model;
  packages: Step["packages"];
  codes: string[];
  /** Sales that every client refunds and disputes. */
  shared: Sale[];
  seed: number;
};

const stepOf = ({ office, model, packages, seed }: World, client: number, number: number): Step => {
  const random = randomOf(seed, client, number);
  const marker = `storm-${seed}-${client}-${number}`;
  return {
    office,
    model,
    random,
    packages,
    marker,
    turn: random.below(2),
    isEchoed: random.next() < 0.15,
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

type Own = { sales: Sale[]; people: string[] };

// Another period of one that is paused, or was changed, is another story: see found.test.ts.
const mayBuy = ({ isPaused, isChanged }: Step, email: string) =>
  !isPaused(email) && !isChanged(email);

const sellSomething = async (world: World, step: Step, own: Own, client: number) => {
  const { random, packages } = step;
  const known = random.next() < 0.3 ? random.pick(own.people) : undefined;
  const email =
    known && mayBuy(step, known) ? known : `${client}-${own.people.length}@storm.example`;
  if (!own.people.includes(email)) own.people.push(email);
  const sale = await recordSale(step, {
    email,
    packageId: packages.usual,
    interval: random.weighted({ month: 3, once: 1 }),
    state: random.weighted({ draft: 2, pending: 3, succeeded: 5 }),
    codes: random.next() < 0.5 ? [random.pick(world.codes) ?? ""] : [],
  });
  if (sale) own.sales.push(sale);
};

/** Somebody whose period ended days ago: whoever works must renew it, once. */
const sellDue = async (step: Step, client: number, number: number) => {
  const email = `due-${client}-${number}@storm.example`;
  const wanted = { packageId: step.packages.usual, interval: "month", state: "succeeded" } as const;
  const sale = await recordSale(step, { ...wanted, email, codes: [], daysAgo: 33 });
  if (!sale) return;
  step.model.subscriptions.delete(sale.subscriptionId ?? "");
  step.model.due.push({ email, packageId: sale.packageId });
};

const waits = (sale: Sale) =>
  ["draft", "pending"].includes(stateOf(sale)) ||
  // Uses that were given back do not come again yet: see found.test.ts.
  (stateOf(sale) === "failed" && sale.uses.length === 0);

const takeStep = async (world: World, step: Step, own: Own, [client, number]: [number, number]) => {
  const { random, model } = step;
  const chosen = random.weighted({
    sell: 34,
    due: 2,
    advance: 30,
    refund: 16,
    dispute: 8,
    act: 16,
  });
  const isShared = random.next() < 0.5;
  if (chosen === "due") return sellDue(step, client, number);
  if (chosen === "advance") {
    const sale = random.pick(own.sales.filter((one) => waits(one) && mayBuy(step, one.email)));
    if (sale) return advance(step, sale);
  }
  const paid = random.pick(isShared ? world.shared : own.sales.filter(isPaid));
  if (chosen === "refund" && paid) return refund(step, paid, isShared);
  if (chosen === "dispute" && paid) return dispute(step, paid);
  if (chosen === "act") {
    const ids = new Set(own.sales.map(({ subscriptionId }) => subscriptionId));
    const subscription = random.pick(
      [...ids]
        .flatMap((id) => model.subscriptions.get(id ?? "") ?? [])
        .filter((one) => goesOn(step, one)),
    );
    if (subscription) return actOnSubscription(step, subscription);
  }
  return sellSomething(world, step, own, client);
};

/** One client: an operation after the other until it is told to stop. */
export const runClient = async (world: World, client: number, isOver: () => boolean) => {
  const own: Own = { sales: [], people: [] };
  for (let number = 0; !isOver(); number += 1) {
    const step = stepOf(world, client, number);
    await takeStep(world, step, own, [client, number]);
  }
};
