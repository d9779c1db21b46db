-- The application acts as this role whatever login it connects with: it owns nothing, so that what
-- is withheld from it here is withheld from every code path. Roles belong to the whole cluster and
-- may exist from another database.
do $$
begin
  create role purser_app nologin;
exception
  when duplicate_object or unique_violation then null;
end
$$;

do $$
begin
  if not pg_has_role(current_user, 'purser_app', 'member') then
    grant purser_app to current_user;
  end if;
end
$$;

grant usage on schema public to purser_app;

-- A temporary table could stand before a real one of the same name.
do $$
begin
  execute format('revoke temporary on database %I from public', current_database());
end
$$;

create extension if not exists pg_trgm;

-- PostgreSQL 15 has no uuid v7 of its own. Time first, so that the primary key is also the order of creation.
create function uuid_v7(at timestamptz default clock_timestamp()) returns uuid
language sql volatile parallel safe as $$
  select encode(
    set_bit(
      set_bit(
        overlay(
          uuid_send(gen_random_uuid())
          placing substring(int8send((extract(epoch from at) * 1000)::bigint) from 3)
          from 1 for 6
        ), 52, 1
      ), 53, 1
    ), 'hex')::uuid
$$;

-- Versions -------------------------------------------------------------------------------------

create function touch_row() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  new.id := old.id;
  new.created_at := old.created_at;
  new.version := old.version + 1;
  new.updated_at := now();
  return new;
end
$$;

-- Audit ----------------------------------------------------------------------------------------

create table audit_entries (
  id bigint generated always as identity constraint audit_entries_pkey primary key,
  at timestamptz not null default clock_timestamp(),
  entity text not null,
  record_id uuid not null,
  action text not null constraint audit_entries_action check (action in ('insert', 'update', 'delete')),
  actor_kind text not null
    default coalesce(nullif(current_setting('purser.actor_kind', true), ''), 'database')
    constraint audit_entries_actor_kind check (actor_kind in ('user', 'key', 'system', 'database')),
  actor_id uuid default nullif(current_setting('purser.actor_id', true), '')::uuid,
  actor_name text default coalesce(nullif(current_setting('purser.actor_name', true), ''), session_user),
  address text default nullif(current_setting('purser.address', true), ''),
  request_id text default nullif(current_setting('purser.request_id', true), ''),
  reason text default nullif(current_setting('purser.reason', true), ''),
  before jsonb,
  after jsonb,
  hash bytea not null
);

-- The activity of one record, newest first.
create index audit_entries_record on audit_entries (entity, record_id, id desc);

comment on table audit_entries is 'Written by triggers only. Append-only for every role but its owner.';

create function audit_digest(entry audit_entries) returns bytea
language sql stable parallel safe as $$
  select sha256(convert_to(jsonb_build_array(
    entry.id, extract(epoch from entry.at), entry.entity, entry.record_id, entry.action,
    entry.actor_kind, entry.actor_id, entry.actor_name, entry.address, entry.request_id,
    entry.reason, entry.before, entry.after
  )::text, 'UTF8'))
$$;

create function audit_stamp() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  new.hash := audit_digest(new);
  return new;
end
$$;

create trigger audit_entries_stamp before insert on audit_entries
  for each row execute function audit_stamp();

-- Entries that no seal holds yet. A chain within the writing transaction would make all writers wait
-- for one another, so a job chains what has been committed.
create table audit_unsealed (
  entry_id bigint constraint audit_unsealed_pkey primary key references audit_entries (id)
);

create function audit_await_seal() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  insert into audit_unsealed (entry_id) select id from new_rows;
  return null;
end
$$;

create trigger audit_entries_await_seal after insert on audit_entries
  referencing new table as new_rows
  for each statement execute function audit_await_seal();

create table audit_seals (
  number bigint constraint audit_seals_pkey primary key,
  sealed_at timestamptz not null default clock_timestamp(),
  entry_ids bigint[] not null,
  hash bytea not null
);

create function audit_seal_hash(previous bytea, ids bigint[]) returns bytea
language sql stable as $$
  select sha256(previous || string_agg(coalesce(entry.hash, ''::bytea), ''::bytea order by place))
  from unnest(ids) with ordinality as sealed (entry_id, place)
  left join audit_entries entry on entry.id = sealed.entry_id
$$;

-- Chains up to `entries_max` committed entries to the last seal and says how many.
create function audit_seal(entries_max integer default 1000) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  ids bigint[];
  previous record;
begin
  perform pg_advisory_xact_lock(hashtext('audit_seal'));
  with taken as (
    delete from audit_unsealed
    where entry_id in (select entry_id from audit_unsealed order by entry_id limit entries_max)
    returning entry_id
  )
  select array_agg(entry_id order by entry_id) into ids from taken;
  if ids is null then return 0; end if;

  select number, hash into previous from audit_seals order by number desc limit 1;
  insert into audit_seals (number, entry_ids, hash)
  values (
    coalesce(previous.number, 0) + 1,
    ids,
    audit_seal_hash(coalesce(previous.hash, ''::bytea), ids)
  );
  return cardinality(ids);
