import type { ListQuery } from "@purser/contract/http/list";
import type { Promotion } from "@purser/contract/promotions/endpoints";
import {
  countedCodesMax,
  promotionFields,
  promotionListFields,
  promotionStatuses,
} from "@purser/contract/promotions/fields";
import { type Db, first, run } from "#platform/db/db.ts";
import { type RowOf, selection, statement } from "#platform/db/statement.ts";
import { lookedUpMax } from "#platform/lists/choose.ts";
import { filterColumns, selectColumns } from "#platform/lists/columns.ts";
import type { List, Paging } from "#platform/lists/list.ts";
import { findPage } from "#platform/lists/page.ts";
import { beginsWith, escapeLike } from "#platform/lists/sql.ts";
import { countByChoice } from "#platform/lists/total.ts";

/** The status of a row named r, now. It depends on time, limits and decisions of the team. */
const status = `
  case when r.archived_at is not null then 'archived' when r.published_at is null then 'draft'
    when r.ends_at <= now() then 'ended'
    when r.uses >= r.max_uses or exists (
      select from promotion_amounts a where a.promotion_id = r.id and a.given >= a.budget) then 'used up'
    when r.paused_at is not null then 'paused' when r.starts_at > now() then 'scheduled'
    else 'running' end`;

/** What decides whether a promotion can be paused, resumed, archived or restored. */
export const actableState = {
  status,
  feature: `(select jsonb_build_object('name', f.name, 'app', o.name,
      'archived', case when o.status = 'archived' then 'app' when f.status = 'archived' then 'feature' end)
    from features f join apps o on o.id = f.app_id where f.id = r.feature_id)`,
  startsAt: "r.starts_at",
  endsAt: "r.ends_at",
};

