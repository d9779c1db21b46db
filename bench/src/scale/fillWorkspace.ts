// What the workspace collects over the years, which the seeder doesn't make. Old rows are inserted first, as they would
// be, and each part has as many rows as given.

/** A team member for each place. */
const member = (alias: string, place: string) => `
  join (select id, row_number() over (order by id) - 1 as place, count(*) over () as members
    from users where role is not null) ${alias} on ${alias}.place = (${place}) % ${alias}.members`;

const owner = "(select id from users where role = 'owner' order by id limit 1)";

/** The latest sales. */
const sales = (rows: number) => `
  (select latest.*, row_number() over (order by id) as n
   from (select * from transactions order by id desc limit ${rows}) latest) sale`;

/** Moments of the last two years. */
const moments = (rows: number) => `
  (select n, now() - interval '2 years' * (${rows} - n) / ${rows} as at
   from generate_series(1, ${rows}) n) moment`;

// In the order of their ids, because many copies of a sale have the same time.
const approvals = (rows: number) => [
  `insert into approvals (id, rule, status, operation, permission, params, body, entity, record_id, summary, facts,
     basis, reason, requested_by, expires_at, decided_by, decided_at, answer, created_at, updated_at, currency, amount)
   select uuid_v7(sale.occurred_at), 'refund', status, 'POST /transactions/:id/refund', 'transactions:write',
     jsonb_build_object('id', sale.id), '{"amount": 100, "access": "keep"}', 'transactions', sale.id,
     'Refund of ' || sale.number, '[{"label": "Amount", "value": "1.00 EUR"}]', '\\x', 'Request ' || sale.n, asking.id,
     now() + interval '7 days', case when status in ('approved', 'rejected') then deciding.id end,
     case when status <> 'waiting' then sale.occurred_at end, case when status = 'stale' then 'Already refunded.' end,
     sale.occurred_at, sale.occurred_at, 'EUR', 100
   from ${sales(rows)} ${member("asking", "sale.n")} ${member("deciding", "sale.n + 1")}
   cross join lateral (select case when sale.n % 500 = 0 then 'waiting'
     else (array['approved', 'rejected', 'withdrawn', 'expired', 'stale'])[1 + sale.n % 5] end as status) state
   order by 1`,
];

/** Old imports without their rows, and one with them. */
const imports = (rows: number) => [
  `insert into imports (id, kind, name, status, stage, created_by, created_at, started_at, finished_at, emptied_at,
     columns, mapping, parts, bytes, rows, position, checked, progress, imported, rejected)
   select uuid_v7(at), case when n = ${rows} then 'customers'
       else (array['customers', 'subscriptions', 'transactions', 'codes'])[1 + n % 4] end,
     'file-' || n || '.csv', 'finished', 'checked', ${owner}, at, at, at, case when n < ${rows} then at end,
     '["external_id", "email"]', '["externalId", "email"]', 1, 1000, ${rows}, ${rows}, counted, counted,
     ${rows - rows / 100}, ${rows / 100}
   from ${moments(rows)} cross join (select jsonb_build_object('new', ${rows - rows / 100}, 'update', 0, 'unchanged', 0,
     'rejected', ${rows / 100}, 'errors', '{}'::jsonb, 'suggestions', '{}'::jsonb) as counted) result order by n`,
  `insert into import_rows (import_id, row, cells)
   select i.id, n + 1, jsonb_build_array('imported-' || n, 'imported-' || n || '@example.com')
   from imports i cross join generate_series(1, ${rows}) n where i.emptied_at is null and i.name = 'file-${rows}.csv'
   order by n`,
  `insert into import_results (import_id, row, outcome, key, email, record_id, fields, errors)
   select r.import_id, r.row, case when r.row % 100 = 0 then 'rejected' else 'new' end, r.cells ->> 0, r.cells ->> 1,
     case when r.row % 100 > 0 then u.id end, '{}',
     case when r.row % 100 = 0 then '[{"field": "email", "code": "taken", "message": {"code": "taken", "text": "Taken."}}]'::jsonb end
   from import_rows r join (
     select id, row_number() over (order by id) + 1 as row from users where role is null limit ${rows}) u using (row)
   order by r.row`,
  `insert into imported_records (record_id, import_id, key)
   select record_id, import_id, key from import_results where record_id is not null order by row`,
];

const jobs = (rows: number) => [
  `insert into exports (id, list, format, query, created_at, rows)
   select uuid_v7(at), 'transactions', 'csv', '{}', at, 100 from ${moments(rows)} order by n`,
  `insert into list_jobs (id, user_id, list, action, query, started_at, export_id, status, total, done, bytes, position,
     last_id, finished_at, dismissed_at)
   select uuid_v7(at), doing.id, (array['users', 'transactions', 'apps'])[1 + n % 3],
     case when n % 2 = 0 then 'export' else 'suspend' end, '{}', at, case when n % 2 = 0 then done.id end, 'finished',
     case when n % 2 = 1 then 100 end, 100, 100, 100, null, at, case when n % 200 > 0 then at end
   from ${moments(rows)} ${member("doing", "n")}
   left join (select id, row_number() over (order by id) as n from exports) done using (n) order by n`,
  `insert into list_job_chunks (job_id, position, content)
   select id, 1, 'id,name' from list_jobs where action = 'export' order by id`,
  // One of all customers.
  `insert into list_jobs (id, user_id, list, action, query, started_at, status, total, done, failed, position, finished_at)
   select uuid_v7(now()), ${owner}, 'users', 'suspend', '{}', now(), 'finished', ${rows}, ${rows - rows / 100},
     ${rows / 100}, ${rows}, now()`,
  `insert into list_job_rows (job_id, position, record_id, record_version, outcome, detail, version_after)
   select job.id, row_number() over (order by u.id), u.id, 1, case when right(u.number, 2) = '00' then 'failed' else 'done' end,
     case when right(u.number, 2) = '00' then '{"code": "x", "text": "Failed."}'::jsonb end, 2
   from (select id from list_jobs where total = ${rows}) job
   cross join (select id, number from users where role is null order by id limit ${rows}) u`,
];

