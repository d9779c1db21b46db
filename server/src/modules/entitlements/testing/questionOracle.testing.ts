import { randomUUID } from "node:crypto";
import type { Explained } from "@purser/contract/entitlements/explanation";
import { isCounted } from "@purser/contract/fields/values";
import fc from "fast-check";
import type pg from "pg";
import { type MadeGrant, momentOf, type World } from "./arbitraryHistory.testing.ts";
import { type Expected, expectedOf } from "./oracle.testing.ts";

/** What else decides answers: usage, reservations, soft limits, archived features and states of subscriptions. */
export const circumstances = fc.record({
  features: fc.array(
    fc.record({
      enforcement: fc.constantFrom("hard" as const, "soft" as const),
      status: fc.constantFrom("active", "active", "archived"),
      used: fc.nat({ max: 8 }),
      reserved: fc.nat({ max: 3 }),
      amount: fc.integer({ min: 1, max: 4 }),
    }),
    { minLength: 5, maxLength: 5 },
  ),
  subscriptions: fc.array(
    fc.constantFrom(null, "trialing", "active", "past due", "paused", "ending", "ended"),
    { minLength: 7, maxLength: 7 },
  ),
});
export type Circumstances = typeof circumstances extends fc.Arbitrary<infer C> ? C : never;

type Customer = World["customers"][number];
type Feature = World["features"][number];

const monthOf = (moment: Date) => new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth()));

/** Different for each customer of a world. */
const turned = <T>(list: readonly T[], by: number): T => list[by % list.length] as T;

/** The circumstances of a customer's question about the feature at this place. */
export const circumstancesOf = ({ features }: Circumstances, feature: number, customer: number) => {
  const { enforcement, status } = turned(features, feature);
  const { used, reserved, amount } = turned(features, feature + customer);
  return { enforcement, status, used, reserved, amount };
};

const subscriptionOf = ({ subscriptions }: Circumstances, grant: number, customer: number) =>
  turned(subscriptions, grant + customer);

const usesOf = (world: World, given: Circumstances, months: readonly string[]) =>
  world.customers.flatMap(({ id: customer }, nth) =>
    world.features.flatMap(({ id, feature }, place) => {
      const { used, reserved } = circumstancesOf(given, place, nth);
      const windows = feature.kind === "metered" ? months : ["-infinity"];
      return windows.map((since) => ({ customer, feature: id, since, used, reserved }));
    }),
  );

const subscriptionsOf = (world: World, given: Circumstances) =>
  world.customers.flatMap(({ id: customer, grants }, nth) =>
    grants.flatMap(({ id: grant }, place) => {
      const status = subscriptionOf(given, place, nth);
      return status === null ? [] : [{ id: randomUUID(), customer, grant, status }];
    }),
  );

/** Adds them to a stored world. Triggers are off, because they use the current time. */
export const storeCircumstances = async (
  client: pg.PoolClient,
  world: World,
  given: Circumstances,
  moments: readonly Date[],
) => {
  const months = [...new Set(moments.map((moment) => monthOf(moment).toISOString()))];
  const features = world.features.map(({ id }, place) => {
    const { enforcement, status } = circumstancesOf(given, place, 0);
    return { id, enforcement, status };
  });
  const subscriptions = JSON.stringify(subscriptionsOf(world, given));
  await client.query("begin; set local session_replication_role = replica");
  await client.query(
    `update features f set enforcement = g.enforcement, status = g.status
     from jsonb_to_recordset($1) g (id uuid, enforcement text, status text) where f.id = g.id`,
    [JSON.stringify(features)],
  );
  await client.query(
    `insert into feature_use (user_id, feature_id, window_start, used, reserved)
     select customer, feature, since, used, reserved from jsonb_to_recordset($1)
       u (customer uuid, feature uuid, since timestamptz, used bigint, reserved bigint)`,
    [JSON.stringify(usesOf(world, given, months))],
  );
  await client.query(
    `insert into subscriptions (id, user_id, package_id, version_id, status, period_start, period_end, access_until,
       anchor, paused_at, ended_at)
     select id, customer, id, id, status, $2, $3, $3, $2, case when status = 'paused' then $2::timestamptz end,
       case when status = 'ended' then $2::timestamptz end
     from jsonb_to_recordset($1) s (id uuid, customer uuid, status text)`,
    [subscriptions, momentOf(-50), momentOf(100)],
  );
  await client.query(
    `update grants g set subscription_id = s.id
     from jsonb_to_recordset($1) s (id uuid, "grant" uuid) where g.id = s."grant"`,
    [subscriptions],
  );
  await client.query("commit");
};

