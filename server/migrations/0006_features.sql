-- Whether a value fits a feature of that kind. A value is json: true or false for a switch, a whole number
-- or "unlimited" for a limit or an allowance, an option's code for a choice.
create function value_fits(kind text, options jsonb, value jsonb) returns boolean
language sql immutable parallel safe as $$
  select case kind
    when 'switch' then jsonb_typeof(value) = 'boolean'
    when 'choice' then jsonb_typeof(value) = 'string'
      and options @> jsonb_build_array(jsonb_build_object('code', value))
    else value = '"unlimited"' or (
      jsonb_typeof(value) = 'number' and value::text ~ '^[0-9]{1,15}$'
    )
  end
$$;

create table features (
  id uuid constraint features_pkey primary key default uuid_v7(),
  app_id uuid not null constraint features_app references apps (id),
  code text not null constraint features_code check (code ~ '^[a-z0-9][a-z0-9_-]{0,62}[a-z0-9]$'),
  name text not null constraint features_name check (length(name) between 1 and 120),
  description text not null default '' constraint features_description check (length(description) <= 2000),
  kind text not null constraint features_kind check (kind in ('switch', 'limit', 'metered', 'choice')),
  -- What is counted, one of it and several: "seat" and "seats".
  unit_one text,
  unit_many text,
  -- When an allowance is full again.
  reset text constraint features_reset check (reset in ('never', 'hour', 'day', 'week', 'month', 'year')),
  -- How the values of several grants make one.
  combining text not null constraint features_combining check (combining in ('largest', 'sum')),
  -- Of a choice, lowest first: [{"code", "name"}].
  options jsonb not null default '[]',
  -- The answer without any grant.
  default_value jsonb not null,
  enforcement text not null constraint features_enforcement check (enforcement in ('hard', 'soft')),
  -- What an app should answer while nobody can be asked.
  fallback text not null constraint features_fallback check (fallback in ('last known', 'allow', 'deny')),
  status text not null default 'draft'
    constraint features_status check (status in ('draft', 'active', 'archived')),
  activated_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint features_activated check ((status = 'draft') = (activated_at is null)),
  constraint features_unit check (
    (unit_one is null) = (unit_many is null) and (unit_one is null or kind in ('limit', 'metered'))),
  constraint features_metered check ((kind = 'metered') = (reset is not null)),
  constraint features_sums check (
    kind = 'limit' or combining = case kind when 'metered' then 'sum' else 'largest' end),
  constraint features_options check ((kind = 'choice') = (options <> '[]')),
  constraint features_default check (value_fits(kind, options, default_value)),
  -- What belongs to a feature names its app too, so that no row can mix two apps.
  constraint features_of_app unique (id, app_id)
);

create unique index features_code_taken on features (app_id, code);
-- Lists sorted or filtered by these; the primary key serves the order of creation.
create index features_by_name on features (lower(name), id);
create index features_by_app on features (app_id, id);
create index features_by_status on features (status, id);
create index features_by_update on features (updated_at, id);
-- Search by any part of name or code.
create index features_search on features using gin (lower(name) gin_trgm_ops, code gin_trgm_ops);

create trigger features_touch before update on features for each row
  when (old.* is distinct from new.*) execute function touch_row();
select audit_table('features');
grant select, insert, update, delete on features to purser_app;

create function keep_feature_app() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  raise exception 'A feature stays with its app. Create another one in the other app.'
    using errcode = 'check_violation', constraint = 'problem_frozen';
end
$$;

create trigger features_keep_app before update of app_id on features for each row
  when (old.app_id is distinct from new.app_id) execute function keep_feature_app();
