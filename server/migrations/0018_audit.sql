-- The log --------------------------------------------------------------------------------------

-- Defaults come apart from the columns, or every entry there is would be written anew.
alter table audit_entries
  -- The entry whose change this one sets back.
  add column reverts bigint,
  -- Which columns of the row tell of a person: they are hashed apart, so that they can be erased.
  add column personal text[] constraint audit_entries_personal check (cardinality(personal) <= 8),
  -- Makes the hash of what tells of a person unguessable. Dropped with it; null in entries from before.
  add column salt bytea;
alter table audit_entries
  alter column reverts set default nullif(current_setting('purser.reverts', true), '')::bigint;

create index audit_entries_actor on audit_entries (actor_id, id) where actor_id is not null;
create index audit_entries_request on audit_entries (request_id, id) where request_id is not null;
create index audit_entries_reason on audit_entries using gin (lower(reason) gin_trgm_ops) where reason is not null;
create index audit_entries_deleted on audit_entries (id) where action = 'delete';
-- How common a word is decides whether it is looked up or simply met.
create statistics audit_entries_reasons on lower(reason) from audit_entries;
-- What the office itself did not do is rare, and wanted.
create index audit_entries_kind on audit_entries (actor_kind, id) where actor_kind in ('key', 'database');
create index audit_entries_reverts on audit_entries (reverts, id) where reverts is not null;
-- Which entry was the first after a moment.
create index audit_entries_at on audit_entries (at, id);

-- Hashes that outlive erasing ------------------------------------------------------------------

-- What may have to be erased one day. An entry keeps the list it was hashed with, so that this one may grow.
create function audit_personal(entity text) returns text[]
language sql immutable parallel safe as $$
  select case entity
    when 'users' then '{email,name,external_id,country,locale,time_zone}'::text[]
    when 'user_notes' then '{text}'::text[]
    when 'identities' then '{subject}'::text[]
    when 'passkeys' then '{name}'::text[]
    when 'transactions' then '{reason,note}'::text[]
    when 'approvals' then '{summary,facts,reason,answer}'::text[]
    when 'exports' then '{query}'::text[]
  end
$$;

-- What stays for ever. The text of a row is one of a kind: it quotes, and tells null from nothing.
create function audit_open_digest(entry audit_entries) returns bytea
language sql stable parallel safe as $$
  select sha256(convert_to(row(
    entry.id, extract(epoch from entry.at), entry.entity, entry.record_id, entry.action,
    entry.actor_kind, entry.actor_id, entry.request_id, entry.reverts, entry.personal,
    case when entry.personal is null then entry.before else entry.before - entry.personal end,
    case when entry.personal is null then entry.after else entry.after - entry.personal end
  )::text, 'UTF8'))
$$;

-- What tells of people: of who acted, and of the row. Each column by its place, up to eight of them, because
-- anything that walks a list costs more than all the rest of an entry.
create function audit_personal_digest(entry audit_entries, salt bytea) returns bytea
language sql stable parallel safe as $$
  select sha256(salt || convert_to(case when entry.personal is null
    then row(entry.actor_name, entry.address, entry.reason)::text
    else row(entry.actor_name, entry.address, entry.reason,
      entry.before -> entry.personal[1], entry.after -> entry.personal[1],
      entry.before -> entry.personal[2], entry.after -> entry.personal[2],
      entry.before -> entry.personal[3], entry.after -> entry.personal[3],
      entry.before -> entry.personal[4], entry.after -> entry.personal[4],
      entry.before -> entry.personal[5], entry.after -> entry.personal[5],
      entry.before -> entry.personal[6], entry.after -> entry.personal[6],
      entry.before -> entry.personal[7], entry.after -> entry.personal[7],
      entry.before -> entry.personal[8], entry.after -> entry.personal[8])::text
  end, 'UTF8'))
$$;

create or replace function audit_digest(entry audit_entries) returns bytea
language sql stable parallel safe as $$
  select case when entry.salt is not null
    then sha256(audit_open_digest(entry) || audit_personal_digest(entry, entry.salt))
    else sha256(convert_to(jsonb_build_array(
      entry.id, extract(epoch from entry.at), entry.entity, entry.record_id, entry.action,
      entry.actor_kind, entry.actor_id, entry.actor_name, entry.address, entry.request_id,
      entry.reason, entry.before, entry.after
    )::text, 'UTF8'))
  end
$$;

create or replace function audit_stamp() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  new.personal := audit_personal(new.entity);
  new.salt := uuid_send(gen_random_uuid());
  new.hash := sha256(audit_open_digest(new) || audit_personal_digest(new, new.salt));
  return new;
