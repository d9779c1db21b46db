import { type Db, run } from "#platform/db/db.ts";

type NewGrant = {
  userId: string;
  packageId: string;
  versionId: string;
  quantity?: number;
  /** The line that pays for it. */
  lineId?: string | null;
  subscriptionId: string | null;
  source: "transaction" | "trial" | "manual";
  sourceId: string;
  reason?: string;
  startsAt: Date;
  /** Null grants access without an end. */
  endsAt: Date | null;
  /** Starts where the granted periods of the same package end. */
  isAfterOthers?: boolean;
};

export const insertGrant = async (db: Db, grant: NewGrant) => {
  await run(
    db,
    `insert into grants (user_id, package_id, version_id, subscription_id, source, source_id, reason, starts_at,
       ends_at, promised_until, quantity, line_id)
     select $1, $2, $3, $4, $5, $6, $7, least(until, greatest($8::timestamptz, (
         select max(g.ends_at) from grants g where $10 and g.user_id = $1 and g.package_id = $2
           and g.subscription_id is not null and g.ends_at > g.starts_at and g.ends_at < 'infinity'))), until, until,
       $11, $12
     from (select coalesce($9::timestamptz, 'infinity') as until) period`,
    [
      grant.userId,
      grant.packageId,
      grant.versionId,
      grant.subscriptionId,
      grant.source,
      grant.sourceId,
      grant.reason ?? null,
      grant.startsAt,
      grant.endsAt,
      grant.isAfterOthers ?? false,
      grant.quantity ?? 1,
      grant.lineId ?? null,
    ],
  );
};

/** Grants one feature of a promotion. */
export const insertFeatureGrant = async (
  db: Db,
  grant: Pick<NewGrant, "userId" | "subscriptionId" | "sourceId" | "startsAt" | "endsAt"> & {
    featureId: string;
    value: unknown;
  },
) => {
  await run(
    db,
    `insert into grants (user_id, feature_id, value, subscription_id, source, source_id, starts_at, ends_at, promised_until)
     select $1, $2, $3::jsonb, $4, 'promotion', $5, $6, until, until
     from (select coalesce($7::timestamptz, 'infinity') as until) period`,
    [
      grant.userId,
      grant.featureId,
      JSON.stringify(grant.value),
      grant.subscriptionId,
      grant.sourceId,
      grant.startsAt,
      grant.endsAt,
    ],
  );
};

/** A grant of a package or of one feature. */
export type GrantRow = Partial<Pick<NewGrant, "packageId" | "versionId" | "quantity">> &
  Pick<NewGrant, "startsAt" | "endsAt" | "isAfterOthers"> & {
    source: NewGrant["source"] | "promotion";
    /** The sale itself if there is none. */
    sourceId?: string;
    featureId?: string;
    value?: unknown;
    isOfSubscription: boolean;
  };

/** The columns of grants as JSON. */
export const grantRecord = `"packageId" uuid, "versionId" uuid, quantity integer, "featureId" uuid, value jsonb,
  source text, "sourceId" text, "startsAt" timestamptz, "endsAt" timestamptz, "isAfterOthers" boolean,
  "isOfSubscription" boolean`;

/** Inserts grants from a query of such rows with their "userId", "lineId" and "subscriptionId". */
export const insertGrantsFrom = (rows: string) => `
  insert into grants (user_id, package_id, version_id, feature_id, value, subscription_id, source, source_id, starts_at,
    ends_at, promised_until, quantity, line_id)
  select g."userId", g."packageId", g."versionId", g."featureId", g.value,
    case when g."isOfSubscription" then g."subscriptionId" end, g.source, g."sourceId",
    least(until, greatest(g."startsAt", (
      select max(o.ends_at) from grants o where g."isAfterOthers" and o.user_id = g."userId"
        and o.package_id = g."packageId" and o.subscription_id is not null and o.ends_at > o.starts_at
        and o.ends_at < 'infinity'))),
    until, until, coalesce(g.quantity, 1), case when g."packageId" is not null then g."lineId" end
  from (${rows}) g cross join lateral (select coalesce(g."endsAt", 'infinity') as until) period`;

export type GrantEnd = {
  at: Date;
  /** Set when access is revoked instead of expiring. */
  revokedAt?: Date;
};

/**
 * Ends matching grants, including those that start later. The lock is a statement of its own, so that the
 * update also sees grants that another transaction inserted while this one waited.
 */
const endGrants = async (
  db: Db,
  { which, values }: { which: string; values: readonly string[] },
  { at, revokedAt }: GrantEnd,
) => {
  const given = [...values, at];
  const [moment, taken] = [`$${given.length}`, `$${given.length + 1}`];
  const chosen = `${which} and ends_at > ${moment}`;
  await run(db, `select from grants where ${chosen} order by id for update`, given);
  await run(
    db,
    `update grants set ends_at = greatest(starts_at, ${moment}), revoked_at = coalesce(revoked_at, ${taken})
     where ${chosen}`,
    [...given, revokedAt ?? null],
  );
};

export const endSubscriptionGrants = (db: Db, subscriptionId: string, end: GrantEnd) =>
  endGrants(db, { which: "subscription_id = $1", values: [subscriptionId] }, end);

/** As `endSubscriptionGrants`, for many subscriptions that each end at their own time. */
export const endGrantsOf = async (db: Db, ends: readonly { id: string; at: Date }[]) => {
  const given = [ends.map(({ id }) => id), ends.map(({ at }) => at)];
  const ended = "unnest($1::uuid[], $2::timestamptz[]) as ended (id, at)";
  const isChosen = "g.subscription_id = ended.id and g.ends_at > ended.at";
  await run(
    db,
    `select from grants g join ${ended} on ${isChosen} order by g.id for update of g`,
    given,
  );
  await run(
    db,
    `update grants g set ends_at = greatest(g.starts_at, ended.at) from ${ended} where ${isChosen}`,
    given,
  );
};

/** Ends grants of a package that were transferred to the customer from another customer's subscription. */
export const endTransferredGrants = (
  db: Db,
  { userId, packageId }: Pick<NewGrant, "userId" | "packageId">,
  end: GrantEnd,
) =>
  endGrants(
    db,
    {
      which: `user_id = $1 and package_id = $2
        and subscription_id in (select s.id from subscriptions s where s.user_id <> $1)`,
      values: [userId, packageId],
    },
    end,
  );

/** Ends the grants of a sale that belong to no subscription: a one-time purchase, or a promotion's feature for days. */
export const endOneTimeGrants = (db: Db, transactionId: string, end: GrantEnd) =>
  endGrants(
    db,
    {
      which:
        "source in ('transaction', 'promotion') and source_id = $1 and subscription_id is null",
      values: [transactionId],
    },
    end,
  );
