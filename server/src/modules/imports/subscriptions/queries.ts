import {
  type ImportedSubscription,
  insertImportedSubscriptions,
} from "#modules/billing/importedSubscriptionQueries.ts";
import { closeSubscriptions } from "#modules/billing/subscriptionQueries.ts";
import { type Db, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import { customerFault, customerJoins, markImported, packageJoin } from "../historyQueries.ts";
import { checkedRows, type Judged, sentRows } from "../judgeQueries.ts";
import type { Span } from "../queries.ts";

/** The newest version with the wanted price, the one on sale first. An older one keeps a price that has changed since. */
const sold = `
  select v.id as version_id, price.id as price_id, price.per_unit, price.amount,
    r.fields ->> 'price' is null or price.amount = (r.fields ->> 'price')::bigint as is_wanted
  from package_versions v join version_prices price on price.version_id = v.id
  where v.package_id = packaged.id and v.published_at is not null and price.currency = r.fields ->> 'currency'
    and price.interval = r.fields ->> 'interval' and price.interval_count = (r.fields ->> 'interval_count')::int
  order by 5 desc, v.state = 'on sale' desc, v.number desc limit 1`;

/** An earlier row of the file with a running subscription to the same package or group. */
const isStaged = `exists (select from import_results o where o.import_id = compared.import_id and o.fields ->> 'place' = place)`;

// A customer has at most one running subscription to a package, and to the packages of a group.
const judged = (source: string, isEarlier = "false") => `
  with compared as (
    select r.row, coalesce(known.id, billed.id) as "recordId", coalesce(u.email, r.email) as email,
      case when r.fields ->> 'ended_at' is null then concat_ws(' ', u.id, coalesce(p.group_code, p.id::text)) end as place,
      ${isEarlier === "false" ? "" : "r.import_id,"}
      jsonb_strip_nulls(jsonb_build_object('userId', u.id, 'packageId', p.id, 'group', p.group_code,
        'versionId', sold.version_id, 'priceId', sold.price_id)) as links,
      case
        when coalesce(known.id, billed.id) is not null then case
          when u.id is null or current_customer(coalesce(known.user_id, billed.user_id)) = current_customer(u.id)
            then 'unchanged' else 'taken' end
        else coalesce(${customerFault}, case
          when packaged.count = 0 then 'package unknown'
          when packaged.count > 1 then 'package ambiguous'
          when p.status = 'archived' and r.fields ->> 'ended_at' is null then 'package archived'
          when sold.version_id is null then 'price missing'
          when not sold.is_wanted then 'price unknown'
          when not sold.per_unit and (r.fields ->> 'quantity')::int > 1 then 'not per unit'
          when r.fields ->> 'ended_at' is not null then null
          when (r.fields ->> 'period_end')::timestamptz <= r.now then 'over'
          when exists (select from subscriptions s where s.user_id = u.id and s.status <> 'ended'
            and (s.package_id = p.id or s.group_code = p.group_code)) then 'running'
        end, 'new')
      end as verdict
    from ${source} r
    ${customerJoins}
    ${packageJoin}
    left join packages p on p.id = packaged.id
    left join lateral (${sold}) sold on true
    left join imported_records marked on marked.key = r.key
    left join subscriptions known on known.id = marked.record_id
    left join subscriptions billed on billed.billed_by = r.fields ->> 'billed_by'
      and billed.billing_reference = r.fields ->> 'billing_reference' and billed.status <> 'ended'
  )
  select row, "recordId", email, case when place is null then links else links || jsonb_build_object('place', place) end as links, case
      when verdict = 'new' and place is not null and (row_number() over (
        partition by place, verdict order by row) > 1 or ${isEarlier}) then 'running'
      else verdict end as verdict
  from compared`;

// About ten lookups for each of the rows of a batch.
const pagesMax = 40_000;

const judgeSql = statement("imports.judgeSubscriptions", judged(sentRows, isStaged))
  .bounded(pagesMax)
  .narrow<Judged>();

const judgeAgainSql = statement("imports.judgeSubscriptionsAgain", judged(checkedRows))
  .bounded(pagesMax)
  .narrow<Judged>();

export const judgeSubscriptions = { sent: judgeSql, again: judgeAgainSql };

type Fields = {
  quantity: number;
  created_at: string;
  period_start: string;
  period_end: string;
  is_ending: boolean;
  ended_at: string | null;
  billed_by: string | null;
  billing_reference: string | null;
};

const newRowsSql = statement(
  "imports.newSubscriptions",
  `select r.row, r.record_id as id, r.key, r.fields, i.name
   from imports i join import_results r on r.import_id = i.id
   where i.id = $1 and r.row > $2 and r.row <= $3 and r.outcome = 'new' order by r.row`,
)
  .present<"id" | "fields">()
  .narrow<{ fields: Fields }>();

type NewRow = NonNullable<typeof newRowsSql.row>;

const subscriptionOf = (
  { id, fields }: NewRow,
  links: Record<string, string>,
): ImportedSubscription => ({
  id,
  userId: links["userId"] ?? "",
  packageId: links["packageId"] ?? "",
  versionId: links["versionId"] ?? "",
  priceId: links["priceId"] ?? "",
  group: links["group"] ?? null,
  quantity: fields.quantity,
  startedAt: fields.created_at,
  periodStart: fields.period_start,
  periodEnd: fields.period_end,
  isEnding: fields.is_ending,
  endedAt: fields.ended_at,
  billedBy: fields.billed_by,
  billingReference: fields.billing_reference,
});

export const writeSubscriptions = async (
  db: Db,
  { id, after, to }: Span,
  { judged: rows, now }: { judged: readonly Judged[]; now: Date },
) => {
  const linksOf = new Map(rows.map(({ row, links }) => [row, links ?? {}]));
  const added = await run(db, newRowsSql, [id, after, to]);
  await markImported(db, id, added);
  const [{ name: source } = { name: "" }] = added;
  await insertImportedSubscriptions(
    db,
    added.map((one) => subscriptionOf(one, linksOf.get(one.row) ?? {})),
    { now, source },
  );
};

const unusedSql = statement(
  "imports.unusedSubscriptions",
  `select s.id, s.status <> 'ended' as "isRunning" from import_results r join subscriptions s on s.id = r.record_id
   where r.import_id = $1 and r.row > $2 and r.row <= $3 and r.outcome = 'new'
     and s.version = 1 and not exists (select from transactions t where t.subscription_id = s.id
       and t.reference is distinct from 'undone ' || t.id)
   order by s.id for update of s`,
).bounded(20_000);

/**
 * Ends the subscriptions of a batch that are as they were imported. Those that had ended before stay in the history of
 * their customers. The references of both can be imported again. Returns how many it has ended.
 */
export const endImported = async (db: Db, { id, after, to }: Span, now: Date) => {
  const unused = await run(db, unusedSql, [id, after, to]);
  if (unused.length === 0) return 0;
  const running = unused.filter(({ isRunning }) => isRunning);
  if (running.length > 0)
    await closeSubscriptions(
      db,
      running.map(({ id: subscriptionId }) => ({ id: subscriptionId, at: now })),
    );
  await run(db, "update imported_records set key = null where record_id = any ($1::uuid[])", [
    unused.map((one) => one.id),
  ]);
  return running.length;
};