end
$$;

-- One reference checked for each entry cost more than both hashes. That one is missing is found by verifying.
alter table audit_unsealed drop constraint audit_unsealed_entry_id_fkey;

-- Erasing --------------------------------------------------------------------------------------

create table audit_redactions (
  id uuid constraint audit_redactions_pkey primary key default uuid_v7(),
  number bigint not null generated always as identity constraint audit_redactions_number unique,
  at timestamptz not null default clock_timestamp(),
  -- Whose entries: of one record, or by one actor.
  entity text,
  record_id uuid,
  actor_id uuid,
  columns text[] not null,
  entries integer not null,
  -- Over its lines. The audit entry of this row holds it, and is chained like all others.
  digest bytea not null
);
select audit_table('audit_redactions');

-- What an erased entry is held by from then on: `personal` where only that part of it changed, so that the
-- rest is still held by the entry's own hash; `whole` where the part was not hashed apart.
create table audit_redacted (
  entry_id bigint not null constraint audit_redacted_entry references audit_entries (id),
  redaction bigint not null constraint audit_redacted_redaction
    references audit_redactions (number) deferrable initially deferred,
  scope text not null constraint audit_redacted_scope check (scope in ('personal', 'whole')),
  -- The hash of what was there.
  witness bytea not null,
  -- The hash of what is left of it.
  remainder bytea not null,
  constraint audit_redacted_pkey primary key (entry_id, redaction)
);
create index audit_redacted_lines on audit_redacted (redaction, entry_id);
grant select on audit_redactions, audit_redacted to purser_app;

create function audit_erase(stored jsonb, columns text[]) returns jsonb
language sql immutable as $$
  select stored || coalesce(
    (select jsonb_object_agg(key, 'erased') from jsonb_each(stored) where key = any (columns) and value <> 'null'),
    '{}')
$$;

create function audit_remainder(entry audit_entries, scope text) returns bytea
language sql stable as $$
  select case scope
    when 'personal' then audit_personal_digest(entry, ''::bytea)
    else sha256(audit_open_digest(entry) || audit_personal_digest(entry, ''::bytea))
  end
$$;

create function audit_erased(entry audit_entries, columns text[], with_reason boolean, with_actor boolean)
returns audit_entries language plpgsql stable set search_path = public, pg_temp as $$
begin
  entry.before := audit_erase(entry.before, columns);
  entry.after := audit_erase(entry.after, columns);
  if with_reason and entry.reason is not null then entry.reason := 'erased'; end if;
  if with_actor then
    entry.actor_name := 'erased';
    entry.address := null;
  end if;
  return entry;
end
$$;

create function audit_redact_entries(
  ids bigint[], what audit_redactions, with_reason boolean, with_actor boolean
) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  own bigint := nextval(pg_get_serial_sequence('audit_redactions', 'number'));
  lines record;
begin
  if coalesce(current_setting('purser.actor_kind', true), '') = '' then
    raise exception 'Somebody has to answer for what is erased from the audit log.';
  end if;
  if what.columns && '{id,version,created_at,updated_at}'::text[] then
    raise exception 'What tells which row it was, and when, is never erased.';
  end if;

  with held as (
    select e as entry, audit_erased(e, what.columns, with_reason, with_actor) as erased,
      earlier.scope, earlier.witness
    from audit_entries e
    left join lateral (
      select r.scope, r.witness from audit_redacted r where r.entry_id = e.id
      order by r.redaction desc limit 1
    ) earlier on true
    where e.id = any (ids) for update of e
  ), changed as (
    select entry, erased, witness,
      case when coalesce(scope = 'whole', (entry).salt is null)
        or (entry).before - coalesce((entry).personal, '{}') is distinct from
          (erased).before - coalesce((entry).personal, '{}')
        or (entry).after - coalesce((entry).personal, '{}') is distinct from
          (erased).after - coalesce((entry).personal, '{}')
        then 'whole' else 'personal' end as scope
    from held where entry is distinct from erased
  ), written as (
    update audit_entries e
    set before = (c.erased).before, after = (c.erased).after, reason = (c.erased).reason,
      actor_name = (c.erased).actor_name, address = (c.erased).address, salt = null
    from changed c where e.id = (c.entry).id
  )
  insert into audit_redacted (entry_id, redaction, scope, witness, remainder)
  select (entry).id, own, scope,
    case scope when 'whole' then (entry).hash
      else coalesce(witness, audit_personal_digest(entry, (entry).salt)) end,
    audit_remainder(erased, scope)
  from changed;

  select count(*)::integer as entries, audit_redaction_digest(own) as digest into lines
  from audit_redacted r where r.redaction = own;
  if lines.entries > 0 then
    insert into audit_redactions (number, entity, record_id, actor_id, columns, entries, digest)
    overriding system value
    values (own, what.entity, what.record_id, what.actor_id, what.columns, lines.entries, lines.digest);
  end if;
  return lines.entries;
