-- How sold apps use checks. Each server adds what it counted every few seconds, so a check itself writes nothing. Rows of
-- minutes are kept for a day or less, and rows of hours for 30 days.
create table check_counts (
  app_id uuid not null,
  resolution text not null constraint check_counts_resolution check (resolution in ('minute', 'hour')),
  at timestamptz not null,
  key_id uuid not null,
  -- The code that the app sent, also if it has no such feature. * for a list of all features, and empty for further
  -- unknown codes, of which only some are kept.
  feature text not null constraint check_counts_feature check (length(feature) <= 64),
  reason text not null constraint check_counts_reason check (length(reason) <= 40),
  is_allowed boolean not null,
  checks bigint not null constraint check_counts_checks check (checks > 0),
  constraint check_counts_pkey primary key (app_id, resolution, at, key_id, feature, reason)
);
create index check_counts_by_time on check_counts (resolution, at);
grant select, insert, update, delete on check_counts to purser_app;

create table check_rates (
  app_id uuid not null,
  resolution text not null constraint check_rates_resolution check (resolution in ('minute', 'hour')),
  at timestamptz not null,
  key_id uuid not null,
  checks bigint not null constraint check_rates_checks check (checks > 0),
  denied bigint not null constraint check_rates_denied check (denied between 0 and checks),
  -- The number of checks by duration, in the buckets of the module's rules.
  latencies bigint[] not null,
  constraint check_rates_pkey primary key (app_id, resolution, at, key_id)
);
create index check_rates_by_time on check_rates (resolution, at);
grant select, insert, update, delete on check_rates to purser_app;

-- What a customer was denied, by day in the company's time zone. Kept for 30 days.
create table check_denials (
  user_id uuid not null,
  app_id uuid not null,
  feature text not null constraint check_denials_feature check (length(feature) <= 64),
  reason text not null constraint check_denials_reason check (length(reason) <= 40),
  day date not null,
  denials bigint not null constraint check_denials_denials check (denials > 0),
  last_at timestamptz not null,
  constraint check_denials_pkey primary key (user_id, app_id, feature, reason, day)
);
create index check_denials_of_app on check_denials (app_id, feature, day);
create index check_denials_by_day on check_denials (day);
grant select, insert, update, delete on check_denials to purser_app;

-- What is known about the checks of an app for good.
create table check_apps (
  app_id uuid constraint check_apps_pkey primary key,
  first_check_at timestamptz not null,
  first_denied_at timestamptz,
  -- Since when a much larger part of its checks is denied than in the days before.
  denials_rose_at timestamptz
);
create index check_apps_risen on check_apps (denials_rose_at) where denials_rose_at is not null;
grant select, insert, update on check_apps to purser_app;

-- Adds two lists of counts.
create function add_counts(one bigint[], other bigint[]) returns bigint[] language sql immutable
set search_path = public, pg_temp as $$
  select array_agg(coalesce(a, 0) + coalesce(b, 0) order by place)
  from unnest(one, other) with ordinality as pair (a, b, place)
$$;
grant execute on function add_counts(bigint[], bigint[]) to purser_app;
