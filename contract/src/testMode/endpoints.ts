import { z } from "zod";
import { instant } from "../fields/primitives.ts";
import { plain } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";

/** How far one move of the clock can go. */
export const clockDaysMax = 731;

const testClock = z
  .object({
    now: instant,
    /** By how much it differs from the real time. */
    aheadSeconds: z.int(),
    /** The move in progress. */
    move: z
      .object({
        from: instant,
        to: instant,
        /** How many jobs ran so far. */
        jobsRun: z.int(),
      })
      .nullable(),
    /** Why the last move ended early. */
    failure: plain.nullable(),
  })
  .meta({ id: "TestClock" });

export const getTestClock = endpoint({
  method: "GET",
  path: "/test-clock",
  summary: "Retrieve the test clock",
  permission: "signed in",
  reply: testClock,
  refusals: ["not_found"],
});

export const moveTestClock = endpoint({
  method: "POST",
  path: "/test-clock",
  summary: "Advance the test clock and run due jobs",
  permission: "jobs:write",
  body: z.object({ to: instant }),
  status: 202,
  reply: testClock,
  refusals: ["not_found", "in_progress"],
});