end
$$;

create function audit_redaction_digest(number bigint) returns bytea
language sql stable as $$
  select sha256(coalesce(string_agg(
    convert_to(r.entry_id || r.scope, 'UTF8') || r.witness || r.remainder, ''::bytea order by r.entry_id
  ), ''::bytea))
  from audit_redacted r where r.redaction = number
$$;

-- Erases these columns from all entries of one record, and with them the reasons if asked. Says of how many.
create function audit_redact(entity text, record uuid, columns text[], with_reason boolean default false)
returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  what audit_redactions;
begin
  what.entity := entity;
  what.record_id := record;
  what.columns := columns;
  return audit_redact_entries(
    array(select e.id from audit_entries e where e.entity = audit_redact.entity and e.record_id = record),
    what, with_reason, false);
end
$$;

-- Erases who somebody was from all entries of what they did.
create function audit_redact_actor(actor uuid) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  what audit_redactions;
begin
  what.actor_id := actor;
  what.columns := '{actor_name,address}';
  return audit_redact_entries(
    array(select e.id from audit_entries e where e.actor_id = actor), what, false, true);
end
$$;

revoke execute on function audit_redact_entries(bigint[], audit_redactions, boolean, boolean),
  audit_redact(text, uuid, text[], boolean), audit_redact_actor(uuid) from public;
grant execute on function audit_redact(text, uuid, text[], boolean), audit_redact_actor(uuid) to purser_app;

-- Verifying ------------------------------------------------------------------------------------

-- Which seals may hold an entry: they overlap a little, for what was committed late.
create index audit_seals_entries on audit_seals
  using gist (int8range(entry_ids[1], entry_ids[cardinality(entry_ids)], '[]'));

create function audit_agrees(entry audit_entries, scope text, witness bytea, remainder bytea) returns boolean
language sql stable parallel safe as $$
  select case
    when scope is null then entry.hash = audit_digest(entry)
    when scope = 'personal' then entry.hash = sha256(audit_open_digest(entry) || witness)
      and remainder = audit_remainder(entry, scope)
    else entry.hash = witness and remainder = audit_remainder(entry, scope)
  end
$$;

-- The first seal of these, or entry of one, that does not add up.
create function audit_broken_seal(first bigint, last bigint) returns table (what text, number bigint)
language sql stable as $$
  with seals as (
    select s.number, s.entry_ids, s.hash, p.hash as previous, s.number > 1 and p.number is null as alone
    from audit_seals s left join audit_seals p on p.number = s.number - 1
    where s.number between first and last
  ), gone as (
    select seals.number as seal, min(sealed.id) as id
    from seals cross join unnest(entry_ids) as sealed (id)
    where not exists (select from audit_entries e where e.id = sealed.id)
    group by seals.number
  )
  select case when alone then 'a seal was removed'
      when gone.id is not null then 'an entry was removed'
      else 'a seal does not match its entries' end,
    case when alone then seals.number - 1 else coalesce(gone.id, seals.number) end
  from seals left join gone on gone.seal = seals.number
  where alone or gone.id is not null
    or seals.hash is distinct from audit_seal_hash(coalesce(previous, ''::bytea), entry_ids)
  order by seals.number limit 1
$$;

-- The first of these entries that was altered, taken out before it was sealed, or slipped in.
create function audit_broken_entry(first bigint, last bigint) returns table (what text, number bigint)
language sql stable as $$
  with sealed as (
    select unnest(entry_ids) as id from audit_seals
    where int8range(entry_ids[1], entry_ids[cardinality(entry_ids)], '[]') && int8range(first, last, '[]')
  ), erased as (
    select distinct on (r.entry_id) r.* from audit_redacted r
    where r.entry_id between first and last order by r.entry_id, r.redaction desc
  ), waiting as (
    select entry_id as id from audit_unsealed where entry_id between first and last
  )
  select * from (
    select 'an entry was altered', e.id from audit_entries e left join erased r on r.entry_id = e.id
    where e.id between first and last
      and audit_agrees(e, r.scope, r.witness, r.remainder) is distinct from true
    union all
    select 'an entry is in no seal', e.id from audit_entries e
    where e.id between first and last and not exists (select from waiting w where w.id = e.id)
      and not exists (select from sealed s where s.id = e.id)
    union all
    select 'an entry was removed', w.id from waiting w
    where not exists (select from audit_entries e where e.id = w.id)
  ) broken (what, number)
  order by number limit 1
