import { type Db, run } from "#platform/db/db.ts";
import type { Span } from "./queries.ts";

// What subscriptions and transactions of another system have in common.

/**
 * Finds the customer u of each row r: by the external ID, and without one or if no customer has it by the address.
 * `customerFault` is null if the row can belong to them.
 */
export const customerJoins = `
  left join users byid on byid.external_id = r.fields ->> 'customer_id'
  left join users bymail on bymail.email = r.email
  left join users u on u.id = coalesce(byid.id, bymail.id)`;
export const customerFault = `
  case when u.id is null then 'customer unknown' when u.role is not null then 'team member'
    when u.status = 'erased' or u.merged_into is not null then 'closed' end`;

/** Finds the packages of each row r, by their code or name. */
export const packageJoin = `
  cross join lateral (
    select count(*)::int as count, (array_agg(named.id))[1] as id from (
      select id from packages where code = lower(r.fields ->> 'package')
      union select id from packages where lower(name) = lower(r.fields ->> 'package')
      limit 2) named
  ) packaged`;

/** Locks the customers of a batch, so that none is erased or merged before it is written. */
export const lockCustomers = async (db: Db, { id, after, to }: Span) => {
  await run(
    db,
    `with rows as materialized (
       select email, fields ->> 'customer_id' as customer_id from import_results
       where import_id = $1 and row > $2 and row <= $3 and outcome <> 'rejected'
     ), theirs as materialized (
       select u.id from rows r join users u on u.external_id = r.customer_id
       union select u.id from rows r join users u on u.email = r.email
     )
     select from users where id in (select id from theirs) order by id for no key update`,
    [id, after, to],
  );
};

/** Marks the records of a batch as imported, before they are inserted. */
export const markImported = async (
  db: Db,
  importId: string,
  records: readonly { id: string; key: string | null }[],
) => {
  await run(
    db,
    `insert into imported_records (record_id, import_id, key)
     select id, $1, key from jsonb_to_recordset($2::jsonb) as marked (id uuid, key text)`,
    [importId, JSON.stringify(records)],
  );
};
