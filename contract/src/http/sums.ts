import { z } from "zod";
import { plain, text } from "../fields/text.ts";
import { type Fields, selection } from "./list.ts";

/** The rows of a list whose amounts are added up. */
export const sumsQuery = <F extends Fields>(fields: F) => {
  const { q, f } = selection(fields);
  return z.strictObject({
    q,
    f,
    /** All rows, however many there are. Only on request because it is slow. */
    all: text({ max: 4 }).pipe(z.literal("true")).optional(),
  });
};

/** Sums are texts because they can have more digits than a number in JSON. */
export const sumsOf = <Name extends string>(names: readonly [Name, ...Name[]]) =>
  z.object({
    /** `too many` rows to add up without a request for all of them, `too slow` even then. */
    state: z.enum(["complete", "too many", "too slow"]),
    /** In minor units, by currency. */
    sums: z.array(
      z.object({ currency: plain, rows: z.int(), amounts: z.record(z.enum(names), plain) }),
    ),
  });
