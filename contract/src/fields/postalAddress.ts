import { z } from "zod";
import { text } from "./text.ts";

/** Like the address of EN 16931, without region and country. */
export const postalAddress = z.strictObject({
  /** Street, building and similar. EN 16931 has three. */
  lines: z.array(text({ min: 1, max: 100 })).max(3),
  postalCode: text({ min: 1, max: 20 }).nullable(),
  city: text({ min: 1, max: 60 }).nullable(),
});
