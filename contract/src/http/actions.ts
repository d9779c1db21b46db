import { z } from "zod";
import { noRepeats } from "../fields/commonRules.ts";
import { id, version } from "../fields/primitives.ts";
import { plain, reason } from "../fields/text.ts";
import { message } from "../messages/schema.ts";

/** The body of an action that takes nothing but an optional reason for the audit log. */
export const actionBody = z.strictObject({ reason: reason.optional() });

/** The records of a bulk action, each with the version that the user saw. */
export const bulkTargets = z
  .array(z.strictObject({ id, version }))
  .min(1)
  .max(100)
  .refine((chosen) => new Set(chosen.map((target) => target.id)).size === chosen.length, noRepeats);

/** A bulk action skips the records that refuse it and says why. */
export const bulkReply = <T extends z.ZodType>(record: T) =>
  z.object({
    done: z.array(record),
    refused: z.array(z.object({ id, name: plain, code: plain, detail: message })),
  });
