-- How long rows are kept that would otherwise only grow. Only what differs from the defaults is stored.
alter table settings add column retention jsonb not null default '{}';

-- Months that were written to files by `purser archive`. Bounds are those of the partition, and null is no bound.
create table archives (
  id uuid constraint archives_pkey primary key default uuid_v7(),
  parent text not null,
  part text not null,
  lower text,
  upper text not null,
  rows bigint not null,
  file text not null,
  sha256 text not null,
  archived_at timestamptz not null default now(),
  dropped_at timestamptz
);
-- The first partition of a table is created again after it was dropped, with the same bounds.
create unique index archives_once on archives (parent, coalesce(lower, ''), upper) where dropped_at is null;

-- Whether rows of a partition can be removed: always, or if months are archived first, after that.
create function may_remove(parent regclass, lower text, upper text) returns boolean
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select not coalesce((select (s.retention ->> 'archiveMonths')::boolean from settings s), false)
    or exists (
      select from archives a
      where a.parent = (select relname from pg_class where oid = may_remove.parent)
        and a.lower is not distinct from may_remove.lower and a.upper = may_remove.upper and a.dropped_at is null)
$$;

create or replace function drop_partitions(parent regclass, old regclass[]) returns void
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  owned text := (select relname from pg_class where oid = parent);
  first text := owned || '_first';
  has_rows boolean;
  bound text;
begin
  if cardinality(old) = 0 then return; end if;
  if old = array[to_regclass(format('partitions.%I', first))] then
    execute format('select exists (select from partitions.%I)', first) into has_rows;
    if not has_rows then return; end if;
  end if;
  update archives a set dropped_at = now() from partitions_of(drop_partitions.parent) p
  where p.part = any (old) and a.parent = owned and a.lower is not distinct from p.lower and a.upper = p.upper
    and a.dropped_at is null;
  execute format('drop table %s', array_to_string(old, ', '));
  if not exists (select from partitions_of(parent) p where p.lower is null) then
    -- The bounds have the same length, or are numbers.
    select p.lower into bound from partitions_of(parent) p order by length(p.lower), p.lower limit 1;
    execute format('create table partitions.%I (like partitions.%I including all)', first, owned || '_later');
    execute format('alter table %s attach partition partitions.%I for values from (minvalue) to (%L)',
      parent, first, bound);
  end if;
end
$$;

create or replace function drop_webhook_deliveries(before timestamptz, at_once integer) returns integer
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '1s' as $$
declare
  old record;
  unneeded regclass[] := '{}';
  has_rows boolean;
  is_needed boolean;
  batch integer;
  deleted integer := 0;
begin
  for old in select part, lower, upper from partitions_of('webhook_deliveries') where upper::uuid <= uuid_v7_from(before) loop
    execute format('select exists (select from %s)', old.part) into has_rows;
    continue when has_rows and not may_remove('webhook_deliveries', old.lower, old.upper);
    execute format('select exists (select from %s where state = ''waiting'')', old.part) into is_needed;
    if is_needed then
      execute format('delete from %1$s where id in (select id from %1$s where state <> ''waiting'' limit $1)', old.part)
        using at_once - deleted;
      get diagnostics batch = row_count;
      deleted := deleted + batch;
    else
      unneeded := unneeded || old.part;
    end if;
  end loop;
  perform drop_partitions('webhook_deliveries', unneeded);
  return deleted;
end
$$;

create or replace function drop_webhook_events(before timestamptz, at_once integer) returns integer
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '1s' as $$
declare
  old record;
  unneeded regclass[] := '{}';
  has_rows boolean;
  is_needed boolean;
  batch integer;
  deleted integer := 0;
begin
  for old in select part, lower, upper from partitions_of('webhook_events') where upper::uuid <= uuid_v7_from(before) loop
    execute format('select exists (select from %s)', old.part) into has_rows;
    continue when has_rows and not may_remove('webhook_events', old.lower, old.upper);
    execute format('select exists (select from %s where seq is null)', old.part) into is_needed;
    if is_needed or exists (
      select from webhook_deliveries d
      where d.event_id < old.upper::uuid and (old.lower is null or d.event_id >= old.lower::uuid)
    ) then
      execute format('delete from %1$s where id in (select e.id from %1$s e where e.seq is not null
        and not exists (select from webhook_deliveries d where d.event_id = e.id) limit $1)', old.part)
        using at_once - deleted;
      get diagnostics batch = row_count;
      deleted := deleted + batch;
    else
      unneeded := unneeded || old.part;
    end if;
  end loop;
  perform drop_partitions('webhook_events', unneeded);
  return deleted;
