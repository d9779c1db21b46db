import { PurserError } from "./error.ts";
import type { Transport } from "./transport.ts";
import type { Check, Environment } from "./types.ts";

/** An answer, and when it was requested. */
type Received = { check: Check; at: number };
type Waiting = { resolve: (received: Received) => void; reject: (error: unknown) => void };

const unknownFeature = () => new PurserError("not_found", "This app has no such feature.", 404);

/**
 * Requests of checks. A check that is already on its way isn't requested again, and checks of several features of a
 * customer at the same moment are one request.
 */
export const createCheckRequests = (
  { send }: Transport,
  { elapsed }: Environment,
  isPublishable: boolean,
) => {
  const pending = new Map<string, Map<string, Promise<Received>>>();
  const collecting = new Map<string, Map<string, Waiting>>();
  const userOf = (user: string) => (isPublishable ? undefined : user);

  const askOne = async (
    user: string,
    feature: string,
    { amount, minVersion }: { amount?: number; minVersion?: number } = {},
  ): Promise<Received> => {
    const at = elapsed();
    const query = {
      user: userOf(user),
      feature,
      amount: amount?.toString(),
      minVersion: minVersion?.toString(),
    };
    return { check: await send<Check>({ path: "/check", query, user }), at };
  };

  const askAll = async (user: string) =>
    (
      await send<{ items: Check[] }>({
        path: "/check/all",
        query: { user: userOf(user) },
        user,
      })
    ).items;

  const flush = async (user: string) => {
    const asked = collecting.get(user) ?? new Map<string, Waiting>();
    collecting.delete(user);
    const at = elapsed();
    const settle = (check: Check) => asked.get(check.feature.code)?.resolve({ check, at });
    try {
      const [first = ""] = asked.keys();
      if (asked.size === 1) settle((await askOne(user, first)).check);
      else for (const check of await askAll(user)) settle(check);
      for (const { reject } of asked.values()) reject(unknownFeature());
    } catch (error) {
      for (const { reject } of asked.values()) reject(error);
    }
  };

  const collect = (user: string, feature: string) =>
    new Promise<Received>((resolve, reject) => {
      const waiting = collecting.get(user);
      if (waiting) waiting.set(feature, { resolve, reject });
      else {
        collecting.set(user, new Map([[feature, { resolve, reject }]]));
        queueMicrotask(() => void flush(user));
      }
    });

  return {
    askOne,
    askAll,
    ask: (user: string, feature: string) => {
      const own = pending.get(user) ?? new Map<string, Promise<Received>>();
      pending.set(user, own);
      const known = own.get(feature);
      if (known) return known;
      const asked = collect(user, feature).finally(() => {
        own.delete(feature);
        if (own.size === 0) pending.delete(user);
      });
      own.set(feature, asked);
      return asked;
    },
  };
};
