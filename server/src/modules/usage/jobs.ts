import { lateDaysMax } from "@purser/contract/usage/endpoints";
import { z } from "zod";
import { job } from "#platform/jobs/queues.ts";
import { findRetention } from "#platform/settings.ts";
import {
  dropOldEvents,
  expiredAtOnce,
  expireReservations,
  forgetIds,
  forgetReservations,
  forgottenAtOnce,
} from "./queries.ts";

/** Usage that needs a reserved amount gives it back at once. This is for the numbers that others see. */
export const expireUsageReservations = job({
  name: "expire-usage-reservations",
  payload: z.object({}),
  every: "* * * * *",
  inSteps: true,
  run: async ({ now, step }) => {
    while ((await step((db) => expireReservations(db, now))) === expiredAtOnce);
  },
});

// Longer than an event may be late, so that a repeated one is still known.
const dayMs = 86_400_000;
const keptDays = lateDaysMax + 14;

export const forgetUsageIds = job({
  name: "forget-usage-ids",
  payload: z.object({}),
  every: "53 3 * * *",
  inSteps: true,
  run: async ({ now, step }) => {
    const before = new Date(now.getTime() - keptDays * dayMs);
    while ((await step((db) => forgetIds(db, before))) === forgottenAtOnce);
    while ((await step((db) => forgetReservations(db, before))) === forgottenAtOnce);
  },
});

export const forgetUsageEvents = job({
  name: "forget-usage-events",
  payload: z.object({}),
  every: "39 4 * * *",
  inSteps: true,
  run: async ({ now, step }) => {
    const { usageEventDays: days } = await step((db) => findRetention(db));
    if (days !== null)
      await step((db) => dropOldEvents(db, new Date(now.getTime() - days * dayMs)));
  },
});
