import { renew } from "#modules/subscriptions/renewals.ts";
import type { TestProduct } from "#testing.ts";
import { chargeFact, perform, soldAs, termOf } from "./actions.testing.ts";
import { checkStep } from "./checkStep.testing.ts";
import { type CustomerRun, cycleOf, itemOf, newCustomerRun, nextName } from "./customer.testing.ts";
import type { Scenario, Step } from "./scenarios.testing.ts";
import type { Shop } from "./shop.testing.ts";
import type { StoredSubscription } from "./stored.testing.ts";

/** A clock that each scenario sets. */
export const settableClock = () => {
  let time = Date.UTC(2026, 11, 1);
  return {
    now: () => time,
    set: (at: Date) => {
      time = +at;
    },
  };
};
type SettableClock = ReturnType<typeof settableClock>;

const isDue = ({ now }: CustomerRun, { status, periodEnd, accessUntil }: StoredSubscription) =>
  status === "past due"
    ? accessUntil <= now
    : ["active", "trialing", "ending"].includes(status) && periodEnd <= now;

/** What a worker does every minute: it requests the next payment, or ends the subscription. */
const renewDue = async (run: CustomerRun) => {
  const { product, place, now } = run;
  for (;;) {
    const due = run.stored.subscriptions.find((one) => isDue(run, one));
    if (!due) return;
    const name = nextName(run);
    const cycle = cycleOf(run, due);
    const bought = { pack: soldAs(run, due), term: termOf(due), quantity: due.quantity };
    await product.platform.db
      .transaction()
      .execute((db) => renew(db, due.id, { now, zone: place.zone }));
    const renewal = chargeFact(run, name, {
      kind: "renewal",
      subscription: cycle,
      items: [itemOf(run, `${name}.1`, bought)],
    });
    const facts = due.status === "active" ? [renewal] : [];
    await checkStep(run, { name, facts, releasesFirst: true });
  }
};

const momentOf = ({ stored, now }: CustomerRun, { after }: Step) => {
  if ("ms" in after) return new Date(+now + after.ms);
  const ends = stored.subscriptions
    .filter(({ status, periodEnd }) => status === "active" && periodEnd > now)
    .map(({ periodEnd }) => +periodEnd);
  // Two events of a payment at the same moment have no order.
  const next = +now + 1;
  return new Date(
    ends.length === 0 ? next : Math.max(next, Math.min(...ends) + after.untilPeriodEndPlusMs),
  );
};

/** Plays a scenario through the API, and compares the database with the oracle after every step. */
export const playerOf = (product: TestProduct, shop: Shop, clock: SettableClock) => {
  const moveTo = async (at: Date) => {
    clock.set(at);
    // Sessions expire while the clock moves.
    shop.admin.cookie = await product.startSession(shop.admin.id);
  };
  return async ({ place, steps }: Scenario) => {
    await moveTo(place.startsAt);
    await shop.moveTo(place);
    const run = await newCustomerRun(product, shop, place);
    for (const step of steps) {
      run.now = momentOf(run, step);
      run.story.push(`At ${run.now.toJSON()}: ${JSON.stringify(step)}`);
      await moveTo(run.now);
      await renewDue(run);
      await perform(run, step);
    }
    return run;
  };
};
