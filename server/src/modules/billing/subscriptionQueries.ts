import type { Price } from "@purser/contract/packages/prices";
import type { SubscriptionStatus } from "@purser/contract/subscriptions/endpoints";
import { type Db, first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import { lockCustomerOf } from "./customerQueries.ts";
import { endGrantsOf, endSubscriptionGrants, type GrantEnd } from "./grantQueries.ts";

/** A subscription with the price it renews at. */
export type Subscription = Pick<Price, "currency" | "interval" | "intervalCount" | "amount"> & {
  id: string;
  userId: string;
  packageId: string;
  packageName: string;
  group: string | null;
  versionId: string;
  priceId: string;
  status: SubscriptionStatus;
  anchor: Date;
  periodNumber: number;
  periodStart: Date;
  periodEnd: Date;
  accessUntil: Date;
  pausedAt: Date | null;
  quantity: number;
  changeQuantity: number | null;
  /** The provider that bills the renewals, or null if Purser requests them. */
  billedBy: string | null;
  nextVersionId: string | null;
  changeVersionId: string | null;
  changePriceId: string | null;
  version: number;
};

const columns = `
  s.id, s.user_id as "userId", s.package_id as "packageId", p.name as "packageName", s.group_code as "group",
  s.version_id as "versionId", s.price_id as "priceId", s.status, s.anchor, s.period_number as "periodNumber",
  s.period_start as "periodStart", s.period_end as "periodEnd", s.access_until as "accessUntil",
  s.paused_at as "pausedAt", s.quantity, s.change_quantity as "changeQuantity", s.billed_by as "billedBy",
  s.next_version_id as "nextVersionId",
  s.change_version_id as "changeVersionId", s.change_price_id as "changePriceId", s.version, price.currency, price.interval,
  price.interval_count as "intervalCount", price.amount::float8 as amount`;

const joins =
  "join packages p on p.id = s.package_id join version_prices price on price.id = s.price_id";

const subscriptions = statement(
  "billing.subscriptions",
  `select ${columns} from subscriptions s ${joins}`,
)
  .present<"priceId">()
  .narrow<Subscription>();
const oneSubscription = subscriptions.with("where s.id = $1");

export const findSubscription = (db: Db, id: string) => first(db, oneSubscription, [id]);

const renewingMax = 20;
const renewingOfUser = subscriptions.with(
  `where s.user_id = $1 and s.status in ('trialing', 'active', 'past due') order by s.period_end, s.id limit ${renewingMax}`,
);

/** The customer's subscriptions that renew or wait for their renewal. The one that is due first comes first. */
export const findRenewing = (db: Db, userId: string) => run(db, renewingOfUser, [userId]);

/** When a row of subscriptions is renewed or ended. `moment` is a placeholder. */
export const isPeriodOver = (row: string, moment: string) =>
  `${row}.status in ('trialing', 'active', 'ending') and ${row}.period_end <= ${moment}`;
export const isGraceOver = (row: string, moment: string) =>
  `${row}.status = 'past due' and ${row}.access_until <= ${moment}`;

const lockedDue = subscriptions.with(
  `where s.id = any ($1::uuid[]) and s.user_id = any ($2::uuid[])
     and (${isPeriodOver("s", "$3")} or ${isGraceOver("s", "$3")})
   for update of s skip locked`,
);

/** Those of them that are still due and belong to these customers, who must be locked. Skips what others have locked. */
export const lockDueSubscriptions = (
  db: Db,
  { ids, customerIds, now }: { ids: readonly string[]; customerIds: readonly string[]; now: Date },
) => run(db, lockedDue, [ids, customerIds, now]);

/** Locks before reading, so that a caller that waited reads the newest row. */
export const lockSubscription = async (db: Db, id: string) => {
  await lockCustomerOf(db, "subscriptions", id);
  await run(db, "select from subscriptions where id = $1 for update", [id]);
  return findSubscription(db, id);
};

const lockCurrentSql = statement(
  "billing.lockCurrent",
  `select id from subscriptions
   where user_id = $1 and status <> 'ended' and (package_id = $2 or group_code = $3)
   order by package_id = $2 desc for update limit 1`,
);

/** The customer's current subscription to the package, or to another package of its group. */
export const lockCurrent = async (
  db: Db,
  { userId, packageId, group }: { userId: string; packageId: string; group: string | null },
) => {
  const row = await first(db, lockCurrentSql, [userId, packageId, group]);
  return row && findSubscription(db, row.id);
};

export type NewSubscription = Pick<
  Subscription,
  | "userId"
  | "packageId"
  | "group"
  | "versionId"
  | "priceId"
  | "status"
  | "anchor"
  | "periodStart"
  | "periodEnd"
  | "accessUntil"
> &
  Partial<Pick<Subscription, "periodNumber" | "quantity">>;

export const insertSubscription = async (db: Db, { group, ...given }: NewSubscription) => {
  const { id } = await db
    .insertInto("subscriptions")
    .values({ ...given, groupCode: group })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
};

/** The columns of new subscriptions as JSON. */
export const subscriptionRecord = `"packageId" uuid, "group" text, "versionId" uuid, "priceId" uuid, quantity integer,
  status text, anchor timestamptz, "periodStart" timestamptz, "periodEnd" timestamptz, "accessUntil" timestamptz`;

/** Inserts subscriptions from a query of such rows with their "id" and "userId". */
export const insertSubscriptionsFrom = (rows: string) => `
  insert into subscriptions (id, user_id, package_id, group_code, version_id, price_id, quantity, status, anchor,
    period_start, period_end, access_until)
  select s.id, s."userId", s."packageId", s."group", s."versionId", s."priceId", s.quantity, s.status, s.anchor,
    s."periodStart", s."periodEnd", s."accessUntil"
  from (${rows}) s`;

export const updateSubscription = async (
  db: Db,
  id: string,
  values: Partial<
    Pick<
      Subscription,
      | "versionId"
      | "priceId"
      | "status"
      | "anchor"
      | "periodNumber"
      | "periodStart"
      | "periodEnd"
      | "accessUntil"
      | "nextVersionId"
      | "changeVersionId"
      | "changePriceId"
      | "quantity"
      | "changeQuantity"
    >
  > & { endedAt?: Date | null; pausedAt?: Date | null },
) => {
  const { accessUntil, periodEnd } = values;
  await db
    .updateTable("subscriptions")
    .set(({ fn, val }) => ({
      ...values,
      // A stored end of a period is more exact than a date in JavaScript, which would be earlier.
      ...(accessUntil &&
        !periodEnd && { accessUntil: fn<Date>("greatest", ["periodEnd", val(accessUntil)]) }),
    }))
    .where("id", "=", id)
    .execute();
};

/** Ends access and the subscription. What it waits for is closed by `endSubscription` of transactions. */
export const closeSubscription = async (db: Db, id: string, end: GrantEnd) => {
  await endSubscriptionGrants(db, id, end);
  await endPause(db, id, end.at);
  await updateSubscription(db, id, { status: "ended", endedAt: end.at });
};

export type SubscriptionEnd = { id: string; at: Date };

/** As `closeSubscription`, for many that end by themselves. */
export const closeSubscriptions = async (db: Db, ends: readonly SubscriptionEnd[]) => {
  const given = [ends.map(({ id }) => id), ends.map(({ at }) => at)];
  const ended = "unnest($1::uuid[], $2::timestamptz[]) as ended (id, at)";
  await endGrantsOf(db, ends);
  await run(
    db,
    `update subscription_pauses p set resumed_at = greatest(p.paused_at, ended.at) from ${ended}
     where p.subscription_id = ended.id and p.resumed_at is null`,
    given,
  );
  await run(
    db,
    `update subscriptions s set status = 'ended', ended_at = ended.at from ${ended} where s.id = ended.id`,
    given,
  );
};

/** Waits for the payment of the next period. */
export const setPastDue = async (db: Db, ids: readonly string[]) => {
  await run(db, "update subscriptions set status = 'past due' where id = any ($1::uuid[])", [ids]);
};

/** Pauses are kept, because the paid time of a line stands still during them. */
export const startPause = async (db: Db, subscriptionId: string, pausedAt: Date) => {
  await db.insertInto("subscriptionPauses").values({ subscriptionId, pausedAt }).execute();
};

export const endPause = async (db: Db, subscriptionId: string, at: Date) => {
  await run(
    db,
    `update subscription_pauses set resumed_at = greatest(paused_at, $2)
     where subscription_id = $1 and resumed_at is null`,
    [subscriptionId, at],
  );
};

/** Who bills the renewals. Null if Purser requests them. */
export const setBilling = async (
  db: Db,
  id: string,
  billing: { provider: string; reference: string } | null,
) => {
  await run(db, "update subscriptions set billed_by = $2, billing_reference = $3 where id = $1", [
    id,
    billing?.provider,
    billing?.reference,
  ]);
};
