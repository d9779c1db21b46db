import { sql } from "kysely";
import { z } from "zod";
import { sealAudit, verifyAudit } from "../audit/seals.ts";
import { forgetEnded } from "../auth/sessions.ts";
import { forgetOldDrafts } from "../drafts.ts";
import { forgetIdempotencyKeys } from "../http/idempotency.ts";
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
  job({
    name: "verify-audit",
    payload: nothing,
    every: "17 3 * * *",
    run: async ({ db }) => {
      // It reads the whole log, which takes longer than any request may.
      await sql`set local statement_timeout = '30min'`.execute(db);
      const broken = await verifyAudit(db);
      if (broken)
        throw new Error(`The audit log does not add up: ${broken.what} (${broken.number}).`);
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