$$;

-- The first redaction that is not what the audit log says of it.
create function audit_broken_redaction() returns table (what text, number bigint)
language sql stable as $$
  select * from (
    select 'a redaction was altered', r.number from audit_redactions r
    where r.digest is distinct from audit_redaction_digest(r.number) or not exists (
      select from audit_entries e
      where e.entity = 'audit_redactions' and e.record_id = r.id and e.action = 'insert'
        and e.after = to_jsonb(r))
    union all
    select 'a redaction was removed', (e.after ->> 'number')::bigint from audit_entries e
    where e.entity = 'audit_redactions' and e.action = 'insert'
      and not exists (select from audit_redactions r where r.id = e.record_id)
  ) broken (what, number)
  order by number limit 1
$$;

-- All of it at once, in batches that bound its memory.
drop function audit_verify();
create function audit_verify(batch bigint default 20000) returns table (what text, number bigint)
language plpgsql stable as $$
declare
  seals bigint := coalesce((select max(s.number) from audit_seals s), 0);
  entries bigint := greatest((select max(e.id) from audit_entries e), (select max(entry_id) from audit_unsealed), 0);
  place bigint := 1;
begin
  while place <= seals loop
    return query select * from audit_broken_seal(place, place + batch / 1000);
    if found then return; end if;
    place := place + batch / 1000 + 1;
  end loop;
  place := 1;
  while place <= entries loop
    return query select * from audit_broken_entry(place, place + batch - 1);
    if found then return; end if;
    place := place + batch;
  end loop;
  return query select * from audit_broken_redaction();
end
$$;

-- What each verification found, for the screen.
create table audit_verifications (
  id uuid constraint audit_verifications_pkey primary key default uuid_v7(),
  started_at timestamptz not null,
  ended_at timestamptz not null default clock_timestamp(),
  last_entry bigint not null,
  last_seal bigint not null,
  -- Of that seal: kept outside, it shows later that nothing before it was made anew.
  head bytea,
  broken_what text,
  broken_number bigint
);
grant select, insert on audit_verifications to purser_app;

-- Taking it away -------------------------------------------------------------------------------

-- Who took which list away. An audit entry tells it, as of everything else.
create table exports (
  id uuid constraint exports_pkey primary key default uuid_v7(),
  list text not null,
  format text not null,
  query jsonb not null,
  created_at timestamptz not null default now()
);
select audit_table('exports');
grant select, insert on exports to purser_app;

-- Second pair of eyes --------------------------------------------------------------------------

create table approvals (
  id uuid constraint approvals_pkey primary key default uuid_v7(),
  rule text not null constraint approvals_rule check (rule in ('refund', 'price', 'erase', 'owner')),
  status text not null default 'waiting' constraint approvals_status
    check (status in ('waiting', 'approved', 'rejected', 'withdrawn', 'expired', 'stale')),
  -- The call itself, by the method and path of its endpoint.
  operation text not null,
  permission text not null,
  params jsonb not null,
  body jsonb not null,
  if_match integer,
  -- What it is about.
  entity text not null,
  record_id uuid,
  summary text not null,
  -- What the approver is shown, as {label, value}.
  facts jsonb not null,
  -- Over what it rests on: another one means that the world has changed.
  basis bytea not null,
  reason text not null constraint approvals_reason check (length(reason) between 1 and 500),
  requested_by uuid not null constraint approvals_requester references users (id),
  expires_at timestamptz not null,
  decided_by uuid constraint approvals_decider references users (id),
  decided_at timestamptz,
  answer text constraint approvals_answer check (length(answer) <= 500),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint approvals_decided check ((status = 'waiting') = (decided_at is null)),
  constraint approvals_own check (status not in ('approved', 'rejected') or decided_by <> requested_by)
);
create index approvals_by_status on approvals (status, id);
create index approvals_by_requester on approvals (requested_by, id);
create index approvals_by_record on approvals (entity, record_id, id);
create trigger approvals_touch before update on approvals for each row
  when (old.* is distinct from new.*) execute function touch_row();
select audit_table('approvals', '{body}');
grant select, insert on approvals to purser_app;
grant update (status, decided_by, decided_at, answer, version, updated_at) on approvals to purser_app;
