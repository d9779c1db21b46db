create extension if not exists btree_gist;

create table subscriptions (
  id uuid constraint subscriptions_pkey primary key default uuid_v7(),
  user_id uuid not null constraint subscriptions_user references users (id),
  package_id uuid not null constraint subscriptions_package references packages (id),
  -- The version that was bought: it stays until a rollout or a renewal moves it.
  version_id uuid not null,
  price_id uuid,
  -- The package's group as it was when bought; held by an index, so that nobody has two of one.
  group_code text,
  status text not null constraint subscriptions_status
    check (status in ('trialing', 'active', 'past due', 'paused', 'ending', 'ended')),
  period_start timestamptz not null,
  period_end timestamptz not null,
  -- The end of access is apart from the end of billing: it has the days of grace in it.
  access_until timestamptz not null,
  -- What the next renewal moves it to.
  next_version_id uuid,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint subscriptions_version foreign key (version_id, package_id)
    references package_versions (id, package_id),
  constraint subscriptions_next_version foreign key (next_version_id, package_id)
    references package_versions (id, package_id),
  -- Of the version that was bought: a price never changes within a paid period.
  constraint subscriptions_price foreign key (price_id) references version_prices (id),
  constraint subscriptions_period check (period_start < period_end and access_until >= period_end)
);

create unique index subscriptions_one_of_package on subscriptions (user_id, package_id)
  where status <> 'ended';
create unique index subscriptions_one_of_group on subscriptions (user_id, group_code)
  where status <> 'ended' and group_code is not null;
-- The renewals that a change of a package touches.
create index subscriptions_of_package on subscriptions (package_id, version_id)
  include (price_id, status, period_end) where status <> 'ended';

create trigger subscriptions_touch before update on subscriptions for each row
  when (old.* is distinct from new.*) execute function touch_row();
select audit_table('subscriptions');
grant select, insert, update on subscriptions to purser_app;

-- A right to a package version, or to one feature's value, for a period. It is its own history: rows are
-- added, and of a row only its end can come nearer.
create table grants (
  id uuid constraint grants_pkey primary key default uuid_v7(),
  user_id uuid not null constraint grants_user references users (id),
  package_id uuid,
  version_id uuid,
  feature_id uuid constraint grants_feature references features (id),
  value jsonb,
  subscription_id uuid constraint grants_subscription references subscriptions (id),
  source text not null constraint grants_source
    check (source in ('transaction', 'trial', 'promotion', 'import', 'staff')),
  -- What of that source: the transaction, the import, the member of staff.
  source_id text not null constraint grants_source_id check (source_id <> ''),
  reason text constraint grants_reason check (length(reason) <= 500),
  starts_at timestamptz not null,
  -- `infinity` has no end. A revoked, shortened or superseded grant ends earlier than promised.
  ends_at timestamptz not null default 'infinity',
  promised_until timestamptz not null default 'infinity',
  revoked_at timestamptz,
  superseded_by uuid constraint grants_superseded_by references grants (id) deferrable initially deferred,
  created_at timestamptz not null default now(),
  constraint grants_of_one check ((version_id is null) <> (feature_id is null)),
  constraint grants_package check ((package_id is null) = (version_id is null)),
  constraint grants_value check ((feature_id is null) = (value is null)),
  constraint grants_version foreign key (version_id, package_id) references package_versions (id, package_id),
  constraint grants_period check (starts_at <= ends_at and ends_at <= promised_until),
  constraint grants_explained check (source <> 'staff' or reason is not null),
  -- Paid periods of one package never overlap.
  constraint grants_periods_apart exclude using gist (
    user_id with =, package_id with =, tstzrange(starts_at, ends_at) with &&
  ) where (subscription_id is not null)
);

-- What a person may use: all of their grants, with what decides at hand.
create index grants_of_user on grants (user_id, ends_at) include (starts_at, version_id, feature_id, value);
-- The holders of a package. Without a version named, each of its versions is asked apart.
create index grants_of_package on grants (package_id, version_id, ends_at) include (user_id, starts_at, id)
  where package_id is not null;

-- A rollout goes through a package's grants in this order, and goes on from where it stopped.
create index grants_in_order on grants (package_id, id) where package_id is not null;

-- The grants of one feature by itself, which are few: deleting a feature looks for them.
create index grants_of_feature on grants (feature_id) where feature_id is not null;

-- Search of holders by the beginning of the address, or any part of the name.
create index users_search on users using gin (lower(name) gin_trgm_ops, email gin_trgm_ops);

create function keep_grant() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  if (old.user_id, old.package_id, old.version_id, old.feature_id, old.value, old.subscription_id, old.source,
      old.source_id, old.reason, old.starts_at, old.promised_until, old.created_at)
    is distinct from
    (new.user_id, new.package_id, new.version_id, new.feature_id, new.value, new.subscription_id, new.source,
      new.source_id, new.reason, new.starts_at, new.promised_until, new.created_at)
    or new.id <> old.id or new.ends_at > old.ends_at
    or (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at)
    or (old.superseded_by is not null and new.superseded_by is distinct from old.superseded_by)
  then
    raise exception 'A grant is never edited, only revoked, shortened or superseded.'
      using errcode = 'check_violation', constraint = 'problem_frozen';
  end if;
  return new;
