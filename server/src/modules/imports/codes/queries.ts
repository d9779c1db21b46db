import { deleteUnusedCodes, insertImportedCodes } from "#modules/promotions/queries.ts";
import { type Db, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import { checkedRows, type Judged, sentRows } from "../judgeQueries.ts";
import type { Span } from "../queries.ts";

/** A promotion is named by its ID or its name. Discounts of single customers have no codes. */
const judged = (source: string) => `
  select r.row, c.id as "recordId", r.email,
    case when p.id is not null then jsonb_build_object('promotionId', p.id) end as links,
    case
      when found.count = 0 then 'unknown'
      when found.count > 1 then 'ambiguous'
      when c.promotion_id <> p.id then 'taken'
      when c.max_uses is distinct from (r.fields ->> 'max_uses')::int and c.id is not null then 'differs'
      when c.id is not null then 'unchanged'
      when p.archived_at is not null then 'archived'
      when not p.needs_code then 'automatic'
      else 'new'
    end as verdict
  from ${source} r
  cross join lateral (
    select count(*)::int as count, (array_agg(named.id))[1] as id from (
      select id from promotions where lower(name) = lower(r.fields ->> 'promotion') and given_by is null
      union all
      select id from promotions where id = (r.fields ->> 'promotion_id')::uuid and given_by is null
      limit 2) named
  ) found
  left join promotions p on p.id = found.id
  left join promotion_codes c on c.code = r.key`;

// Three lookups for each of the rows of a batch.
const pagesMax = 20_000;

const judgeSql = statement("imports.judgeCodes", judged(sentRows))
  .bounded(pagesMax)
  .narrow<Judged>();

const judgeAgainSql = statement("imports.judgeCodesAgain", judged(checkedRows))
  .bounded(pagesMax)
  .narrow<Judged>();

export const judgeCodes = { sent: judgeSql, again: judgeAgainSql };

const newRowsSql = statement(
  "imports.newCodes",
  `select row, record_id as id, key, fields from import_results
   where import_id = $1 and row > $2 and row <= $3 and outcome = 'new' order by row`,
)
  .present<"id" | "key" | "fields">()
  .narrow<{ fields: { shown: string; max_uses: number } }>();

export const writeCodes = async (
  db: Db,
  { id, after, to }: Span,
  { judged: rows }: { judged: readonly Judged[] },
) => {
  const linksOf = new Map(rows.map(({ row, links }) => [row, links]));
  const added = await run(db, newRowsSql, [id, after, to]);
  await insertImportedCodes(
    db,
    added.map(({ row, id: codeId, key, fields }) => ({
      id: codeId,
      promotionId: linksOf.get(row)?.["promotionId"] ?? "",
      code: key,
      shown: fields.shown,
      maxUses: fields.max_uses,
    })),
  );
};

/** Deletes the codes of a batch that were never redeemed. */
export const deleteCodes = async (db: Db, { id, after, to }: Span) =>
  deleteUnusedCodes(
    db,
    (await run(db, newRowsSql, [id, after, to])).map((row) => row.id),
  );
