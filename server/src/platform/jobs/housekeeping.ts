import { z } from "zod";
import { removeMonths, removeSeals, sealsAtOnce } from "../audit/retention.ts";
import { sealAudit } from "../audit/verification/seals.ts";
import { verifyAuditJob } from "../audit/verification/verifyJob.ts";
import { deleteExpired } from "../auth/deleteExpired.ts";
import { removeOldSignIns } from "../auth/sessions/signInLog.ts";
import type { Db } from "../db/db.ts";
import { createPartitions } from "../db/partitions.ts";
import { deleteOldDrafts } from "../drafts/queries.ts";
import { forgetIdempotencyKeys } from "../http/calls/idempotency.ts";
import { removeOldNotifications } from "../notifications/notifications.ts";
import { findRetention } from "../settings.ts";
import { measureStorage } from "../system/queries.ts";
import { keepJobsFor } from "./jobRetention.ts";
import { job } from "./queues.ts";

const nothing = z.object({});
const dayMs = 86_400_000;
/** Removed in one transaction. */
const batchSize = 5000;

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
    inSteps: true,
    run: async ({ step, now }) => {
      const { notificationDays } = await step((db) => findRetention(db));
      const before = new Date(+now - notificationDays * dayMs);
      const remove = (db: Db) => removeOldNotifications(db, before, batchSize);
      while ((await step(remove)) === batchSize);
    },
  }),
  job({
    name: "forget-sign-ins",
    payload: nothing,
    every: "31 4 * * *",
    inSteps: true,
    run: async ({ step }) => {
      const remove = (db: Db) => removeOldSignIns(db, batchSize);
      while ((await step(remove)) > 0);
    },
  }),
  job({
    name: "keep-jobs",
    payload: nothing,
    every: "13 * * * *",
    run: async ({ db }) => keepJobsFor(db, (await findRetention(db)).jobDays),
  }),
  job({
    name: "measure-storage",
    payload: nothing,
    every: "37 2 * * *",
    run: ({ db, now }) => measureStorage(db, now),
  }),
];
