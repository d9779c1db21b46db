import { z } from "zod";
import { sealAudit } from "../audit/verification/seals.ts";
import { verifyAuditJob } from "../audit/verification/verifyJob.ts";
import { forgetEnded } from "../auth/sessions/sessions.ts";
import { forgetOldDrafts } from "../drafts/drafts.ts";
import { forgetIdempotencyKeys } from "../http/calls/idempotency.ts";
import { job } from "./queues.ts";

const nothing = z.object({});

/** What the platform does by itself. */
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
    run: ({ db, now }) => forgetEnded(db, now),
  }),
  job({
    name: "forget-old-drafts",
    payload: nothing,
    every: "23 4 * * *",
    run: async ({ db, now }) => {
      await forgetOldDrafts(db, now);
    },
  }),
];
