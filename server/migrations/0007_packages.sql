-- Rows that are parts of a record are audited under that record: one entry per statement and record, in
-- which each part is a field. The arguments are the record's column, and the part's key and value as SQL.
create function audit_parts_change() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  summary text := format('select %1$I as record, jsonb_object_agg(%2$s, %3$s) as parts from %%s part group by 1',
    tg_argv[0], tg_argv[1], tg_argv[2]);
  announced text := coalesce(current_setting('purser.changed', true), '');
  touched text;
begin
  if tg_op = 'INSERT' then
    execute format('insert into audit_entries (entity, record_id, action, after)
      select %L, record, ''insert'', parts from (%s) new', tg_table_name, format(summary, 'new_rows'));
  elsif tg_op = 'UPDATE' then
    execute format('insert into audit_entries (entity, record_id, action, before, after)
      select %L, record, ''update'', old.parts, new.parts from (%s) old join (%s) new using (record)
      where old.parts <> new.parts',
      tg_table_name, format(summary, 'old_rows'), format(summary, 'new_rows'));
  else
    execute format('insert into audit_entries (entity, record_id, action, before)
      select %L, record, ''delete'', parts from (%s) old', tg_table_name, format(summary, 'old_rows'));
  end if;
  execute format('select string_agg(distinct %L || part.%I, '' '') from (select * from %s limit 20) part',
    tg_argv[3] || ':', tg_argv[0], case tg_op when 'DELETE' then 'old_rows' else 'new_rows' end) into touched;
  if touched is not null and length(announced) < 3000 then
    perform set_config('purser.changed', ltrim(announced || ' ' || touched), true);
  end if;
  return null;
end
$$;

create function audit_parts(audited regclass, record_column text, key text, value text, announced_as text)
returns void language plpgsql as $$
begin
  execute format(
    'create trigger audit_insert after insert on %1$s referencing new table as new_rows
       for each statement execute function audit_parts_change(%2$L, %3$L, %4$L, %5$L);
     create trigger audit_update after update on %1$s referencing old table as old_rows new table as new_rows
       for each statement execute function audit_parts_change(%2$L, %3$L, %4$L, %5$L);
     create trigger audit_delete after delete on %1$s referencing old table as old_rows
       for each statement execute function audit_parts_change(%2$L, %3$L, %4$L, %5$L)',
    audited, record_column, key, value, announced_as);
end
$$;
revoke execute on function audit_parts(regclass, text, text, text, text) from public;

create table packages (
  id uuid constraint packages_pkey primary key default uuid_v7(),
  code text not null constraint packages_code check (code ~ '^[a-z0-9][a-z0-9_-]{0,62}[a-z0-9]$'),
  name text not null constraint packages_name check (length(name) between 1 and 120),
  description text not null default '' constraint packages_description check (length(description) <= 2000),
  kind text not null constraint packages_kind check (kind in ('base', 'add-on')),
  -- A user holds at most one base package of a group.
  group_code text constraint packages_group check (group_code ~ '^[a-z0-9][a-z0-9_-]{0,62}[a-z0-9]$'),
  visibility text not null constraint packages_visibility check (visibility in ('public', 'hidden')),
  -- Where it stands among its group: the one above is the larger one.
  sort integer not null default 0,
  status text not null default 'draft'
    constraint packages_status check (status in ('draft', 'active', 'archived')),
  -- When a version of it was first published.
  activated_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint packages_activated check ((status = 'draft') = (activated_at is null)),
  constraint packages_group_of_base check (group_code is null or kind = 'base')
);

create unique index packages_code_taken on packages (code);
create index packages_by_name on packages (lower(name), id);
create index packages_by_status on packages (status, id);
create index packages_by_sort on packages (sort, id);
create index packages_by_update on packages (updated_at, id);
create index packages_by_group on packages (group_code, sort) where group_code is not null;
create index packages_search on packages using gin (lower(name) gin_trgm_ops, code gin_trgm_ops);

create trigger packages_touch before update on packages for each row
  when (old.* is distinct from new.*) execute function touch_row();
select audit_table('packages');
grant select, insert, update, delete on packages to purser_app;

create function keep_published_code() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  raise exception 'Other programs already use the code. Create another package to use another code.'
    using errcode = 'check_violation', constraint = 'problem_code_frozen';
end
$$;

create trigger packages_keep_published_code before update of code on packages for each row
  when (old.code is distinct from new.code and old.activated_at is not null)
  execute function keep_published_code();

create table package_versions (
  id uuid constraint package_versions_pkey primary key default uuid_v7(),
  package_id uuid not null constraint package_versions_package references packages (id) on delete cascade,
  number integer not null constraint package_versions_number check (number > 0),
  state text not null default 'draft' constraint package_versions_state
    check (state in ('draft', 'scheduled', 'on sale', 'superseded', 'retired')),
  trial_days integer not null default 0
    constraint package_versions_trial check (trial_days between 0 and 730),
  -- Why it was published, in the words of whoever did.
  note text constraint package_versions_note check (length(note) between 1 and 500),
  -- How its holders come to it: {"mode", "at"}.
  rollout jsonb,
  -- When it is to be published, while it is scheduled.
  publish_at timestamptz,
  published_at timestamptz,
  published_by uuid constraint package_versions_publisher references users (id),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint package_versions_scheduled check ((state = 'scheduled') = (publish_at is not null)),
  constraint package_versions_published
    check ((state in ('on sale', 'superseded', 'retired')) = (published_at is not null)),
  constraint package_versions_noted check (state = 'draft' or note is not null),
  constraint package_versions_of_package unique (id, package_id)
);

create unique index package_versions_number_taken on package_versions (package_id, number);
create unique index package_versions_one_draft on package_versions (package_id) where state = 'draft';
create unique index package_versions_one_scheduled on package_versions (package_id) where state = 'scheduled';
create unique index package_versions_one_on_sale on package_versions (package_id) where state = 'on sale';

create trigger package_versions_touch before update on package_versions for each row
  when (old.* is distinct from new.*) execute function touch_row();
select audit_table('package_versions');
grant select, insert, update, delete on package_versions to purser_app;

-- A version only goes forward; what was promised when it was published stays.
create function keep_version() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    if old.state <> 'draft' then
      raise exception 'A published version is never deleted.'
        using errcode = 'check_violation', constraint = 'problem_frozen';
    end if;
    return old;
  end if;
  if old.state <> new.state and (old.state, new.state) not in (
    ('draft', 'scheduled'), ('draft', 'on sale'), ('scheduled', 'draft'), ('scheduled', 'on sale'),
    ('on sale', 'superseded'), ('on sale', 'retired')
  ) then
    raise exception 'A version that is % cannot become %.', old.state, new.state
      using errcode = 'check_violation', constraint = 'problem_wrong_state';
  end if;
  if (old.package_id, old.number) is distinct from (new.package_id, new.number) or (
    old.state <> 'draft' and old.trial_days <> new.trial_days
  ) or (
    old.published_at is not null and (old.published_at, old.published_by, old.note, old.rollout)
      is distinct from (new.published_at, new.published_by, new.note, new.rollout)
  ) then
    raise exception 'A published version never changes. Start a draft instead.'
      using errcode = 'check_violation', constraint = 'problem_frozen';
  end if;
  return new;
end
$$;

create trigger package_versions_keep before update or delete on package_versions
  for each row execute function keep_version();

-- What a version holds can change only while it is a draft. Locking its row makes a change wait for a
-- publish that is under way, and the publish for the change.
create function keep_version_parts() returns trigger language plpgsql
set search_path = public, pg_temp as $$
declare
  held uuid;
  held_state text;
begin
  foreach held in array case tg_op
    when 'INSERT' then array[new.version_id]
    when 'DELETE' then array[old.version_id]
    else array[old.version_id, new.version_id]
  end loop
    select state into held_state from package_versions where id = held for share;
    -- A row that is already gone is being deleted itself, and only a draft can be.
    if found and held_state <> 'draft' then
      raise exception 'A published version never changes. Start a draft instead.'
        using errcode = 'check_violation', constraint = 'problem_frozen';
    end if;
  end loop;
  return case tg_op when 'DELETE' then old else new end;
end
$$;

create table version_apps (
  version_id uuid not null constraint version_apps_version references package_versions (id) on delete cascade,
  app_id uuid not null constraint version_apps_app references apps (id),
  constraint version_apps_pkey primary key (version_id, app_id)
);
create index version_apps_by_app on version_apps (app_id);
create trigger version_apps_keep before insert or update or delete on version_apps
  for each row execute function keep_version_parts();
select audit_parts('version_apps', 'version_id', 'app_id', 'true', 'package_versions');
grant select, insert, update, delete on version_apps to purser_app;

create table version_values (
  version_id uuid not null,
  app_id uuid not null,
  feature_id uuid not null,
  value jsonb not null,
  constraint version_values_pkey primary key (version_id, feature_id),
  -- Taking an app out takes its values with it.
  constraint version_values_app foreign key (version_id, app_id)
    references version_apps (version_id, app_id) on delete cascade,
  constraint version_values_feature foreign key (feature_id, app_id) references features (id, app_id)
);
create index version_values_by_feature on version_values (feature_id);
create trigger version_values_keep before insert or update or delete on version_values
  for each row execute function keep_version_parts();
select audit_parts('version_values', 'version_id', 'feature_id', 'value', 'package_versions');
grant select, insert, update, delete on version_values to purser_app;

create function check_version_value() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  -- Locked, so that an option is not taken away meanwhile.
  perform from features f
  where f.id = new.feature_id and value_fits(f.kind, f.options, new.value) for key share;
  if not found then
    raise exception 'The value % does not fit the feature.', new.value
      using errcode = 'check_violation', constraint = 'version_values_fit';
  end if;
  return new;
end
$$;
create trigger version_values_check before insert or update on version_values
  for each row execute function check_version_value();

create table version_prices (
  id uuid constraint version_prices_pkey primary key default uuid_v7(),
  version_id uuid not null constraint version_prices_version references package_versions (id) on delete cascade,
  currency text not null constraint version_prices_currency check (currency ~ '^[A-Z]{3}$'),
  -- Minor units of the currency.
  amount bigint not null constraint version_prices_amount check (amount between 0 and 999999999999999),
  interval text not null
    constraint version_prices_interval check (interval in ('once', 'day', 'week', 'month', 'year')),
  interval_count integer not null constraint version_prices_count
    check (interval_count between 1 and 120 and (interval <> 'once' or interval_count = 1))
);
create unique index version_prices_taken on version_prices (version_id, currency, interval, interval_count);
create trigger version_prices_keep before insert or update or delete on version_prices
  for each row execute function keep_version_parts();
select audit_parts('version_prices', 'version_id',
  'currency || '' every '' || interval_count || '' '' || interval', 'amount', 'package_versions');
grant select, insert, update, delete on version_prices to purser_app;

-- What a published version promises in a feature's words stays; options may be added.
create function keep_used_feature() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  if (old.code, old.kind, old.unit_one, old.unit_many, old.reset, old.combining)
    is not distinct from (new.code, new.kind, new.unit_one, new.unit_many, new.reset, new.combining)
    and old.options = new.options then
    return new;
  end if;
  if exists (
    select from version_values held join package_versions v on v.id = held.version_id
    where held.feature_id = old.id and (
      (v.state <> 'draft' and (old.code, old.kind, old.unit_one, old.unit_many, old.reset, old.combining)
        is distinct from (new.code, new.kind, new.unit_one, new.unit_many, new.reset, new.combining))
      or not value_fits(new.kind, new.options, held.value)
    )
  ) or exists (
    -- Used options keep their order, because the higher one wins.
    select from (
      select p.place, lag(p.place) over (order by o.place) as before
      from jsonb_array_elements(old.options) with ordinality o (option, place)
      join jsonb_array_elements(new.options) with ordinality p (option, place)
        on p.option ->> 'code' = o.option ->> 'code'
      where exists (
        select from version_values held join package_versions v on v.id = held.version_id
        where held.feature_id = old.id and v.state <> 'draft' and held.value = o.option -> 'code'
      )
    ) used where before > place
  ) then
    raise exception 'Packages already use this feature: its code, kind, unit, reset, combining and used options stay.'
      using errcode = 'check_violation', constraint = 'problem_frozen';
  end if;
  return new;
end
$$;
create trigger features_keep_used before update on features
  for each row execute function keep_used_feature();
