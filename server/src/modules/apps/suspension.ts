import { z } from "zod";
import type { Job } from "#platform/jobs/queues.ts";

export const suspendedApp = z.object({ appId: z.uuid() });

/** Creates the webhook events about a suspension or its end. */
export type TellSuspension = Job<typeof suspendedApp>;
