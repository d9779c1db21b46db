import { wideApp } from "./outliers.ts";

// A large catalog: every app has a feature, one app has very many, and most packages and promotions are no longer sold.

type Copying = { table: string; from: string; many: string; columns: Record<string, string> };

/** Copies of one row with other values in some columns, in the order of their ids, as they would be inserted. */
const copies = ({ table, from, many, columns }: Copying) => {
  const changed = Object.entries(columns).map(([column, sql]) => `'${column}', ${sql}`);
  return `
    insert into ${table} select copy.*
    from (select * from ${table} where ${from} limit 1) original cross join ${many}
    cross join lateral jsonb_populate_record(null::${table},
      to_jsonb(original) || jsonb_build_object('id', uuid_v7(now()), ${changed.join(", ")})) copy
    order by copy.id`;
};

const features = [
  copies({
    table: "features",
    from: "code = 'feature-4' and kind = 'switch'",
    many: "(select id as app from apps where code like 'bulk-%') a",
    columns: { app_id: "app", code: "'main'", name: "'Main feature'" },
  }),
  copies({
    table: "features",
    from: "code = 'feature-4' and kind = 'switch'",
    many: `(select id as app from apps where code = '${wideApp}') a cross join generate_series(1, 2000) n`,
    columns: { app_id: "app", code: "'wide-' || n", name: "'Wide ' || n" },
  }),
];

const packages = [
  copies({
    table: "packages",
    from: "code = 'many-plan'",
    many: "generate_series(1, 2000) n",
    columns: { code: "'old-' || n", name: "'Old ' || n", status: "'archived'" },
  }),
  `insert into package_versions (package_id, number, state, note, published_at)
   select id, 1, 'retired', 'First version', now() - interval '1 year' from packages where code like 'old-%'`,
];

const promotions = copies({
  table: "promotions",
  from: "name = 'Ten of many'",
  many: "generate_series(1, 2000) n",
  columns: { name: "'Old ' || n", archived_at: "now()", uses: "0", first_used_at: "null" },
});

/** A draft of every package on sale, with what the version on sale has. */
const drafts = [
  `insert into package_versions (package_id, number, state, trial_days)
   select v.package_id, max(all_of.number) + 1, 'draft', max(v.trial_days)
   from package_versions v join package_versions all_of using (package_id)
   where v.state = 'on sale' group by v.package_id on conflict do nothing`,
  ...["apps (app_id)", "values (app_id, feature_id, value, per_unit)"].map((part) => {
    const [name = "", listed = ""] = part.split(/ [(]|[)]/);
    return `insert into version_${name} (version_id, ${listed})
      select draft.id, ${listed} from version_${name} held
      join package_versions v on v.id = held.version_id and v.state = 'on sale'
      join package_versions draft on draft.package_id = v.package_id and draft.state = 'draft' on conflict do nothing`;
  }),
];

/** What the workspace knows about itself. */
const system = (rows: number) => [
  // Never more than 400 days, whatever the number of customers.
  `insert into storage_sizes (day, name, bytes)
   select current_date - n, relname, 1000000 from generate_series(0, 149) n
   cross join (select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')) own
   on conflict do nothing`,
  `insert into audit_seals (number, entry_ids, hash)
   select row_number() over (order by min(id)), array_agg(id order by id), decode(md5(min(id)::text), 'hex')
   from audit_entries group by id / 100`,
  `insert into webhook_counters (user_id, seq)
   select id, 1 from users where role is null order by id limit ${rows} on conflict do nothing`,
  `insert into saved_reports (name, search, created_by)
   select 'Report ' || n, '{"tab": "revenue"}', (select id from users where role = 'owner' order by id limit 1)
   from generate_series(1, 200) n`,
  `insert into promotion_replays (details, promotion_id, from_at, to_at, reached_at, created_by)
   select '{}', p.id, now() - interval '90 days', now(), now() - interval '90 days',
     (select id from users where role = 'owner' order by id limit 1)
   from promotions p where p.name = 'Ten of many'`,
];

/** The statements that fill the catalog and what is kept about the installation. */
export const catalog = (rows: number) => [
  ...features,
  ...packages,
  promotions,
  ...drafts,
  ...system(rows),
];
