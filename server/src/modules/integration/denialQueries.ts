import { type Db, run } from "#platform/db/db.ts";
import { template } from "#platform/db/statement.ts";

export const denialsPerPage = 50;

const noId = "'00000000-0000-0000-0000-000000000000'::uuid";

// A page of each day, which starts after the last row of the page before. So no day is read to its end.
const ofAppSql = template(
  "integration.denialsOfApp",
  (features: "all" | "one") => `
    select found.feature as code, found.user_id as "userId", found.day::text as day, found.denials::float8 as count,
      found.last_at as "lastAt", u.name as "userName", u.email, f.id as "featureId", f.name as "featureName"
    from (
      select d.* from (
        select last.day - ago as day, case when last.day - ago = $6::date then $7::text else '' end as feature,
          case when last.day - ago = $6::date then $8::uuid else ${noId} end as user_id
        from (select least($5::date, $6::date) as day) last
        cross join generate_series(0, last.day - $4::date) ago
      ) start cross join lateral (
        select c.user_id, c.feature, c.day, c.denials, c.last_at from check_denials c
        where c.app_id = $1 and c.reason = $2 and c.day = start.day and ${
          features === "one"
            ? "c.feature = $3::text and c.user_id > start.user_id"
            : "$3::text is null and (c.feature, c.user_id) > (start.feature, start.user_id)"
        }
        order by c.feature, c.user_id limit ${denialsPerPage + 1}
      ) d
      order by d.day desc, d.feature, d.user_id limit ${denialsPerPage + 1}
    ) found
    left join users u on u.id = found.user_id left join features f on f.app_id = $1 and f.code = found.feature
    order by found.day desc, found.feature, found.user_id`,
  ["all"],
  ["one"],
)
  // A page of rows for each of 31 days, with their place in the index.
  .bounded(3000)
  .narrow<{ day: string; count: number }>();

export type Place = { day: string; feature: string; userId: string };

type Wanted = {
  appId: string;
  reason: string;
  /** Null for all features. */
  feature: string | null;
  from: string;
  to: string;
  after: Place | null;
};

/** One row more than a page, the latest day first. */
export const findDenialsOfApp = (db: Db, { appId, reason, feature, from, to, after }: Wanted) => {
  const place = [after?.day ?? null, after?.feature ?? null, after?.userId ?? null];
  const text = ofAppSql.for(feature === null ? "all" : "one");
  return run(db, text, [appId, reason, feature, from, to, ...place]);
};
