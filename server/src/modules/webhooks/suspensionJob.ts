import { suspendedApp } from "#modules/apps/suspension.ts";
import { job } from "#platform/jobs/queues.ts";
import { findSources, isWanted, tellBatch } from "./suspensionQueries.ts";

const beforeAll = "00000000-0000-0000-0000-000000000000";

/**
 * Creates `entitlements.changed` events for the customers of an app that was suspended or resumed, in batches. It
 * isn't done in the request, because an app can have millions of customers.
 */
export const tellSuspension = job({
  name: "tell-suspension",
  payload: suspendedApp,
  inSteps: true,
  run: async ({ db, now, step }, { appId }) => {
    if (!(await isWanted(db))) return;
    for (const source of await findSources(db, appId)) {
      let after: string | null = beforeAll;
      while (after !== null) {
        const batch: { appId: string; source: typeof source; after: string; now: Date } = {
          appId,
          source,
          after,
          now,
        };
        after = await step((within) => tellBatch(within, batch));
      }
    }
  },
});
