import { type Db, run } from "#platform/db/db.ts";
import { insertGrantsFrom } from "./grantQueries.ts";

/** A subscription of another system, from its current period on, or one that has ended there. */
export type ImportedSubscription = {
  id: string;
  userId: string;
  packageId: string;
  versionId: string;
  priceId: string;
  group: string | null;
  quantity: number;
  startedAt: string;
  periodStart: string;
  periodEnd: string;
  /** Whether it ends with the period instead of being renewed. */
  isEnding: boolean;
  endedAt: string | null;
  /** The provider that bills the renewals, and its reference. */
  billedBy: string | null;
  billingReference: string | null;
};

// Periods are counted from the end of the imported one. The one before it has the number -1.
const rows = `
  select given.*, case when given."endedAt" is not null then 'ended' when given."isEnding" then 'ending' else 'active' end as status,
    case when given."endedAt" is not null or given."isEnding" then given."periodEnd"
      else given."periodEnd" + make_interval(hours => 24 * s.grace_days) end as access_until
  from settings s cross join jsonb_to_recordset($1::jsonb) as given (
    id uuid, "userId" uuid, "packageId" uuid, "versionId" uuid, "priceId" uuid, "group" text, quantity integer,
    "startedAt" timestamptz, "periodStart" timestamptz, "periodEnd" timestamptz, "isEnding" boolean,
    "endedAt" timestamptz, "billedBy" text, "billingReference" text)`;

const inserted = `
  insert into subscriptions (id, user_id, package_id, version_id, price_id, group_code, quantity, status, anchor,
    period_number, period_start, period_end, access_until, ended_at, billed_by, billing_reference, created_at)
  select id, "userId", "packageId", "versionId", "priceId", "group", quantity, status, "periodEnd", -1, "periodStart",
    "periodEnd", access_until, "endedAt", "billedBy", "billingReference", "startedAt"
  from added`;

const granted = insertGrantsFrom(`
  select "userId", null::uuid as "lineId", id as "subscriptionId", "packageId", "versionId", quantity,
    null::uuid as "featureId", null::jsonb as value, 'import' as source, $3::text as "sourceId", $2::timestamptz as "startsAt",
    access_until as "endsAt", true as "isAfterOthers", true as "isOfSubscription"
  from added where status <> 'ended'`);

const insertText = `with added as materialized (${rows}), inserted as (${inserted}) ${granted}`;

/**
 * Adds subscriptions of another system, with access from now until the end of the period. Their customers must be
 * locked, and their IDs marked as imported, so that they cause no webhook.
 */
export const insertImportedSubscriptions = async (
  db: Db,
  imported: readonly ImportedSubscription[],
  { now, source }: { now: Date; source: string },
) => {
  if (imported.length > 0) await run(db, insertText, [JSON.stringify(imported), now, source]);
};
