-- A month couldn't be removed while hashes of redacted entries refer to it. That an entry is missing is found by
-- verifying the log.
alter table audit_redacted drop constraint audit_redacted_entry;

select start_partitions('audit_entries');

create table audit_entries (
  id bigint generated always as identity constraint audit_entries_pkey primary key,
  at timestamptz not null default clock_timestamp(),
  entity text not null,
  record_id uuid not null,
  action text not null constraint audit_entries_action check (action in ('insert', 'update', 'delete')),
  actor_kind text not null default coalesce(nullif(current_setting('purser.actor_kind', true), ''), 'database')
    constraint audit_entries_actor_kind check (actor_kind in ('user', 'key', 'system', 'database')),
  actor_id uuid default nullif(current_setting('purser.actor_id', true), '')::uuid,
  actor_name text default coalesce(nullif(current_setting('purser.actor_name', true), ''), session_user::text),
  address text default nullif(current_setting('purser.address', true), ''),
  request_id text default nullif(current_setting('purser.request_id', true), ''),
  reason text default nullif(current_setting('purser.reason', true), ''),
  before jsonb,
  after jsonb,
  hash bytea not null,
  reverts bigint default nullif(current_setting('purser.reverts', true), '')::bigint,
  personal text[] constraint audit_entries_personal check (cardinality(personal) <= 16),
  salt bytea
) partition by range (id);
comment on table audit_entries is 'Written by triggers only. Append-only for every role but its owner.';
create index audit_entries_record on audit_entries (entity, record_id, id desc);
create index audit_entries_entity on audit_entries (entity, id);
create index audit_entries_actor on audit_entries (actor_id, id) where actor_id is not null;
create index audit_entries_request on audit_entries (request_id, id) where request_id is not null;
create index audit_entries_reason on audit_entries using gin (lower(reason) gin_trgm_ops) where reason is not null;
create index audit_entries_deleted on audit_entries (id) where action = 'delete';
create index audit_entries_kind on audit_entries (actor_kind, id) where actor_kind in ('key', 'database');
create index audit_entries_reverts on audit_entries (reverts, id) where reverts is not null;
create index audit_entries_at on audit_entries (at, id);
create statistics audit_entries_reasons on lower(reason) from audit_entries;
grant select on audit_entries to purser_app;

select attach_first('audit_entries');
create trigger audit_entries_stamp before insert on audit_entries for each row execute function audit_stamp();
create trigger audit_entries_await_seal after insert on audit_entries referencing new table as new_rows
  for each statement execute function audit_await_seal();

-- The log is kept forever unless the owner of the tables sets how long. The application can't: it must not be able to
-- remove entries about itself.
create table audit_retention (
  id uuid constraint audit_retention_pkey primary key default uuid_v7(),
  months integer constraint audit_retention_months check (months between 1 and 1200)
);
insert into audit_retention (months) values (null);
select audit_table('audit_retention');
grant select on audit_retention to purser_app;

-- With which entry each month began. Entries with a lower number are older.
create table audit_months (
  first_id bigint constraint audit_months_pkey primary key,
  starts_at timestamptz not null default clock_timestamp()
);
create index audit_months_by_start on audit_months (starts_at);
insert into audit_months (first_id) values (0);
grant select on audit_months to purser_app;

-- No entry since then has a lower number, so that older partitions needn't be read.
create function audit_since(moment timestamptz) returns bigint
language sql stable parallel safe set search_path = public, pg_temp as $$
  select coalesce((select first_id from audit_months where starts_at <= moment order by starts_at desc limit 1), 0)
$$;

-- The same for the entries of a record, whose id begins with its time.
create function audit_since(record uuid) returns bigint
language sql stable parallel safe set search_path = public, pg_temp as $$
  select case when substr(record::text, 15, 1) = '7' then audit_since(uuid_v7_time(record) - interval '1 day') else 0 end
$$;

-- An empty partition ahead of the last number.
create function add_numbers(parent regclass) returns integer
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  owned text := (select relname from pg_class where oid = parent);
  last bigint;
  bound bigint;
  newest bigint;
begin
  execute format('select last_value from %s', pg_get_serial_sequence(parent::text, 'id')) into last;
  if exists (select from partitions_of(parent) p where p.lower::bigint > last and p.upper is not null) then return 0; end if;
  bound := (select p.lower from partitions_of(parent) p where p.upper is null);
  execute format('select max(id) from partitions.%I', owned || '_later') into newest;
  perform insert_partitions(parent, array[owned || '_' || bound], array[(greatest(bound, newest) + 50000000)::text]);
  return 1;
end
$$;

-- If months are removed one day, each one starts with a new partition. The numbers between are never used. Otherwise it
-- starts when the last one is full, because the history of a record reads all partitions since its creation.
create function start_audit_month() returns integer
language plpgsql set search_path = pg_catalog, public, pg_temp set timezone = 'UTC' as $$
declare
  last bigint;
  next bigint;
begin
  if (select months from audit_retention) is null
    or date_trunc('month', now()) <= (select max(starts_at) from audit_months) then return 0; end if;
  -- Nothing changes, but no one gets a number until the end of this transaction.
  alter sequence audit_entries_id_seq cache 1;
  select last_value into last from audit_entries_id_seq;
  select min(p.lower::bigint) into next from partitions_of('audit_entries') p where p.lower::bigint > last;
  if next is null then return 0; end if;
  execute format('alter sequence audit_entries_id_seq restart with %s', next);
  insert into audit_months (first_id) values (next);
  return 1;
end
$$;

create or replace function create_partitions() returns integer
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '1s' as $$
declare
  parent record;
  added integer := 0;
begin
  perform pg_advisory_xact_lock(hashtext('create_partitions'));
  for parent in
    select c.oid::regclass as place, a.atttypid::regtype as key
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'id'
    where c.relkind = 'p' and c.relnamespace = 'public'::regnamespace order by c.relname
  loop
    if parent.key = 'uuid'::regtype then
      added := add_months(parent.place);
    else
      -- Writers lock the table and then its numbers, so this transaction must not lock both.
      added := start_audit_month();
      if added = 0 then added := add_numbers(parent.place); end if;
    end if;
    exit when added > 0;
  end loop;
  return added;
end
$$;
select create_partitions();

revoke execute on function add_numbers(regclass), start_audit_month() from public;
