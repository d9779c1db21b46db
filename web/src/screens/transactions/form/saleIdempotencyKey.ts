import { z } from "zod";
import { runtime } from "#lib/page/runtime.ts";

const place = `purser.sale${runtime.basePath}`;

const kept = z.object({ body: z.string(), key: z.string(), clock: z.string() });
type Kept = z.output<typeof kept>;

const read = (): Kept | null => {
  const text = sessionStorage.getItem(place);
  const found = kept.safeParse(text && JSON.parse(text));
  return found.success ? found.data : null;
};

/** The time of a sale that was sent without getting a reply, as typed in the form. */
export const keptClock = () => read()?.clock ?? null;

/**
 * One key per sale, also after a reload: a sale that was sent without getting a reply
 * must not be recorded twice.
 */
export const saleIdempotencyKey = (given: object, clock: string) => {
  const body = JSON.stringify(given);
  const before = read();
  const key = before?.body === body ? before.key : crypto.randomUUID();
  sessionStorage.setItem(place, JSON.stringify({ body, key, clock } satisfies Kept));
  return key;
};

/** Called after a reply, so that the next sale gets a new key. */
export const forgetKey = () => sessionStorage.removeItem(place);
