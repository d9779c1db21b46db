import { z } from "zod";

const place = "purser.sale";

const kept = z.object({ body: z.string(), key: z.string(), clock: z.string() });
type Kept = z.output<typeof kept>;

const read = (): Kept | null => {
  const text = sessionStorage.getItem(place);
  const found = kept.safeParse(text && JSON.parse(text));
  return found.success ? found.data : null;
};

/** When the sale happened that was sent without an answer, as its form held it. */
export const keptClock = () => read()?.clock ?? null;

/**
 * One key for one sale, also after a reload: what was sent and never answered is, sent again, still the
 * same sale.
 */
export const saleIdempotencyKey = (given: object, clock: string) => {
  const body = JSON.stringify(given);
  const before = read();
  const key = before?.body === body ? before.key : crypto.randomUUID();
  sessionStorage.setItem(place, JSON.stringify({ body, key, clock } satisfies Kept));
  return key;
};

/** It was answered: the next one is another. */
export const forgetKey = () => sessionStorage.removeItem(place);