const providers = (rows: number) => [
  `insert into provider_events (id, provider, event_id, type, payment, body, at, received_at, outcome, words, tries,
     next_try_at, transaction_id)
   select uuid_v7(sale.occurred_at), (array['stripe', 'bank'])[1 + sale.n % 2], 'event-' || sale.n, 'payment',
     'payment-' || sale.n, '{}', sale.occurred_at, sale.occurred_at, outcome, sale.number || ': succeeded', 1,
     case outcome when 'waiting' then now() end, case outcome when 'applied' then sale.id end
   from ${sales(rows)} cross join lateral (select case sale.n % 500 when 0 then 'unmatched' when 1 then 'waiting'
     when 2 then 'ignored' else 'applied' end as outcome) result
   order by sale.n`,
  `insert into transaction_references (provider, reference, transaction_id, created_at)
   select 'stripe', 'scale-' || sale.n, sale.id, sale.occurred_at from ${sales(rows)} order by sale.n`,
];

const mentioned = `'{"code": "mentioned", "text": "You were mentioned."}'`;

/** One comment on each of many sales, and many on one record of each kind. */
const comments = (rows: number) => [
  `insert into user_notes (id, user_id, author_id, text, created_at, entity, record_id, mentions)
   select uuid_v7(sale.occurred_at), sale.user_id, writing.id, 'Comment ' || sale.n, sale.occurred_at, 'transactions',
     sale.id, array[${owner}]
   from ${sales(rows)} ${member("writing", "sale.n")} order by sale.n`,
  `insert into user_notes (author_id, text, entity, record_id, mentions)
   select ${owner}, 'Comment ' || n, entity, record.id, '{}'
   from (
     select 'apps' as entity, id from apps where code = 'many-office'
     union all select 'packages', id from packages where code = 'many-plan'
     union all select 'promotions', id from promotions where name = 'Ten of many'
     union all (select 'features', id from features where code = 'feature-1' limit 1)
   ) record cross join generate_series(1, 5000) n`,
  `insert into notifications (id, user_id, kind, message, path, created_at, read_at)
   select uuid_v7(at), case when n % 2 = 0 then ${owner} else notified.id end,
     (array['mention', 'approval', 'file', 'job'])[1 + n % 4], ${mentioned}, '/transactions', at,
     case when n % 20 > 0 then at end
   from ${moments(rows)} ${member("notified", "n")} order by n`,
];

const requests = (rows: number) => [
  `insert into idempotency_keys (caller, operation, key_hash, fingerprint, status, answer, created_at)
   select 'scale', 'POST /usage', decode(md5(n::text), 'hex'), '\\x', 204, '\\x', at from ${moments(rows)}`,
  `insert into personal_exports (id, user_id, requested_by, requested_at, file, ready_at, expires_at)
   select uuid_v7(at), u.id, ${owner}, at, '\\x', at, now() + interval '7 days'
   from ${moments(rows)} join (
     select id, row_number() over (order by id) as n from users where role is null limit ${rows}) u using (n) order by n`,
];

/** A rollout of the package with the most subscribers. */
const rollouts = (rows: number) => [
  `insert into rollouts (package_id, version_id, mode, starts_at, status, holders, moved, finished_at)
   select v.package_id, v.id, 'now', now(), 'done', ${rows}, ${rows}, now()
   from package_versions v join (
     select package_id from grants where package_id is not null group by 1 order by count(*) desc limit 1) most
     using (package_id)
   where v.state = 'on sale' on conflict do nothing`,
  `insert into rollout_moves (rollout_id, grant_id, user_id, from_version_id, outcome, effective_at)
   select done.id, g.id, g.user_id, g.version_id, 'migrated', now()
   from (select id, package_id from rollouts order by id desc limit 1) done
   cross join lateral (select * from grants g where g.package_id = done.package_id order by g.id limit ${rows}) g
   on conflict do nothing`,
  `insert into grant_changes (grant_id, was_ends_at, actor_name, reason)
   select grant_id, 'infinity', 'Scale', 'Extended.' from rollout_moves`,
  // A pause of the demo data may overlap, depending on the day.
  `insert into subscription_pauses (subscription_id, paused_at, resumed_at)
   select id, period_start - interval '2 months', period_start - interval '1 month' from subscriptions
   order by id limit ${rows}
   on conflict do nothing`,
];

/** As many saved views and reports as there can be. */
const saved = [
  `insert into shared_views (list, name, q, f, owner_id)
   select list, 'View ' || n, 'ada', '{}', ${owner}
   from unnest(array['apps', 'features', 'packages', 'promotions', 'transactions', 'users']) list
   cross join generate_series(1, 50) n on conflict do nothing`,
  `insert into drafts (user_id, form, record_version, base, value, saved_at)
   select ${owner}, 'scale-' || n, 0, '{}', '{}', now() from generate_series(1, 100) n`,
];

/** The statements that fill what the workspace collects, with about so many rows of each. */
export const workspace = (rows: number) => [
  ...approvals(rows),
  ...imports(rows),
  ...jobs(rows),
  ...providers(rows),
  ...comments(rows),
  ...requests(rows),
  ...rollouts(rows),
  ...saved,
];
