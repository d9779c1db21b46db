import { act, isCurrent, isPaused } from "./actions.testing.ts";
import type { Product } from "./books.testing.ts";
import { newEngine } from "./engine.testing.ts";
import type { Action, History } from "./history.testing.ts";
import { type Delivery, deliverAll, type Run, subscriptionsOf } from "./reports.testing.ts";

const dayMs = 86_400_000;

/** Until the next end of a period, if that is what the action waits for. */
const momentOf = (run: Run, { after }: Action) => {
  if ("ms" in after) return new Date(+run.now + after.ms);
  const ends = subscriptionsOf(run)
    .filter((one) => isCurrent(run, one) && !isPaused(one))
    .map(({ periodEnd }) => +periodEnd)
    .filter((end) => end > +run.now);
  const end = Math.min(...ends, +run.now + 400 * dayMs);
  return new Date(Math.max(+run.now, end + after.untilPeriodEndPlusMs));
};

type Options = {
  product?: Product | undefined;
  /** The number of actions after which all reports are late, and how they arrive in the end. */
  late?: { from: number } & Delivery;
};

/** Plays a history with the product's functions. */
export const play = (history: History, { product, late }: Options = {}): Run => {
  const run: Run = {
    history,
    engine: newEngine(history.world, product),
    now: history.world.startsAt,
    isAllLate: false,
    reports: [],
    early: [],
    paidAt: new Map(),
    chargedBack: new Set(),
  };
  for (const [place, action] of history.actions.entries()) {
    run.isAllLate = place >= (late?.from ?? Number.POSITIVE_INFINITY);
    run.now = momentOf(run, action);
    if (action.does !== "deliver" || !run.isAllLate) act(run, `T${place + 1}`, action);
  }
  deliverAll(run, late ?? { order: 0, isRepeated: false });
  return run;
};
