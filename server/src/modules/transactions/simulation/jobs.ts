import { promotionDetails } from "@purser/contract/promotions/endpoints";
import { z } from "zod";
import { considerDraft, unsavedId } from "#modules/promotions/pricing/draft.ts";
import { findManyConsidered } from "#modules/promotions/pricing/queries.ts";
import { job } from "#platform/jobs/queues.ts";
import {
  findSales,
  findSimulation,
  findUsedSince,
  finishSimulation,
  storeProgress,
} from "./queries.ts";
import { simulate } from "./simulate.ts";

const lowestId = "00000000-0000-0000-0000-000000000000";

/** Changes only its own row, so a worker that takes over can start again. */
export const simulatePromotion = job({
  name: "simulate-promotion",
  payload: z.object({ id: z.uuid() }),
  inSteps: true,
  run: async ({ db, step }, { id }) => {
    const stored = await findSimulation(db, id);
    if (stored?.status !== "running") return;
    const { from, to, details, promotionId } = stored;
    const own = promotionDetails.parse(details);
    const { promotion } = considerDraft(own, undefined);
    const used = await findManyConsidered(db, await findUsedSince(db, from), null);
    const known = new Map(used.map((one) => [one.promotion.id, one.promotion]));
    // The promotion itself may have applied to these sales. It must not compete with itself.
    known.delete(promotionId ?? "");
    const simulation = simulate({ ...promotion, id: promotionId ?? unsavedId }, known);
    let after = { from: from.toISOString(), id: lowestId };
    let count = 0;
    for (;;) {
      const window = { from: after.from, after: after.id, to, listed: own.customers };
      const sales = await findSales(db, window);
      for (const { packageId, currency, amount, interval, intervalCount, ...sale } of sales) {
        const line = { packageId, currency, amount, interval, intervalCount, trialDays: 0 };
        const others = sale.applied.filter((one) => known.has(one.promotionId));
        simulation.add({ ...sale, line, applied: others });
      }
      count += sales.length;
      const last = sales.at(-1);
      const progress = { sales: count, at: last?.at ?? to };
      if (!(await step((within) => storeProgress(within, id, progress)))) return;
      if (!last) break;
      after = { from: last.moment, id: last.id };
    }
    await step((within) => finishSimulation(within, id, simulation.result()));
  },
});