end
$$;

-- The first thing that does not add up, or no row. A missing entry breaks its seal, an altered one its
-- own hash, a slipped-in one is in no seal.
create function audit_verify() returns table (what text, number bigint)
language sql stable as $$
  (
    select 'an entry was altered', entry.id from audit_entries entry
    where entry.hash is distinct from audit_digest(entry) order by entry.id limit 1
  )
  union all
  (
    select 'a seal does not match its entries', seal.number
    from (
      select s.*, lag(s.hash, 1, ''::bytea) over (order by s.number) as previous,
        lag(s.number, 1, 0::bigint) over (order by s.number) as previous_number
      from audit_seals s
    ) seal
    where seal.hash is distinct from audit_seal_hash(seal.previous, seal.entry_ids)
      or seal.number <> seal.previous_number + 1
    order by seal.number limit 1
  )
  union all
  (
    select 'an entry is in no seal', entry.id from audit_entries entry
    where not exists (select from audit_unsealed waiting where waiting.entry_id = entry.id)
      and entry.id not in (select unnest(entry_ids) from audit_seals)
    order by entry.id limit 1
  )
  limit 1
$$;

-- Writes the entries of one statement. The trigger's arguments name secrets, whose change is recorded but
-- whose value is never copied, and traces of use, whose change alone is no change. It also remembers what
-- the transaction touched, so that the change can be announced once it is committed.
create function audit_change() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  traces text[] := coalesce(tg_argv[1], '{}')::text[];
  hidden text[] := coalesce(tg_argv[0], '{}')::text[] || traces;
  announced text := coalesce(current_setting('purser.changed', true), '');
  touched text;
begin
  if tg_op = 'INSERT' then
    insert into audit_entries (entity, record_id, action, after)
    select tg_table_name, n.id, 'insert', to_jsonb(n) - hidden from new_rows n;
    select string_agg(tg_table_name || ':' || id, ' ') into touched
    from (select id from new_rows limit 20) few;
  elsif tg_op = 'UPDATE' then
    insert into audit_entries (entity, record_id, action, before, after)
    select tg_table_name, n.id, 'update', to_jsonb(o) - hidden, to_jsonb(n) - hidden
    from new_rows n join old_rows o using (id)
    where to_jsonb(o) - traces is distinct from to_jsonb(n) - traces;
    if exists (select from new_rows n where not exists (select from old_rows o where o.id = n.id)) then
      raise exception 'an id never changes';
    end if;
    select string_agg(tg_table_name || ':' || id, ' ') into touched
    from (select id from new_rows limit 20) few;
  else
    insert into audit_entries (entity, record_id, action, before)
    select tg_table_name, o.id, 'delete', to_jsonb(o) - hidden from old_rows o;
    select string_agg(tg_table_name || ':' || id, ' ') into touched
    from (select id from old_rows limit 20) few;
  end if;

  if touched is not null then
    if length(touched) > 900 or length(announced) > 2000 then
      touched := tg_table_name || ':*';
    end if;
    if length(announced) < 4000 then
      perform set_config('purser.changed', ltrim(announced || ' ' || touched), true);
    end if;
  end if;
  return null;
end
$$;

-- Puts a table under audit; a test holds that every table of business rows is.
create function audit_table(audited regclass, secrets text[] default '{}', traces text[] default '{}')
returns void
language plpgsql as $$
begin
  execute format(
    'create trigger audit_insert after insert on %1$s referencing new table as new_rows
       for each statement execute function audit_change(%2$L, %3$L);
     create trigger audit_update after update on %1$s referencing old table as old_rows new table as new_rows
       for each statement execute function audit_change(%2$L, %3$L);
     create trigger audit_delete after delete on %1$s referencing old table as old_rows
       for each statement execute function audit_change(%2$L, %3$L)', audited, secrets, traces);
end
$$;

revoke execute on function audit_table(regclass, text[], text[]) from public;
grant select on audit_entries, audit_unsealed, audit_seals to purser_app;

-- Repeats --------------------------------------------------------------------------------------

-- Neither the key nor the answer is stored readable: an answer may hold a secret that is shown once.
create table idempotency_keys (
  caller text not null,
  operation text not null,
  key_hash bytea not null,
  fingerprint bytea not null,
  status integer,
  answer bytea,
  created_at timestamptz not null,
  constraint idempotency_keys_pkey primary key (caller, operation, key_hash)
);

-- For the job that forgets old ones.
create index idempotency_keys_created on idempotency_keys (created_at);

grant select, insert, update, delete on idempotency_keys to purser_app;