/** The end date as a body has it. */
export const writtenEnd = `to_char(r.ends_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const ownColumns = selectColumns(promotionFields, [
  ...(["status", "feature", "amounts", "customers"] as const),
  ...(["packages", "code", "codes", "isLocked"] as const),
]);

// Inside JSON the amounts are numbers. As columns they would be bigint, which arrives as text.
const shown = `
  ${ownColumns}, ${status} as status,
  case when f.id is not null then jsonb_build_object('id', f.id, 'name', f.name, 'app', o.name,
    'archived', case when o.status = 'archived' then 'app' when f.status = 'archived' then 'feature' end) end as feature,
  (select coalesce(jsonb_agg(jsonb_build_object('currency', a.currency, 'off', a.off, 'minimum', a.minimum,
      'cap', a.cap, 'budget', a.budget, 'given', a.given) order by a.currency), '[]')
    from promotion_amounts a where a.promotion_id = r.id) as amounts,
  (select count(*)::int from promotion_people l where l.promotion_id = r.id) as customers,
  (select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name) order by p.sort, p.id), '[]')
    from promotion_packages t join packages p on p.id = t.package_id where t.promotion_id = r.id) as packages,
  main.code, c.codes, r.first_used_at is not null as "isLocked"`;

const joins = `
  left join features f on f.id = r.feature_id left join apps o on o.id = f.app_id
  left join lateral (
    select c.shown as code from promotion_codes c where c.promotion_id = r.id and c.max_uses is null
    order by c.id desc limit 1
  ) main on true
  cross join lateral (
    select count(*)::int as codes from (
      select from promotion_codes c where c.promotion_id = r.id order by c.id limit ${countedCodesMax}) few
  ) c`;

const promotions = selection("promotions.promotions", {
  table: "promotions",
  columns: shown,
  joins,
}).narrow<Promotion>();

/** The ids of promotions of these packages. */
const ofPackages = (ids: string) =>
  `select t.promotion_id as id from promotion_packages t where t.package_id = any (${ids})`;

export const promotionList: List<typeof promotionListFields, Promotion> = {
  rows: promotions,
  fields: promotionListFields,
  columns: {
    ...filterColumns(promotionFields),
    status: `(${status})`,
    package: "r.id",
  },
  refers: { package: (ids) => `exists (${ofPackages(ids)} and t.promotion_id = r.id)` },
  finds: {
    package: (ids) => `(${ofPackages(ids)} group by t.promotion_id limit ${lookedUpMax + 1})`,
  },
  sorts: { createdAt: "r.id" },
  search: (typed) => [
    { sql: (values) => `lower(r.name) like lower(${values.add(`%${escapeLike(typed)}%`)})` },
    {
      // Codes are stored without the dashes that they are shown with.
      sql: (values) => `r.id = any (array(select c.promotion_id from promotion_codes c
        where ${beginsWith("c.code", typed.toUpperCase().replace(/[^A-Z0-9]/g, "") || "-", values)}
        order by c.code using ~<~ limit 1000))`,
    },
  ],
  lookedUp: { name: ["is", "starts", "contains"] },
};

export const findPromotions = (db: Db, query: ListQuery, paging: Paging) =>
  findPage(db, promotionList, query, paging);

export const countPromotionsByStatus = (db: Db) =>
  countByChoice(db, {
    table: "promotions",
    column: status,
    order: "r.id",
    options: promotionStatuses,
  });

const one = promotions.with("where r.id = $1");

export const findPromotion = (db: Db, id: string) => first(db, one, [id]);

/** Locks the row before reading it, so that a waiting request sees the saved changes. */
export const lockPromotion = async (db: Db, id: string) => {
  await run(db, "select from promotions where id = $1 for update", [id]);
  return findPromotion(db, id);
};

const findUnknownEmailsSql = statement(
  "promotions.findUnknownEmails",
  `select given as email from unnest($1::text[]) with ordinality g (given, place)
   where not exists (select from users u where u.email = given and u.status <> 'erased') order by place`,
).narrow<{ email: string }>();

/** Email addresses that no user has. */
export const findUnknownEmails = async (db: Db, emails: string[]) =>
  (await run(db, findUnknownEmailsSql, [emails])).map(({ email }) => email);

const findCustomersOfSql = statement(
  "promotions.findCustomersOf",
  `select u.email from promotion_people l join users u on u.id = l.user_id
   where l.promotion_id = $1 order by u.email`,
);

export const findCustomersOf = async (db: Db, id: string) =>
  (await run(db, findCustomersOfSql, [id])).map(({ email }) => email);

export const setMoments = async (
  db: Db,
  id: string,
  moments: {
    publishedAt?: Date;
    pausedAt?: Date | null;
    archivedAt?: Date | null;
    endsAt?: Date;
  },
) => {
  await db.updateTable("promotions").set(moments).where("id", "=", id).execute();
};

export const removePromotion = async (db: Db, id: string) => {
  await run(db, "delete from promotions where id = $1", [id]);
};

export const insertCodes = async (
  db: Db,
  id: string,
  codes: { code: string; shown: string }[],
  redemptionLimit: number | null,
) => {
  await run(
    db,
    `insert into promotion_codes (promotion_id, code, shown, max_uses)
     select $1, code, shown, $3 from jsonb_to_recordset($2::jsonb) as given (code text, shown text)`,
    [id, JSON.stringify(codes), redemptionLimit],
  );
};

export type ImportedCode = {
  id: string;
  promotionId: string;
  code: string;
  shown: string;
  maxUses: number;
};

/** Adds codes of another system, of several promotions. */
export const insertImportedCodes = async (db: Db, added: readonly ImportedCode[]) => {
  if (added.length === 0) return;
  await run(
    db,
    `insert into promotion_codes (id, promotion_id, code, shown, max_uses)
     select id, "promotionId", code, shown, "maxUses" from jsonb_to_recordset($1::jsonb)
       as added (id uuid, "promotionId" uuid, code text, shown text, "maxUses" integer)`,
    [JSON.stringify(added)],
  );
};

const deleteUnusedSql = statement(
  "promotions.deleteUnusedCodes",
  `with gone as (
     delete from promotion_codes c where c.id = any ($1::uuid[]) and c.uses = 0
       and not exists (select from redemptions u where u.code_id = c.id) returning c.id
   ) select count(*)::int as deleted from gone`,
)
  .bounded(20_000)
  .narrow<{ deleted: number }>();

/** Deletes those of the codes that were never redeemed, and returns how many. */
export const deleteUnusedCodes = async (db: Db, ids: readonly string[]) =>
  (await first(db, deleteUnusedSql, [ids]))?.deleted ?? 0;

const codes = statement(
  "promotions.codes",
  `select c.shown as code, c.uses as redemptions, c.max_uses as "redemptionLimit", c.created_at as "createdAt"
   from promotion_codes c where c.promotion_id = $1 order by c.id`,
);

export const codesStatement = (id: string) => ({ statement: codes, values: [id] });

type Overlapping = Pick<Promotion, "id" | "name" | "code" | "status" | "startsAt" | "endsAt">;

const findOverlappingSql = statement(
  "promotions.findOverlapping",
  `select r.id, r.name, ${status} as status, r.starts_at as "startsAt", r.ends_at as "endsAt",
     (select c.shown from promotion_codes c where c.promotion_id = r.id and c.max_uses is null
      order by c.id desc limit 1) as code
   from promotions r
   where r.archived_at is null and r.published_at is not null and r.id is distinct from $3::uuid
     and coalesce(r.starts_at, '-infinity') < $2 and coalesce(r.ends_at, 'infinity') > $1
   order by r.starts_at nulls first, r.id limit 20`,
).narrow<Overlapping>();

/** Promotions that can be redeemed at some time in the period. */
export const findOverlapping = (
  db: Db,
  { from, to, except }: { from: Date; to: Date; except?: string | undefined },
) => run(db, findOverlappingSql, [from, to, except ?? null]);

const findResultsSql = statement(
  "promotions.findResults",
  `with newest as (
     select * from redemptions where promotion_id = $1 order by created_at desc limit $2 + 1
   ), used as (
     select u.user_id, u.currency, u.amount, u.returned_at, u.created_at,
       case when t.state in ('succeeded', 'disputed') then t.total - t.refunded else 0 end as revenue
     from (select * from newest order by created_at desc limit $2) u join transactions t on t.id = u.transaction_id
   )
   select (count(*) filter (where returned_at is null))::int as redemptions,
     count(distinct user_id)::int as customers, (count(returned_at))::int as returned,
     coalesce((
       select jsonb_agg(to_jsonb(s) order by currency) from (
         select currency, count(*)::int as redemptions, sum(amount)::bigint as given, sum(revenue)::bigint as revenue
         from used where returned_at is null group by currency
       ) s
     ), '[]') as "byCurrency",
     case when (select count(*) > $2 from newest) then min(created_at) end as "countedSince"
   from used`,
)
  // A few pages for the sale of each redemption.
  .bounded(30_000)
  .narrow<{
    redemptions: number;
    customers: number;
    returned: number;
    byCurrency: { currency: string; redemptions: number; given: number; revenue: number }[];
  }>();

type Results = RowOf<typeof findResultsSql>;

const countedMax = 5000;

/** What the newest redemptions gave away, and the revenue of paid sales with them, without refunds. */
export const findResults = async (db: Db, id: string, max = countedMax): Promise<Results> => {
  const row = await first(db, findResultsSql, [id, max]);
  if (!row) throw new Error("A count gives a row.");
  return row;
};

const findPackageNamesSql = statement(
  "promotions.findPackageNames",
  "select name from packages where id = any ($1::uuid[]) order by name",
);

/** The names of packages, for approval requests. */
export const findPackageNames = async (db: Db, ids: readonly string[]) =>
  (await run(db, findPackageNamesSql, [ids])).map(({ name }) => name);
