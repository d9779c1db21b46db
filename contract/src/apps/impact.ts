import { z } from "zod";
import { id, instant } from "../fields/primitives.ts";
import { plain, text } from "../fields/text.ts";

const idsOf = (source: string) => source.split(",");

/** The apps or features of an impact, up to 100 comma-separated ids. */
export const impactQuery = z.strictObject({
  ids: text({ min: 1, max: 4000 }).transform(idsOf).pipe(z.array(id).min(1).max(100)),
});

/** What depends on apps or features that are archived or suspended. */
export const recordImpact = z
  .object({
    /** Customers with a current grant that includes them, except suspended customers. */
    customers: z.int(),
    /**
     * Whether there may be fewer customers. If there are very many, the subscribers of each package are added up, and a
     * customer with several packages counts more than once. The next three are then null.
     */
    isAtMost: z.boolean(),
    /** Of these, customers whose subscription renews. */
    renewing: z.int().nullable(),
    /** Of these, customers whose access has no end date. */
    endless: z.int().nullable(),
    /** When the last access with an end date ends, if nothing renews. */
    lastEnd: instant.nullable(),
    /** Versions that include them and can't be sold or published while they are archived. */
    versions: z.array(
      z.object({
        package: z.object({ id, name: plain }),
        number: z.int(),
        state: z.enum(["draft", "scheduled", "on sale"]),
      }),
    ),
    /** Published promotions that don't give them to buyers while they are archived. */
    promotions: z.array(z.object({ id, name: plain })),
  })
  .meta({ id: "RecordImpact" });
export type RecordImpact = z.output<typeof recordImpact>;
