import { randomUUID } from "node:crypto";
import { createAppKey } from "@purser/contract/apps/keys";
import type { KeyScope } from "@purser/contract/auth/keyScopes";
import { checkFeature } from "@purser/contract/entitlements/explanation";
import {
  confirmReservation,
  consumeUsage,
  recordUsage,
  releaseReservation,
  reserveUsage,
} from "@purser/contract/usage/endpoints";
import type { TestProduct } from "#testing.ts";

type Headers = { authorization: string };

export const keyIn = async (
  { call }: TestProduct,
  admin: { cookie: string },
  appId: string,
  scopes: KeyScope[] = ["entitlements:read", "usage:write"],
): Promise<Headers> => {
  const body = { name: "Server", kind: "server" as const, scopes };
  const made = await call(admin, createAppKey, { params: { id: appId }, body });
  return { authorization: `Bearer ${made.body.secret}` };
};

type Use = { user: string; feature: string; amount?: number; id?: string };

/** The calls of a sold app with one key. Each event has a new ID unless the test gives one. */
export const appCallsIn = ({ call }: TestProduct, headers: Headers) => ({
  check: async (user: string, feature: string, amount = 1) =>
    (await call(null, checkFeature, { query: { user, feature, amount: `${amount}` }, headers }))
      .body,
  record: (events: (Use & { at?: string })[]) =>
    call(null, recordUsage, {
      body: { events: events.map((event) => ({ id: randomUUID(), ...event })) },
      headers,
    }),
  consume: (use: Use) => call(null, consumeUsage, { body: { id: randomUUID(), ...use }, headers }),
  reserve: (use: Use & { seconds?: number }) =>
    call(null, reserveUsage, { body: { id: randomUUID(), ...use }, headers }),
  confirm: (id: string, amount?: number) =>
    call(null, confirmReservation, {
      params: { id },
      body: amount === undefined ? {} : { amount },
      headers,
    }),
  release: (id: string) => call(null, releaseReservation, { params: { id }, body: {}, headers }),
});