export type ExpectedAnswer = Pick<
  Explained,
  "allowed" | "reason" | "value" | "limit" | "remaining"
>;

const lastEnd = ({ ends, changes }: MadeGrant) => changes.at(-1)?.ends ?? ends ?? Number.MAX_VALUE;

const ways = ({ changes }: MadeGrant) => changes.map(({ how }) => how);

/** Why a customer without a grant that applies has none: the one that ended last, unless one starts later. */
const lapseOf = (
  reasons: Expected["reasons"],
  grants: readonly (MadeGrant & { subscription: string | null })[],
  isArchived: boolean,
): Explained["reason"] => {
  const own = grants.filter((grant) => reasons[grant.id] && !ways(grant).includes("superseded"));
  if (own.some(({ id }) => reasons[id] === "not started")) return "not started";
  let last: (typeof own)[number] | undefined;
  for (const grant of own) {
    const [end, latest] = [lastEnd(grant), last ? lastEnd(last) : Number.NEGATIVE_INFINITY];
    if (end > latest || (end === latest && grant.id < (last?.id ?? ""))) last = grant;
  }
  if (!last) return isArchived ? "feature archived" : "not included";
  if (ways(last).includes("revoked")) return "revoked";
  if (last.subscription === "paused") return "paused";
  return last.subscription === "past due" ? "payment overdue" : "expired";
};

type Asked = { tick: number; amount: number; customer: number; feature: number };

const withoutLimit = { limit: null, remaining: null };

/**
 * The rules of answers once more, by the replayed history. Shares no code with the product. Undefined for a feature that
 * isn't explained.
 */
export const expectedAnswer = (
  world: World,
  given: Circumstances,
  { tick, amount, customer: nth, feature: place }: Asked,
): ExpectedAnswer | undefined => {
  const customer = world.customers[nth] as Customer;
  const { id, feature, app } = world.features[place] as Feature;
  const expected = expectedOf(world, customer, { tick, isPast: false }).get(id);
  if (!expected) return undefined;
  const { value, reasons } = expected;
  const denied = { allowed: false, value: null, ...withoutLimit };
  const status = customer.status.later.at(-1)?.value ?? customer.status.first;
  if (status === "suspended") return { ...denied, reason: "customer suspended" };
  if (status === "erased") return { ...denied, reason: "customer erased" };
  const history = world.appOf.get(app);
  if ((history?.later.at(-1)?.value ?? history?.first)?.isSuspended)
    return { ...denied, reason: "app suspended" };

  const own = circumstancesOf(given, place, nth);
  const isGranted = Object.values(reasons).includes("counts");
  const grants = customer.grants.map((grant, at) => ({
    ...grant,
    subscription: subscriptionOf(given, at, nth),
  }));
  const nothing = () =>
    isGranted ? ("not included" as const) : lapseOf(reasons, grants, own.status === "archived");
  const something = isGranted ? ("granted" as const) : ("default" as const);
  if (!isCounted(feature))
    return value === false
      ? { allowed: false, reason: nothing(), value, ...withoutLimit }
      : { allowed: true, reason: something, value, ...withoutLimit };
  if (value === "unlimited") return { allowed: true, reason: "unlimited", value, ...withoutLimit };
  const limit = Number(value);
  const remaining = Math.max(0, limit - own.used - own.reserved);
  const counted = { value, limit, remaining };
  if (limit === 0) return { allowed: false, reason: nothing(), ...counted };
  if (amount <= remaining) return { allowed: true, reason: something, ...counted };
  if (own.enforcement === "soft") return { allowed: true, reason: "over soft limit", ...counted };
  const isFull = remaining === 0;
  return {
    allowed: false,
    reason: isFull ? "limit reached" : "amount exceeds remaining",
    ...counted,
  };
};