end
$$;
create trigger grants_keep before update on grants for each row execute function keep_grant();

-- The value of one feature fits it, and goes on to: the feature is locked while it is given.
create function check_grant_value() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  perform from features f
  where f.id = new.feature_id and value_fits(f.kind, f.options, new.value) for share;
  if not found then
    raise exception 'The value % does not fit the feature.', new.value
      using errcode = 'check_violation', constraint = 'grants_value_fits';
  end if;
  return new;
end
$$;
create trigger grants_check before insert on grants for each row
  when (new.feature_id is not null) execute function check_grant_value();

create function keep_given_feature() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  if exists (
    select from grants g
    where g.feature_id = old.id and not value_fits(new.kind, new.options, g.value)
  ) then
    raise exception 'Somebody was given this feature: its kind and the given options stay.'
      using errcode = 'check_violation', constraint = 'problem_frozen';
  end if;
  return new;
end
$$;
create trigger features_keep_given before update of kind, options on features for each row
  when (old.kind <> new.kind or old.options <> new.options) execute function keep_given_feature();

-- What staff give or take by hand is in the audit log too; the rest is explained by its source. Whoever
-- looks at the package is told that its holders changed.
create function audit_staff_grant() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  announced text := coalesce(current_setting('purser.changed', true), '');
  touched text := 'packages:' || new.package_id || ':update';
begin
  insert into audit_entries (entity, record_id, action, before, after)
  values ('grants', new.id, lower(tg_op), case tg_op when 'UPDATE' then to_jsonb(old) end, to_jsonb(new));
  if touched is not null and length(announced) < 3000 and position(touched in announced) = 0 then
    perform set_config('purser.changed', ltrim(announced || ' ' || touched), true);
  end if;
  return null;
end
$$;
create trigger audit_insert after insert on grants for each row
  when (new.source = 'staff') execute function audit_staff_grant();
create trigger audit_update after update on grants for each row
  when (new.revoked_at is distinct from old.revoked_at) execute function audit_staff_grant();
grant select, insert on grants to purser_app;
grant update (ends_at, revoked_at, superseded_by) on grants to purser_app;

-- How much a person has used, per window of the feature's reset.
create table feature_use (
  user_id uuid not null constraint feature_use_user references users (id),
  feature_id uuid not null constraint feature_use_feature references features (id),
  -- Of a limit, and of an allowance that is never full again, the beginning of time.
  window_start timestamptz not null default '-infinity',
  used bigint not null constraint feature_use_used check (used >= 0),
  constraint feature_use_pkey primary key (feature_id, user_id, window_start)
);
grant select, insert, update on feature_use to purser_app;

-- Moving the holders of older versions to a published one.
create table rollouts (
  id uuid constraint rollouts_pkey primary key default uuid_v7(),
  package_id uuid not null,
  version_id uuid not null constraint rollouts_of_version unique,
  mode text not null constraint rollouts_mode check (mode in ('now', 'renewal', 'date')),
  starts_at timestamptz not null,
  status text not null default 'waiting'
    constraint rollouts_status check (status in ('waiting', 'running', 'paused', 'done')),
  -- Holders when it began, and how many of them have been dealt with.
  holders integer not null default 0,
  moved integer not null default 0,
  planned integer not null default 0,
  kept integer not null default 0,
  -- The last grant that was dealt with: where to go on.
  reached uuid,
  finished_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint rollouts_version foreign key (version_id, package_id) references package_versions (id, package_id),
  constraint rollouts_finished check ((status = 'done') = (finished_at is not null))
);
create index rollouts_of_package on rollouts (package_id, id desc);
create index rollouts_open on rollouts (starts_at) where status <> 'done';
create trigger rollouts_touch before update on rollouts for each row
  when (old.* is distinct from new.*) execute function touch_row();
select audit_table('rollouts', '{}', '{reached,moved,planned,kept,version,updated_at}');
grant select, insert, update on rollouts to purser_app;

-- Who was moved: the key makes it impossible to move a grant twice.
create table rollout_moves (
  rollout_id uuid not null constraint rollout_moves_rollout references rollouts (id),
  grant_id uuid not null constraint rollout_moves_grant references grants (id),
  user_id uuid not null,
  from_version_id uuid not null,
  outcome text not null constraint rollout_moves_outcome check (outcome in ('moved', 'at renewal', 'stays')),
  -- When the person has the new version: at once, or at the renewal. What never renews stays as it is.
  effective_at timestamptz,
  new_grant_id uuid,
  constraint rollout_moves_pkey primary key (rollout_id, grant_id)
);
grant select, insert on rollout_moves to purser_app;
