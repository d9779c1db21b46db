import { z } from "zod";
import { removeMonths, removeSeals, sealsAtOnce } from "../audit/retention.ts";
import { sealAudit } from "../audit/verification/seals.ts";
import { verifyAuditJob } from "../audit/verification/verifyJob.ts";
import { deleteExpired } from "../auth/deleteExpired.ts";
import { createPartitions } from "../db/partitions.ts";
import { deleteOldDrafts } from "../drafts/queries.ts";
import { forgetIdempotencyKeys } from "../http/calls/idempotency.ts";
import { deleteOldNotifications } from "../notifications/notifications.ts";
import { job } from "./queues.ts";

const nothing = z.object({});

/** The scheduled jobs of the platform. */
export const housekeeping = [
  job({
    name: "seal-audit",
    payload: nothing,
    every: "* * * * *",
    run: async ({ db }) => {
      await sealAudit(db);
    },
  }),
  verifyAuditJob,
  job({
    name: "forget-audit-months",
    payload: nothing,
    every: "47 4 * * *",
    inSteps: true,
    run: async ({ step }) => {
      await step(removeMonths);
      while ((await step(removeSeals)) === sealsAtOnce);
    },
  }),
  job({
    name: "create-partitions",
    payload: nothing,
    every: "0 * * * *",
    inSteps: true,
    run: async ({ step }) => {
      while ((await step(createPartitions)) > 0);
    },
  }),
  job({
    name: "forget-idempotency-keys",
    payload: nothing,
    every: "7 * * * *",
    run: async ({ db, now }) => {
      await forgetIdempotencyKeys(db, now);
    },
  }),
  job({
    name: "forget-ended-sessions",
    payload: nothing,
    every: "11 * * * *",
    run: ({ db, now }) => deleteExpired(db, now),
  }),
  job({
    name: "forget-old-drafts",
    payload: nothing,
    every: "23 4 * * *",
    run: ({ db, now }) => deleteOldDrafts(db, now),
  }),
  job({
    name: "forget-old-notifications",
    payload: nothing,
    every: "29 4 * * *",
    run: ({ db, now }) => deleteOldNotifications(db, now),
  }),
];