end
$$;

create or replace function audit_remove_months() returns bigint
language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' set lock_timeout = '1s' as $$
declare
  made audit_removals;
  kept integer := (select months from audit_retention);
  current bigint := (select max(first_id) from audit_months);
  next bigint;
  newest timestamptz;
  part record;
  old regclass[] := '{}';
begin
  if kept is null then return null; end if;
  made.before := date_trunc('month', now()) - make_interval(months => kept);
  for part in select p.part, p.lower as first, p.upper::bigint as upper from partitions_of('audit_entries') p
    where p.upper::bigint <= current order by 3 loop
    execute format('select max(at) from %s', part.part) into newest;
    exit when newest >= made.before;
    -- An empty partition has nothing to archive.
    exit when newest is not null and not may_remove('audit_entries', part.first, part.upper::text);
    old := old || part.part;
    made.last_entry := part.upper - 1;
  end loop;
  if made.last_entry is null or made.last_entry = (audit_last_removal()).last_entry
    or exists (select from audit_unsealed where entry_id <= made.last_entry)
    or not exists (
      select from (select * from audit_verifications order by id desc limit 1) v
      where v.broken_what is null and v.last_entry >= made.last_entry)
  then return null; end if;

  -- Seals take the lowest numbers first, so the first seal with entries that are left has one of the next numbers.
  next := (select min(id) from audit_entries where id > made.last_entry);
  made.first_seal := coalesce(
    (select min(s.number) from audit_seals s where next is not null
      and int8range(entry_ids[1], entry_ids[cardinality(entry_ids)], '[]') && int8range(next, next + 100000, '[]')),
    (select max(s.number) + 1 from audit_seals s));
  made.head := (select hash from audit_seals where number = made.first_seal - 1);
  made.last_redaction := coalesce((select max(number) from audit_redactions), 0);
  made.redactions := audit_redactions_digest(made.last_redaction);
  insert into audit_removed (entry_id, hash)
  select e.id, e.hash from audit_entries e
  where e.id <= made.last_entry and e.id = any (array(
    select unnest(s.entry_ids) from audit_seals s
    where s.number >= made.first_seal
      and int8range(entry_ids[1], entry_ids[cardinality(entry_ids)], '[]') && int8range(0, made.last_entry, '[]')));

  perform drop_partitions('audit_entries', old);
  insert into audit_removals (before, last_entry, first_seal, head, last_redaction, redactions)
  values (made.before, made.last_entry, made.first_seal, made.head, made.last_redaction, made.redactions);
  return made.last_entry;
end
$$;

-- The application can't delete from these two tables, so that what it recorded can't be hidden. It can only remove what
-- is older than the retention of the settings, and never younger than 90 days.
create function remove_sign_ins(at_once integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  kept integer := greatest(90, coalesce((select (s.retention ->> 'signInDays')::integer from settings s), 400));
  deleted integer;
begin
  delete from sign_ins where id in (
    select id from sign_ins where at < now() - make_interval(days => kept) order by at limit at_once);
  get diagnostics deleted = row_count;
  if deleted = 0 then
    delete from sign_ins where id in (
      select s.id from users u join sign_ins s on s.user_id = u.id where u.status = 'erased' limit at_once);
    get diagnostics deleted = row_count;
  end if;
  return deleted;
end
$$;

-- Ids begin with the time at which an event was received. Without a retention events are kept forever.
create function remove_provider_events(at_once integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  kept integer := (select (s.retention ->> 'providerEventDays')::integer from settings s);
  deleted integer;
begin
  if kept is null then return 0; end if;
  delete from provider_events where id in (
    select id from provider_events
    where id < uuid_v7_from(now() - make_interval(days => greatest(90, kept))) and outcome in ('applied', 'ignored')
    order by id limit at_once);
  get diagnostics deleted = row_count;
  return deleted;
end
$$;

revoke execute on function may_remove(regclass, text, text), remove_sign_ins(integer), remove_provider_events(integer)
  from public;
grant execute on function remove_sign_ins(integer), remove_provider_events(integer) to purser_app;
