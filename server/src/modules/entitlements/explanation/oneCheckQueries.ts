import type { AppStatus } from "@purser/contract/apps/fields";
import { type Db, first } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import type { UserStatus } from "./answer.ts";
import { customerOf, grantOf, grantsOf, type StoredGrant, uuidOf } from "./checkQueries.ts";
import { type FeatureRow, featureOf } from "./factQueries.ts";
import { periodStarts } from "./windows.ts";

// $1 and $2 are the identifier as text and, if it is one, as UUID. $3 is the moment, $4 the app, $5 the code of the
// feature, $6 to $10 the starts of the current periods. The planner expects few features in an app and would read all of
// them, so the first one from the code on is read in the order of the index.
const findOneSql = statement(
  "entitlements.findOne",
  `select f.id, f.app_id, f.code, f.name, f.kind, f.unit_one, f.unit_many, f.reset, f.anchor, f.combining, f.options,
     f.default_value, f.enforcement, f.fallback, f.status, a.status as "appStatus",
     a.suspended_at is not null as "isAppSuspended", u.id as "customerId", u.status as "customerStatus", given.grants,
     counter.used::float8 as used, counter.reserved::float8 as reserved
   from (select * from features where (app_id, code) >= ($4::uuid, $5::text) order by app_id, code limit 1) f
   join apps a on a.id = f.app_id
   left join lateral (${customerOf("$1::text", "$2::uuid")}) found on true
   left join users u on u.id = found.id and u.role is null
   left join lateral (${grantsOf((id) => `${id} = f.id`)}) given on true
   left join feature_use counter on counter.feature_id = f.id and counter.user_id = u.id
     and counter.window_start = case f.reset when 'hour' then $6::timestamptz when 'day' then $7::timestamptz
       when 'week' then $8::timestamptz when 'month' then $9::timestamptz when 'year' then $10::timestamptz
       else '-infinity' end
   where f.app_id = $4 and f.code = $5`,
)
  // Up to eight for each grant of the customer.
  .bounded(8000)
  .present<
    | ("id" | "app_id" | "code" | "name" | "kind" | "combining" | "options" | "default_value")
    | ("enforcement" | "fallback" | "status" | "anchor")
  >()
  .narrow<
    FeatureRow & {
      appStatus: AppStatus;
      isAppSuspended: boolean;
      customerId: string | null;
      customerStatus: UserStatus | null;
      grants: StoredGrant[] | null;
      used: number | null;
      reserved: number | null;
    }
  >();

type Asked = { user: string; feature: string };

/** A feature of an app with its app, and a customer with their grants and usage of it. Undefined without the feature. */
export const findOne = async (
  db: Db,
  { appId, at, zone }: { appId: string; at: Date; zone: string },
  { user, feature }: Asked,
) => {
  const values = [user, uuidOf(user), at, appId, feature, ...periodStarts(at, zone)];
  const row = await first(db, findOneSql, values);
  if (!row) return undefined;
  const { customerId, customerStatus, appStatus, isAppSuspended, grants, used, reserved } = row;
  return {
    feature: featureOf(row),
    app: { isDraft: appStatus === "draft", isSuspended: isAppSuspended },
    customer: customerStatus && {
      id: customerId,
      status: customerStatus,
      grants: (grants ?? []).map(grantOf),
    },
    counter: { used: used ?? 0, reserved: reserved ?? 0 },
  };
};
