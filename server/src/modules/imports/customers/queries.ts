import { type Db, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import { checkedRows, type Judged, sentRows } from "../judgeQueries.ts";
import type { Span } from "../queries.ts";

const columns =
  `external_id email name company address region country vat_number locale time_zone`.split(" ");

// An empty cell is null, and changes nothing. An external ID is set once.
const changedTo = (column: string) =>
  column === "external_id"
    ? "coalesce(u.external_id, f.external_id)"
    : `coalesce(f.${column}, u.${column})`;

const differs = columns
  .map((column) => `u.${column} is distinct from ${changedTo(column)}`)
  .join(" or ");

/** The customer of a row is known by its external ID, and without one by the email address. */
const judged = (source: string) => `
  select r.row, coalesce(byid.id, bymail.id) as "recordId", r.email, null::jsonb as links,
    case
      when byid.id <> bymail.id
        or (byid.id is null and r.key is not null and bymail.external_id is not null) then 'taken'
      when u.role is not null then 'team member'
      when u.status = 'erased' or u.merged_into is not null then 'closed'
      when u.id is null then 'new'
      when ${differs} then 'update'
      else 'unchanged'
    end as verdict
  from ${source} r
  cross join lateral jsonb_populate_record(null::users, r.fields) f
  left join users byid on byid.external_id = r.key
  left join users bymail on bymail.email = r.email
  left join users u on u.id = coalesce(byid.id, bymail.id)`;

// Three lookups for each of the rows of a batch.
const pagesMax = 20_000;

const judgeSql = statement("imports.judgeCustomers", judged(sentRows))
  .bounded(pagesMax)
  .narrow<Judged>();

const judgeAgainSql = statement("imports.judgeCustomersAgain", judged(checkedRows))
  .bounded(pagesMax)
  .narrow<Judged>();

export const judgeCustomers = { sent: judgeSql, again: judgeAgainSql };

const ofOutcome = (outcome: "new" | "update") => `
  from import_results r cross join lateral jsonb_populate_record(null::users, r.fields) f
  where r.import_id = $1 and r.row > $2 and r.row <= $3 and r.outcome = '${outcome}'`;

/** Adds the new customers of a batch, as old as their ids. No email or webhook follows from a new customer. */
const insertCustomers = async (db: Db, { id, after, to }: Span) => {
  await run(
    db,
    `insert into users (id, status, created_at, ${columns.join(", ")})
     select r.record_id, 'active', coalesce(f.created_at, uuid_v7_time(r.record_id)),
       ${columns.map((column) => (column === "name" ? "coalesce(f.name, left(f.email, 120))" : `f.${column}`)).join(", ")}
     ${ofOutcome("new")}`,
    [id, after, to],
  );
};

const updateCustomers = async (db: Db, { id, after, to }: Span) => {
  await run(
    db,
    `update users u set ${columns.map((column) => `${column} = ${changedTo(column)}`).join(", ")}
     from (select r.record_id, f.* ${ofOutcome("update")}) f
     where u.id = f.record_id and u.role is null and u.status <> 'erased' and u.merged_into is null`,
    [id, after, to],
  );
};

/** Most files only have new customers, or only known ones. */
export const writeCustomers = async (
  db: Db,
  span: Span,
  { judged: rows }: { judged: readonly Judged[] },
) => {
  if (rows.some(({ verdict }) => verdict === "new")) await insertCustomers(db, span);
  if (rows.some(({ verdict }) => verdict === "update")) await updateCustomers(db, span);
};
