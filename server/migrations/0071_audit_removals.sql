-- What proves the rest of the log after its beginning was removed. The audit entry of a removal is in the chain, like all
-- others, and only the last removal counts.
create table audit_removals (
  id uuid constraint audit_removals_pkey primary key default uuid_v7(),
  number bigint not null generated always as identity constraint audit_removals_number unique,
  at timestamptz not null default clock_timestamp(),
  -- All entries before this moment were removed, up to this number.
  before timestamptz not null,
  last_entry bigint not null,
  -- The first seal with entries that are left, and the hash of the seal before it.
  first_seal bigint not null,
  head bytea,
  -- Redactions up to this number may have been recorded by removed entries.
  last_redaction bigint not null,
  redactions bytea not null
);
select audit_table('audit_removals');

-- The hashes of removed entries in seals that also have entries that are left.
create table audit_removed (
  entry_id bigint constraint audit_removed_pkey primary key,
  hash bytea not null
);
grant select on audit_removals, audit_removed to purser_app;

create function audit_last_removal() returns audit_removals
language sql stable as $$ select r from audit_removals r order by r.number desc limit 1 $$;

create function audit_redactions_digest(last bigint) returns bytea
language sql stable as $$
  select sha256(convert_to(coalesce(string_agg(to_jsonb(r)::text, '' order by r.number), ''), 'UTF8'))
  from audit_redactions r where r.number <= last
$$;

-- Removing -----------------------------------------------------------------------------------------

-- Removes months that are older than the retention, if they are sealed and verified. Returns the last removed number.
create function audit_remove_months() returns bigint
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
  for part in select p.part, p.upper::bigint as upper from partitions_of('audit_entries') p
    where p.upper::bigint <= current order by 2 loop
    execute format('select max(at) from %s', part.part) into newest;
    exit when newest >= made.before;
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

-- Deletes seals whose entries were all removed, except the last one. Returns how many.
create function audit_remove_seals(at_once integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  deleted integer;
begin
  delete from audit_seals where number in (
    select s.number from audit_seals s where s.number < (audit_last_removal()).first_seal - 1
    order by s.number limit at_once);
  get diagnostics deleted = row_count;
  return deleted;
end
$$;

revoke execute on function audit_remove_months(), audit_remove_seals(integer) from public;
grant execute on function audit_remove_months(), audit_remove_seals(integer) to purser_app;

-- Verifying what is left ---------------------------------------------------------------------------

create or replace function audit_seal_hash(previous bytea, ids bigint[]) returns bytea
language sql stable as $$
  select sha256(previous || string_agg(coalesce(entry.hash, removed.hash, ''::bytea), ''::bytea order by place))
  from unnest(ids) with ordinality as sealed (entry_id, place)
  -- The range is of one partition, or of two.
  left join audit_entries entry on entry.id = sealed.entry_id
    and entry.id >= ids[1] and entry.id <= ids[cardinality(ids)]
  left join audit_removed removed on removed.entry_id = sealed.entry_id
$$;

create or replace function audit_broken_seal(first bigint, last bigint) returns table (what text, number bigint)
language sql stable as $$
  with removal as (
    select r.* from audit_last_removal() r
  ), seals as (
    select s.number, s.entry_ids, s.hash, p.hash as previous, s.number > 1 and p.number is null as alone,
      s.number = r.first_seal and p.hash is distinct from r.head as is_other
    from removal r cross join audit_seals s left join audit_seals p on p.number = s.number - 1
    where s.number between first and last and s.number >= coalesce(r.first_seal, 0)
  ), left_over as (
    select e.id from audit_entries e
    where e.id >= (select min(entry_ids[1]) from seals)
      and e.id <= (select max(entry_ids[cardinality(entry_ids)]) from seals)
    union all
    select d.entry_id from audit_removed d, removal r where d.entry_id <= r.last_entry
  ), gone as (
    select seals.number as seal, min(sealed.id) as id
    from seals cross join unnest(entry_ids) as sealed (id)
    where not exists (select from left_over e where e.id = sealed.id)
    group by seals.number
  )
  select case when alone then 'a seal was removed'
      when gone.id is not null then 'an entry was removed'
      else 'a seal does not match its entries' end,
    case when alone or is_other then seals.number - 1 else coalesce(gone.id, seals.number) end
  from seals left join gone on gone.seal = seals.number
  where alone or is_other or gone.id is not null
    or seals.hash is distinct from audit_seal_hash(coalesce(previous, ''::bytea), entry_ids)
  order by seals.number limit 1
$$;

-- The first redaction or removal that is not what the audit log says of it.
create or replace function audit_broken_redaction() returns table (what text, number bigint)
language sql stable as $$
  with removal as (
    select r.* from audit_last_removal() r
  )
  select * from (
    select 'a redaction was altered', r.number from audit_redactions r
    where r.digest is distinct from audit_redaction_digest(r.number) or not exists (
      select from audit_entries e
      where e.entity = 'audit_redactions' and e.record_id = r.id and e.action = 'insert'
        and e.after = to_jsonb(r)
    ) and r.number > coalesce((select last_redaction from removal), 0)
    union all
    select 'a redaction was altered', r.last_redaction from removal r
    where r.redactions is distinct from audit_redactions_digest(r.last_redaction)
    union all
    select 'a redaction was removed', (e.after ->> 'number')::bigint from audit_entries e
    where e.entity = 'audit_redactions' and e.action = 'insert'
      and not exists (select from audit_redactions r where r.id = e.record_id)
    union all
    select 'a removal was altered', r.number from removal r
    where r.number is not null and not exists (
      select from audit_entries e
      where e.entity = 'audit_removals' and e.record_id = r.id and e.action = 'insert' and e.after = to_jsonb(r))
    union all
    select 'a removal was removed', (e.after ->> 'number')::bigint from audit_entries e
    where e.entity = 'audit_removals' and e.action = 'insert'
      and not exists (select from audit_removals r where r.id = e.record_id)
  ) broken (what, number)
  where number is not null
  order by number limit 1
$$;

create or replace function audit_verify(batch bigint default 20000) returns table (what text, number bigint)
language plpgsql stable as $$
declare
  seals bigint := coalesce((select max(s.number) from audit_seals s), 0);
  entries bigint := greatest((select max(e.id) from audit_entries e), (select max(entry_id) from audit_unsealed), 0);
  place bigint := greatest((audit_last_removal()).first_seal, 1);
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
    -- Many numbers are unused at the end of a month.
    place := least(
      (select min(e.id) from audit_entries e where e.id >= place + batch),
      (select min(entry_id) from audit_unsealed where entry_id >= place + batch));
  end loop;
  return query select * from audit_broken_redaction();
end
$$;
