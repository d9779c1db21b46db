CREATE SCHEMA public;

COMMENT ON SCHEMA public IS 'standard public schema';

CREATE FUNCTION public.add_counts(one bigint[], other bigint[]) RETURNS bigint[]
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'public', 'pg_temp'
    AS $$
  select array_agg(coalesce(a, 0) + coalesce(b, 0) order by place)
  from unnest(one, other) with ordinality as pair (a, b, place)
$$;

CREATE FUNCTION public.add_first_periods() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  -- Only imports say when a subscription was created.
  insert into subscription_periods (subscription_id, number, starts_at, ends_at)
  select n.id, p.number, p.starts_at, p.ends_at
  from new_rows n cross join lateral first_periods(n, case when n.created_at <> now() then n.created_at end) p;
  return null;
end
$$;

CREATE FUNCTION public.add_months(parent regclass) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    AS $$
declare
  owned text := (select relname from pg_class where oid = parent);
  month timestamptz := (select uuid_v7_time(p.lower::uuid) from partitions_of(parent) p where p.upper is null);
  ending timestamptz := date_trunc('month', now()) + interval '4 months';
  newest uuid;
  names text[] := '{}';
  bounds text[] := '{}';
begin
  if month >= ending then return 0; end if;
  execute format('select id from partitions.%I order by id desc limit 1', owned || '_later') into newest;
  while month < ending or newest >= uuid_v7_from(month) loop
    names := names || (owned || to_char(month, '_YYYY_MM'));
    -- Months that were missed and have rows stay together.
    month := greatest(month, date_trunc('month', uuid_v7_time(newest))) + interval '1 month';
    bounds := bounds || uuid_v7_from(month)::text;
    newest := null;
  end loop;
  perform insert_partitions(parent, names, bounds);
  return cardinality(names);
end
$$;

CREATE FUNCTION public.add_numbers(parent regclass) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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

CREATE FUNCTION public.add_subscriber_changes(ids uuid[], were timestamp with time zone[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  with changed as (
    select * from unnest(ids, were) c (id, was)
  ), touched as (
    select g.user_id, g.package_id, min(g.starts_at) as since
    from changed c join grants g on g.id = c.id where g.package_id is not null group by g.user_id, g.package_id
  ), held as (
    select g.user_id, g.package_id, g.version_id, g.starts_at, g.ends_at,
      case when c.id is null then g.ends_at else c.was end as was
    from touched t
    -- With "offset 0" the customer's grants are read by the index on the customer, also without statistics.
    cross join lateral (select * from grants g where g.user_id = t.user_id and g.ends_at >= t.since offset 0) g
    left join changed c on c.id = g.id
    where g.package_id = t.package_id
  ), edges as (
    select h.user_id, h.package_id, k.version_id, s.sign, e.at, sum(e.step) as step
    from held h
    cross join lateral (values (h.version_id), (null::uuid)) k (version_id)
    cross join lateral (values (1, h.ends_at), (-1, h.was)) s (sign, until)
    cross join lateral (values (h.starts_at, 1), (s.until, -1)) e (at, step)
    where h.starts_at < s.until
    group by h.user_id, h.package_id, k.version_id, s.sign, e.at
  ), levels as (
    select package_id, version_id, sign, at, step,
      sum(step) over (partition by user_id, package_id, version_id, sign order by at) as level
    from edges
  )
  insert into subscriber_changes (package_id, version_id, at, change)
  select package_id, version_id, at, sum(case when level = 0 then -sign else sign end)
  from levels where (level = 0) <> (level = step) and at < 'infinity'
  group by package_id, version_id, at having sum(case when level = 0 then -sign else sign end) <> 0;
end
$$;

CREATE FUNCTION public.add_to_balance() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  insert into balances (user_id, currency, amount) values (new.user_id, new.currency, 0) on conflict do nothing;
  update balances set amount = amount + new.amount where user_id = new.user_id and currency = new.currency;
  return null;
exception when check_violation then
  raise exception 'The balance is too low. Reload the page and try again.'
    using errcode = 'check_violation', constraint = 'problem_wrong_state__balance_too_low';
end
$$;

CREATE FUNCTION public.announce_notifications() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
  announced text := coalesce(current_setting('purser.changed', true), '');
  touched text := (
    select string_agg('notifications:' || user_id || ':insert', ' ') from (select distinct user_id from new_rows limit 20) few);
begin
  if touched is not null and length(announced) < 4000 then
    perform set_config('purser.changed', ltrim(announced || ' ' || touched), true);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.attach_first(parent text) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
  first text := parent || '_first';
  place regclass := format('partitions.%I', first);
  bound text := (
    select substring(pg_get_constraintdef(c.oid) from '''([^'']+)''') from pg_constraint c
    where c.conrelid = place and c.conname = parent || '_bound');
  own record;
begin
  -- They call each other.
  perform set_config('check_function_bodies', 'off', true);
  for own in select definition from partitioned_functions loop
    execute own.definition;
  end loop;
  for own in select tgname from pg_trigger where tgrelid = place and not tgisinternal loop
    execute format('drop trigger %I on %s', own.tgname, place);
  end loop;
  for own in select attname, pg_get_serial_sequence(place::text, attname) as numbers from pg_attribute
    where attrelid = place and attidentity <> '' loop
    execute format('select setval(pg_get_serial_sequence(%L, %L), last_value, is_called) from %s',
      'public.' || parent, own.attname, own.numbers);
    execute format('alter table %s alter column %I drop identity', place, own.attname);
  end loop;
  execute format('alter table public.%I attach partition %s for values from (minvalue) to (%L)', parent, place, bound);
  execute format('alter table %s drop constraint %I', place, parent || '_bound');
  execute format('revoke all on %s from purser_app', place);
  -- For all later rows, so that a missing month never fails a request. A default partition would be read by every list,
  -- because PostgreSQL doesn't know the order of its rows.
  execute format('create table partitions.%I (like %s including all)', parent || '_later', place);
  execute format('alter table public.%I attach partition partitions.%I for values from (%L) to (maxvalue)',
    parent, parent || '_later', bound);
end
$$;

CREATE FUNCTION public.attach_partition(parent regclass, part text, lower text, upper text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
begin
  execute format('alter table %s attach partition partitions.%I for values from (%L) to (%s)',
    parent, part, lower, coalesce(quote_literal(upper), 'maxvalue'));
end
$$;

CREATE TABLE public.audit_entries (
    id bigint NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    entity text NOT NULL,
    record_id uuid NOT NULL,
    action text NOT NULL,
    actor_kind text DEFAULT COALESCE(NULLIF(current_setting('purser.actor_kind'::text, true), ''::text), 'database'::text) NOT NULL,
    actor_id uuid DEFAULT (NULLIF(current_setting('purser.actor_id'::text, true), ''::text))::uuid,
    actor_name text DEFAULT COALESCE(NULLIF(current_setting('purser.actor_name'::text, true), ''::text), (SESSION_USER)::text),
    address text DEFAULT NULLIF(current_setting('purser.address'::text, true), ''::text),
    request_id text DEFAULT NULLIF(current_setting('purser.request_id'::text, true), ''::text),
    reason text DEFAULT NULLIF(current_setting('purser.reason'::text, true), ''::text),
    before jsonb,
    after jsonb,
    hash bytea NOT NULL,
    reverts bigint DEFAULT (NULLIF(current_setting('purser.reverts'::text, true), ''::text))::bigint,
    personal text[],
    salt bytea,
    CONSTRAINT audit_entries_action CHECK ((action = ANY (ARRAY['insert'::text, 'update'::text, 'delete'::text]))),
    CONSTRAINT audit_entries_actor_kind CHECK ((actor_kind = ANY (ARRAY['user'::text, 'key'::text, 'system'::text, 'database'::text]))),
    CONSTRAINT audit_entries_personal CHECK ((cardinality(personal) <= 16))
)
PARTITION BY RANGE (id);

COMMENT ON TABLE public.audit_entries IS 'Written by triggers only. Append-only for every role but its owner.';

CREATE FUNCTION public.audit_agrees(entry public.audit_entries, scope text, witness bytea, remainder bytea) RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select case
    when scope is null then entry.hash = audit_digest(entry)
    when scope = 'personal' then entry.hash = sha256(audit_open_digest(entry) || witness)
      and remainder = audit_remainder(entry, scope)
    else entry.hash = witness and remainder = audit_remainder(entry, scope)
  end
$$;

CREATE FUNCTION public.audit_await_seal() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  insert into audit_unsealed (entry_id) select id from new_rows;
  return null;
end
$$;

CREATE FUNCTION public.audit_broken_entry(first bigint, last bigint) RETURNS TABLE(what text, number bigint)
    LANGUAGE sql STABLE
    AS $$
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

CREATE FUNCTION public.audit_broken_redaction() RETURNS TABLE(what text, number bigint)
    LANGUAGE sql STABLE
    AS $$
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

CREATE FUNCTION public.audit_broken_seal(first bigint, last bigint) RETURNS TABLE(what text, number bigint)
    LANGUAGE sql STABLE
    AS $$
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

CREATE FUNCTION public.audit_change() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
  traces text[] := coalesce(tg_argv[1], '{}')::text[];
  hidden text[] := coalesce(tg_argv[0], '{}')::text[] || traces;
  announced text := coalesce(current_setting('purser.changed', true), '');
  many text := tg_table_name || ':*:update';
  touched uuid[];
begin
  if tg_op = 'INSERT' then
    insert into audit_entries (entity, record_id, action, after)
    select tg_table_name, n.id, 'insert', to_jsonb(n) - hidden from new_rows n;
    touched := array(select id from new_rows limit 21);
  elsif tg_op = 'UPDATE' then
    insert into audit_entries (entity, record_id, action, before, after)
    select tg_table_name, n.id, 'update', to_jsonb(o) - hidden, to_jsonb(n) - hidden
    from new_rows n join old_rows o using (id)
    where to_jsonb(o) - traces is distinct from to_jsonb(n) - traces;
    if exists (select from new_rows n where not exists (select from old_rows o where o.id = n.id)) then
      raise exception 'an id never changes';
    end if;
    touched := array(select id from new_rows limit 21);
  else
    insert into audit_entries (entity, record_id, action, before)
    select tg_table_name, o.id, 'delete', to_jsonb(o) - hidden from old_rows o;
    touched := array(select id from old_rows limit 21);
  end if;

  if cardinality(touched) > 0 and not many = any (string_to_array(announced, ' ')) then
    if cardinality(touched) > 20 or length(announced) > 2000 then
      announced := announced || ' ' || many;
    else
      announced := announced || (
        select string_agg(format(' %s:%s:%s', tg_table_name, id, lower(tg_op)), '')
        from unnest(touched) as id
      );
    end if;
    perform set_config('purser.changed', ltrim(announced), true);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_codes() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $_$
begin
  execute format('insert into audit_entries (entity, record_id, action, %1$I)
    select ''promotion_codes'', promotion_id, %2$L, jsonb_strip_nulls(jsonb_build_object(
      ''code'', string_agg(shown, '', '' order by shown) filter (where max_uses is null),
      ''made'', nullif(count(*) filter (where max_uses is not null), 0)))
    from changed group by promotion_id', tg_argv[0], lower(tg_op));
  return null;
end
$_$;

CREATE FUNCTION public.audit_digest(entry public.audit_entries) RETURNS bytea
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select case when entry.salt is not null
    then sha256(audit_open_digest(entry) || audit_personal_digest(entry, entry.salt))
    else sha256(convert_to(jsonb_build_array(
      entry.id, extract(epoch from entry.at), entry.entity, entry.record_id, entry.action,
      entry.actor_kind, entry.actor_id, entry.actor_name, entry.address, entry.request_id,
      entry.reason, entry.before, entry.after
    )::text, 'UTF8'))
  end
$$;

CREATE FUNCTION public.audit_erase(stored jsonb, columns text[]) RETURNS jsonb
    LANGUAGE sql IMMUTABLE
    AS $$
  select stored || coalesce(
    (select jsonb_object_agg(key, 'erased') from jsonb_each(stored) where key = any (columns) and value <> 'null'),
    '{}')
$$;

CREATE FUNCTION public.audit_erased(entry public.audit_entries, columns text[], with_reason boolean, with_actor boolean) RETURNS public.audit_entries
    LANGUAGE plpgsql STABLE
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  if with_actor then
    entry.actor_name := 'erased';
    entry.address := null;
  else
    entry.before := audit_erase(entry.before, columns);
    entry.after := audit_erase(entry.after, columns);
  end if;
  if with_reason and entry.reason is not null then entry.reason := 'erased'; end if;
  return entry;
end
$$;

CREATE FUNCTION public.audit_grant() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
  announced text := coalesce(current_setting('purser.changed', true), '');
  touched text;
begin
  insert into audit_entries (entity, record_id, action, before, after)
  values ('grants', new.id, lower(tg_op), case tg_op when 'UPDATE' then to_jsonb(old) end, to_jsonb(new));
  foreach touched in array array['packages:' || new.package_id || ':update', 'grants:' || new.user_id || ':update'] loop
    if touched is not null and length(announced) < 3000 and position(touched in announced) = 0 then
      announced := ltrim(announced || ' ' || touched);
      perform set_config('purser.changed', announced, true);
    end if;
  end loop;
  return null;
end
$$;

CREATE FUNCTION public.uuid_v7(at timestamp with time zone DEFAULT clock_timestamp()) RETURNS uuid
    LANGUAGE sql PARALLEL SAFE
    AS $$
  select (
    overlay(lpad(to_hex((extract(epoch from at) * 4096000)::bigint), 15, '0') placing '7' from 13 for 0)
      || right(gen_random_uuid()::text, 17)
  )::uuid
$$;

CREATE TABLE public.audit_removals (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    number bigint NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    before timestamp with time zone NOT NULL,
    last_entry bigint NOT NULL,
    first_seal bigint NOT NULL,
    head bytea,
    last_redaction bigint NOT NULL,
    redactions bytea NOT NULL
);

CREATE FUNCTION public.audit_last_removal() RETURNS public.audit_removals
    LANGUAGE sql STABLE
    AS $$ select r from audit_removals r order by r.number desc limit 1 $$;

CREATE FUNCTION public.audit_open_digest(entry public.audit_entries) RETURNS bytea
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select audit_open_digest(entry.id, entry.at, entry.entity, entry.record_id, entry.action, entry.actor_kind,
    entry.actor_id, entry.request_id, entry.reverts, entry.personal, entry.before, entry.after)
$$;

CREATE FUNCTION public.audit_open_digest(id bigint, at timestamp with time zone, entity text, record_id uuid, action text, actor_kind text, actor_id uuid, request_id text, reverts bigint, personal text[], before jsonb, after jsonb) RETURNS bytea
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select sha256(convert_to(row(
    id, extract(epoch from at), entity, record_id, action,
    actor_kind, actor_id, request_id, reverts, personal,
    case when personal is null then before else before - personal end,
    case when personal is null then after else after - personal end
  )::text, 'UTF8'))
$$;

CREATE FUNCTION public.audit_parts(audited regclass, record_column text, key text, value text, announced_as text) RETURNS void
    LANGUAGE plpgsql
    AS $_$
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
$_$;

CREATE FUNCTION public.audit_parts_change() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $_$
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
$_$;

CREATE FUNCTION public.audit_personal(entity text) RETURNS text[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  select case entity
    when 'users' then
      '{email,name,external_id,country,locale,time_zone,company,address,region,vat_number}'::text[]
    when 'user_notes' then '{text}'::text[]
    when 'identities' then '{subject}'::text[]
    when 'passkeys' then '{name}'::text[]
    when 'transactions' then '{reason,note}'::text[]
    when 'approvals' then '{summary,facts,reason,answer}'::text[]
    when 'exports' then '{query}'::text[]
  end
$$;

CREATE FUNCTION public.audit_personal_digest(entry public.audit_entries, salt bytea) RETURNS bytea
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select audit_personal_digest(entry.actor_name, entry.address, entry.reason, entry.personal, entry.before, entry.after,
    salt)
$$;

CREATE FUNCTION public.audit_personal_digest(actor_name text, address text, reason text, personal text[], before jsonb, after jsonb, salt bytea) RETURNS bytea
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select sha256(salt || convert_to(case when personal is null
    then row(actor_name, address, reason)::text
    when cardinality(personal) <= 8
    then row(actor_name, address, reason,
      before -> personal[1], after -> personal[1],
      before -> personal[2], after -> personal[2],
      before -> personal[3], after -> personal[3],
      before -> personal[4], after -> personal[4],
      before -> personal[5], after -> personal[5],
      before -> personal[6], after -> personal[6],
      before -> personal[7], after -> personal[7],
      before -> personal[8], after -> personal[8])::text
    else row(actor_name, address, reason,
      before -> personal[1], after -> personal[1],
      before -> personal[2], after -> personal[2],
      before -> personal[3], after -> personal[3],
      before -> personal[4], after -> personal[4],
      before -> personal[5], after -> personal[5],
      before -> personal[6], after -> personal[6],
      before -> personal[7], after -> personal[7],
      before -> personal[8], after -> personal[8],
      before -> personal[9], after -> personal[9],
      before -> personal[10], after -> personal[10],
      before -> personal[11], after -> personal[11],
      before -> personal[12], after -> personal[12],
      before -> personal[13], after -> personal[13],
      before -> personal[14], after -> personal[14],
      before -> personal[15], after -> personal[15],
      before -> personal[16], after -> personal[16])::text
  end, 'UTF8'))
$$;

CREATE FUNCTION public.audit_redact(entity text, record uuid, columns text[], with_reason boolean DEFAULT false) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
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

CREATE FUNCTION public.audit_redact_actor(actor uuid) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
  what audit_redactions;
begin
  what.actor_id := actor;
  what.columns := '{actor_name,address}';
  return audit_redact_entries(
    array(select e.id from audit_entries e where e.actor_id = actor), what, false, true);
end
$$;

CREATE TABLE public.audit_redactions (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    number bigint NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    entity text,
    record_id uuid,
    actor_id uuid,
    columns text[] NOT NULL,
    entries integer NOT NULL,
    digest bytea NOT NULL
);

CREATE FUNCTION public.audit_redact_entries(ids bigint[], what public.audit_redactions, with_reason boolean, with_actor boolean) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
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

CREATE FUNCTION public.audit_redaction_digest(number bigint) RETURNS bytea
    LANGUAGE sql STABLE
    AS $$
  select sha256(coalesce(string_agg(
    convert_to(r.entry_id || r.scope, 'UTF8') || r.witness || r.remainder, ''::bytea order by r.entry_id
  ), ''::bytea))
  from audit_redacted r where r.redaction = number
$$;

CREATE FUNCTION public.audit_redactions_digest(last bigint) RETURNS bytea
    LANGUAGE sql STABLE
    AS $$
  select sha256(convert_to(coalesce(string_agg(to_jsonb(r)::text, '' order by r.number), ''), 'UTF8'))
  from audit_redactions r where r.number <= last
$$;

CREATE FUNCTION public.audit_remainder(entry public.audit_entries, scope text) RETURNS bytea
    LANGUAGE sql STABLE
    AS $$
  select case scope
    when 'personal' then audit_personal_digest(entry, ''::bytea)
    else sha256(audit_open_digest(entry) || audit_personal_digest(entry, ''::bytea))
  end
$$;

CREATE FUNCTION public.audit_remove_months() RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    SET lock_timeout TO '1s'
    AS $$
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

CREATE FUNCTION public.audit_remove_seals(at_once integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
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

CREATE FUNCTION public.audit_seal(entries_max integer DEFAULT 1000) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
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

CREATE FUNCTION public.audit_seal_hash(previous bytea, ids bigint[]) RETURNS bytea
    LANGUAGE sql STABLE
    AS $$
  select sha256(previous || string_agg(coalesce(entry.hash, removed.hash, ''::bytea), ''::bytea order by place))
  from unnest(ids) with ordinality as sealed (entry_id, place)
  -- The range is of one partition, or of two.
  left join audit_entries entry on entry.id = sealed.entry_id
    and entry.id >= ids[1] and entry.id <= ids[cardinality(ids)]
  left join audit_removed removed on removed.entry_id = sealed.entry_id
$$;

CREATE FUNCTION public.audit_since(moment timestamp with time zone) RETURNS bigint
    LANGUAGE sql STABLE PARALLEL SAFE
    SET search_path TO 'public', 'pg_temp'
    AS $$
  select coalesce((select first_id from audit_months where starts_at <= moment order by starts_at desc limit 1), 0)
$$;

CREATE FUNCTION public.audit_since(record uuid) RETURNS bigint
    LANGUAGE sql STABLE PARALLEL SAFE
    SET search_path TO 'public', 'pg_temp'
    AS $$
  select case when substr(record::text, 15, 1) = '7' then audit_since(uuid_v7_time(record) - interval '1 day') else 0 end
$$;

CREATE FUNCTION public.audit_stamp() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  new.personal := audit_personal(new.entity);
  new.salt := uuid_send(gen_random_uuid());
  new.hash := sha256(
    audit_open_digest(new.id, new.at, new.entity, new.record_id, new.action, new.actor_kind, new.actor_id,
      new.request_id, new.reverts, new.personal, new.before, new.after)
    || audit_personal_digest(new.actor_name, new.address, new.reason, new.personal, new.before, new.after, new.salt));
  return new;
end
$$;

CREATE FUNCTION public.audit_table(audited regclass, secrets text[] DEFAULT '{}'::text[], traces text[] DEFAULT '{}'::text[]) RETURNS void
    LANGUAGE plpgsql
    AS $_$
begin
  execute format(
    'create trigger audit_insert after insert on %1$s referencing new table as new_rows
       for each statement execute function audit_change(%2$L, %3$L);
     create trigger audit_update after update on %1$s referencing old table as old_rows new table as new_rows
       for each statement execute function audit_change(%2$L, %3$L);
     create trigger audit_delete after delete on %1$s referencing old table as old_rows
       for each statement execute function audit_change(%2$L, %3$L)', audited, secrets, traces);
end
$_$;

CREATE FUNCTION public.audit_verify(batch bigint DEFAULT 20000) RETURNS TABLE(what text, number bigint)
    LANGUAGE plpgsql STABLE
    AS $$
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

CREATE FUNCTION public.base32(bits bigint) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  select substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (bits & 31)::int, 1)
$$;

CREATE FUNCTION public.bound_table(parent text, bound text) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  execute format('alter table public.%I add constraint %I check (id < %L) not valid', parent, parent || '_bound', bound);
end
$$;

CREATE FUNCTION public.change_periods() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    AS $$
declare
  last subscription_periods;
  moved interval;
begin
  if not exists (select from subscription_periods p where p.subscription_id = new.id) then
    insert into subscription_periods (subscription_id, number, starts_at, ends_at)
    select new.id, p.number, p.starts_at, p.ends_at from first_periods(old, old.created_at) p;
  end if;
  -- A pause moves everything after it.
  if old.paused_at is not null then
    moved := case when new.period_start > old.period_start then new.period_start else new.period_end end - old.period_end;
    update subscription_periods p set ends_at = p.ends_at + moved,
      starts_at = case when p.starts_at > old.paused_at then p.starts_at + moved else p.starts_at end
    where p.subscription_id = new.id and p.ends_at > old.paused_at and moved > interval '0';
  end if;
  select * into last from subscription_periods p where p.subscription_id = new.id order by p.number desc limit 1;
  if new.period_start > old.period_start and new.period_start > last.starts_at then
    if last.kind = 'overdue' then
      -- Its window has started already, and continues.
      update subscription_periods p set ends_at = new.period_end, kind = 'paid'
      where p.subscription_id = new.id and p.number = last.number;
    else
      update subscription_periods p set ends_at = new.period_start
      where p.subscription_id = new.id and p.number = last.number and p.ends_at > new.period_start;
      insert into subscription_periods (subscription_id, number, starts_at, ends_at)
      values (new.id, last.number + 1, new.period_start, new.period_end);
    end if;
  elsif new.period_end > last.ends_at and last.kind <> 'overdue' then
    insert into subscription_periods (subscription_id, number, starts_at, ends_at, kind)
    values (new.id, last.number + 1, last.ends_at, new.period_end,
      case when old.status = 'past due' then 'overdue' else 'added' end);
  elsif new.period_end <> last.ends_at then
    update subscription_periods p set ends_at = new.period_end
    where p.subscription_id = new.id and p.number = last.number and p.starts_at < new.period_end;
  end if;
  return null;
end
$$;

CREATE FUNCTION public.check_entry_balance() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  if (select sum(amount) from postings where entry_id = new.entry_id) <> 0 then
    raise exception 'The postings of journal entry % don''t add up to 0.', new.entry_id
      using errcode = 'check_violation', constraint = 'postings_balanced';
  end if;
  return null;
end
$$;

CREATE FUNCTION public.check_grant_value() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
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

CREATE FUNCTION public.check_transaction_sums() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
  t transactions;
  sums record;
begin
  if tg_table_name = 'transactions' then
    select * into t from transactions where id = new.id;
  else
    select * into t from transactions where id = new.transaction_id;
  end if;
  if t.id is null then return null; end if;
  if t.kind in ('refund', 'chargeback') then
    select count(*) as count, sum(gross) as gross, sum(tax) as tax into sums
    from line_credits where transaction_id = t.id and state = 'applied';
    -- An earlier version refunded more than was left of a sale. The excess is written off.
    if sums.count > 0 and (sums.gross > t.total
      or t.kind = 'refund' and (sums.tax > t.tax or (sums.gross, sums.tax) is distinct from (t.total, t.tax)
        and not exists (select from journal_entries where kind = 'write-off' and source_id = t.id))) then
      raise exception 'The credits of refund % don''t add up.', t.number
        using errcode = 'check_violation', constraint = 'transactions_add_up';
    end if;
    return null;
  end if;
  select count(*) as count, sum(subtotal) as subtotal, sum(discount) as discount, sum(tax) as tax, sum(gross) as gross
  into sums from transaction_lines where transaction_id = t.id;
  if (sums.count > 0 or t.is_split) and (sums.subtotal, sums.discount, sums.tax, sums.gross)
    is distinct from (t.subtotal, t.discount, t.tax, t.total) then
    raise exception 'The lines of transaction % don''t add up.', t.number
      using errcode = 'check_violation', constraint = 'transactions_add_up';
  end if;
  return null;
end
$$;

CREATE FUNCTION public.check_version_value() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
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

CREATE FUNCTION public.correct_usage(counted_feature uuid, counted_user uuid, anchored boolean, since timestamp with time zone, until timestamp with time zone, correction bigint, why text, on_day date, moment timestamp with time zone) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
  counted feature_use := lock_counter(counted_feature, counted_user, anchored, since, until, moment);
  counter feature_use;
  total bigint := counted.used + correction;
  rest bigint := correction;
  part bigint;
begin
  if anchored then total := total + (sum_others(counted, since, until, moment, moment)).used; end if;
  if total < 0 then return null; end if;
  for counter in
    select u.* from counters_in(counted_feature, counted_user, since, until, moment) u
    where anchored and u.window_start <> counted.window_start
    union all
    select (counted).*
    order by window_start desc
  loop
    continue when rest > 0 and counter.window_start <> counted.window_start;
    part := greatest(rest, -counter.used);
    continue when part = 0;
    update feature_use u set used = u.used + part,
      last_used_at = case when anchored and part > 0 then greatest(u.last_used_at, moment) else u.last_used_at end,
      window_end = case when anchored and part > 0 then greatest(u.window_end, until) else u.window_end end
    where u.feature_id = counted_feature and u.user_id = counted_user and u.window_start = counter.window_start;
    insert into usage_corrections (user_id, feature_id, window_start, amount, reason, created_at)
    values (counted_user, counted_feature, counter.window_start, part, why, moment);
    rest := rest - part;
    exit when rest = 0;
  end loop;
  insert into usage_days as d (user_id, feature_id, day, used) values (counted_user, counted_feature, on_day, correction)
  on conflict (user_id, feature_id, day) do update set used = d.used + excluded.used;
  return total;
end
$$;

CREATE FUNCTION public.count_credit() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  if tg_op = 'INSERT' and new.state <> 'released' then
    update transaction_lines set credited = credited + new.gross, credited_tax = credited_tax + new.tax
    where id = new.line_id;
  elsif tg_op = 'UPDATE' and old.state <> new.state then
    if (old.state, new.state) not in (('held', 'applied'), ('held', 'released')) then
      raise exception 'A credit that is % can''t become %.', old.state, new.state
        using errcode = 'check_violation', constraint = 'line_credits_transition';
    end if;
    if new.state = 'released' then
      update transaction_lines set credited = credited - new.gross, credited_tax = credited_tax - new.tax
      where id = new.line_id;
    end if;
  end if;
  return null;
end
$$;

CREATE FUNCTION public.count_new_grants() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
  ids uuid[];
begin
  select array_agg(id) into ids from new_rows where package_id is not null and starts_at < ends_at;
  if ids is not null then
    perform add_subscriber_changes(ids, array_fill(null::timestamptz, array[cardinality(ids)]));
  end if;
  return null;
end
$$;

CREATE FUNCTION public.count_shortened_grants() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
  ids uuid[];
  were timestamptz[];
begin
  select array_agg(o.id), array_agg(o.ends_at) into ids, were from old_rows o join new_rows n using (id)
  where o.package_id is not null and o.ends_at <> n.ends_at;
  if ids is not null then
    perform add_subscriber_changes(ids, were);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.count_usage(entries jsonb, moment timestamp with time zone) RETURNS TABLE(place integer, outcome text, used bigint, reserved bigint, reservation uuid)
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
  entry record;
  counter feature_use;
  others record;
  earlier record;
begin
  -- A merge waits for what is counted for its customers, also by counters that it can't see yet. There are 64 of these
  -- locks, because each takes memory of the server.
  perform pg_advisory_xact_lock_shared(hashtext('count_usage'), key) from (
    select distinct hashtext(e.customer::text) & 63 as key
    from jsonb_to_recordset(entries) as e (customer uuid) order by key
  ) asked;
  perform pg_advisory_xact_lock_shared(hashtext('count_usage'), key) from (
    select distinct hashtext(survivor_of(u.id)::text) & 63 as key
    from jsonb_to_recordset(entries) as e (customer uuid) join users u on u.id = e.customer
    where u.merged_into is not null order by key
  ) merged;
  for entry in
    select e.*, case when u.merged_into is null then e.customer else survivor_of(e.customer) end as owner
    from jsonb_to_recordset(entries) as e (
      place integer, app uuid, key uuid, event text, customer uuid, feature uuid, anchored boolean, since timestamptz,
      until timestamptz, lasts timestamptz, amount bigint, bound bigint, at timestamptz, day date,
      expires timestamptz)
    left join users u on u.id = e.customer
    order by e.feature, owner, e.since, e.place
  loop
    counter := lock_counter(entry.feature, entry.owner, entry.anchored, entry.since, entry.until, entry.at);
    if entry.anchored then others := sum_others(counter, entry.since, entry.until, entry.at, moment);
    else select 0::bigint as used, 0::bigint as reserved into others; end if;
    place := entry.place;
    reservation := null;
    select i.user_id, i.feature_id, i.amount into earlier from usage_event_ids i
    where i.app_id = entry.app and i.event_id = entry.event;
    if found then
      outcome := case when (earlier.feature_id, earlier.amount) = (entry.feature, entry.amount)
        and (earlier.user_id = entry.owner or survivor_of(earlier.user_id) = entry.owner)
        then 'duplicate' else 'id reused' end;
      if entry.expires is not null then
        select r.id into reservation from usage_reservations r
        where r.app_id = entry.app and r.event_id = entry.event;
        if not found then outcome := 'id reused'; end if;
      end if;
    elsif counter.used + entry.amount < 0 then
      outcome := 'below zero';
    else
      if counter.reserved > 0 then counter := expire_reservations(counter, moment); end if;
      if entry.amount > 0
        and counter.used + counter.reserved + others.used + others.reserved + entry.amount > entry.bound then
        outcome := 'limit reached';
      else
        -- Another request with the same id may be counting on another counter. It is waited for, and one of them fails.
        insert into usage_event_ids (app_id, event_id, user_id, feature_id, amount, recorded_at)
        values (entry.app, entry.event, entry.owner, entry.feature, entry.amount, moment);
        if entry.expires is null then
          insert into usage_events
            (app_id, key_id, event_id, user_id, feature_id, window_start, amount, occurred_at, recorded_at)
          values (entry.app, entry.key, entry.event, entry.owner, entry.feature, counter.window_start, entry.amount,
            entry.at, moment);
          update feature_use u set used = u.used + entry.amount,
            last_used_at = case when entry.anchored then greatest(u.last_used_at, entry.at) else u.last_used_at end,
            window_end = case when entry.anchored then greatest(u.window_end, entry.lasts) else u.window_end end
          where u.feature_id = entry.feature and u.user_id = entry.owner and u.window_start = counter.window_start
          returning * into counter;
          insert into usage_days as d (user_id, feature_id, day, used)
          values (entry.owner, entry.feature, entry.day, entry.amount)
          on conflict (user_id, feature_id, day) do update set used = d.used + excluded.used;
          outcome := 'recorded';
        else
          insert into usage_reservations
            (app_id, key_id, event_id, user_id, feature_id, window_start, amount, expires_at, created_at)
          values (entry.app, entry.key, entry.event, entry.owner, entry.feature, counter.window_start, entry.amount,
            entry.expires, moment)
          returning id into reservation;
          update feature_use u set reserved = u.reserved + entry.amount,
            last_used_at = case when entry.anchored then greatest(u.last_used_at, entry.at) else u.last_used_at end,
            window_end = case when entry.anchored then greatest(u.window_end, entry.lasts) else u.window_end end
          where u.feature_id = entry.feature and u.user_id = entry.owner and u.window_start = counter.window_start
          returning * into counter;
          outcome := 'reserved';
        end if;
      end if;
    end if;
    used := counter.used + others.used;
    reserved := counter.reserved + others.reserved;
    return next;
  end loop;
end
$$;

CREATE TABLE public.feature_use (
    user_id uuid NOT NULL,
    feature_id uuid NOT NULL,
    window_start timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    used bigint NOT NULL,
    reserved bigint DEFAULT 0 NOT NULL,
    window_end timestamp with time zone,
    last_used_at timestamp with time zone,
    CONSTRAINT feature_use_used CHECK ((used >= 0))
);

CREATE FUNCTION public.counters_in(counted_feature uuid, counted_user uuid, since timestamp with time zone, until timestamp with time zone, moment timestamp with time zone) RETURNS SETOF public.feature_use
    LANGUAGE sql STABLE
    SET search_path TO 'public', 'pg_temp'
    AS $$
  select u.* from feature_use u
  where u.feature_id = counted_feature and u.user_id = counted_user and u.window_start < until
    and (u.window_start >= since or u.last_used_at >= since or u.window_end > moment)
$$;

CREATE FUNCTION public.create_partitions() RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET lock_timeout TO '1s'
    AS $$
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

CREATE FUNCTION public.current_customer(customer uuid) RETURNS uuid
    LANGUAGE sql STABLE
    SET search_path TO 'public', 'pg_temp'
    AS $$
  with recursive chain as (
    select id, merged_into from users where id = customer
    union all
    select u.id, u.merged_into from chain c join users u on u.id = c.merged_into
  ) select id from chain where merged_into is null
$$;

CREATE FUNCTION public.date_subscription() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  new.anchor := coalesce(new.anchor, new.period_start);
  new.ended_at := case new.status when 'ended' then coalesce(new.ended_at, now()) end;
  new.paused_at := case new.status when 'paused' then coalesce(new.paused_at, now()) end;
  return new;
end
$$;

CREATE FUNCTION public.drop_partitions(parent regclass, old regclass[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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

CREATE FUNCTION public.drop_usage_events(before timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET lock_timeout TO '1s'
    AS $$
declare
  old record;
  unneeded regclass[] := '{}';
  has_rows boolean;
  removed integer := 0;
begin
  for old in select part, lower, upper from partitions_of('usage_events') where upper::uuid <= uuid_v7_from(before) loop
    execute format('select exists (select from %s)', old.part) into has_rows;
    continue when has_rows and not may_remove('usage_events', old.lower, old.upper);
    unneeded := unneeded || old.part;
    if has_rows then removed := removed + 1; end if;
  end loop;
  perform drop_partitions('usage_events', unneeded);
  return removed;
end
$$;

CREATE FUNCTION public.drop_webhook_deliveries(before timestamp with time zone, at_once integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET lock_timeout TO '1s'
    AS $_$
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
$_$;

CREATE FUNCTION public.drop_webhook_events(before timestamp with time zone, at_once integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET lock_timeout TO '1s'
    AS $_$
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
$_$;

CREATE FUNCTION public.end_sessions() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  delete from sessions where user_id = new.id;
  delete from challenges where user_id = new.id;
  if old.status is distinct from new.status then
    delete from links where user_id = new.id;
  end if;
  if new.role is null then
    delete from links where user_id = new.id;
    delete from known_devices where user_id = new.id;
    delete from second_factor_duties where user_id = new.id;
    delete from recovery_codes where user_id = new.id;
    delete from passwords where id = new.id;
    delete from authenticators where id = new.id;
    delete from passkeys where user_id = new.id;
    delete from identities where user_id = new.id;
  end if;
  return null;
end
$$;

CREATE FUNCTION public.erase_notifications() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  delete from notifications n where n.user_id = old.id
    or n.kind = 'approval' and n.path in (
      select '/approvals?preview=' || a.id from approvals a where a.requested_by = old.id)
    or n.kind = 'mention' and split_part(n.path, '#', 2) in (
      select c.id::text from user_notes c where c.author_id = old.id);
  return new;
end
$$;

CREATE FUNCTION public.erase_person(people uuid[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
  names text[] := words_of(people, false);
  unique_words text[] := words_of(people, true);
  theirs uuid[] := array(
    select id from transactions where user_id = any (people)
    union all select id from subscriptions where user_id = any (people)
    union all select id from user_notes where user_id = any (people)
    union all select id from grants where user_id = any (people));
  -- The reason of an approved action names who requested it.
  on_request bigint[] := array(
    select e.id from approvals a
    join audit_entries decided on decided.entity = 'approvals' and decided.record_id = a.id
    join audit_entries e on e.request_id = decided.request_id
    where a.requested_by = any (people) and e.reason like 'Asked by %');
  what audit_redactions;
  kind text;
  noted uuid;
  asked uuid[];
  listed uuid[];
begin
  -- The reason may name the customer, and every following entry would repeat it.
  if mentions(current_setting('purser.reason', true), names) then
    perform set_config('purser.reason', 'erased', true);
  end if;

  update users set email = 'erased-' || id || '@erased.invalid', name = 'Erased person', external_id = null,
    company = null, address = null, region = null, country = null, vat_number = null, locale = null, time_zone = null,
    status = 'erased'
  where id = any (people) and status <> 'erased';

  delete from sessions where user_id = any (people);
  delete from challenges where user_id = any (people);
  delete from links where user_id = any (people);
  delete from known_devices where user_id = any (people);
  delete from recovery_codes where user_id = any (people);
  delete from passwords where id = any (people);
  delete from authenticators where id = any (people);
  delete from passkeys where user_id = any (people);
  delete from preferences where user_id = any (people);
  delete from sign_ins where user_id = any (people);
  delete from second_factor_duties where user_id = any (people);
  delete from identities where user_id = any (people);
  delete from personal_exports where user_id = any (people);
  delete from drafts d where d.user_id = any (people) or points_at(d.value::text || d.base::text, unique_words);
  delete from promotion_replays where points_at(details::text, unique_words);
  -- Saved views that search for them.
  update preferences p set value = jsonb_set(p.value, '{views}', (
    select jsonb_object_agg(list, (
      select coalesce(jsonb_agg(view order by place), '[]')
      from jsonb_array_elements(views) with ordinality saved (view, place)
      where not points_at(view::text, unique_words)))
    from jsonb_each(p.value -> 'views') lists (list, views)))
  where points_at(p.value ->> 'views', unique_words);

  update user_notes set text = 'erased' where user_id = any (people) and text <> 'erased';
  update transaction_events e set evidence = 'erased' from transactions t
  where t.id = e.transaction_id and t.user_id = any (people) and mentions(e.evidence, names);
  update grants set reason = 'erased' where user_id = any (people) and mentions(reason, names);
  update grant_changes c set reason = 'erased' from grants g
  where g.id = c.grant_id and g.user_id = any (people) and mentions(c.reason, names);
  update grant_changes set reason = 'erased'
  where reason in (select reason from audit_entries where id = any (on_request));
  update grant_changes set actor_name = 'erased' where actor_id = any (people);
  -- Notifications about their payments, and unmatched ones that contain their address.
  update provider_events p set body = '{"erased":true}', words = null, next_try_at = null,
    outcome = case when outcome in ('waiting', 'unmatched') then 'ignored' else outcome end
  where p.id in (
    select id from provider_events where outcome in ('waiting', 'unmatched') and points_at(body, unique_words)
    union all
    select e.id from transactions t join provider_events e on e.transaction_id = t.id where t.user_id = any (people)
    union all
    select e.id from transactions t join provider_events e on e.provider = t.provider and e.payment = t.reference
    where t.user_id = any (people));
  -- After the notifications, which are found by the reference.
  update transactions set note = case when mentions(note, names) then 'erased' else note end,
    reason = case when mentions(reason, names) then 'erased' else reason end,
    -- With the ID, because references are unique and a manual payment must have one.
    reference = case when mentions(reference, names) then 'erased ' || id else reference end
  where user_id = any (people) and (mentions(note, names) or mentions(reason, names) or mentions(reference, names));
  delete from transaction_references r using transactions t
  where t.id = r.transaction_id and t.user_id = any (people) and mentions(r.reference, names);

  -- Approval requests that name them expire.
  asked := array(
    select id from approvals
    where record_id = any (people)
      or record_id = any (theirs) and mentions(concat_ws(' ', summary, facts, body, reason, answer), names)
      or points_at(concat_ws(' ', summary, facts, body, reason, answer), unique_words));
  update approvals set summary = 'erased', facts = '[]', body = '{}', reason = 'erased', answer = null,
    status = case status when 'waiting' then 'stale' else status end, decided_at = coalesce(decided_at, now())
  where id = any (asked);
  listed := array(select id from exports where points_at(query::text, unique_words));
  update exports set query = '{}' where id = any (listed);

  foreach noted in array people loop
    perform audit_redact('users', noted, audit_personal('users'));
    perform audit_redact_actor(noted);
  end loop;
  foreach noted in array asked loop
    perform audit_redact('approvals', noted, '{summary,facts,body,reason,answer}');
  end loop;
  foreach noted in array listed loop
    perform audit_redact('exports', noted, '{query}');
  end loop;
  for noted in select id from user_notes where user_id = any (people) loop
    perform audit_redact('user_notes', noted, '{text}');
  end loop;
  -- Sign-in methods of a former team member.
  for kind, noted in
    select distinct e.entity, e.record_id from audit_entries e
    where e.entity in ('identities', 'passkeys') and (coalesce(e.before, e.after) ->> 'user_id')::uuid = any (people)
  loop
    perform audit_redact(kind, noted, audit_personal(kind));
  end loop;
  for noted in
    select distinct e.record_id from audit_entries e join transactions t on t.id = e.record_id
    where e.entity = 'transactions' and t.user_id = any (people)
      and mentions(concat_ws(' ', e.before ->> 'note', e.before ->> 'reason', e.before ->> 'reference',
        e.after ->> 'note', e.after ->> 'reason', e.after ->> 'reference'), names)
  loop
    perform audit_redact('transactions', noted, '{note,reason,reference}');
  end loop;
  for noted in
    select distinct e.record_id from audit_entries e join grants g on g.id = e.record_id
    where e.entity = 'grants' and g.user_id = any (people)
      and mentions(concat_ws(' ', e.before ->> 'reason', e.after ->> 'reason'), names)
  loop
    perform audit_redact('grants', noted, '{reason}');
  end loop;

  -- Reasons: in the customer's own records by any of their names, in all others only by what is unique to them.
  what.columns := '{reason}';
  what.entity := 'users';
  what.record_id := people[1];
  perform audit_redact_entries(array(
    select e.id from audit_entries e
    where e.reason is not null and mentions(e.reason, names) and (
      e.entity = 'users' and e.record_id = any (people)
      or e.record_id = any (theirs || asked))
    union select unnest(on_request)
    union
    select e.id from unnest(unique_words) word cross join lateral (
      select id, reason from audit_entries where lower(reason) like '%' || replace(replace(lower(word), '\', '\\'), '_', '\_') || '%'
    ) e where points_at(e.reason, unique_words)
  ), what, true, false);
end
$$;

CREATE FUNCTION public.erase_shared_views() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  delete from shared_views v
  where points_at(concat_ws(' ', v.name, v.q, array_to_string(v.f, ' ')), words_of(array[old.id], true));
  return new;
end
$$;

CREATE FUNCTION public.expire_reservations(counter public.feature_use, moment timestamp with time zone) RETURNS public.feature_use
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
  freed bigint;
begin
  with expired as (
    update usage_reservations r set status = 'expired', settled_at = moment
    where r.feature_id = counter.feature_id and r.user_id = counter.user_id and r.window_start = counter.window_start
      and r.status = 'open' and r.expires_at <= moment
    returning r.amount
  ) select coalesce(sum(amount), 0) into freed from expired;
  if freed > 0 then
    update feature_use u set reserved = u.reserved - freed
    where u.feature_id = counter.feature_id and u.user_id = counter.user_id and u.window_start = counter.window_start
    returning * into counter;
  end if;
  return counter;
end
$$;

CREATE TABLE public.subscriptions (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    user_id uuid NOT NULL,
    package_id uuid NOT NULL,
    version_id uuid NOT NULL,
    price_id uuid,
    group_code text,
    status text NOT NULL,
    period_start timestamp with time zone NOT NULL,
    period_end timestamp with time zone NOT NULL,
    access_until timestamp with time zone NOT NULL,
    next_version_id uuid,
    version integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    anchor timestamp with time zone NOT NULL,
    period_number integer DEFAULT 0 NOT NULL,
    paused_at timestamp with time zone,
    ended_at timestamp with time zone,
    change_version_id uuid,
    change_price_id uuid,
    quantity integer DEFAULT 1 NOT NULL,
    change_quantity integer,
    billed_by text,
    billing_reference text,
    CONSTRAINT subscriptions_billed_by CHECK ((((billed_by IS NULL) = (billing_reference IS NULL)) AND (billed_by ~ '^[a-z][a-z0-9-]{1,39}$'::text) AND ((length(billing_reference) >= 1) AND (length(billing_reference) <= 200)))),
    CONSTRAINT subscriptions_change CHECK (((change_version_id IS NULL) = (change_price_id IS NULL))),
    CONSTRAINT subscriptions_change_quantity CHECK (((change_quantity >= 1) AND (change_quantity <= 1000000))),
    CONSTRAINT subscriptions_ended CHECK (((status = 'ended'::text) = (ended_at IS NOT NULL))),
    CONSTRAINT subscriptions_paused CHECK (((status = 'paused'::text) = (paused_at IS NOT NULL))),
    CONSTRAINT subscriptions_period CHECK (((period_start < period_end) AND (access_until >= period_end))),
    CONSTRAINT subscriptions_period_number CHECK ((period_number >= '-1'::integer)),
    CONSTRAINT subscriptions_quantity CHECK (((quantity >= 1) AND (quantity <= 1000000))),
    CONSTRAINT subscriptions_status CHECK ((status = ANY (ARRAY['trialing'::text, 'active'::text, 'past due'::text, 'paused'::text, 'ending'::text, 'ended'::text])))
);

CREATE FUNCTION public.features_started(s public.subscriptions) RETURNS SETOF uuid
    LANGUAGE sql STABLE
    SET search_path TO 'public', 'pg_temp'
    AS $$
  select f.id
  from version_values h
  join features f on f.id = h.feature_id and f.anchor = 'subscription'
  join packages p on p.id = s.package_id
  where h.version_id = s.version_id and (p.kind = 'base' or not exists (
    select from grants g
    where g.user_id = s.user_id and g.subscription_id is distinct from s.id
      and g.starts_at <= s.period_start and g.ends_at > s.period_start
      and (g.feature_id = f.id or exists (
        select from version_values o where o.version_id = g.version_id and o.feature_id = f.id))))
$$;

CREATE FUNCTION public.first_periods(s public.subscriptions, since timestamp with time zone) RETURNS TABLE(number integer, starts_at timestamp with time zone, ends_at timestamp with time zone)
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'public', 'pg_temp'
    AS $$
  select row_number() over (order by part.starts_at)::integer - 1, part.starts_at, part.ends_at
  from (values
    (since, s.period_start),
    (s.period_start, case when s.anchor > s.period_start and s.anchor < s.period_end then s.anchor else s.period_end end),
    (case when s.anchor > s.period_start then s.anchor end, s.period_end)
  ) part (starts_at, ends_at)
  where part.starts_at < part.ends_at
$$;

CREATE FUNCTION public.forget_sign_ins() RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  delete from sign_ins where at < now() - interval '400 days';
  delete from sign_ins where user_id in (select id from users where status = 'erased');
$$;

CREATE FUNCTION public.insert_partitions(parent regclass, names text[], bounds text[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
declare
  owned text := (select relname from pg_class where oid = parent);
  later text := owned || '_later';
  bound text := (select p.lower from partitions_of(parent) p where p.upper is null);
  is_used boolean;
  place integer;
begin
  -- The only lock that requests wait for. It is released within milliseconds.
  execute format('alter table %s detach partition partitions.%I', parent, later);
  execute format('select exists (select from partitions.%I)', later) into is_used;
  for place in 1 .. cardinality(names) loop
    if place = 1 and is_used then
      execute format('alter table partitions.%I rename to %I', later, names[1]);
      execute format('create table partitions.%I (like partitions.%I including all)', later, names[1]);
    else
      execute format('create table partitions.%I (like partitions.%I including all)', names[place], later);
    end if;
    perform attach_partition(parent, names[place], bound, bounds[place]);
    bound := bounds[place];
  end loop;
  perform attach_partition(parent, later, bound, null);
end
$$;

CREATE FUNCTION public.keep_an_owner() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  perform pg_advisory_xact_lock(hashtext('owners'));
  if not exists (select from users where role = 'owner' and status = 'active') then
    raise exception 'Assign another active owner first.'
      using errcode = 'check_violation', constraint = 'problem_last_owner__last_owner_required';
  end if;
  return null;
end
$$;

CREATE FUNCTION public.keep_code() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  raise exception 'Promotion codes can''t be changed. Create a new one.'
    using errcode = 'check_violation', constraint = 'problem_frozen__promotion_code_immutable';
end
$$;

CREATE FUNCTION public.keep_document() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  if tg_op = 'UPDATE' and to_jsonb(old) - '{sent_at,content,buyer_removed_at}'::text[]
      = to_jsonb(new) - '{sent_at,content,buyer_removed_at}'::text[]
    and (old.content = new.content and old.buyer_removed_at is not distinct from new.buyer_removed_at
      or old.buyer_removed_at is null and new.buyer_removed_at is not null
        and new.content = old.content || '{"buyer": null}') then
    return new;
  end if;
  raise exception 'Documents can''t be edited. To correct one, refund its transaction.'
    using errcode = 'check_violation', constraint = 'problem_frozen__document_immutable';
end
$$;

CREATE FUNCTION public.keep_feature_app() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  raise exception 'A feature can''t be moved to another app. Create a new feature there.'
    using errcode = 'check_violation', constraint = 'problem_frozen__feature_app_fixed';
end
$$;

CREATE FUNCTION public.keep_given_feature() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  if exists (
    select from grants g
    where g.feature_id = old.id and not value_fits(new.kind, new.options, g.value)
  ) then
    raise exception 'Customers have been granted this feature. Its type and the granted options can''t be changed.'
      using errcode = 'check_violation', constraint = 'problem_frozen__feature_granted';
  end if;
  return new;
end
$$;

CREATE FUNCTION public.keep_grant() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  if new.reason = 'erased' then old.reason := 'erased'; end if;
  if (old.user_id, old.package_id, old.version_id, old.feature_id, old.value, old.subscription_id, old.source,
      old.source_id, old.reason, old.starts_at, old.promised_until, old.created_at, old.moved_from)
    is distinct from
    (new.user_id, new.package_id, new.version_id, new.feature_id, new.value, new.subscription_id, new.source,
      new.source_id, new.reason, new.starts_at, new.promised_until, new.created_at, new.moved_from)
    or new.id <> old.id or new.ends_at > old.ends_at
    or (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at)
    or (old.superseded_by is not null and new.superseded_by is distinct from old.superseded_by)
  then
    raise exception 'Grants can''t be edited. Revoke this one and create a new one.'
      using errcode = 'check_violation', constraint = 'problem_frozen__grant_immutable';
  end if;
  return new;
end
$$;

CREATE FUNCTION public.keep_line() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  if (old.subscription_id is not null and old.subscription_id is distinct from new.subscription_id)
    or (old.subscription_id is not null and (old.period_start, old.period_end)
      is distinct from (new.period_start, new.period_end)) then
    raise exception 'Transactions can''t be edited. To correct a mistake, refund it or record a new one.'
      using errcode = 'check_violation', constraint = 'problem_frozen__transaction_immutable';
  end if;
  return new;
end
$$;

CREATE FUNCTION public.keep_merged() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  if new.merged_into is distinct from old.merged_into or new.status not in ('suspended', 'erased') then
    raise exception 'This customer was merged into another one. Use that record instead.'
      using errcode = 'check_violation', constraint = 'problem_wrong_state__merged_record_closed';
  end if;
  return new;
end
$$;

CREATE FUNCTION public.keep_note() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  if new.text = 'erased' then
    old.text := 'erased';
    old.struck_at := null;
  end if;
  if (old.user_id, old.entity, old.record_id, old.author_id, old.text, old.mentions, old.created_at)
      is distinct from (new.user_id, new.entity, new.record_id, new.author_id, new.text, new.mentions, new.created_at)
    or old.struck_at is not null then
    raise exception 'Notes can''t be edited, only crossed out.'
      using errcode = 'check_violation', constraint = 'problem_frozen__note_immutable';
  end if;
  return new;
end
$$;

CREATE FUNCTION public.keep_person() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  raise exception 'The number and external ID of a customer can''t be changed.'
    using errcode = 'check_violation', constraint = 'problem_frozen__customer_identifiers_fixed';
end
$$;

CREATE FUNCTION public.keep_provider_event() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  if new.body = '{"erased":true}' then old.body := new.body; end if;
  if (old.provider, old.event_id, old.type, old.payment, old.body, old.at, old.received_at)
    is distinct from (new.provider, new.event_id, new.type, new.payment, new.body, new.at, new.received_at)
    or (old.outcome in ('applied', 'ignored') and new.outcome <> old.outcome) then
    raise exception 'Provider events can''t be changed.'
      using errcode = 'check_violation', constraint = 'problem_frozen__provider_event_immutable';
  end if;
  return new;
end
$$;

CREATE FUNCTION public.keep_published_code() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  raise exception 'This code is in use and can''t be changed. Create a new package instead.'
    using errcode = 'check_violation', constraint = 'problem_code_frozen__package_code_fixed';
end
$$;

CREATE FUNCTION public.keep_redemption() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  if to_jsonb(old) - '{returned_at,subscription_id,since}'::text[] is distinct from
      to_jsonb(new) - '{returned_at,subscription_id,since}'::text[]
    or old.returned_at is not null
    or old.since <> new.since and old.subscription_id is not distinct from new.subscription_id then
    raise exception 'Redemptions can''t be edited, only restored.'
      using errcode = 'check_violation', constraint = 'problem_frozen__redemption_immutable';
  end if;
  return new;
end
$$;

CREATE FUNCTION public.keep_service_account() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  if tg_op = 'UPDATE' and old.is_service is distinct from new.is_service then
    raise exception 'A service account can''t become a person, and a person no service account.'
      using errcode = 'check_violation', constraint = 'users_is_service';
  end if;
  if new.is_service and (coalesce(new.role, 'owner') = 'owner' or new.email <> 'service:' || new.id
    or new.status not in ('active', 'suspended') or new.merged_into is not null or new.external_id is not null) then
    raise exception 'A service account has a role other than owner, and nothing of a customer.'
      using errcode = 'check_violation', constraint = 'users_service';
  end if;
  return new;
end
$$;

CREATE FUNCTION public.keep_test_clock() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  raise exception 'The clock of a test database only moves forward.' using errcode = '23514';
end
$$;

CREATE FUNCTION public.keep_transaction() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  if tg_op = 'DELETE' then
    if old.state <> 'draft' then
      raise exception 'This transaction can''t be deleted. Void or refund it instead.'
        using errcode = 'check_violation', constraint = 'problem_frozen__transaction_not_deletable';
    end if;
    return old;
  end if;
  if new.reason = 'erased' then old.reason := 'erased'; end if;
  if new.reference = 'erased ' || old.id then old.reference := new.reference; end if;
  -- An import that is undone gives its references back. The sale itself is refunded.
  if new.reference = 'undone ' || old.id and exists (select from imported_records i where i.record_id = old.id) then
    old.reference := new.reference;
  end if;
  if old.state <> new.state and (old.state, new.state) not in (
    ('draft', 'pending'), ('draft', 'succeeded'), ('draft', 'voided'),
    ('pending', 'succeeded'), ('pending', 'failed'), ('pending', 'unknown'), ('pending', 'canceled'),
    ('unknown', 'succeeded'), ('unknown', 'failed'), ('failed', 'succeeded'), ('canceled', 'succeeded'),
    ('unknown', 'canceled'), ('canceled', 'unknown'), ('failed', 'canceled'), ('canceled', 'failed'),
    ('succeeded', 'disputed'), ('disputed', 'succeeded'), ('disputed', 'charged back')
  ) then
    raise exception 'This transaction can''t change to this status.'
      using errcode = 'check_violation', constraint = 'problem_wrong_state__transaction_status_fixed';
  end if;
  -- Only mark_split() changes it, which runs as the owner of the table and checks the amounts.
  if old.is_split <> new.is_split then
    if old.is_split or current_user <> (select pg_get_userbyid(relowner) from pg_class where oid = tg_relid) then
      raise exception 'Only mark_split() splits a transaction.'
        using errcode = 'check_violation', constraint = 'transactions_split';
    end if;
    return new;
  end if;
  if old.number <> new.number or old.created_at <> new.created_at or (old.state <> 'draft' and (
    (old.kind, old.user_id, old.package_id, old.version_id, old.price_id, old.parent_id, old.currency, old.subtotal,
      old.discount, old.tax, old.total, old.balance_amount, old.tax_included, old.changes_id, old.changes_version,
      old.provider, old.occurred_at, old.access, old.reason, old.snapshot)
    is distinct from
    (new.kind, new.user_id, new.package_id, new.version_id, new.price_id, new.parent_id, new.currency, new.subtotal,
      new.discount, new.tax, new.total, new.balance_amount, new.tax_included, new.changes_id, new.changes_version,
      new.provider, new.occurred_at, new.access, new.reason, new.snapshot)
    or old.reference <> new.reference or old.settled_at <> new.settled_at or old.settled_by <> new.settled_by
    or (old.settled_at is not null and (old.subscription_id <> new.subscription_id
      or old.period_start <> new.period_start or old.period_end <> new.period_end))
  )) then
    raise exception 'Transactions can''t be edited. To correct a mistake, refund it or record a new one.'
      using errcode = 'check_violation', constraint = 'problem_frozen__transaction_immutable';
  end if;
  return new;
end
$$;

CREATE FUNCTION public.keep_used_code() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  if old.activated_at is not null or exists (select from app_keys where app_id = old.id) then
    raise exception 'This code is in use and can''t be changed. Create a new app instead.'
      using errcode = 'check_violation', constraint = 'problem_code_frozen__app_code_fixed';
  end if;
  return new;
end
$$;

CREATE FUNCTION public.keep_used_feature() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  if (old.code, old.kind, old.unit_one, old.unit_many, old.reset, old.anchor, old.combining)
    is not distinct from (new.code, new.kind, new.unit_one, new.unit_many, new.reset, new.anchor, new.combining)
    and old.options = new.options then
    return new;
  end if;
  if exists (
    select from version_values held join package_versions v on v.id = held.version_id
    where held.feature_id = old.id and (
      (v.state <> 'draft' and (old.code, old.kind, old.unit_one, old.unit_many, old.reset, old.anchor, old.combining)
        is distinct from (new.code, new.kind, new.unit_one, new.unit_many, new.reset, new.anchor, new.combining))
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
    raise exception 'Packages include this feature. Its code, type, unit, reset interval, start of periods, rule for several packages and used options can''t be changed.'
      using errcode = 'check_violation', constraint = 'problem_frozen__feature_in_use';
  end if;
  return new;
end
$$;

CREATE FUNCTION public.keep_used_parts() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  -- Locked, so that nobody uses it for the first time meanwhile.
  perform from promotions p
  where p.id in (case when tg_op <> 'INSERT' then old.promotion_id end, case when tg_op <> 'DELETE' then new.promotion_id end)
    and p.first_used_at is not null
  for share;
  if found then
    raise exception 'This promotion has been used. Its discount, targets and audience can''t be changed.'
      using errcode = 'check_violation', constraint = 'problem_frozen__promotion_used_targets';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end
$$;

CREATE FUNCTION public.keep_used_promotion() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  if (old.kind, old.basis_points, old.trial_days, old.feature_id, old.value, old.feature_days, old.level,
      old.duration, old.periods, old.audience, old.intervals, old.needs_code, old.starts_at, old.first_used_at)
    is distinct from
    (new.kind, new.basis_points, new.trial_days, new.feature_id, new.value, new.feature_days, new.level,
      new.duration, new.periods, new.audience, new.intervals, new.needs_code, new.starts_at, new.first_used_at)
    or new.published_at is distinct from old.published_at
    or new.max_uses < old.max_uses or (old.max_uses is null and new.max_uses is not null)
    or new.max_uses_per_user < old.max_uses_per_user
    or (old.max_uses_per_user is null and new.max_uses_per_user is not null)
  then
    raise exception 'This promotion has been used. Its discount, targets, audience and start date can''t be changed, and limits can only be increased.'
      using errcode = 'check_violation', constraint = 'problem_frozen__promotion_used';
  end if;
  return new;
end
$$;

CREATE FUNCTION public.keep_version() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  if tg_op = 'DELETE' then
    if old.state <> 'draft' then
      raise exception 'Published versions can''t be deleted.'
        using errcode = 'check_violation', constraint = 'problem_frozen__version_not_deletable';
    end if;
    return old;
  end if;
  if old.state <> new.state and (old.state, new.state) not in (
    ('draft', 'scheduled'), ('draft', 'on sale'), ('scheduled', 'draft'), ('scheduled', 'on sale'),
    ('on sale', 'superseded'), ('on sale', 'retired')
  ) then
    raise exception 'This version can''t change to this status.'
      using errcode = 'check_violation', constraint = 'problem_wrong_state__version_status_fixed';
  end if;
  if (old.package_id, old.number) is distinct from (new.package_id, new.number) or (
    old.state <> 'draft' and old.trial_days <> new.trial_days
  ) or (
    old.published_at is not null and (old.published_at, old.published_by, old.note, old.rollout)
      is distinct from (new.published_at, new.published_by, new.note, new.rollout)
  ) then
    raise exception 'Published versions can''t be changed. Create a draft instead.'
      using errcode = 'check_violation', constraint = 'problem_frozen__version_immutable';
  end if;
  return new;
end
$$;

CREATE FUNCTION public.keep_version_parts() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
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
      raise exception 'Published versions can''t be changed. Create a draft instead.'
        using errcode = 'check_violation', constraint = 'problem_frozen__version_immutable';
    end if;
  end loop;
  return case tg_op when 'DELETE' then old else new end;
end
$$;

CREATE FUNCTION public.link_grants(sales uuid[]) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  update grants g set line_id = l.id from transaction_lines l
  where l.transaction_id = any (sales) and l.position = 0 and g.source = 'transaction'
    and g.source_id = l.transaction_id::text and g.line_id is null
$$;

CREATE FUNCTION public.lock_balance(customer uuid, of_currency text) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  select amount from balances where user_id = customer and currency = of_currency for update
$$;

CREATE FUNCTION public.lock_counter(counted_feature uuid, counted_user uuid, anchored boolean, since timestamp with time zone, until timestamp with time zone, moment timestamp with time zone) RETURNS public.feature_use
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  if anchored then return lock_window(counted_feature, counted_user, since, until, moment); end if;
  return lock_use(counted_feature, counted_user, since);
end
$$;

CREATE FUNCTION public.lock_use(counted_feature uuid, counted_user uuid, since timestamp with time zone) RETURNS public.feature_use
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
  counter feature_use;
begin
  loop
    select * into counter from feature_use u
    where u.feature_id = counted_feature and u.user_id = counted_user and u.window_start = since for update;
    if found then return counter; end if;
    insert into feature_use (feature_id, user_id, window_start, used) values (counted_feature, counted_user, since, 0)
    on conflict do nothing;
  end loop;
end
$$;

CREATE FUNCTION public.lock_window(counted_feature uuid, counted_user uuid, since timestamp with time zone, until timestamp with time zone, moment timestamp with time zone) RETURNS public.feature_use
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
  counter feature_use;
begin
  -- One for all windows, because two new counters of a window could otherwise be added at the same time.
  perform lock_use(counted_feature, counted_user, '-infinity');
  perform from feature_use u
  where u.feature_id = counted_feature and u.user_id = counted_user and u.window_start < until
    and (u.window_start >= since or u.last_used_at >= since or u.window_end > moment)
  order by u.window_start for update;
  select u.* into counter from feature_use u
  where u.feature_id = counted_feature and u.user_id = counted_user and u.window_start between since and moment
  order by u.window_start desc limit 1;
  if not found then counter := lock_use(counted_feature, counted_user, since); end if;
  return counter;
end
$$;

CREATE FUNCTION public.mark_split(marks jsonb) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  if exists (
    select from jsonb_to_recordset(marks) as m (id uuid, credit bigint)
    join transactions t on t.id = m.id
    where t.is_split or m.credit < 0 or m.credit > t.discount or m.credit > 0 and t.kind <> 'change'
  ) then
    raise exception 'A transaction can be split once, and its credit is at most its discount.'
      using errcode = 'check_violation', constraint = 'transactions_split';
  end if;
  update transactions t set is_split = true, discount = t.discount - m.credit, total = t.total + m.credit,
    balance_amount = m.credit, settled_by = case when t.settled_at is not null then m.settled_by end,
    changes_id = m.changes_id, changes_version = s.version
  from jsonb_to_recordset(marks) as m (id uuid, credit bigint, settled_by text, changes_id uuid)
  left join subscriptions s on s.id = m.changes_id
  where t.id = m.id;
end
$$;

CREATE FUNCTION public.may_remove(parent regclass, lower text, upper text) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
  select not coalesce((select (s.retention ->> 'archiveMonths')::boolean from settings s), false)
    or exists (
      select from archives a
      where a.parent = (select relname from pg_class where oid = may_remove.parent)
        and a.lower is not distinct from may_remove.lower and a.upper = may_remove.upper and a.dropped_at is null)
$$;

CREATE FUNCTION public.mentions(written text, words text[]) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  select exists (select from unnest(words) word where position(lower(word) in lower(written)) > 0)
$$;

CREATE FUNCTION public.month_bound() RETURNS timestamp with time zone
    LANGUAGE sql STABLE
    AS $$
  select (date_trunc('month', now() at time zone 'UTC' + interval '7 days') + interval '1 month') at time zone 'UTC'
$$;

CREATE FUNCTION public.note_grant_change() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  insert into grant_changes (grant_id, was_ends_at, was_revoked_at, was_superseded_by)
  select o.id, o.ends_at, o.revoked_at, o.superseded_by from old_rows o join new_rows n using (id)
  where (o.ends_at, o.revoked_at, o.superseded_by) is distinct from (n.ends_at, n.revoked_at, n.superseded_by);
  return null;
end
$$;

CREATE FUNCTION public.note_role() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  new.role_given_at = now();
  return new;
end $$;

CREATE FUNCTION public.partitions_of(parent regclass) RETURNS TABLE(part regclass, lower text, upper text)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select part, substring(bounds from 'FROM \(''([^'']+)''\)'), substring(bounds from 'TO \(''([^'']+)''\)')
  from (
    select c.oid::regclass as part, pg_get_expr(c.relpartbound, c.oid) as bounds
    from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = parent
  ) parts
$$;

CREATE FUNCTION public.points_at(written text, words text[]) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $_$
  select exists (
    select from unnest(words) word
    where position(lower(word) in lower(written)) > 0 and lower(written) ~ (
      '((?<![[:alnum:]._%+-])|(?<=\\[nrt]))'
      || regexp_replace(lower(word), '([][\\.^$|(){}*+?-])', '\\\1', 'g')
      || '(?![[:alnum:]_-]|\.[[:alnum:]])'))
$_$;

CREATE FUNCTION public.queue_entries() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  insert into revenue_queue (entry_id, at) select id, at from new_rows where kind in ('sale', 'credit', 'refund', 'chargeback');
  insert into mrr_queue (user_id) select distinct user_id from new_rows where kind = 'sale' and user_id is not null;
  return null;
end
$$;

CREATE FUNCTION public.queue_subscriber() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  insert into mrr_queue (user_id) values (new.user_id);
  if tg_op = 'UPDATE' and old.user_id <> new.user_id then
    insert into mrr_queue (user_id) values (old.user_id);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.redeem_or_fail(promotion uuid, by_code uuid, person uuid, sale uuid, subscription uuid, paid_in text, taken_off bigint, at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
  refusal text := redeem_promotion(promotion, by_code, person, sale, subscription, paid_in, taken_off, at, false);
begin
  if refusal is not null then
    raise exception 'The promotion can''t be redeemed.' using errcode = 'check_violation',
      constraint = 'redemption_refused', detail = jsonb_build_object('promotionId', promotion, 'refusal', refusal);
  end if;
end
$$;

CREATE FUNCTION public.redeem_promotion(promotion uuid, by_code uuid, person uuid, sale uuid, subscription uuid, paid_in text, taken_off bigint, at timestamp with time zone, was_promised boolean) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
  held promotions;
  nth_of_person integer;
begin
  update promotions set uses = uses + 1, first_used_at = coalesce(first_used_at, at)
  where id = promotion and (max_uses is null or uses < max_uses) returning * into held;
  if not found then return 'used up'; end if;
  if not was_promised and (held.published_at is null or held.paused_at is not null or held.archived_at is not null
    or coalesce(held.ends_at, 'infinity') <= at) then return 'stopped'; end if;
  select coalesce(max(nth), 0) + 1 into nth_of_person from redemptions u
  where u.promotion_id = promotion and u.user_id = person and u.returned_at is null;
  if nth_of_person > held.max_uses_per_user then return 'used by the same person'; end if;
  if by_code is not null then
    update promotion_codes set uses = uses + 1 where id = by_code and (max_uses is null or uses < max_uses);
    if not found then return 'used'; end if;
  end if;
  if exists (select from promotion_amounts a where a.promotion_id = promotion and a.currency = paid_in) then
    update promotion_amounts a set given = given + taken_off
    where a.promotion_id = promotion and a.currency = paid_in and (budget is null or given + taken_off <= budget);
    if not found then return 'out of its budget'; end if;
  end if;
  insert into redemptions (promotion_id, code_id, user_id, transaction_id, subscription_id, nth, currency, amount, created_at)
  values (promotion, by_code, person, sale, subscription, nth_of_person, paid_in, taken_off, at);
  return null;
end
$$;

CREATE FUNCTION public.refresh_statistics(tables text[]) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
  grown text;
  analyzed integer := 0;
begin
  for grown in
    select c.relname from pg_class c join pg_stat_user_tables s on s.relid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relname = any (tables)
      and c.relname in ('users', 'import_rows', 'import_results', 'subscriptions', 'grants', 'transactions',
        'transaction_lines', 'journal_entries', 'postings', 'promotion_codes')
      -- Since it was last analyzed, more than a quarter of it has changed.
      and s.n_mod_since_analyze > greatest(5000, c.reltuples / 4)
    order by 1
  loop
    execute format('analyze %I', grown);
    analyzed := analyzed + 1;
  end loop;
  return analyzed;
end
$$;

CREATE FUNCTION public.refuse_service_session() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  if exists (select from users where id = new.user_id and is_service) then
    raise exception 'Service accounts can''t sign in.'
      using errcode = 'check_violation', constraint = 'sessions_of_people';
  end if;
  return new;
end
$$;

CREATE FUNCTION public.remove_provider_events(at_once integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
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

CREATE FUNCTION public.remove_sign_ins(at_once integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
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

CREATE FUNCTION public.settle_reservation(asked uuid, of_app uuid, confirms bigint, bound bigint, on_day date, moment timestamp with time zone) RETURNS TABLE(outcome text, status text, amount bigint, confirmed bigint, expires timestamp with time zone)
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
  held usage_reservations;
  was_open boolean;
begin
  select * into held from usage_reservations r where r.id = asked and r.app_id = of_app;
  if not found then return; end if;
  perform expire_reservations(lock_use(held.feature_id, held.user_id, held.window_start), moment);
  select * into held from usage_reservations r where r.id = asked;
  was_open := held.status = 'open';
  if held.status in ('confirmed', 'released') or (held.status = 'expired' and confirms is null) then
    outcome := case when confirms is not distinct from held.confirmed then 'duplicate' else 'settled' end;
  elsif confirms > held.amount then
    outcome := 'too much';
  elsif not was_open and exists (
    select from feature_use u
    where u.feature_id = held.feature_id and u.user_id = held.user_id and u.window_start = held.window_start
      and u.used + u.reserved + confirms > bound
  ) then
    outcome := 'limit reached';
  else
    outcome := 'done';
    update usage_reservations r set confirmed = confirms, settled_at = moment,
      status = case when confirms is null then 'released' else 'confirmed' end
    where r.id = asked returning * into held;
    update feature_use u set used = u.used + coalesce(confirms, 0),
      reserved = u.reserved - case when was_open then held.amount else 0 end
    where u.feature_id = held.feature_id and u.user_id = held.user_id and u.window_start = held.window_start;
    if confirms is not null then
      insert into usage_events
        (app_id, key_id, event_id, user_id, feature_id, window_start, amount, occurred_at, recorded_at)
      values (held.app_id, held.key_id, held.event_id, held.user_id, held.feature_id, held.window_start, confirms,
        held.created_at, moment);
      insert into usage_days as d (user_id, feature_id, day, used) values (held.user_id, held.feature_id, on_day, confirms)
      on conflict (user_id, feature_id, day) do update set used = d.used + excluded.used;
    end if;
  end if;
  status := held.status;
  amount := held.amount;
  confirmed := held.confirmed;
  expires := held.expires_at;
  return next;
end
$$;

CREATE FUNCTION public.settle_reservation(asked uuid, of_app uuid, confirms bigint, bound bigint, on_day date, moment timestamp with time zone, anchored boolean, since timestamp with time zone, until timestamp with time zone) RETURNS TABLE(outcome text, status text, amount bigint, confirmed bigint, expires timestamp with time zone)
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
  held usage_reservations;
  counter feature_use;
  others record;
  was_open boolean;
begin
  select * into held from usage_reservations r where r.id = asked and r.app_id = of_app;
  if not found then return; end if;
  loop
    if anchored then perform lock_window(held.feature_id, held.user_id, since, until, held.window_start); end if;
    counter := expire_reservations(lock_use(held.feature_id, held.user_id, held.window_start), moment);
    select * into held from usage_reservations r where r.id = asked;
    -- The customer may have been merged meanwhile.
    exit when held.user_id = counter.user_id;
  end loop;
  if anchored then others := sum_others(counter, since, until, held.created_at, moment);
  else select 0::bigint as used, 0::bigint as reserved into others; end if;
  was_open := held.status = 'open';
  if held.status in ('confirmed', 'released') or (held.status = 'expired' and confirms is null) then
    outcome := case when confirms is not distinct from held.confirmed then 'duplicate' else 'settled' end;
  elsif confirms > held.amount then
    outcome := 'too much';
  elsif not was_open and counter.used + counter.reserved + others.used + others.reserved + confirms > bound then
    outcome := 'limit reached';
  else
    outcome := 'done';
    update usage_reservations r set confirmed = confirms, settled_at = moment,
      status = case when confirms is null then 'released' else 'confirmed' end
    where r.id = asked returning * into held;
    update feature_use u set used = u.used + coalesce(confirms, 0),
      reserved = u.reserved - case when was_open then held.amount else 0 end
    where u.feature_id = held.feature_id and u.user_id = held.user_id and u.window_start = held.window_start;
    if confirms is not null then
      insert into usage_events
        (app_id, key_id, event_id, user_id, feature_id, window_start, amount, occurred_at, recorded_at)
      values (held.app_id, held.key_id, held.event_id, held.user_id, held.feature_id, held.window_start, confirms,
        held.created_at, moment);
      insert into usage_days as d (user_id, feature_id, day, used) values (held.user_id, held.feature_id, on_day, confirms)
      on conflict (user_id, feature_id, day) do update set used = d.used + excluded.used;
    end if;
  end if;
  status := held.status;
  amount := held.amount;
  confirmed := held.confirmed;
  expires := held.expires_at;
  return next;
end
$$;

CREATE FUNCTION public.start_audit_month() RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    AS $$
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

CREATE FUNCTION public.start_counters() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
  started record;
  counter feature_use;
  starts timestamptz[];
  since_then record;
  held bigint;
begin
  for started in
    select distinct feature_id, n.user_id, n.period_start as at
    from new_rows n cross join lateral features_started(n) as feature_id
    order by 1, 2, 3
  loop
    continue when not exists (
      select from feature_use u
      where u.feature_id = started.feature_id and u.user_id = started.user_id and u.window_start < started.at
        and (u.window_end > started.at or u.last_used_at >= started.at));
    -- In the order of lock_window.
    perform lock_use(started.feature_id, started.user_id, '-infinity');
    starts := array(
      select u.window_start from feature_use u
      where u.feature_id = started.feature_id and u.user_id = started.user_id and u.window_start < started.at
        and (u.window_end > started.at or u.last_used_at >= started.at)
      order by u.window_start for update);
    insert into feature_use (feature_id, user_id, window_start, used)
    values (started.feature_id, started.user_id, started.at, 0) on conflict (feature_id, user_id, window_start) do nothing;
    for counter in
      select u.* from feature_use u
      where u.feature_id = started.feature_id and u.user_id = started.user_id and u.window_start = any (starts)
      order by u.window_start
    loop
      if counter.last_used_at >= started.at then
        -- Events keep the window that they were counted in first, so those of the newest counter may have an earlier one.
        -- They are stored at most minutes before they happened.
        select coalesce(sum(e.amount), 0)::bigint as used, max(e.occurred_at) as last_at into since_then
        from usage_events e
        where e.user_id = started.user_id and e.feature_id = started.feature_id
          and (e.window_start = counter.window_start
            or (counter.window_start = starts[cardinality(starts)] and e.window_start < counter.window_start
              and e.window_start <> all (starts)))
          and e.occurred_at >= started.at and e.id >= uuid_v7_from(least(started.at, now()) - interval '1 hour');
        since_then.used := least(since_then.used, counter.used);
      else
        select 0::bigint as used, null::timestamptz as last_at into since_then;
      end if;
      update usage_reservations r set window_start = started.at
      where r.user_id = started.user_id and r.feature_id = started.feature_id and r.window_start = counter.window_start
        and r.created_at >= started.at and r.status in ('open', 'expired');
      select coalesce(sum(r.amount), 0) into held from usage_reservations r
      where r.user_id = started.user_id and r.feature_id = started.feature_id and r.window_start = counter.window_start
        and r.status = 'open';
      update feature_use u set window_end = started.at, used = u.used - since_then.used, reserved = held,
        last_used_at = least(u.last_used_at, started.at - interval '1 microsecond')
      where u.feature_id = started.feature_id and u.user_id = started.user_id and u.window_start = counter.window_start;
      -- It lasts as long as what it continues.
      update feature_use u set used = u.used + since_then.used, reserved = u.reserved + counter.reserved - held,
        last_used_at = greatest(u.last_used_at, since_then.last_at), window_end = greatest(u.window_end, counter.window_end)
      where u.feature_id = started.feature_id and u.user_id = started.user_id and u.window_start = started.at;
    end loop;
  end loop;
  return null;
end
$$;

CREATE FUNCTION public.start_partitions(parent text) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
  place regclass := format('public.%I', parent);
  row_type oid := (select reltype from pg_class where oid = place);
  own record;
begin
  create temporary table partitioned_functions on commit drop as
    select p.oid::regprocedure::text as name, pg_get_functiondef(p.oid) as definition from pg_proc p
    where row_type = any (p.proargtypes) or row_type = p.prorettype;
  for own in select name from partitioned_functions loop
    execute format('drop function %s', own.name);
  end loop;
  for own in select stxname from pg_statistic_ext where stxrelid = place loop
    execute format('alter statistics public.%I set schema partitions', own.stxname);
  end loop;
  execute format('alter table public.%I set schema partitions', parent);
  execute format('alter table partitions.%I rename to %I', parent, parent || '_first');
end
$$;

CREATE FUNCTION public.sum_others(counter public.feature_use, since timestamp with time zone, until timestamp with time zone, at timestamp with time zone, moment timestamp with time zone, OUT used bigint, OUT reserved bigint) RETURNS record
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  perform expire_reservations(u, moment) from counters_in(counter.feature_id, counter.user_id, since, until, at) u
  where u.window_start <> counter.window_start and u.reserved > 0;
  select coalesce(sum(u.used), 0), coalesce(sum(u.reserved), 0) into used, reserved
  from counters_in(counter.feature_id, counter.user_id, since, until, at) u where u.window_start <> counter.window_start;
end
$$;

CREATE FUNCTION public.survivor_of(customer uuid) RETURNS uuid
    LANGUAGE sql STABLE
    SET search_path TO 'public', 'pg_temp'
    AS $$
  with recursive chain as (
    select u.id, u.merged_into from users u where u.id = customer
    union all
    select u.id, u.merged_into from chain c join users u on u.id = c.merged_into
  ) select c.id from chain c where c.merged_into is null
$$;

CREATE FUNCTION public.tell_grants() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    AS $$
begin
  if not webhook_wanted('entitlements.changed') then return null; end if;
  if tg_op = 'INSERT' then
    insert into webhook_events (type, user_id, data)
    select 'entitlements.changed', n.user_id, webhook_data(row(n.*)::grants) from new_rows n
    where n.source <> 'import' or not exists (select from imported_records i where i.record_id = n.subscription_id)
    order by n.id;
  else
    -- A grant that is replaced has no event of its own, because the new one has.
    insert into webhook_events (type, user_id, data)
    select 'entitlements.changed', n.user_id, webhook_data(row(n.*)::grants)
    from new_rows n join old_rows o using (id)
    where n.superseded_by is not distinct from o.superseded_by
      and (n.ends_at, n.revoked_at) is distinct from (o.ends_at, o.revoked_at)
    order by n.id;
  end if;
  return null;
end
$$;

CREATE FUNCTION public.tell_subscriptions() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    AS $$
begin
  if not webhook_wanted('subscription.changed') then return null; end if;
  if tg_op = 'INSERT' then
    insert into webhook_events (type, user_id, data)
    select 'subscription.changed', n.user_id, webhook_data(row(n.*)::subscriptions) from new_rows n
    where not exists (select from imported_records i where i.record_id = n.id) order by n.id;
  else
    insert into webhook_events (type, user_id, data)
    select 'subscription.changed', n.user_id, webhook_data(row(n.*)::subscriptions)
    from new_rows n join old_rows o using (id)
    where webhook_data(row(n.*)::subscriptions) is distinct from webhook_data(row(o.*)::subscriptions)
    order by n.id;
  end if;
  return null;
end
$$;

CREATE FUNCTION public.tell_transactions() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    AS $$
begin
  if not webhook_wanted('transaction.changed') then return null; end if;
  if tg_op = 'INSERT' then
    insert into webhook_events (type, user_id, data)
    select 'transaction.changed', n.user_id, webhook_data(row(n.*)::transactions)
    from new_rows n where n.state <> 'draft'
      and not exists (select from imported_records i where i.record_id = n.id) order by n.id;
  else
    -- What an import added without an event is undone without one.
    insert into webhook_events (type, user_id, data)
    select 'transaction.changed', n.user_id, webhook_data(row(n.*)::transactions)
    from new_rows n join old_rows o using (id)
    where n.state <> 'draft' and (o.state, n.state) <> ('draft', 'voided')
      and n.reference is distinct from 'undone ' || n.id
      and webhook_data(row(n.*)::transactions) is distinct from webhook_data(row(o.*)::transactions)
    order by n.id;
  end if;
  return null;
end
$$;

CREATE FUNCTION public.touch_row() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  new.id := old.id;
  new.created_at := old.created_at;
  new.version := old.version + 1;
  new.updated_at := now();
  return new;
end
$$;

CREATE FUNCTION public.transaction_number(counted bigint) RETURNS text
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS $$
declare
  digits constant text := '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  spread constant bigint := (counted * 5308417 + 729184273) & 1099511627775;
  number text := 'TX-';
begin
  for place in 0..7 loop
    number := number || case place when 4 then '-' else '' end
      || substr(digits, 1 + ((spread >> 5 * place) & 31)::integer, 1);
  end loop;
  return number;
end
$$;

CREATE FUNCTION public.undo_imported_customers(import uuid, after integer, until integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
  customers uuid[] := array(
    select u.id from import_results r join users u on u.id = r.record_id
    where r.import_id = import and r.row > after and r.row <= until and r.outcome = 'new'
      and u.version = 1 and u.role is null and u.status = 'active'
    order by u.id for update of u);
  customer uuid;
begin
  customers := array(
    select chosen.id from unnest(customers) as chosen (id)
    where not exists (select from transactions t where t.user_id = chosen.id)
      and not exists (select from subscriptions s where s.user_id = chosen.id)
      and not exists (select from grants g where g.user_id = chosen.id)
      and not exists (select from balances b where b.user_id = chosen.id)
      and not exists (select from user_notes n where n.user_id = chosen.id)
      and not exists (select from promotion_people p where p.user_id = chosen.id)
      and not exists (select from users o where o.merged_into = chosen.id)
      and not exists (select from feature_use f where f.user_id = chosen.id)
      and not exists (select from usage_days d where d.user_id = chosen.id));
  update users set email = 'erased-' || id || '@erased.invalid', name = 'Erased person', external_id = null,
    company = null, address = null, region = null, country = null, vat_number = null, locale = null, time_zone = null,
    status = 'erased'
  where id = any (customers);
  foreach customer in array customers loop
    perform audit_redact('users', customer, audit_personal('users'));
  end loop;
  return cardinality(customers);
end
$$;

CREATE FUNCTION public.user_number(counted bigint) RETURNS text
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS $$
begin
  return 'US' || substr(transaction_number(counted), 3);
end
$$;

CREATE FUNCTION public.uuid_v7_from(at timestamp with time zone) RETURNS uuid
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select encode(
    substring(int8send((extract(epoch from at) * 1000)::bigint) from 3) || decode(repeat('00', 10), 'hex'), 'hex')::uuid
$$;

CREATE FUNCTION public.uuid_v7_time(id uuid) RETURNS timestamp with time zone
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select to_timestamp(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 1000.0)
$$;

CREATE FUNCTION public.value_fits(kind text, options jsonb, value jsonb) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $_$
  select case kind
    when 'switch' then jsonb_typeof(value) = 'boolean'
    when 'choice' then jsonb_typeof(value) = 'string'
      and options @> jsonb_build_array(jsonb_build_object('code', value))
    else value = '"unlimited"' or (
      jsonb_typeof(value) = 'number' and value::text ~ '^[0-9]{1,15}$'
    )
  end
$_$;

CREATE TABLE public.grants (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    user_id uuid NOT NULL,
    package_id uuid,
    version_id uuid,
    feature_id uuid,
    value jsonb,
    subscription_id uuid,
    source text NOT NULL,
    source_id text NOT NULL,
    reason text,
    starts_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone DEFAULT 'infinity'::timestamp with time zone NOT NULL,
    promised_until timestamp with time zone DEFAULT 'infinity'::timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone,
    superseded_by uuid,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    moved_from uuid,
    line_id uuid,
    quantity integer DEFAULT 1 NOT NULL,
    CONSTRAINT grants_explained CHECK (((source <> 'manual'::text) OR (reason IS NOT NULL))),
    CONSTRAINT grants_of_one CHECK (((version_id IS NULL) <> (feature_id IS NULL))),
    CONSTRAINT grants_package CHECK (((package_id IS NULL) = (version_id IS NULL))),
    CONSTRAINT grants_period CHECK (((starts_at <= ends_at) AND (ends_at <= promised_until))),
    CONSTRAINT grants_quantity CHECK (((quantity >= 1) AND (quantity <= 1000000))),
    CONSTRAINT grants_reason CHECK ((length(reason) <= 500)),
    CONSTRAINT grants_source CHECK ((source = ANY (ARRAY['transaction'::text, 'trial'::text, 'promotion'::text, 'import'::text, 'manual'::text]))),
    CONSTRAINT grants_source_id CHECK ((source_id <> ''::text)),
    CONSTRAINT grants_value CHECK (((feature_id IS NULL) = (value IS NULL)))
);

CREATE FUNCTION public.webhook_data(g public.grants) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $$
  select jsonb_build_object('grant', jsonb_build_object(
    'id', g.id, 'packageId', g.package_id, 'versionId', g.version_id, 'featureId', g.feature_id,
    'value', g.value, 'subscriptionId', g.subscription_id, 'source', g.source, 'startsAt', g.starts_at,
    'endsAt', nullif(g.ends_at, 'infinity'), 'revokedAt', g.revoked_at))
$$;

CREATE FUNCTION public.webhook_data(s public.subscriptions) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $$
  select jsonb_build_object('subscription', jsonb_build_object(
    'id', s.id, 'packageId', s.package_id, 'versionId', s.version_id, 'priceId', s.price_id,
    'status', s.status, 'periodStart', s.period_start, 'periodEnd', s.period_end,
    'accessUntil', s.access_until, 'endedAt', s.ended_at))
$$;

CREATE SEQUENCE public.transaction_numbers
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE public.transactions (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    number text DEFAULT public.transaction_number(nextval('public.transaction_numbers'::regclass)) NOT NULL,
    kind text NOT NULL,
    state text NOT NULL,
    user_id uuid NOT NULL,
    package_id uuid,
    version_id uuid,
    price_id uuid,
    subscription_id uuid,
    parent_id uuid,
    currency text NOT NULL,
    subtotal bigint NOT NULL,
    discount bigint DEFAULT 0 NOT NULL,
    tax bigint DEFAULT 0 NOT NULL,
    total bigint NOT NULL,
    refunded bigint DEFAULT 0 NOT NULL,
    provider text NOT NULL,
    reference text,
    period_start timestamp with time zone,
    period_end timestamp with time zone,
    access text,
    occurred_at timestamp with time zone NOT NULL,
    settled_at timestamp with time zone,
    reason text,
    note text DEFAULT ''::text NOT NULL,
    tags text[] DEFAULT '{}'::text[] NOT NULL,
    snapshot jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_by uuid,
    version integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    balance_amount bigint DEFAULT 0 NOT NULL,
    tax_included boolean DEFAULT false NOT NULL,
    settled_by text,
    changes_id uuid,
    changes_version integer,
    is_split boolean DEFAULT false NOT NULL,
    CONSTRAINT transactions_access CHECK ((access = ANY (ARRAY['keep'::text, 'end now'::text, 'end with period'::text]))),
    CONSTRAINT transactions_amounts CHECK ((((subtotal >= 0) AND (subtotal <= '999999999999999'::bigint)) AND ((discount >= 0) AND (discount <= subtotal)) AND ((tax >= 0) AND (tax <= '999999999999999'::bigint)) AND (total = ((subtotal - discount) +
CASE
    WHEN tax_included THEN (0)::bigint
    ELSE tax
END)))),
    CONSTRAINT transactions_balance_amount CHECK (((balance_amount >= 0) AND (balance_amount <= total))),
    CONSTRAINT transactions_changes_version CHECK (((changes_id IS NULL) = (changes_version IS NULL))),
    CONSTRAINT transactions_currency CHECK ((currency ~ '^[A-Z]{3}$'::text)),
    CONSTRAINT transactions_found_again CHECK (((provider <> 'manual'::text) OR (state = ANY (ARRAY['draft'::text, 'voided'::text])) OR (reference IS NOT NULL) OR (parent_id IS NOT NULL))),
    CONSTRAINT transactions_kind CHECK ((kind = ANY (ARRAY['purchase'::text, 'renewal'::text, 'change'::text, 'refund'::text, 'chargeback'::text, 'adjustment'::text]))),
    CONSTRAINT transactions_note CHECK ((length(note) <= 2000)),
    CONSTRAINT transactions_of_sale CHECK (((parent_id IS NOT NULL) = (kind = ANY (ARRAY['refund'::text, 'chargeback'::text])))),
    CONSTRAINT transactions_package CHECK (((version_id IS NULL) = (package_id IS NULL))),
    CONSTRAINT transactions_period CHECK ((((period_start IS NULL) = (period_end IS NULL)) AND (period_start < period_end))),
    CONSTRAINT transactions_provider CHECK ((provider ~ '^[a-z][a-z0-9-]{1,39}$'::text)),
    CONSTRAINT transactions_reason CHECK ((length(reason) <= 500)),
    CONSTRAINT transactions_reference CHECK (((length(reference) >= 1) AND (length(reference) <= 200))),
    CONSTRAINT transactions_refund_access CHECK (((access IS NOT NULL) = (kind = 'refund'::text))),
    CONSTRAINT transactions_refunded CHECK (((refunded >= 0) AND (refunded <= total))),
    CONSTRAINT transactions_state CHECK ((state = ANY (ARRAY['draft'::text, 'pending'::text, 'succeeded'::text, 'failed'::text, 'unknown'::text, 'canceled'::text, 'voided'::text, 'disputed'::text, 'charged back'::text]))),
    CONSTRAINT transactions_tags CHECK ((cardinality(tags) <= 20))
);

CREATE FUNCTION public.webhook_data(t public.transactions) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $$
  select jsonb_build_object('transaction', jsonb_build_object(
    'id', t.id, 'number', t.number, 'kind', t.kind, 'state', t.state, 'packageId', t.package_id,
    'versionId', t.version_id, 'subscriptionId', t.subscription_id, 'parentId', t.parent_id,
    'currency', t.currency, 'subtotal', t.subtotal, 'discount', t.discount, 'tax', t.tax, 'total', t.total,
    'refunded', t.refunded, 'periodStart', t.period_start, 'periodEnd', t.period_end,
    'occurredAt', t.occurred_at))
$$;

CREATE FUNCTION public.webhook_wanted(wanted text) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  return exists (select from webhook_endpoints where status = 'active' and wanted = any (types));
end
$$;

CREATE FUNCTION public.words_of(people uuid[], only_theirs boolean) RETURNS text[]
    LANGUAGE sql STABLE
    SET search_path TO 'public', 'pg_temp'
    AS $$
  with named as (
    select part, value as word from users u
    cross join lateral (values ('email', u.email), ('name', u.name), ('external_id', u.external_id)) parts (part, value)
    where u.id = any (people)
    union select part, stored ->> part
    from audit_entries e
    cross join lateral (values (e.before), (e.after)) versions (stored)
    cross join unnest('{email,name,external_id}'::text[]) part
    where e.entity = 'users' and e.record_id = any (people)
  )
  select coalesce(array_agg(distinct spelled), '{}')
  from named cross join lateral (
    values (word), (trim(both '"' from to_json(word)::text))
  ) spellings (spelled)
  where length(spelled) >= 3 and spelled <> 'erased'
    -- A name or a short id may be somebody else's too, and so may an address that they gave up.
    and (not only_theirs or (part = 'email' or part = 'external_id' and length(word) >= 8)
      and not exists (select from users u where u.id <> all (people) and (u.email = word or u.external_id = word)))
$$;

CREATE TABLE public.usage_events (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    app_id uuid NOT NULL,
    key_id uuid,
    event_id text NOT NULL,
    user_id uuid NOT NULL,
    feature_id uuid NOT NULL,
    window_start timestamp with time zone NOT NULL,
    amount bigint NOT NULL,
    occurred_at timestamp with time zone NOT NULL,
    recorded_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT usage_events_amount CHECK ((amount <> 0))
)
PARTITION BY RANGE (id);

CREATE TABLE public.webhook_deliveries (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    endpoint_id uuid NOT NULL,
    event_id uuid NOT NULL,
    line uuid NOT NULL,
    seq bigint NOT NULL,
    type text NOT NULL,
    user_id uuid,
    state text DEFAULT 'waiting'::text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    tries jsonb DEFAULT '[]'::jsonb NOT NULL,
    last_status integer,
    last_error text,
    answer text,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    attempted_at timestamp with time zone,
    delivered_at timestamp with time zone,
    CONSTRAINT webhook_deliveries_delivered CHECK (((state = 'delivered'::text) = (delivered_at IS NOT NULL))),
    CONSTRAINT webhook_deliveries_state CHECK ((state = ANY (ARRAY['waiting'::text, 'delivered'::text, 'failed'::text])))
)
PARTITION BY RANGE (id);

CREATE TABLE public.webhook_events (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    number bigint NOT NULL,
    type text NOT NULL,
    user_id uuid,
    seq bigint,
    data jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT webhook_events_of_user CHECK (((user_id IS NULL) = (type = 'test'::text))),
    CONSTRAINT webhook_events_type CHECK ((type = ANY (ARRAY['entitlements.changed'::text, 'subscription.changed'::text, 'transaction.changed'::text, 'test'::text])))
)
PARTITION BY RANGE (id);

CREATE TABLE public.app_keys (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    app_id uuid NOT NULL,
    name text NOT NULL,
    kind text NOT NULL,
    scopes text[] NOT NULL,
    prefix text NOT NULL,
    secret_hash bytea NOT NULL,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    last_used_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    origins text[] DEFAULT '{}'::text[] NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT app_keys_kind CHECK ((kind = ANY (ARRAY['server'::text, 'publishable'::text]))),
    CONSTRAINT app_keys_known_scopes CHECK ((scopes <@ ARRAY['entitlements:read'::text, 'usage:write'::text, 'customers:read'::text, 'customers:write'::text])),
    CONSTRAINT app_keys_origins CHECK (((kind = 'publishable'::text) OR (origins = '{}'::text[]))),
    CONSTRAINT app_keys_publishable_scopes CHECK (((kind = 'server'::text) OR (scopes <@ ARRAY['entitlements:read'::text])))
);

CREATE TABLE public.app_webhooks (
    app_id uuid NOT NULL,
    confirmed_at timestamp with time zone NOT NULL
);

CREATE TABLE public.approvals (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    rule text NOT NULL,
    status text DEFAULT 'waiting'::text NOT NULL,
    operation text NOT NULL,
    permission text NOT NULL,
    params jsonb NOT NULL,
    body jsonb NOT NULL,
    if_match integer,
    entity text NOT NULL,
    record_id uuid,
    summary text NOT NULL,
    facts jsonb NOT NULL,
    basis bytea NOT NULL,
    reason text NOT NULL,
    requested_by uuid NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    decided_by uuid,
    decided_at timestamp with time zone,
    answer text,
    version integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    takes_effect_at timestamp with time zone,
    currency text,
    amount bigint,
    CONSTRAINT approvals_answer CHECK ((length(answer) <= 500)),
    CONSTRAINT approvals_decided CHECK (((status = 'waiting'::text) = (decided_at IS NULL))),
    CONSTRAINT approvals_own CHECK (((status <> ALL (ARRAY['approved'::text, 'rejected'::text])) OR (decided_by <> requested_by))),
    CONSTRAINT approvals_reason CHECK (((length(reason) >= 1) AND (length(reason) <= 500)))
);

CREATE TABLE public.apps (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    code text NOT NULL,
    name text NOT NULL,
    description text DEFAULT ''::text NOT NULL,
    platforms text[] DEFAULT '{}'::text[] NOT NULL,
    icon text DEFAULT 'apps'::text NOT NULL,
    support_email text,
    status text DEFAULT 'draft'::text NOT NULL,
    activated_at timestamp with time zone,
    version integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    website text,
    suspended_at timestamp with time zone,
    CONSTRAINT apps_activated CHECK (((status = 'draft'::text) = (activated_at IS NULL))),
    CONSTRAINT apps_code CHECK ((code ~ '^[a-z0-9][a-z0-9_-]{0,62}[a-z0-9]$'::text)),
    CONSTRAINT apps_description CHECK ((length(description) <= 2000)),
    CONSTRAINT apps_name CHECK (((length(name) >= 1) AND (length(name) <= 120))),
    CONSTRAINT apps_platforms CHECK ((platforms <@ ARRAY['web'::text, 'ios'::text, 'android'::text, 'desktop'::text, 'api'::text])),
    CONSTRAINT apps_status CHECK ((status = ANY (ARRAY['draft'::text, 'active'::text, 'archived'::text]))),
    CONSTRAINT apps_website CHECK (((website ~ '^https://'::text) AND (length(website) <= 200)))
);

CREATE TABLE public.archives (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    parent text NOT NULL,
    part text NOT NULL,
    lower text,
    upper text NOT NULL,
    rows bigint NOT NULL,
    file text NOT NULL,
    sha256 text NOT NULL,
    archived_at timestamp with time zone DEFAULT now() NOT NULL,
    dropped_at timestamp with time zone
);

CREATE TABLE public.attention_marks (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    kind text NOT NULL,
    record_id uuid,
    assignee_id uuid,
    snoozed_until timestamp with time zone,
    snoozed_count integer,
    snoozed_amounts jsonb,
    snoozed_by uuid,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT attention_marks_kind CHECK ((kind ~ '^[a-z ]{1,40}$'::text))
);

ALTER TABLE public.audit_entries ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.audit_entries_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.audit_months (
    first_id bigint NOT NULL,
    starts_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

CREATE TABLE public.audit_redacted (
    entry_id bigint NOT NULL,
    redaction bigint NOT NULL,
    scope text NOT NULL,
    witness bytea NOT NULL,
    remainder bytea NOT NULL,
    CONSTRAINT audit_redacted_scope CHECK ((scope = ANY (ARRAY['personal'::text, 'whole'::text])))
);

ALTER TABLE public.audit_redactions ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.audit_redactions_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE public.audit_removals ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.audit_removals_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.audit_removed (
    entry_id bigint NOT NULL,
    hash bytea NOT NULL
);

CREATE TABLE public.audit_retention (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    months integer,
    CONSTRAINT audit_retention_months CHECK (((months >= 1) AND (months <= 1200)))
);

CREATE TABLE public.audit_seals (
    number bigint NOT NULL,
    sealed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    entry_ids bigint[] NOT NULL,
    hash bytea NOT NULL
);

CREATE TABLE public.audit_unsealed (
    entry_id bigint NOT NULL
);

CREATE TABLE public.audit_verifications (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    started_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    last_entry bigint NOT NULL,
    last_seal bigint NOT NULL,
    head bytea,
    broken_what text,
    broken_number bigint
);

CREATE TABLE public.authenticators (
    id uuid NOT NULL,
    secret bytea NOT NULL,
    confirmed_at timestamp with time zone,
    last_step bigint DEFAULT 0 NOT NULL
);

CREATE TABLE public.backfills (
    name text NOT NULL,
    migration text NOT NULL,
    last_key text,
    rows_done bigint DEFAULT 0 NOT NULL,
    started_at timestamp with time zone,
    updated_at timestamp with time zone,
    finished_at timestamp with time zone
);

CREATE TABLE public.balance_entries (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    user_id uuid NOT NULL,
    currency text NOT NULL,
    amount bigint NOT NULL,
    kind text NOT NULL,
    transaction_id uuid,
    reason text,
    created_by uuid,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT balance_entries_amount CHECK ((amount <> 0)),
    CONSTRAINT balance_entries_explained CHECK (((kind <> ALL (ARRAY['added'::text, 'removed'::text])) OR (reason IS NOT NULL))),
    CONSTRAINT balance_entries_kind CHECK ((kind = ANY (ARRAY['credit'::text, 'payment'::text, 'payment returned'::text, 'refund'::text, 'overpaid'::text, 'chargeback'::text, 'added'::text, 'removed'::text, 'transfer'::text]))),
    CONSTRAINT balance_entries_reason CHECK ((length(reason) <= 500))
);

CREATE TABLE public.balances (
    user_id uuid NOT NULL,
    currency text NOT NULL,
    amount bigint NOT NULL,
    CONSTRAINT balances_currency CHECK ((currency ~ '^[A-Z]{3}$'::text)),
    CONSTRAINT balances_not_negative CHECK (((amount >= 0) AND (amount <= '999999999999999'::bigint)))
);

CREATE TABLE public.challenges (
    token_hash bytea NOT NULL,
    purpose text NOT NULL,
    user_id uuid,
    webauthn text,
    tries integer DEFAULT 0 NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    sealed bytea,
    CONSTRAINT challenges_purpose CHECK ((purpose = ANY (ARRAY['code'::text, 'passkey sign-in'::text, 'passkey adding'::text, 'sso'::text])))
);

CREATE TABLE public.check_apps (
    app_id uuid NOT NULL,
    first_check_at timestamp with time zone NOT NULL,
    first_denied_at timestamp with time zone,
    denials_rose_at timestamp with time zone
);

CREATE TABLE public.check_counts (
    app_id uuid NOT NULL,
    resolution text NOT NULL,
    at timestamp with time zone NOT NULL,
    key_id uuid NOT NULL,
    feature text NOT NULL,
    reason text NOT NULL,
    is_allowed boolean NOT NULL,
    checks bigint NOT NULL,
    latencies bigint[],
    CONSTRAINT check_counts_checks CHECK ((checks > 0)),
    CONSTRAINT check_counts_feature CHECK ((length(feature) <= 64)),
    CONSTRAINT check_counts_reason CHECK ((length(reason) <= 40)),
    CONSTRAINT check_counts_resolution CHECK ((resolution = ANY (ARRAY['minute'::text, 'hour'::text])))
);

CREATE TABLE public.check_denials (
    user_id uuid NOT NULL,
    app_id uuid NOT NULL,
    feature text NOT NULL,
    reason text NOT NULL,
    day date NOT NULL,
    denials bigint NOT NULL,
    last_at timestamp with time zone NOT NULL,
    CONSTRAINT check_denials_denials CHECK ((denials > 0)),
    CONSTRAINT check_denials_feature CHECK ((length(feature) <= 64)),
    CONSTRAINT check_denials_reason CHECK ((length(reason) <= 40))
);

CREATE TABLE public.check_rates (
    app_id uuid NOT NULL,
    resolution text NOT NULL,
    at timestamp with time zone NOT NULL,
    key_id uuid NOT NULL,
    checks bigint NOT NULL,
    denied bigint NOT NULL,
    latencies bigint[] NOT NULL,
    CONSTRAINT check_rates_checks CHECK ((checks > 0)),
    CONSTRAINT check_rates_denied CHECK (((denied >= 0) AND (denied <= checks))),
    CONSTRAINT check_rates_resolution CHECK ((resolution = ANY (ARRAY['minute'::text, 'hour'::text])))
);

CREATE TABLE public.document_numbers (
    prefix text NOT NULL,
    year integer NOT NULL,
    last integer NOT NULL,
    CONSTRAINT document_numbers_last CHECK ((last > 0))
);

CREATE TABLE public.documents (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    kind text NOT NULL,
    number text NOT NULL,
    transaction_id uuid NOT NULL,
    corrects_id uuid,
    user_id uuid NOT NULL,
    currency text NOT NULL,
    total bigint NOT NULL,
    issued_at timestamp with time zone NOT NULL,
    content jsonb NOT NULL,
    sent_at timestamp with time zone,
    buyer_removed_at timestamp with time zone,
    CONSTRAINT documents_content CHECK ((jsonb_typeof(content) = 'object'::text)),
    CONSTRAINT documents_correction CHECK (((kind = 'credit note'::text) = (corrects_id IS NOT NULL))),
    CONSTRAINT documents_kind CHECK ((kind = ANY (ARRAY['invoice'::text, 'credit note'::text]))),
    CONSTRAINT documents_total CHECK ((total > 0))
);

CREATE TABLE public.documents_to_issue (
    transaction_id uuid NOT NULL,
    problem jsonb
);

CREATE TABLE public.drafts (
    user_id uuid NOT NULL,
    form text NOT NULL,
    record_version integer NOT NULL,
    base jsonb NOT NULL,
    value jsonb NOT NULL,
    saved_at timestamp with time zone NOT NULL,
    CONSTRAINT drafts_base CHECK ((jsonb_typeof(base) = 'object'::text)),
    CONSTRAINT drafts_form CHECK ((form ~ '^[a-z0-9-]{1,120}$'::text)),
    CONSTRAINT drafts_record_version CHECK ((record_version >= 0)),
    CONSTRAINT drafts_value CHECK ((jsonb_typeof(value) = 'object'::text))
);

CREATE TABLE public.exports (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    list text NOT NULL,
    format text NOT NULL,
    query jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    rows integer
);

CREATE TABLE public.features (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    app_id uuid NOT NULL,
    code text NOT NULL,
    name text NOT NULL,
    description text DEFAULT ''::text NOT NULL,
    kind text NOT NULL,
    unit_one text,
    unit_many text,
    reset text,
    combining text NOT NULL,
    options jsonb DEFAULT '[]'::jsonb NOT NULL,
    default_value jsonb NOT NULL,
    enforcement text NOT NULL,
    fallback text NOT NULL,
    status text DEFAULT 'draft'::text NOT NULL,
    activated_at timestamp with time zone,
    version integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    anchor text DEFAULT 'calendar'::text NOT NULL,
    CONSTRAINT features_activated CHECK (((status = 'draft'::text) = (activated_at IS NULL))),
    CONSTRAINT features_anchor CHECK ((anchor = ANY (ARRAY['calendar'::text, 'subscription'::text]))),
    CONSTRAINT features_anchored CHECK (((anchor = 'calendar'::text) OR (reset = ANY (ARRAY['day'::text, 'week'::text, 'month'::text, 'year'::text])))),
    CONSTRAINT features_code CHECK ((code ~ '^[a-z0-9][a-z0-9_-]{0,62}[a-z0-9]$'::text)),
    CONSTRAINT features_combining CHECK ((combining = ANY (ARRAY['largest'::text, 'sum'::text]))),
    CONSTRAINT features_default CHECK (public.value_fits(kind, options, default_value)),
    CONSTRAINT features_description CHECK ((length(description) <= 2000)),
    CONSTRAINT features_enforcement CHECK ((enforcement = ANY (ARRAY['hard'::text, 'soft'::text]))),
    CONSTRAINT features_fallback CHECK ((fallback = ANY (ARRAY['last known'::text, 'allow'::text, 'deny'::text]))),
    CONSTRAINT features_kind CHECK ((kind = ANY (ARRAY['switch'::text, 'limit'::text, 'metered'::text, 'choice'::text]))),
    CONSTRAINT features_metered CHECK (((kind = 'metered'::text) = (reset IS NOT NULL))),
    CONSTRAINT features_name CHECK (((length(name) >= 1) AND (length(name) <= 120))),
    CONSTRAINT features_options CHECK (((kind = 'choice'::text) = (options <> '[]'::jsonb))),
    CONSTRAINT features_reset CHECK ((reset = ANY (ARRAY['never'::text, 'hour'::text, 'day'::text, 'week'::text, 'month'::text, 'year'::text]))),
    CONSTRAINT features_status CHECK ((status = ANY (ARRAY['draft'::text, 'active'::text, 'archived'::text]))),
    CONSTRAINT features_sums CHECK (((kind = 'limit'::text) OR (combining =
CASE kind
    WHEN 'metered'::text THEN 'sum'::text
    ELSE 'largest'::text
END))),
    CONSTRAINT features_unit CHECK ((((unit_one IS NULL) = (unit_many IS NULL)) AND ((unit_one IS NULL) OR (kind = ANY (ARRAY['limit'::text, 'metered'::text])))))
);

CREATE TABLE public.grant_changes (
    id bigint NOT NULL,
    grant_id uuid NOT NULL,
    recorded_at timestamp with time zone DEFAULT now() NOT NULL,
    was_ends_at timestamp with time zone NOT NULL,
    was_revoked_at timestamp with time zone,
    was_superseded_by uuid,
    actor_id uuid DEFAULT (NULLIF(current_setting('purser.actor_id'::text, true), ''::text))::uuid,
    actor_name text DEFAULT COALESCE(NULLIF(current_setting('purser.actor_name'::text, true), ''::text), (SESSION_USER)::text) NOT NULL,
    reason text DEFAULT NULLIF(current_setting('purser.reason'::text, true), ''::text)
);

ALTER TABLE public.grant_changes ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.grant_changes_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.idempotency_keys (
    caller text NOT NULL,
    operation text NOT NULL,
    key_hash bytea NOT NULL,
    fingerprint bytea NOT NULL,
    status integer,
    answer bytea,
    created_at timestamp with time zone NOT NULL
);

CREATE TABLE public.identities (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    user_id uuid NOT NULL,
    issuer text NOT NULL,
    subject text NOT NULL,
    created_at timestamp with time zone NOT NULL
);

CREATE TABLE public.import_mappings (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    fields jsonb NOT NULL,
    created_by uuid NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT import_mappings_name_length CHECK (((length(name) >= 1) AND (length(name) <= 80)))
);

CREATE TABLE public.import_results (
    import_id uuid NOT NULL,
    "row" integer NOT NULL,
    outcome text NOT NULL,
    key text,
    email text,
    record_id uuid,
    fields jsonb,
    errors jsonb,
    CONSTRAINT import_results_outcome CHECK ((outcome = ANY (ARRAY['new'::text, 'update'::text, 'unchanged'::text, 'rejected'::text])))
);

CREATE TABLE public.import_rows (
    import_id uuid NOT NULL,
    "row" integer NOT NULL,
    cells jsonb NOT NULL
);

CREATE TABLE public.imported_records (
    record_id uuid NOT NULL,
    import_id uuid NOT NULL,
    key text
);

CREATE TABLE public.imports (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    status text DEFAULT 'draft'::text NOT NULL,
    stage text DEFAULT 'uploading'::text NOT NULL,
    created_by uuid NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone,
    emptied_at timestamp with time zone,
    columns jsonb,
    mapping jsonb,
    replacements jsonb DEFAULT '{}'::jsonb NOT NULL,
    parts integer DEFAULT 0 NOT NULL,
    bytes bigint DEFAULT 0 NOT NULL,
    rows integer DEFAULT 0 NOT NULL,
    rest text DEFAULT ''::text NOT NULL,
    delimiter text DEFAULT ','::text NOT NULL,
    "position" integer DEFAULT 0 NOT NULL,
    checked jsonb DEFAULT '{}'::jsonb NOT NULL,
    progress jsonb DEFAULT '{}'::jsonb NOT NULL,
    imported integer,
    rejected integer,
    undone integer,
    acted_by uuid,
    decimal_mark text,
    date_order text,
    written jsonb DEFAULT '[]'::jsonb NOT NULL,
    CONSTRAINT imports_kind CHECK ((kind = ANY (ARRAY['customers'::text, 'subscriptions'::text, 'transactions'::text, 'codes'::text]))),
    CONSTRAINT imports_name CHECK (((length(name) >= 1) AND (length(name) <= 200))),
    CONSTRAINT imports_stage CHECK ((stage = ANY (ARRAY['uploading'::text, 'uploaded'::text, 'checking'::text, 'checked'::text]))),
    CONSTRAINT imports_status CHECK ((status = ANY (ARRAY['draft'::text, 'running'::text, 'paused'::text, 'finished'::text, 'stopped'::text, 'canceled'::text, 'undoing'::text, 'undone'::text])))
);

CREATE TABLE public.installation (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    is_only boolean DEFAULT true NOT NULL,
    CONSTRAINT installation_is_only CHECK (is_only)
);

CREATE TABLE public.journal_entries (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    kind text NOT NULL,
    source_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    currency text NOT NULL,
    user_id uuid,
    transaction_id uuid,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT journal_entries_currency CHECK ((currency ~ '^[A-Z]{3}$'::text)),
    CONSTRAINT journal_entries_kind CHECK ((kind = ANY (ARRAY['sale'::text, 'credit'::text, 'refund'::text, 'chargeback'::text, 'payment'::text, 'balance'::text, 'fee'::text, 'write-off'::text, 'opening'::text])))
);

CREATE TABLE public.known_devices (
    token_hash bytea NOT NULL,
    user_id uuid NOT NULL,
    seen_at timestamp with time zone NOT NULL
);

CREATE TABLE public.kysely_migration (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL
);

CREATE TABLE public.line_credits (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    line_id uuid NOT NULL,
    transaction_id uuid,
    reason text NOT NULL,
    unused tstzrange,
    net bigint NOT NULL,
    tax bigint NOT NULL,
    gross bigint NOT NULL,
    state text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT line_credits_amounts CHECK (((net >= 0) AND (tax >= 0) AND (gross = (net + tax)))),
    CONSTRAINT line_credits_reason CHECK ((reason = ANY (ARRAY['change'::text, 'refund'::text, 'chargeback'::text, 'write-off'::text, 'undelivered'::text]))),
    CONSTRAINT line_credits_something CHECK (((gross > 0) OR (unused IS NOT NULL))),
    CONSTRAINT line_credits_state CHECK ((state = ANY (ARRAY['held'::text, 'applied'::text, 'released'::text]))),
    CONSTRAINT line_credits_unused CHECK ((NOT isempty(unused)))
);

CREATE TABLE public.links (
    token_hash bytea NOT NULL,
    purpose text NOT NULL,
    user_id uuid NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT links_purpose CHECK ((purpose = ANY (ARRAY['invitation'::text, 'reset'::text, 'operator'::text])))
);

CREATE TABLE public.list_job_chunks (
    job_id uuid NOT NULL,
    "position" integer NOT NULL,
    content bytea NOT NULL
);
ALTER TABLE ONLY public.list_job_chunks ALTER COLUMN content SET STORAGE EXTERNAL;

CREATE TABLE public.list_job_rows (
    job_id uuid NOT NULL,
    "position" integer NOT NULL,
    record_id uuid NOT NULL,
    record_version integer NOT NULL,
    outcome text,
    detail jsonb,
    version_after integer,
    before jsonb,
    CONSTRAINT list_job_rows_outcome CHECK ((outcome = ANY (ARRAY['done'::text, 'unchanged'::text, 'failed'::text])))
)
WITH (fillfactor='70');

CREATE TABLE public.list_jobs (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    user_id uuid NOT NULL,
    list text NOT NULL,
    action text NOT NULL,
    query jsonb NOT NULL,
    reason text,
    address text,
    started_at timestamp with time zone NOT NULL,
    undoes uuid,
    export_id uuid,
    status text DEFAULT 'running'::text NOT NULL,
    error jsonb,
    total integer,
    done integer DEFAULT 0 NOT NULL,
    unchanged integer DEFAULT 0 NOT NULL,
    failed integer DEFAULT 0 NOT NULL,
    bytes bigint DEFAULT 0 NOT NULL,
    "position" integer DEFAULT 1 NOT NULL,
    last_id uuid,
    finished_at timestamp with time zone,
    dismissed_at timestamp with time zone,
    CONSTRAINT list_jobs_end CHECK (((status = 'running'::text) = (finished_at IS NULL))),
    CONSTRAINT list_jobs_status CHECK ((status = ANY (ARRAY['running'::text, 'finished'::text, 'stopped'::text, 'failed'::text])))
);

CREATE TABLE public.mrr_days (
    currency text NOT NULL,
    day date NOT NULL,
    kind text NOT NULL,
    customers integer NOT NULL,
    amount bigint NOT NULL
);

CREATE TABLE public.mrr_movements (
    user_id uuid NOT NULL,
    currency text NOT NULL,
    day date NOT NULL,
    kind text NOT NULL,
    amount bigint NOT NULL,
    cohort date,
    CONSTRAINT mrr_movements_kind CHECK ((kind = ANY (ARRAY['new'::text, 'expansion'::text, 'contraction'::text, 'churn'::text, 'reactivation'::text, 'trial'::text, 'trial paid'::text, 'trial lost'::text])))
);

CREATE TABLE public.mrr_package_days (
    currency text NOT NULL,
    package_id uuid NOT NULL,
    day date NOT NULL,
    kind text NOT NULL,
    customers integer NOT NULL,
    subscribers integer NOT NULL,
    amount bigint NOT NULL
);

CREATE TABLE public.mrr_package_movements (
    user_id uuid NOT NULL,
    currency text NOT NULL,
    day date NOT NULL,
    kind text NOT NULL,
    package_id uuid NOT NULL,
    amount bigint NOT NULL,
    subscribers smallint NOT NULL,
    CONSTRAINT mrr_package_movements_kind CHECK ((kind = ANY (ARRAY['new'::text, 'expansion'::text, 'contraction'::text, 'churn'::text, 'reactivation'::text])))
);

CREATE TABLE public.mrr_queue (
    id bigint NOT NULL,
    user_id uuid NOT NULL,
    queued_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE public.mrr_queue ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.mrr_queue_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.notifications (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    user_id uuid NOT NULL,
    kind text NOT NULL,
    message jsonb NOT NULL,
    path text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    read_at timestamp with time zone,
    emailed_at timestamp with time zone,
    CONSTRAINT notifications_kind CHECK ((kind = ANY (ARRAY['mention'::text, 'approval'::text, 'file'::text, 'job'::text]))),
    CONSTRAINT notifications_path CHECK (((path ~ '^/'::text) AND (length(path) <= 500)))
);

CREATE TABLE public.package_versions (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    package_id uuid NOT NULL,
    number integer NOT NULL,
    state text DEFAULT 'draft'::text NOT NULL,
    trial_days integer DEFAULT 0 NOT NULL,
    note text,
    rollout jsonb,
    publish_at timestamp with time zone,
    published_at timestamp with time zone,
    published_by uuid,
    version integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT package_versions_note CHECK (((length(note) >= 1) AND (length(note) <= 500))),
    CONSTRAINT package_versions_noted CHECK (((state = 'draft'::text) OR (note IS NOT NULL))),
    CONSTRAINT package_versions_number CHECK ((number > 0)),
    CONSTRAINT package_versions_published CHECK (((state = ANY (ARRAY['on sale'::text, 'superseded'::text, 'retired'::text])) = (published_at IS NOT NULL))),
    CONSTRAINT package_versions_scheduled CHECK (((state = 'scheduled'::text) = (publish_at IS NOT NULL))),
    CONSTRAINT package_versions_state CHECK ((state = ANY (ARRAY['draft'::text, 'scheduled'::text, 'on sale'::text, 'superseded'::text, 'retired'::text]))),
    CONSTRAINT package_versions_trial CHECK (((trial_days >= 0) AND (trial_days <= 730)))
);

CREATE TABLE public.packages (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    code text NOT NULL,
    name text NOT NULL,
    description text DEFAULT ''::text NOT NULL,
    kind text NOT NULL,
    group_code text,
    visibility text NOT NULL,
    sort integer DEFAULT 0 NOT NULL,
    status text DEFAULT 'draft'::text NOT NULL,
    activated_at timestamp with time zone,
    version integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    base_groups text[] DEFAULT '{}'::text[] NOT NULL,
    tax_category text DEFAULT 'standard'::text NOT NULL,
    CONSTRAINT packages_activated CHECK (((status = 'draft'::text) = (activated_at IS NULL))),
    CONSTRAINT packages_code CHECK ((code ~ '^[a-z0-9][a-z0-9_-]{0,62}[a-z0-9]$'::text)),
    CONSTRAINT packages_description CHECK ((length(description) <= 2000)),
    CONSTRAINT packages_group CHECK ((group_code ~ '^[a-z0-9][a-z0-9_-]{0,62}[a-z0-9]$'::text)),
    CONSTRAINT packages_group_of_base CHECK (((group_code IS NULL) OR (kind = 'base'::text))),
    CONSTRAINT packages_kind CHECK ((kind = ANY (ARRAY['base'::text, 'add-on'::text]))),
    CONSTRAINT packages_name CHECK (((length(name) >= 1) AND (length(name) <= 120))),
    CONSTRAINT packages_status CHECK ((status = ANY (ARRAY['draft'::text, 'active'::text, 'archived'::text]))),
    CONSTRAINT packages_tax_category CHECK ((tax_category = ANY (ARRAY['standard'::text, 'reduced'::text, 'exempt'::text]))),
    CONSTRAINT packages_visibility CHECK ((visibility = ANY (ARRAY['public'::text, 'hidden'::text])))
);

CREATE TABLE public.passkeys (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    user_id uuid NOT NULL,
    name text NOT NULL,
    credential_id text NOT NULL,
    public_key bytea NOT NULL,
    counter bigint NOT NULL,
    transports text[] NOT NULL,
    created_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone
);

CREATE TABLE public.passwords (
    id uuid NOT NULL,
    hash text NOT NULL,
    changed_at timestamp with time zone NOT NULL,
    by_operator boolean DEFAULT false NOT NULL
);

CREATE TABLE public.personal_exports (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    user_id uuid NOT NULL,
    requested_by uuid NOT NULL,
    requested_at timestamp with time zone NOT NULL,
    file bytea,
    ready_at timestamp with time zone,
    expires_at timestamp with time zone,
    CONSTRAINT personal_exports_ready CHECK ((((file IS NULL) = (ready_at IS NULL)) AND ((file IS NULL) = (expires_at IS NULL))))
);

CREATE TABLE public.postings (
    entry_id uuid NOT NULL,
    "position" smallint NOT NULL,
    account text NOT NULL,
    amount bigint NOT NULL,
    CONSTRAINT postings_account CHECK ((account ~ '^(cash:[a-z][a-z0-9-]{1,39}|receivable|revenue|tax:[a-zA-Z0-9:-]{1,60}|balance|team credits|fees|write-offs)$'::text)),
    CONSTRAINT postings_amount CHECK ((amount <> 0))
);

CREATE TABLE public.preferences (
    user_id uuid NOT NULL,
    value jsonb NOT NULL,
    CONSTRAINT preferences_value CHECK ((jsonb_typeof(value) = 'object'::text))
);

CREATE TABLE public.promotion_amounts (
    promotion_id uuid NOT NULL,
    currency text NOT NULL,
    off bigint,
    minimum bigint,
    cap bigint,
    budget bigint,
    given bigint DEFAULT 0 NOT NULL,
    CONSTRAINT promotion_amounts_budget CHECK (((budget >= 1) AND (budget <= '999999999999999'::bigint))),
    CONSTRAINT promotion_amounts_cap CHECK (((cap >= 1) AND (cap <= '999999999999999'::bigint))),
    CONSTRAINT promotion_amounts_currency CHECK ((currency ~ '^[A-Z]{3}$'::text)),
    CONSTRAINT promotion_amounts_minimum CHECK (((minimum >= 1) AND (minimum <= '999999999999999'::bigint))),
    CONSTRAINT promotion_amounts_off CHECK (((off >= 1) AND (off <= '999999999999999'::bigint))),
    CONSTRAINT promotion_amounts_within_budget CHECK (((given >= 0) AND ((budget IS NULL) OR (given <= budget))))
);

CREATE TABLE public.promotion_codes (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    promotion_id uuid NOT NULL,
    code text NOT NULL,
    shown text NOT NULL,
    max_uses integer,
    uses integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT promotion_codes_code CHECK ((code ~ '^[A-Z0-9]{3,40}$'::text)),
    CONSTRAINT promotion_codes_max_uses CHECK ((max_uses > 0)),
    CONSTRAINT promotion_codes_within_uses CHECK (((uses >= 0) AND ((max_uses IS NULL) OR (uses <= max_uses))))
);
ALTER TABLE ONLY public.promotion_codes ALTER COLUMN promotion_id SET (n_distinct=100);

CREATE TABLE public.promotion_packages (
    promotion_id uuid NOT NULL,
    package_id uuid NOT NULL
);

CREATE TABLE public.promotion_people (
    promotion_id uuid NOT NULL,
    user_id uuid NOT NULL
);

CREATE TABLE public.promotion_replays (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    details jsonb NOT NULL,
    promotion_id uuid,
    from_at timestamp with time zone NOT NULL,
    to_at timestamp with time zone NOT NULL,
    status text DEFAULT 'running'::text NOT NULL,
    sales integer DEFAULT 0 NOT NULL,
    reached_at timestamp with time zone NOT NULL,
    result jsonb,
    created_by uuid NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT promotion_replays_done CHECK (((status = 'done'::text) = (result IS NOT NULL))),
    CONSTRAINT promotion_replays_status CHECK ((status = ANY (ARRAY['running'::text, 'done'::text, 'canceled'::text]))),
    CONSTRAINT promotion_replays_window CHECK (((from_at < to_at) AND ((reached_at >= from_at) AND (reached_at <= to_at))))
);

CREATE TABLE public.promotions (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    name text NOT NULL,
    kind text NOT NULL,
    basis_points integer,
    trial_days integer,
    feature_id uuid,
    value jsonb,
    feature_days integer,
    level text NOT NULL,
    duration text NOT NULL,
    periods integer,
    starts_at timestamp with time zone,
    ends_at timestamp with time zone,
    max_uses integer,
    max_uses_per_user integer,
    audience text NOT NULL,
    intervals text[] DEFAULT '{}'::text[] NOT NULL,
    stacking text NOT NULL,
    priority integer DEFAULT 0 NOT NULL,
    needs_code boolean NOT NULL,
    returns_use boolean NOT NULL,
    published_at timestamp with time zone,
    paused_at timestamp with time zone,
    archived_at timestamp with time zone,
    uses integer DEFAULT 0 NOT NULL,
    first_used_at timestamp with time zone,
    version integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    given_by uuid,
    given_to uuid,
    given_amount bigint,
    given_currency text,
    CONSTRAINT promotions_audience CHECK ((audience = ANY (ARRAY['anyone'::text, 'new'::text, 'existing'::text, 'listed'::text, 'first purchase'::text]))),
    CONSTRAINT promotions_basis_points CHECK (((basis_points >= 1) AND (basis_points <= 10000))),
    CONSTRAINT promotions_counted_periods CHECK (((duration = 'periods'::text) = (periods IS NOT NULL))),
    CONSTRAINT promotions_duration CHECK ((duration = ANY (ARRAY['once'::text, 'periods'::text, 'forever'::text]))),
    CONSTRAINT promotions_feature_days CHECK (((feature_days >= 1) AND (feature_days <= 3650))),
    CONSTRAINT promotions_intervals CHECK ((intervals <@ ARRAY['once'::text, 'day'::text, 'week'::text, 'month'::text, 'year'::text])),
    CONSTRAINT promotions_kind CHECK ((kind = ANY (ARRAY['percent'::text, 'fixed'::text, 'trial'::text, 'feature'::text]))),
    CONSTRAINT promotions_level CHECK ((level = ANY (ARRAY['line'::text, 'order'::text]))),
    CONSTRAINT promotions_max_uses CHECK ((max_uses > 0)),
    CONSTRAINT promotions_max_uses_per_user CHECK ((max_uses_per_user > 0)),
    CONSTRAINT promotions_name CHECK (((length(name) >= 1) AND (length(name) <= 120))),
    CONSTRAINT promotions_of_kind CHECK ((((kind = 'percent'::text) = (basis_points IS NOT NULL)) AND ((kind = 'trial'::text) = (trial_days IS NOT NULL)) AND ((kind = 'feature'::text) = (feature_id IS NOT NULL)) AND ((kind = 'feature'::text) = (value IS NOT NULL)) AND ((kind = 'feature'::text) OR (feature_days IS NULL)))),
    CONSTRAINT promotions_periods CHECK (((periods >= 1) AND (periods <= 120))),
    CONSTRAINT promotions_priority CHECK (((priority >= '-1000'::integer) AND (priority <= 1000))),
    CONSTRAINT promotions_stacking CHECK ((stacking = ANY (ARRAY['exclusive'::text, 'stackable'::text]))),
    CONSTRAINT promotions_trial CHECK (((trial_days >= 1) AND (trial_days <= 730))),
    CONSTRAINT promotions_used CHECK (((uses = 0) OR (first_used_at IS NOT NULL))),
    CONSTRAINT promotions_uses CHECK ((uses >= 0)),
    CONSTRAINT promotions_window CHECK ((starts_at < ends_at)),
    CONSTRAINT promotions_within_uses CHECK ((uses <= max_uses))
);

CREATE TABLE public.provider_events (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    provider text NOT NULL,
    event_id text NOT NULL,
    type text NOT NULL,
    payment text,
    body text NOT NULL,
    at timestamp with time zone NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL,
    outcome text DEFAULT 'waiting'::text NOT NULL,
    words text,
    tries integer DEFAULT 0 NOT NULL,
    next_try_at timestamp with time zone,
    transaction_id uuid,
    CONSTRAINT provider_events_event_id CHECK (((length(event_id) >= 1) AND (length(event_id) <= 200))),
    CONSTRAINT provider_events_outcome CHECK ((outcome = ANY (ARRAY['waiting'::text, 'applied'::text, 'ignored'::text, 'unmatched'::text]))),
    CONSTRAINT provider_events_payment CHECK ((length(payment) <= 200)),
    CONSTRAINT provider_events_provider CHECK ((provider ~ '^[a-z][a-z0-9-]{1,39}$'::text)),
    CONSTRAINT provider_events_type CHECK (((length(type) >= 1) AND (length(type) <= 100))),
    CONSTRAINT provider_events_words CHECK ((length(words) <= 500))
);

CREATE TABLE public.reconciliations (
    transaction_id uuid NOT NULL,
    asked integer DEFAULT 0 NOT NULL,
    last_at timestamp with time zone NOT NULL,
    last_answer text NOT NULL,
    next_at timestamp with time zone,
    CONSTRAINT reconciliations_answer CHECK ((length(last_answer) <= 500))
);

CREATE TABLE public.recovery_codes (
    user_id uuid NOT NULL,
    code_hash bytea NOT NULL,
    used_at timestamp with time zone
);

CREATE TABLE public.redemptions (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    promotion_id uuid NOT NULL,
    code_id uuid,
    user_id uuid NOT NULL,
    transaction_id uuid NOT NULL,
    subscription_id uuid,
    nth integer NOT NULL,
    currency text NOT NULL,
    amount bigint NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    returned_at timestamp with time zone,
    since integer DEFAULT 0 NOT NULL,
    CONSTRAINT redemptions_amount CHECK ((amount >= 0)),
    CONSTRAINT redemptions_nth CHECK ((nth > 0)),
    CONSTRAINT redemptions_since CHECK ((since > '-1000'::integer))
);

CREATE TABLE public.report_emails (
    report_id uuid NOT NULL,
    user_id uuid NOT NULL,
    schedule text NOT NULL,
    sent_on date,
    CONSTRAINT report_emails_schedule CHECK ((schedule = ANY (ARRAY['weekly'::text, 'monthly'::text])))
);

CREATE TABLE public.report_state (
    id boolean DEFAULT true NOT NULL,
    zone text,
    next_day date,
    next_customer uuid,
    next_package_customer uuid DEFAULT '00000000-0000-0000-0000-000000000000'::uuid,
    CONSTRAINT report_state_only_one CHECK (id)
);

CREATE TABLE public.retention_months (
    currency text NOT NULL,
    cohort date NOT NULL,
    month date NOT NULL,
    change integer NOT NULL
);

CREATE TABLE public.revenue_days (
    dimension text NOT NULL,
    currency text NOT NULL,
    day date NOT NULL,
    key text NOT NULL,
    payments integer NOT NULL,
    refund_count integer NOT NULL,
    dispute_count integer NOT NULL,
    charged bigint NOT NULL,
    tax bigint NOT NULL,
    refunds bigint NOT NULL,
    disputes bigint NOT NULL,
    net bigint NOT NULL,
    discount bigint NOT NULL,
    CONSTRAINT revenue_days_add_up CHECK (((((charged - tax) - refunds) - disputes) = net)),
    CONSTRAINT revenue_days_dimension CHECK ((dimension = ANY (ARRAY['total'::text, 'package'::text, 'country'::text, 'promotion'::text, 'tax'::text])))
);

CREATE TABLE public.revenue_queue (
    id bigint NOT NULL,
    entry_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    queued_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE public.revenue_queue ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.revenue_queue_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.rollout_moves (
    rollout_id uuid NOT NULL,
    grant_id uuid NOT NULL,
    user_id uuid NOT NULL,
    from_version_id uuid NOT NULL,
    outcome text NOT NULL,
    effective_at timestamp with time zone,
    new_grant_id uuid,
    CONSTRAINT rollout_moves_outcome CHECK ((outcome = ANY (ARRAY['migrated'::text, 'at renewal'::text, 'kept'::text])))
);

CREATE TABLE public.rollouts (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    package_id uuid NOT NULL,
    version_id uuid NOT NULL,
    mode text NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    status text DEFAULT 'waiting'::text NOT NULL,
    holders integer DEFAULT 0 NOT NULL,
    moved integer DEFAULT 0 NOT NULL,
    planned integer DEFAULT 0 NOT NULL,
    kept integer DEFAULT 0 NOT NULL,
    reached uuid,
    finished_at timestamp with time zone,
    version integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT rollouts_finished CHECK (((status = 'done'::text) = (finished_at IS NOT NULL))),
    CONSTRAINT rollouts_mode CHECK ((mode = ANY (ARRAY['now'::text, 'renewal'::text, 'date'::text]))),
    CONSTRAINT rollouts_status CHECK ((status = ANY (ARRAY['waiting'::text, 'running'::text, 'paused'::text, 'done'::text])))
);

CREATE TABLE public.saved_reports (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    name text NOT NULL,
    search jsonb NOT NULL,
    created_by uuid NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    deleted_at timestamp with time zone,
    CONSTRAINT saved_reports_name_length CHECK (((length(name) >= 1) AND (length(name) <= 80)))
);

CREATE TABLE public.second_factor_duties (
    user_id uuid NOT NULL,
    met_at timestamp with time zone NOT NULL
);

CREATE TABLE public.service_accounts (
    id uuid NOT NULL,
    permissions text[],
    version integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT service_accounts_permissions CHECK ((cardinality(permissions) > 0))
);

CREATE TABLE public.service_keys (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    account_id uuid NOT NULL,
    name text NOT NULL,
    prefix text NOT NULL,
    secret_hash bytea NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone,
    last_used_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT service_keys_name CHECK (((length(name) >= 1) AND (length(name) <= 120)))
);

CREATE TABLE public.sessions (
    token_hash bytea NOT NULL,
    user_id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    last_seen_at timestamp with time zone NOT NULL,
    address text NOT NULL,
    device text NOT NULL,
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    second_factor boolean DEFAULT false NOT NULL,
    proven_at timestamp with time zone,
    authenticated_at timestamp with time zone
);

CREATE TABLE public.settings (
    id uuid DEFAULT '00000000-0000-7000-8000-000000000001'::uuid NOT NULL,
    company_name text,
    time_zone text,
    currencies text[] DEFAULT '{}'::text[] NOT NULL,
    second_factor_roles text[] DEFAULT '{}'::text[] NOT NULL,
    second_factor_grace_days integer DEFAULT 7 NOT NULL,
    passwords_allowed boolean DEFAULT true NOT NULL,
    sign_in_groups jsonb DEFAULT '[]'::jsonb NOT NULL,
    grace_days integer DEFAULT 7 NOT NULL,
    refund_limits jsonb DEFAULT '{}'::jsonb NOT NULL,
    approval_rules text[] DEFAULT '{}'::text[] NOT NULL,
    approval_days integer DEFAULT 7 NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    tax_included text[] DEFAULT '{}'::text[] NOT NULL,
    seller jsonb DEFAULT '{}'::jsonb NOT NULL,
    account_codes jsonb DEFAULT '{}'::jsonb NOT NULL,
    invoice_prefix text DEFAULT 'INV'::text NOT NULL,
    credit_note_prefix text DEFAULT 'CN'::text NOT NULL,
    send_documents boolean DEFAULT false NOT NULL,
    document_retention_years integer DEFAULT 10 NOT NULL,
    refund_daily_limits jsonb DEFAULT '{}'::jsonb NOT NULL,
    refund_customer_limits jsonb DEFAULT '{}'::jsonb NOT NULL,
    grant_limits jsonb DEFAULT '{"admin": {"days": null, "packages": []}, "owner": {"days": null, "packages": []}, "support": {"days": 90, "packages": []}}'::jsonb NOT NULL,
    waiting_hours integer DEFAULT 48 NOT NULL,
    passkeys_required_from timestamp with time zone,
    retention jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT settings_approval_days CHECK (((approval_days >= 1) AND (approval_days <= 90))),
    CONSTRAINT settings_company_name CHECK (((length(company_name) >= 1) AND (length(company_name) <= 60))),
    CONSTRAINT settings_documents CHECK (((jsonb_typeof(seller) = 'object'::text) AND (jsonb_typeof(account_codes) = 'object'::text) AND (invoice_prefix ~ '^[A-Z0-9-]{1,12}$'::text) AND (credit_note_prefix ~ '^[A-Z0-9-]{1,12}$'::text) AND (invoice_prefix <> credit_note_prefix) AND ((document_retention_years >= 1) AND (document_retention_years <= 30)))),
    CONSTRAINT settings_grace_days CHECK (((grace_days >= 0) AND (grace_days <= 90))),
    CONSTRAINT settings_only_one CHECK ((id = '00000000-0000-7000-8000-000000000001'::uuid)),
    CONSTRAINT settings_refund_limits CHECK ((jsonb_typeof(refund_limits) = 'object'::text)),
    CONSTRAINT settings_second_factor_grace_days CHECK (((second_factor_grace_days >= 0) AND (second_factor_grace_days <= 90))),
    CONSTRAINT settings_second_factor_roles CHECK ((second_factor_roles <@ '{owner,admin,catalog,finance,support,viewer}'::text[])),
    CONSTRAINT settings_sign_in_groups CHECK ((jsonb_typeof(sign_in_groups) = 'array'::text))
);

CREATE TABLE public.shared_views (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    list text NOT NULL,
    name text NOT NULL,
    q text,
    f text[] NOT NULL,
    sort text,
    cols text[],
    is_default boolean DEFAULT false NOT NULL,
    owner_id uuid,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT shared_views_cols CHECK (((cardinality(cols) >= 1) AND (cardinality(cols) <= 40))),
    CONSTRAINT shared_views_f CHECK ((cardinality(f) <= 20)),
    CONSTRAINT shared_views_list CHECK ((list ~ '^[a-z]{1,40}$'::text)),
    CONSTRAINT shared_views_name CHECK (((length(name) >= 1) AND (length(name) <= 40))),
    CONSTRAINT shared_views_q CHECK ((length(q) <= 200)),
    CONSTRAINT shared_views_sort CHECK ((length(sort) <= 200))
);

CREATE TABLE public.sign_ins (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    user_id uuid,
    email_hash bytea,
    how text NOT NULL,
    outcome text NOT NULL,
    address text NOT NULL,
    device text NOT NULL,
    new_device boolean NOT NULL,
    at timestamp with time zone NOT NULL,
    CONSTRAINT sign_ins_how CHECK ((how = ANY (ARRAY['password'::text, 'code'::text, 'recovery code'::text, 'passkey'::text, 'sso'::text, 'demo link'::text]))),
    CONSTRAINT sign_ins_outcome CHECK ((outcome = ANY (ARRAY['ok'::text, 'wrong credentials'::text, 'wrong code'::text, 'refused by policy'::text, 'blocked'::text])))
);

CREATE TABLE public.signing_keys (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    public_key text NOT NULL,
    secret bytea NOT NULL,
    listed_until timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT signing_keys_public_key CHECK ((public_key ~ '^[A-Za-z0-9_-]{43}$'::text))
);

CREATE TABLE public.storage_sizes (
    day date NOT NULL,
    name text NOT NULL,
    bytes bigint NOT NULL,
    CONSTRAINT storage_sizes_bytes CHECK ((bytes >= 0))
);

CREATE TABLE public.subscriber_changes (
    id bigint NOT NULL,
    package_id uuid NOT NULL,
    version_id uuid,
    at timestamp with time zone NOT NULL,
    change integer NOT NULL,
    settled boolean DEFAULT false NOT NULL
);

ALTER TABLE public.subscriber_changes ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.subscriber_changes_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.subscription_pauses (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    subscription_id uuid NOT NULL,
    paused_at timestamp with time zone NOT NULL,
    resumed_at timestamp with time zone,
    CONSTRAINT subscription_pauses_order CHECK ((paused_at <= resumed_at))
);

CREATE TABLE public.subscription_periods (
    subscription_id uuid NOT NULL,
    number integer NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    kind text DEFAULT 'paid'::text NOT NULL,
    CONSTRAINT subscription_periods_kind CHECK ((kind = ANY (ARRAY['paid'::text, 'added'::text, 'overdue'::text]))),
    CONSTRAINT subscription_periods_order CHECK ((starts_at < ends_at))
);

CREATE TABLE public.tax_rates (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    country text NOT NULL,
    region text,
    name text NOT NULL,
    category text NOT NULL,
    basis_points integer NOT NULL,
    valid_from date NOT NULL,
    valid_until date,
    version integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT tax_rates_basis_points CHECK (((basis_points >= 0) AND (basis_points <= 10000))),
    CONSTRAINT tax_rates_category CHECK ((category = ANY (ARRAY['standard'::text, 'reduced'::text]))),
    CONSTRAINT tax_rates_country CHECK ((country ~ '^[A-Z]{2}$'::text)),
    CONSTRAINT tax_rates_name CHECK (((length(name) >= 1) AND (length(name) <= 60))),
    CONSTRAINT tax_rates_region CHECK (((length(region) >= 1) AND (length(region) <= 60))),
    CONSTRAINT tax_rates_valid CHECK ((valid_from < valid_until))
);

CREATE TABLE public.test_clock (
    id boolean DEFAULT true NOT NULL,
    ahead_ms bigint DEFAULT 0 NOT NULL,
    target timestamp with time zone,
    started_from timestamp with time zone,
    moved_by uuid,
    claimed_until timestamp with time zone,
    jobs_run integer DEFAULT 0 NOT NULL,
    failure text,
    claimed_by uuid,
    CONSTRAINT test_clock_ahead CHECK (((ahead_ms >= 0) AND (ahead_ms <= '630720000000'::bigint))),
    CONSTRAINT test_clock_only_one CHECK (id)
);

CREATE TABLE public.test_team (
    id uuid NOT NULL
);

CREATE TABLE public.transaction_events (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    transaction_id uuid NOT NULL,
    type text NOT NULL,
    at timestamp with time zone NOT NULL,
    source text NOT NULL,
    source_id text,
    evidence text,
    recorded_at timestamp with time zone DEFAULT now() NOT NULL,
    due_at timestamp with time zone,
    CONSTRAINT transaction_events_evidence CHECK ((length(evidence) <= 1000)),
    CONSTRAINT transaction_events_source CHECK ((source = ANY (ARRAY['team'::text, 'provider'::text, 'system'::text]))),
    CONSTRAINT transaction_events_type CHECK ((type = ANY (ARRAY['created'::text, 'submitted'::text, 'authorized'::text, 'succeeded'::text, 'failed'::text, 'unknown'::text, 'canceled'::text, 'voided'::text, 'disputed'::text, 'dispute won'::text, 'dispute lost'::text])))
);

CREATE TABLE public.transaction_lines (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    transaction_id uuid NOT NULL,
    "position" smallint NOT NULL,
    package_id uuid,
    version_id uuid,
    price_id uuid,
    subscription_id uuid,
    name text NOT NULL,
    quantity integer DEFAULT 1 NOT NULL,
    unit_amount bigint NOT NULL,
    period_start timestamp with time zone,
    period_end timestamp with time zone,
    subtotal bigint NOT NULL,
    discount bigint DEFAULT 0 NOT NULL,
    net bigint NOT NULL,
    tax bigint DEFAULT 0 NOT NULL,
    gross bigint NOT NULL,
    tax_treatment text DEFAULT 'none'::text NOT NULL,
    tax_basis_points integer,
    tax_name text,
    tax_country text,
    tax_region text,
    tax_category text,
    vat_number text,
    tax_reason text,
    credited bigint DEFAULT 0 NOT NULL,
    credited_tax bigint DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT transaction_lines_amounts CHECK ((((subtotal >= 0) AND (subtotal <= '999999999999999'::bigint)) AND ((discount >= 0) AND (discount <= subtotal)) AND (net >= 0) AND (tax >= 0) AND (gross = (net + tax)) AND (((subtotal - discount) = net) OR ((subtotal - discount) = gross)))),
    CONSTRAINT transaction_lines_credited CHECK ((((credited >= 0) AND (credited <= gross)) AND ((credited_tax >= 0) AND (credited_tax <= tax)) AND (((credited - credited_tax) >= 0) AND ((credited - credited_tax) <= net)))),
    CONSTRAINT transaction_lines_name CHECK (((length(name) >= 1) AND (length(name) <= 200))),
    CONSTRAINT transaction_lines_period CHECK ((((period_start IS NULL) = (period_end IS NULL)) AND (period_start < period_end))),
    CONSTRAINT transaction_lines_position CHECK (("position" >= 0)),
    CONSTRAINT transaction_lines_quantity CHECK (((quantity >= 1) AND (quantity <= 1000000))),
    CONSTRAINT transaction_lines_tax_basis_points CHECK (((tax_basis_points >= 0) AND (tax_basis_points <= 10000))),
    CONSTRAINT transaction_lines_tax_category CHECK ((tax_category = ANY (ARRAY['standard'::text, 'reduced'::text, 'exempt'::text]))),
    CONSTRAINT transaction_lines_tax_country CHECK ((tax_country ~ '^[A-Z]{2}$'::text)),
    CONSTRAINT transaction_lines_tax_name CHECK ((length(tax_name) <= 60)),
    CONSTRAINT transaction_lines_tax_reason CHECK ((length(tax_reason) <= 500)),
    CONSTRAINT transaction_lines_tax_region CHECK ((length(tax_region) <= 60)),
    CONSTRAINT transaction_lines_tax_treatment CHECK ((tax_treatment = ANY (ARRAY['none'::text, 'rate'::text, 'reverse charge'::text, 'exempt'::text, 'manual'::text, 'provider'::text, 'unknown'::text]))),
    CONSTRAINT transaction_lines_unit_amount CHECK ((unit_amount >= 0)),
    CONSTRAINT transaction_lines_vat_number CHECK ((length(vat_number) <= 30))
);

CREATE TABLE public.transaction_references (
    provider text NOT NULL,
    reference text NOT NULL,
    transaction_id uuid NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT transaction_references_provider CHECK ((provider ~ '^[a-z][a-z0-9-]{1,39}$'::text)),
    CONSTRAINT transaction_references_reference CHECK (((length(reference) >= 1) AND (length(reference) <= 200)))
);

CREATE TABLE public.tries (
    subject bytea NOT NULL,
    failures integer NOT NULL,
    blocked_until timestamp with time zone,
    last_at timestamp with time zone NOT NULL
);

CREATE TABLE public.usage_corrections (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    user_id uuid NOT NULL,
    feature_id uuid NOT NULL,
    window_start timestamp with time zone NOT NULL,
    amount bigint NOT NULL,
    reason text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT usage_corrections_amount CHECK ((amount <> 0)),
    CONSTRAINT usage_corrections_reason CHECK (((length(reason) >= 1) AND (length(reason) <= 500)))
);

CREATE TABLE public.usage_days (
    user_id uuid NOT NULL,
    feature_id uuid NOT NULL,
    day date NOT NULL,
    used bigint NOT NULL
);

CREATE TABLE public.usage_event_ids (
    app_id uuid NOT NULL,
    event_id text NOT NULL,
    user_id uuid NOT NULL,
    feature_id uuid NOT NULL,
    amount bigint NOT NULL,
    recorded_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT usage_event_ids_event CHECK (((length(event_id) >= 1) AND (length(event_id) <= 200)))
);

CREATE TABLE public.usage_reservations (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    app_id uuid NOT NULL,
    key_id uuid NOT NULL,
    event_id text NOT NULL,
    user_id uuid NOT NULL,
    feature_id uuid NOT NULL,
    window_start timestamp with time zone NOT NULL,
    amount bigint NOT NULL,
    status text DEFAULT 'open'::text NOT NULL,
    confirmed bigint,
    expires_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    settled_at timestamp with time zone,
    CONSTRAINT usage_reservations_amount CHECK ((amount > 0)),
    CONSTRAINT usage_reservations_confirmed CHECK ((((status = 'confirmed'::text) = (confirmed IS NOT NULL)) AND ((confirmed >= 0) AND (confirmed <= amount)))),
    CONSTRAINT usage_reservations_settled CHECK (((status = 'open'::text) = (settled_at IS NULL))),
    CONSTRAINT usage_reservations_status CHECK ((status = ANY (ARRAY['open'::text, 'confirmed'::text, 'released'::text, 'expired'::text])))
);

CREATE TABLE public.user_notes (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    user_id uuid,
    author_id uuid NOT NULL,
    text text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    struck_at timestamp with time zone,
    entity text DEFAULT 'users'::text NOT NULL,
    record_id uuid,
    mentions uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    CONSTRAINT user_notes_customer CHECK (((user_id IS NOT NULL) OR (entity <> ALL (ARRAY['users'::text, 'transactions'::text])))),
    CONSTRAINT user_notes_entity CHECK ((entity = ANY (ARRAY['users'::text, 'apps'::text, 'features'::text, 'packages'::text, 'promotions'::text, 'transactions'::text]))),
    CONSTRAINT user_notes_record CHECK (((record_id IS NULL) = (entity = 'users'::text))),
    CONSTRAINT user_notes_text CHECK (((length(text) >= 1) AND (length(text) <= 4000)))
);

CREATE SEQUENCE public.user_numbers
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE public.users (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    email text NOT NULL,
    name text NOT NULL,
    role text,
    status text DEFAULT 'invited'::text NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    number text DEFAULT public.user_number(nextval('public.user_numbers'::regclass)) NOT NULL,
    external_id text,
    country text,
    locale text,
    time_zone text,
    merged_into uuid,
    company text,
    address jsonb,
    region text,
    vat_number text,
    role_given_at timestamp with time zone DEFAULT now(),
    is_service boolean DEFAULT false NOT NULL,
    CONSTRAINT users_address CHECK ((jsonb_typeof(address) = 'object'::text)),
    CONSTRAINT users_company CHECK (((length(company) >= 1) AND (length(company) <= 120))),
    CONSTRAINT users_country CHECK ((country ~ '^[A-Z]{2}$'::text)),
    CONSTRAINT users_email CHECK ((email = lower(email))),
    CONSTRAINT users_external_id CHECK (((length(external_id) >= 1) AND (length(external_id) <= 200))),
    CONSTRAINT users_locale CHECK ((locale ~ '^[a-z]{2}(-[A-Z]{2})?$'::text)),
    CONSTRAINT users_merged CHECK (((merged_into IS NULL) OR ((merged_into <> id) AND (status = ANY (ARRAY['suspended'::text, 'erased'::text]))))),
    CONSTRAINT users_region CHECK (((length(region) >= 1) AND (length(region) <= 60))),
    CONSTRAINT users_role CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'catalog'::text, 'finance'::text, 'support'::text, 'viewer'::text]))),
    CONSTRAINT users_status CHECK ((status = ANY (ARRAY['invited'::text, 'active'::text, 'suspended'::text, 'erased'::text]))),
    CONSTRAINT users_time_zone CHECK (((length(time_zone) >= 1) AND (length(time_zone) <= 100))),
    CONSTRAINT users_vat_number CHECK (((length(vat_number) >= 1) AND (length(vat_number) <= 30)))
);

CREATE TABLE public.version_apps (
    version_id uuid NOT NULL,
    app_id uuid NOT NULL
);

CREATE TABLE public.version_prices (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    version_id uuid NOT NULL,
    currency text NOT NULL,
    amount bigint NOT NULL,
    "interval" text NOT NULL,
    interval_count integer NOT NULL,
    per_unit boolean DEFAULT false NOT NULL,
    CONSTRAINT version_prices_amount CHECK (((amount >= 0) AND (amount <= '999999999999999'::bigint))),
    CONSTRAINT version_prices_count CHECK ((((interval_count >= 1) AND (interval_count <= 120)) AND (("interval" <> 'once'::text) OR (interval_count = 1)))),
    CONSTRAINT version_prices_currency CHECK ((currency ~ '^[A-Z]{3}$'::text)),
    CONSTRAINT version_prices_interval CHECK (("interval" = ANY (ARRAY['once'::text, 'day'::text, 'week'::text, 'month'::text, 'year'::text])))
);

CREATE TABLE public.version_values (
    version_id uuid NOT NULL,
    app_id uuid NOT NULL,
    feature_id uuid NOT NULL,
    value jsonb NOT NULL,
    per_unit boolean DEFAULT false NOT NULL
);

CREATE TABLE public.webhook_counters (
    user_id uuid NOT NULL,
    seq bigint NOT NULL
);

CREATE TABLE public.webhook_endpoints (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    url text NOT NULL,
    description text DEFAULT ''::text NOT NULL,
    types text[] NOT NULL,
    status text DEFAULT 'active'::text NOT NULL,
    disabled_because text,
    secret bytea NOT NULL,
    previous_secret bytea,
    previous_until timestamp with time zone,
    failing_since timestamp with time zone,
    version integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT webhook_endpoints_because CHECK (((disabled_because IS NULL) OR (status = 'disabled'::text))),
    CONSTRAINT webhook_endpoints_description CHECK ((length(description) <= 500)),
    CONSTRAINT webhook_endpoints_previous CHECK (((previous_secret IS NULL) = (previous_until IS NULL))),
    CONSTRAINT webhook_endpoints_status CHECK ((status = ANY (ARRAY['active'::text, 'disabled'::text, 'deleted'::text]))),
    CONSTRAINT webhook_endpoints_types CHECK (((cardinality(types) > 0) AND (types <@ ARRAY['entitlements.changed'::text, 'subscription.changed'::text, 'transaction.changed'::text]))),
    CONSTRAINT webhook_endpoints_url CHECK (((length(url) >= 1) AND (length(url) <= 2000)))
);

ALTER TABLE public.webhook_events ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.webhook_events_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.webhook_lines (
    endpoint_id uuid NOT NULL,
    line uuid NOT NULL,
    next_at timestamp with time zone,
    claim uuid
);

ALTER TABLE ONLY public.app_keys
    ADD CONSTRAINT app_keys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.app_webhooks
    ADD CONSTRAINT app_webhooks_pkey PRIMARY KEY (app_id);

ALTER TABLE public.approvals
    ADD CONSTRAINT approvals_applied CHECK (((status <> 'applied'::text) OR ((takes_effect_at IS NOT NULL) AND (decided_by IS NULL)))) NOT VALID;

ALTER TABLE ONLY public.approvals
    ADD CONSTRAINT approvals_pkey PRIMARY KEY (id);

ALTER TABLE public.approvals
    ADD CONSTRAINT approvals_rule CHECK ((rule = ANY (ARRAY['refund'::text, 'price'::text, 'erase'::text, 'owner'::text, 'grant'::text, 'safeguard'::text]))) NOT VALID;

ALTER TABLE public.approvals
    ADD CONSTRAINT approvals_status CHECK ((status = ANY (ARRAY['waiting'::text, 'approved'::text, 'applied'::text, 'rejected'::text, 'withdrawn'::text, 'expired'::text, 'stale'::text]))) NOT VALID;

ALTER TABLE ONLY public.apps
    ADD CONSTRAINT apps_pkey PRIMARY KEY (id);

ALTER TABLE public.apps
    ADD CONSTRAINT apps_suspended CHECK (((suspended_at IS NULL) OR (status <> 'draft'::text))) NOT VALID;

ALTER TABLE ONLY public.archives
    ADD CONSTRAINT archives_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.attention_marks
    ADD CONSTRAINT attention_marks_pkey PRIMARY KEY (id);

ALTER TABLE public.attention_marks
    ADD CONSTRAINT attention_marks_snoozed CHECK (((snoozed_until IS NULL) = (snoozed_by IS NULL))) NOT VALID;

ALTER TABLE ONLY public.audit_entries
    ADD CONSTRAINT audit_entries_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.audit_months
    ADD CONSTRAINT audit_months_pkey PRIMARY KEY (first_id);

ALTER TABLE ONLY public.audit_redacted
    ADD CONSTRAINT audit_redacted_pkey PRIMARY KEY (entry_id, redaction);

ALTER TABLE ONLY public.audit_redactions
    ADD CONSTRAINT audit_redactions_number UNIQUE (number);

ALTER TABLE ONLY public.audit_redactions
    ADD CONSTRAINT audit_redactions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.audit_removals
    ADD CONSTRAINT audit_removals_number UNIQUE (number);

ALTER TABLE ONLY public.audit_removals
    ADD CONSTRAINT audit_removals_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.audit_removed
    ADD CONSTRAINT audit_removed_pkey PRIMARY KEY (entry_id);

ALTER TABLE ONLY public.audit_retention
    ADD CONSTRAINT audit_retention_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.audit_seals
    ADD CONSTRAINT audit_seals_pkey PRIMARY KEY (number);

ALTER TABLE ONLY public.audit_unsealed
    ADD CONSTRAINT audit_unsealed_pkey PRIMARY KEY (entry_id);

ALTER TABLE ONLY public.audit_verifications
    ADD CONSTRAINT audit_verifications_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.authenticators
    ADD CONSTRAINT authenticators_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.backfills
    ADD CONSTRAINT backfills_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.balance_entries
    ADD CONSTRAINT balance_entries_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.balances
    ADD CONSTRAINT balances_pkey PRIMARY KEY (user_id, currency);

ALTER TABLE ONLY public.challenges
    ADD CONSTRAINT challenges_pkey PRIMARY KEY (token_hash);

ALTER TABLE ONLY public.check_apps
    ADD CONSTRAINT check_apps_pkey PRIMARY KEY (app_id);

ALTER TABLE ONLY public.check_counts
    ADD CONSTRAINT check_counts_pkey PRIMARY KEY (app_id, resolution, at, key_id, feature, reason);

ALTER TABLE ONLY public.check_denials
    ADD CONSTRAINT check_denials_pkey PRIMARY KEY (user_id, app_id, feature, reason, day);

ALTER TABLE ONLY public.check_rates
    ADD CONSTRAINT check_rates_pkey PRIMARY KEY (app_id, resolution, at, key_id);

ALTER TABLE ONLY public.document_numbers
    ADD CONSTRAINT document_numbers_pkey PRIMARY KEY (prefix, year);

ALTER TABLE ONLY public.documents
    ADD CONSTRAINT documents_number UNIQUE (number);

ALTER TABLE ONLY public.documents
    ADD CONSTRAINT documents_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.documents_to_issue
    ADD CONSTRAINT documents_to_issue_pkey PRIMARY KEY (transaction_id);

ALTER TABLE ONLY public.drafts
    ADD CONSTRAINT drafts_pkey PRIMARY KEY (user_id, form);

ALTER TABLE ONLY public.exports
    ADD CONSTRAINT exports_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.feature_use
    ADD CONSTRAINT feature_use_pkey PRIMARY KEY (feature_id, user_id, window_start);

ALTER TABLE public.feature_use
    ADD CONSTRAINT feature_use_reserved CHECK ((reserved >= 0)) NOT VALID;

ALTER TABLE ONLY public.features
    ADD CONSTRAINT features_of_app UNIQUE (id, app_id);

ALTER TABLE ONLY public.features
    ADD CONSTRAINT features_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.grant_changes
    ADD CONSTRAINT grant_changes_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.grants
    ADD CONSTRAINT grants_periods_apart EXCLUDE USING gist (user_id WITH =, package_id WITH =, tstzrange(starts_at, ends_at) WITH &&) WHERE ((subscription_id IS NOT NULL));

ALTER TABLE ONLY public.grants
    ADD CONSTRAINT grants_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (caller, operation, key_hash);

ALTER TABLE ONLY public.identities
    ADD CONSTRAINT identities_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.import_mappings
    ADD CONSTRAINT import_mappings_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.import_results
    ADD CONSTRAINT import_results_pkey PRIMARY KEY (import_id, "row");

ALTER TABLE ONLY public.import_rows
    ADD CONSTRAINT import_rows_pkey PRIMARY KEY (import_id, "row");

ALTER TABLE ONLY public.imported_records
    ADD CONSTRAINT imported_records_pkey PRIMARY KEY (record_id);

ALTER TABLE ONLY public.imports
    ADD CONSTRAINT imports_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.installation
    ADD CONSTRAINT installation_pkey PRIMARY KEY (is_only);

ALTER TABLE ONLY public.journal_entries
    ADD CONSTRAINT journal_entries_once UNIQUE (kind, source_id);

ALTER TABLE ONLY public.journal_entries
    ADD CONSTRAINT journal_entries_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.known_devices
    ADD CONSTRAINT known_devices_pkey PRIMARY KEY (token_hash);

ALTER TABLE ONLY public.kysely_migration
    ADD CONSTRAINT kysely_migration_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.line_credits
    ADD CONSTRAINT line_credits_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.line_credits
    ADD CONSTRAINT line_credits_time_once EXCLUDE USING gist (line_id WITH =, unused WITH &&) WHERE (((unused IS NOT NULL) AND (state <> 'released'::text)));

ALTER TABLE ONLY public.links
    ADD CONSTRAINT links_pkey PRIMARY KEY (token_hash);

ALTER TABLE ONLY public.list_job_chunks
    ADD CONSTRAINT list_job_chunks_pkey PRIMARY KEY (job_id, "position");

ALTER TABLE ONLY public.list_job_rows
    ADD CONSTRAINT list_job_rows_pkey PRIMARY KEY (job_id, "position");

ALTER TABLE ONLY public.list_jobs
    ADD CONSTRAINT list_jobs_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.mrr_days
    ADD CONSTRAINT mrr_days_pkey PRIMARY KEY (currency, day, kind);

ALTER TABLE ONLY public.mrr_movements
    ADD CONSTRAINT mrr_movements_pkey PRIMARY KEY (user_id, currency, day, kind);

ALTER TABLE ONLY public.mrr_package_days
    ADD CONSTRAINT mrr_package_days_pkey PRIMARY KEY (currency, package_id, day, kind);

ALTER TABLE ONLY public.mrr_package_movements
    ADD CONSTRAINT mrr_package_movements_pkey PRIMARY KEY (user_id, currency, day, kind, package_id);

ALTER TABLE ONLY public.mrr_queue
    ADD CONSTRAINT mrr_queue_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.notifications
    ADD CONSTRAINT notifications_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.package_versions
    ADD CONSTRAINT package_versions_of_package UNIQUE (id, package_id);

ALTER TABLE ONLY public.package_versions
    ADD CONSTRAINT package_versions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.packages
    ADD CONSTRAINT packages_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.passwords
    ADD CONSTRAINT passwords_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.personal_exports
    ADD CONSTRAINT personal_exports_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.postings
    ADD CONSTRAINT postings_pkey PRIMARY KEY (entry_id, "position");

ALTER TABLE ONLY public.preferences
    ADD CONSTRAINT preferences_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY public.promotion_amounts
    ADD CONSTRAINT promotion_amounts_pkey PRIMARY KEY (promotion_id, currency);

ALTER TABLE ONLY public.promotion_codes
    ADD CONSTRAINT promotion_codes_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.promotion_packages
    ADD CONSTRAINT promotion_packages_pkey PRIMARY KEY (promotion_id, package_id);

ALTER TABLE ONLY public.promotion_people
    ADD CONSTRAINT promotion_people_pkey PRIMARY KEY (promotion_id, user_id);

ALTER TABLE ONLY public.promotion_replays
    ADD CONSTRAINT promotion_replays_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.promotions
    ADD CONSTRAINT promotions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.provider_events
    ADD CONSTRAINT provider_events_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.reconciliations
    ADD CONSTRAINT reconciliations_pkey PRIMARY KEY (transaction_id);

ALTER TABLE ONLY public.recovery_codes
    ADD CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, code_hash);

ALTER TABLE ONLY public.redemptions
    ADD CONSTRAINT redemptions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.report_emails
    ADD CONSTRAINT report_emails_pkey PRIMARY KEY (report_id, user_id);

ALTER TABLE ONLY public.report_state
    ADD CONSTRAINT report_state_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.retention_months
    ADD CONSTRAINT retention_months_pkey PRIMARY KEY (currency, cohort, month);

ALTER TABLE ONLY public.revenue_days
    ADD CONSTRAINT revenue_days_pkey PRIMARY KEY (dimension, currency, day, key);

ALTER TABLE ONLY public.revenue_queue
    ADD CONSTRAINT revenue_queue_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.rollout_moves
    ADD CONSTRAINT rollout_moves_pkey PRIMARY KEY (rollout_id, grant_id);

ALTER TABLE ONLY public.rollouts
    ADD CONSTRAINT rollouts_of_version UNIQUE (version_id);

ALTER TABLE ONLY public.rollouts
    ADD CONSTRAINT rollouts_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.saved_reports
    ADD CONSTRAINT saved_reports_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.second_factor_duties
    ADD CONSTRAINT second_factor_duties_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY public.service_accounts
    ADD CONSTRAINT service_accounts_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.service_keys
    ADD CONSTRAINT service_keys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (token_hash);

ALTER TABLE public.settings
    ADD CONSTRAINT settings_approval_limits CHECK (((jsonb_typeof(refund_daily_limits) = 'object'::text) AND (jsonb_typeof(refund_customer_limits) = 'object'::text) AND (jsonb_typeof(grant_limits) = 'object'::text) AND ((waiting_hours >= 24) AND (waiting_hours <= 72)))) NOT VALID;

ALTER TABLE public.settings
    ADD CONSTRAINT settings_approval_rules CHECK ((approval_rules <@ '{refund,price,erase,owner,grant}'::text[])) NOT VALID;

ALTER TABLE ONLY public.settings
    ADD CONSTRAINT settings_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.shared_views
    ADD CONSTRAINT shared_views_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.sign_ins
    ADD CONSTRAINT sign_ins_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.signing_keys
    ADD CONSTRAINT signing_keys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.storage_sizes
    ADD CONSTRAINT storage_sizes_pkey PRIMARY KEY (day, name);

ALTER TABLE ONLY public.subscriber_changes
    ADD CONSTRAINT subscriber_changes_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.subscription_pauses
    ADD CONSTRAINT subscription_pauses_apart EXCLUDE USING gist (subscription_id WITH =, tstzrange(paused_at, resumed_at) WITH &&);

ALTER TABLE ONLY public.subscription_pauses
    ADD CONSTRAINT subscription_pauses_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.subscription_periods
    ADD CONSTRAINT subscription_periods_pkey PRIMARY KEY (subscription_id, number);

ALTER TABLE ONLY public.subscriptions
    ADD CONSTRAINT subscriptions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.tax_rates
    ADD CONSTRAINT tax_rates_apart EXCLUDE USING gist (country WITH =, COALESCE(region, ''::text) WITH =, category WITH =, daterange(valid_from, valid_until) WITH &&);

ALTER TABLE ONLY public.tax_rates
    ADD CONSTRAINT tax_rates_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.test_clock
    ADD CONSTRAINT test_clock_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.test_team
    ADD CONSTRAINT test_team_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.transaction_events
    ADD CONSTRAINT transaction_events_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.transaction_lines
    ADD CONSTRAINT transaction_lines_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.transaction_references
    ADD CONSTRAINT transaction_references_pkey PRIMARY KEY (provider, reference);

ALTER TABLE ONLY public.transactions
    ADD CONSTRAINT transactions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.tries
    ADD CONSTRAINT tries_pkey PRIMARY KEY (subject);

ALTER TABLE ONLY public.usage_corrections
    ADD CONSTRAINT usage_corrections_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.usage_days
    ADD CONSTRAINT usage_days_pkey PRIMARY KEY (user_id, feature_id, day);

ALTER TABLE ONLY public.usage_event_ids
    ADD CONSTRAINT usage_event_ids_pkey PRIMARY KEY (app_id, event_id);

ALTER TABLE ONLY public.usage_events
    ADD CONSTRAINT usage_events_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.usage_reservations
    ADD CONSTRAINT usage_reservations_event UNIQUE (app_id, event_id);

ALTER TABLE ONLY public.usage_reservations
    ADD CONSTRAINT usage_reservations_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.user_notes
    ADD CONSTRAINT user_notes_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.version_apps
    ADD CONSTRAINT version_apps_pkey PRIMARY KEY (version_id, app_id);

ALTER TABLE ONLY public.version_prices
    ADD CONSTRAINT version_prices_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.version_values
    ADD CONSTRAINT version_values_pkey PRIMARY KEY (version_id, feature_id);

ALTER TABLE ONLY public.webhook_counters
    ADD CONSTRAINT webhook_counters_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.webhook_endpoints
    ADD CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.webhook_events
    ADD CONSTRAINT webhook_events_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.webhook_lines
    ADD CONSTRAINT webhook_lines_pkey PRIMARY KEY (endpoint_id, line);

CREATE INDEX app_keys_by_app ON public.app_keys USING btree (app_id, id);

CREATE INDEX app_keys_expiring ON public.app_keys USING btree (expires_at) WHERE ((revoked_at IS NULL) AND (expires_at IS NOT NULL));

CREATE UNIQUE INDEX app_keys_secret ON public.app_keys USING btree (secret_hash);

CREATE INDEX approvals_by_record ON public.approvals USING btree (entity, record_id, id);

CREATE INDEX approvals_by_requester ON public.approvals USING btree (requested_by, id);

CREATE INDEX approvals_by_status ON public.approvals USING btree (status, id);

CREATE INDEX approvals_search ON public.approvals USING gin (lower(summary) public.gin_trgm_ops, lower(reason) public.gin_trgm_ops);

CREATE INDEX apps_by_name ON public.apps USING btree (lower(name), id);

CREATE INDEX apps_by_status ON public.apps USING btree (status, id);

CREATE INDEX apps_by_update ON public.apps USING btree (updated_at, id);

CREATE UNIQUE INDEX apps_code_taken ON public.apps USING btree (code);

CREATE INDEX apps_search ON public.apps USING gin (lower(name) public.gin_trgm_ops, code public.gin_trgm_ops);

CREATE UNIQUE INDEX archives_once ON public.archives USING btree (parent, COALESCE(lower, ''::text), upper) WHERE (dropped_at IS NULL);

CREATE UNIQUE INDEX attention_marks_of_record ON public.attention_marks USING btree (kind, record_id);

CREATE INDEX audit_entries_actor ON ONLY public.audit_entries USING btree (actor_id, id) WHERE (actor_id IS NOT NULL);

CREATE INDEX audit_entries_at ON ONLY public.audit_entries USING btree (at, id);

CREATE INDEX audit_entries_deleted ON ONLY public.audit_entries USING btree (id) WHERE (action = 'delete'::text);

CREATE INDEX audit_entries_entity ON ONLY public.audit_entries USING btree (entity, id);

CREATE INDEX audit_entries_kind ON ONLY public.audit_entries USING btree (actor_kind, id) WHERE (actor_kind = ANY (ARRAY['key'::text, 'database'::text]));

CREATE INDEX audit_entries_reason ON ONLY public.audit_entries USING gin (lower(reason) public.gin_trgm_ops) WHERE (reason IS NOT NULL);

CREATE INDEX audit_entries_record ON ONLY public.audit_entries USING btree (entity, record_id, id DESC);

CREATE INDEX audit_entries_request ON ONLY public.audit_entries USING btree (request_id, id) WHERE (request_id IS NOT NULL);

CREATE INDEX audit_entries_reverts ON ONLY public.audit_entries USING btree (reverts, id) WHERE (reverts IS NOT NULL);

CREATE INDEX audit_months_by_start ON public.audit_months USING btree (starts_at);

CREATE INDEX audit_redacted_lines ON public.audit_redacted USING btree (redaction, entry_id);

CREATE INDEX audit_seals_entries ON public.audit_seals USING gist (int8range(entry_ids[1], entry_ids[cardinality(entry_ids)], '[]'::text));

CREATE INDEX balance_entries_of_transaction ON public.balance_entries USING btree (transaction_id) WHERE (transaction_id IS NOT NULL);

CREATE INDEX balance_entries_of_user ON public.balance_entries USING btree (user_id, id DESC);

CREATE INDEX challenges_expiry ON public.challenges USING btree (expires_at);

CREATE INDEX check_apps_risen ON public.check_apps USING btree (denials_rose_at) WHERE (denials_rose_at IS NOT NULL);

CREATE INDEX check_counts_by_time ON public.check_counts USING btree (resolution, at);

CREATE INDEX check_denials_by_day ON public.check_denials USING btree (day);

CREATE INDEX check_denials_by_reason ON public.check_denials USING btree (app_id, reason, day, feature, user_id);

CREATE INDEX check_denials_of_app ON public.check_denials USING btree (app_id, feature, day);

CREATE INDEX check_rates_by_time ON public.check_rates USING btree (resolution, at);

CREATE INDEX documents_correcting ON public.documents USING btree (corrects_id) WHERE (corrects_id IS NOT NULL);

CREATE INDEX documents_of_user ON public.documents USING btree (user_id, issued_at DESC, id DESC);

CREATE UNIQUE INDEX documents_one_correction ON public.documents USING btree (transaction_id, corrects_id) WHERE (kind = 'credit note'::text);

CREATE UNIQUE INDEX documents_one_invoice ON public.documents USING btree (transaction_id) WHERE (kind = 'invoice'::text);

CREATE INDEX documents_with_buyer ON public.documents USING btree (issued_at) WHERE (buyer_removed_at IS NULL);

CREATE INDEX feature_use_of_user ON public.feature_use USING btree (user_id);

CREATE INDEX features_by_app ON public.features USING btree (app_id, id);

CREATE INDEX features_by_code ON public.features USING btree (code, id);

CREATE INDEX features_by_name ON public.features USING btree (lower(name), id);

CREATE INDEX features_by_status ON public.features USING btree (status, id);

CREATE INDEX features_by_update ON public.features USING btree (updated_at, id);

CREATE UNIQUE INDEX features_code_taken ON public.features USING btree (app_id, code);

CREATE INDEX features_counted ON public.features USING btree (app_id, status, id) WHERE (kind = ANY (ARRAY['metered'::text, 'limit'::text]));

CREATE INDEX features_of_app_by_name ON public.features USING btree (app_id, lower(name), id);

CREATE INDEX features_search ON public.features USING gin (lower(name) public.gin_trgm_ops, code public.gin_trgm_ops);

CREATE INDEX grant_changes_of ON public.grant_changes USING btree (grant_id, id);

CREATE INDEX grants_in_order ON public.grants USING btree (package_id, id) WHERE (package_id IS NOT NULL);

CREATE UNIQUE INDEX grants_moved_once ON public.grants USING btree (moved_from) WHERE (moved_from IS NOT NULL);

CREATE INDEX grants_of_feature ON public.grants USING btree (feature_id) WHERE (feature_id IS NOT NULL);

CREATE INDEX grants_of_line ON public.grants USING btree (line_id) WHERE (line_id IS NOT NULL);

CREATE INDEX grants_of_package ON public.grants USING btree (package_id, version_id, ends_at) INCLUDE (user_id, starts_at, id) WHERE (package_id IS NOT NULL);

CREATE INDEX grants_of_source ON public.grants USING btree (source_id) WHERE (source = ANY (ARRAY['transaction'::text, 'promotion'::text]));

CREATE INDEX grants_of_subscription ON public.grants USING btree (subscription_id) WHERE (subscription_id IS NOT NULL);

CREATE INDEX grants_of_user ON public.grants USING btree (user_id, ends_at) INCLUDE (starts_at, version_id, feature_id, value);

CREATE INDEX idempotency_keys_created ON public.idempotency_keys USING btree (created_at);

CREATE UNIQUE INDEX identities_person_taken ON public.identities USING btree (user_id, issuer);

CREATE UNIQUE INDEX identities_subject_taken ON public.identities USING btree (issuer, subject);

CREATE UNIQUE INDEX import_mappings_name_taken ON public.import_mappings USING btree (kind, lower(name));

CREATE INDEX import_results_first_email ON public.import_results USING btree (import_id, email, "row") WHERE (email IS NOT NULL);

CREATE INDEX import_results_first_key ON public.import_results USING btree (import_id, key, "row") WHERE (key IS NOT NULL);

CREATE INDEX import_results_place ON public.import_results USING btree (import_id, ((fields ->> 'place'::text)), ((fields ->> 'period_start'::text))) WHERE ((fields ->> 'place'::text) IS NOT NULL);

CREATE INDEX import_results_record ON public.import_results USING btree (record_id) WHERE (record_id IS NOT NULL);

CREATE INDEX import_results_rejected ON public.import_results USING btree (import_id, "row") WHERE (outcome = 'rejected'::text);

CREATE UNIQUE INDEX imported_records_key_taken ON public.imported_records USING btree (key) WHERE (key IS NOT NULL);

CREATE INDEX imported_records_of_import ON public.imported_records USING btree (import_id);

CREATE INDEX imports_created_by_idx ON public.imports USING btree (created_by);

CREATE INDEX imports_open ON public.imports USING btree (id) WHERE (emptied_at IS NULL);

CREATE INDEX journal_entries_by_time ON public.journal_entries USING btree (at, id);

CREATE INDEX journal_entries_of_transaction ON public.journal_entries USING btree (transaction_id) WHERE (transaction_id IS NOT NULL);

CREATE INDEX known_devices_seen ON public.known_devices USING btree (seen_at);

CREATE INDEX line_credits_of_line ON public.line_credits USING btree (line_id);

CREATE INDEX line_credits_of_transaction ON public.line_credits USING btree (transaction_id);

CREATE INDEX links_user ON public.links USING btree (user_id);

CREATE INDEX list_jobs_finished ON public.list_jobs USING btree (finished_at) WHERE (finished_at IS NOT NULL);

CREATE INDEX list_jobs_of_export ON public.list_jobs USING btree (export_id) WHERE (export_id IS NOT NULL);

CREATE INDEX list_jobs_of_user ON public.list_jobs USING btree (user_id, list, id DESC);

CREATE INDEX list_jobs_running ON public.list_jobs USING btree (id) WHERE (status = 'running'::text);

CREATE INDEX list_jobs_shown ON public.list_jobs USING btree (user_id, list, id DESC) WHERE (dismissed_at IS NULL);

CREATE UNIQUE INDEX list_jobs_undone_at_once ON public.list_jobs USING btree (undoes) WHERE ((undoes IS NOT NULL) AND (status = ANY (ARRAY['running'::text, 'finished'::text])));

CREATE INDEX mrr_movements_by_kind ON public.mrr_movements USING btree (currency, kind, day, user_id);

CREATE INDEX mrr_package_movements_by_kind ON public.mrr_package_movements USING btree (package_id, currency, kind, day, user_id);

CREATE INDEX mrr_queue_oldest ON public.mrr_queue USING btree (queued_at);

CREATE INDEX notifications_of_user ON public.notifications USING btree (user_id, id DESC);

CREATE INDEX notifications_unread ON public.notifications USING btree (user_id, id) WHERE (read_at IS NULL);

CREATE UNIQUE INDEX package_versions_number_taken ON public.package_versions USING btree (package_id, number);

CREATE UNIQUE INDEX package_versions_one_draft ON public.package_versions USING btree (package_id) WHERE (state = 'draft'::text);

CREATE UNIQUE INDEX package_versions_one_on_sale ON public.package_versions USING btree (package_id) WHERE (state = 'on sale'::text);

CREATE UNIQUE INDEX package_versions_one_scheduled ON public.package_versions USING btree (package_id) WHERE (state = 'scheduled'::text);

CREATE INDEX packages_by_group ON public.packages USING btree (group_code, sort) WHERE (group_code IS NOT NULL);

CREATE INDEX packages_by_name ON public.packages USING btree (lower(name), id);

CREATE INDEX packages_by_sort ON public.packages USING btree (sort, id);

CREATE INDEX packages_by_status ON public.packages USING btree (status, id);

CREATE INDEX packages_by_update ON public.packages USING btree (updated_at, id);

CREATE UNIQUE INDEX packages_code_taken ON public.packages USING btree (code);

CREATE INDEX packages_search ON public.packages USING gin (lower(name) public.gin_trgm_ops, code public.gin_trgm_ops);

CREATE UNIQUE INDEX passkeys_credential_id_taken ON public.passkeys USING btree (credential_id);

CREATE INDEX passkeys_user ON public.passkeys USING btree (user_id);

CREATE INDEX personal_exports_expiry ON public.personal_exports USING btree (expires_at);

CREATE INDEX personal_exports_of_user ON public.personal_exports USING btree (user_id, id DESC);

CREATE INDEX promotion_codes_begins ON public.promotion_codes USING btree (code text_pattern_ops) INCLUDE (promotion_id);

CREATE UNIQUE INDEX promotion_codes_code_taken ON public.promotion_codes USING btree (code);

CREATE INDEX promotion_codes_of ON public.promotion_codes USING btree (promotion_id, id);

CREATE INDEX promotion_codes_unlimited ON public.promotion_codes USING btree (promotion_id, id DESC) WHERE (max_uses IS NULL);

CREATE INDEX promotion_packages_by_package ON public.promotion_packages USING btree (package_id);

CREATE INDEX promotion_people_by_user ON public.promotion_people USING btree (user_id);

CREATE INDEX promotion_replays_by_time ON public.promotion_replays USING btree (created_at);

CREATE INDEX promotions_by_name ON public.promotions USING btree (lower(name), id);

CREATE INDEX promotions_by_update ON public.promotions USING btree (updated_at, id);

CREATE INDEX promotions_drafts ON public.promotions USING btree (updated_at) WHERE ((published_at IS NULL) AND (archived_at IS NULL));

CREATE INDEX promotions_given_by ON public.promotions USING btree (given_by, published_at) WHERE (given_by IS NOT NULL);

CREATE INDEX promotions_given_to ON public.promotions USING btree (given_to, published_at) WHERE (given_to IS NOT NULL);

CREATE INDEX promotions_in_force ON public.promotions USING btree (ends_at) WHERE ((published_at IS NOT NULL) AND (archived_at IS NULL));

CREATE INDEX promotions_search ON public.promotions USING gin (lower(name) public.gin_trgm_ops);

CREATE INDEX provider_events_by_outcome ON public.provider_events USING btree (outcome, received_at DESC, id DESC);

CREATE INDEX provider_events_newest ON public.provider_events USING btree (provider, received_at DESC, id DESC);

CREATE INDEX provider_events_of ON public.provider_events USING btree (transaction_id) WHERE (transaction_id IS NOT NULL);

CREATE INDEX provider_events_of_payment ON public.provider_events USING btree (provider, payment) WHERE (payment IS NOT NULL);

CREATE INDEX provider_events_refused ON public.provider_events USING btree (provider, received_at DESC, id DESC) WHERE ((outcome = ANY (ARRAY['waiting'::text, 'unmatched'::text])) AND (words IS NOT NULL));

CREATE UNIQUE INDEX provider_events_told_once ON public.provider_events USING btree (provider, event_id);

CREATE INDEX provider_events_unsettled ON public.provider_events USING btree (provider, outcome) WHERE (outcome = ANY (ARRAY['waiting'::text, 'unmatched'::text]));

CREATE INDEX provider_events_waiting ON public.provider_events USING btree (next_try_at) WHERE (outcome = 'waiting'::text);

CREATE INDEX reconciliations_due ON public.reconciliations USING btree (next_at) WHERE (next_at IS NOT NULL);

CREATE UNIQUE INDEX redemptions_nth_taken ON public.redemptions USING btree (promotion_id, user_id, nth) WHERE (returned_at IS NULL);

CREATE INDEX redemptions_of ON public.redemptions USING btree (promotion_id, created_at DESC);

CREATE INDEX redemptions_of_code ON public.redemptions USING btree (code_id) WHERE (code_id IS NOT NULL);

CREATE INDEX redemptions_of_subscription ON public.redemptions USING btree (subscription_id) WHERE (subscription_id IS NOT NULL);

CREATE INDEX redemptions_of_transaction ON public.redemptions USING btree (transaction_id);

CREATE UNIQUE INDEX redemptions_once ON public.redemptions USING btree (transaction_id, promotion_id) WHERE (returned_at IS NULL);

CREATE INDEX report_emails_of_user ON public.report_emails USING btree (user_id);

CREATE INDEX revenue_queue_by_time ON public.revenue_queue USING btree (at);

CREATE INDEX revenue_queue_oldest ON public.revenue_queue USING btree (queued_at);

CREATE INDEX rollouts_of_package ON public.rollouts USING btree (package_id, id DESC);

CREATE INDEX rollouts_open ON public.rollouts USING btree (starts_at) WHERE (status <> 'done'::text);

CREATE UNIQUE INDEX saved_reports_name_taken ON public.saved_reports USING btree (lower(name)) WHERE (deleted_at IS NULL);

CREATE INDEX service_keys_of_account ON public.service_keys USING btree (account_id, id);

CREATE UNIQUE INDEX service_keys_secret ON public.service_keys USING btree (secret_hash);

CREATE UNIQUE INDEX sessions_id ON public.sessions USING btree (id);

CREATE INDEX sessions_user ON public.sessions USING btree (user_id);

CREATE UNIQUE INDEX shared_views_default ON public.shared_views USING btree (list) WHERE is_default;

CREATE UNIQUE INDEX shared_views_name_taken ON public.shared_views USING btree (list, lower(name));

CREATE INDEX shared_views_of_owner ON public.shared_views USING btree (owner_id);

CREATE INDEX sign_ins_at ON public.sign_ins USING btree (at);

CREATE INDEX sign_ins_person ON public.sign_ins USING btree (user_id, id);

CREATE INDEX sign_ins_stranger ON public.sign_ins USING btree (email_hash, id) WHERE (email_hash IS NOT NULL);

CREATE UNIQUE INDEX signing_keys_current ON public.signing_keys USING btree (((listed_until IS NULL))) WHERE (listed_until IS NULL);

CREATE INDEX subscriber_changes_due ON public.subscriber_changes USING btree (at) WHERE (NOT settled);

CREATE INDEX subscriber_changes_of ON public.subscriber_changes USING btree (package_id, version_id, at) INCLUDE (change);

CREATE UNIQUE INDEX subscriber_changes_settled ON public.subscriber_changes USING btree (package_id, version_id) NULLS NOT DISTINCT WHERE settled;

CREATE UNIQUE INDEX subscription_pauses_open ON public.subscription_pauses USING btree (subscription_id) WHERE (resumed_at IS NULL);

CREATE UNIQUE INDEX subscriptions_billing_reference ON public.subscriptions USING btree (billed_by, billing_reference) WHERE ((billing_reference IS NOT NULL) AND (status <> 'ended'::text));

CREATE INDEX subscriptions_due ON public.subscriptions USING btree (period_end) WHERE (status = ANY (ARRAY['trialing'::text, 'active'::text, 'ending'::text]));

CREATE INDEX subscriptions_of_package ON public.subscriptions USING btree (package_id, version_id) INCLUDE (price_id, status, period_end) WHERE (status <> 'ended'::text);

CREATE INDEX subscriptions_of_user ON public.subscriptions USING btree (user_id, id DESC);

CREATE UNIQUE INDEX subscriptions_one_of_group ON public.subscriptions USING btree (user_id, group_code) WHERE ((status <> 'ended'::text) AND (group_code IS NOT NULL));

CREATE UNIQUE INDEX subscriptions_one_of_package ON public.subscriptions USING btree (user_id, package_id) WHERE (status <> 'ended'::text);

CREATE INDEX subscriptions_overdue ON public.subscriptions USING btree (access_until) WHERE (status = 'past due'::text);

CREATE INDEX transaction_events_of ON public.transaction_events USING btree (transaction_id, at);

CREATE UNIQUE INDEX transaction_events_told ON public.transaction_events USING btree (transaction_id, source_id, type) WHERE (source = 'provider'::text);

CREATE UNIQUE INDEX transaction_lines_of ON public.transaction_lines USING btree (transaction_id, "position");

CREATE INDEX transaction_lines_of_subscription ON public.transaction_lines USING btree (subscription_id, period_end) WHERE (subscription_id IS NOT NULL);

CREATE INDEX transaction_references_of ON public.transaction_references USING btree (transaction_id);

CREATE INDEX transactions_by_kind ON public.transactions USING btree (kind, occurred_at DESC, id DESC) WHERE (kind <> ALL (ARRAY['purchase'::text, 'renewal'::text]));

CREATE INDEX transactions_by_settlement ON public.transactions USING btree (COALESCE(settled_at, '-infinity'::timestamp with time zone) DESC, id DESC);

CREATE INDEX transactions_by_state ON public.transactions USING btree (state, occurred_at DESC, id DESC) WHERE (state <> 'succeeded'::text);

CREATE INDEX transactions_by_time ON public.transactions USING btree (occurred_at DESC, id DESC);

CREATE INDEX transactions_not_split ON public.transactions USING btree (user_id, id) WHERE (NOT is_split);

CREATE UNIQUE INDEX transactions_number_taken ON public.transactions USING btree (number text_pattern_ops);

CREATE INDEX transactions_of_package ON public.transactions USING btree (package_id, occurred_at DESC, id DESC);

CREATE INDEX transactions_of_parent ON public.transactions USING btree (parent_id) WHERE (parent_id IS NOT NULL);

CREATE INDEX transactions_of_subscription ON public.transactions USING btree (subscription_id) WHERE (subscription_id IS NOT NULL);

CREATE INDEX transactions_of_user ON public.transactions USING btree (user_id, occurred_at DESC, id DESC);

CREATE UNIQUE INDEX transactions_one_change ON public.transactions USING btree (changes_id) WHERE ((changes_id IS NOT NULL) AND (state = ANY (ARRAY['pending'::text, 'unknown'::text])));

CREATE UNIQUE INDEX transactions_one_renewal ON public.transactions USING btree (subscription_id, period_start) WHERE (kind = 'renewal'::text);

CREATE INDEX transactions_open_changes ON public.transactions USING btree (changes_id) WHERE ((changes_id IS NOT NULL) AND (state = ANY (ARRAY['pending'::text, 'failed'::text])));

CREATE INDEX transactions_paid ON public.transactions USING btree (user_id) INCLUDE (currency, total, refunded) WHERE ((kind = ANY (ARRAY['purchase'::text, 'renewal'::text, 'change'::text])) AND (state = ANY (ARRAY['succeeded'::text, 'disputed'::text])));

CREATE UNIQUE INDEX transactions_reference_taken ON public.transactions USING btree (reference text_pattern_ops, provider) WHERE ((reference IS NOT NULL) AND (state <> 'voided'::text));

CREATE INDEX transactions_voided_reference ON public.transactions USING btree (reference text_pattern_ops) WHERE ((reference IS NOT NULL) AND (state = 'voided'::text));

CREATE INDEX tries_last ON public.tries USING btree (last_at);

CREATE INDEX usage_corrections_of_user ON public.usage_corrections USING btree (user_id, feature_id);

CREATE INDEX usage_days_of_feature ON public.usage_days USING btree (feature_id, day);

CREATE INDEX usage_event_ids_by_time ON public.usage_event_ids USING btree (recorded_at);

CREATE INDEX usage_events_of_user ON ONLY public.usage_events USING btree (user_id, feature_id, id);

CREATE INDEX usage_reservations_of_user ON public.usage_reservations USING btree (user_id);

CREATE INDEX usage_reservations_open ON public.usage_reservations USING btree (feature_id, user_id, window_start, expires_at) WHERE (status = 'open'::text);

CREATE INDEX usage_reservations_settled_at ON public.usage_reservations USING btree (settled_at) WHERE (status <> 'open'::text);

CREATE INDEX usage_reservations_to_expire ON public.usage_reservations USING btree (expires_at) WHERE (status = 'open'::text);

CREATE INDEX user_notes_about_user ON public.user_notes USING btree (user_id, id DESC) WHERE (record_id IS NULL);

CREATE INDEX user_notes_of_record ON public.user_notes USING btree (record_id, id DESC) WHERE (record_id IS NOT NULL);

CREATE INDEX user_notes_of_user ON public.user_notes USING btree (user_id, id DESC);

CREATE INDEX users_by_country ON public.users USING btree (country, id) WHERE (country IS NOT NULL);

CREATE INDEX users_by_name ON public.users USING btree (lower(name), id);

CREATE INDEX users_by_role ON public.users USING btree (COALESCE(role, 'customer'::text), id);

CREATE INDEX users_by_status ON public.users USING btree (status, id) WHERE (status <> 'active'::text);

CREATE INDEX users_email_begins ON public.users USING btree (email text_pattern_ops);

CREATE UNIQUE INDEX users_email_taken ON public.users USING btree (email);

CREATE INDEX users_external_id_starts ON public.users USING btree (lower(external_id) text_pattern_ops) INCLUDE (external_id) WHERE (external_id IS NOT NULL);

CREATE UNIQUE INDEX users_external_id_taken ON public.users USING btree (external_id) WHERE (external_id IS NOT NULL);

CREATE INDEX users_merged_into_idx ON public.users USING btree (merged_into) WHERE (merged_into IS NOT NULL);

CREATE UNIQUE INDEX users_number_taken ON public.users USING btree (number text_pattern_ops);

CREATE INDEX users_search ON public.users USING gin (lower(name) public.gin_trgm_ops, email public.gin_trgm_ops);

CREATE INDEX users_staff ON public.users USING btree (id) WHERE (role IS NOT NULL);

CREATE INDEX version_apps_by_app ON public.version_apps USING btree (app_id);

CREATE UNIQUE INDEX version_prices_taken ON public.version_prices USING btree (version_id, currency, "interval", interval_count);

CREATE INDEX version_values_by_feature ON public.version_values USING btree (feature_id);

CREATE INDEX webhook_deliveries_attempted ON ONLY public.webhook_deliveries USING btree (endpoint_id, attempted_at DESC) INCLUDE (state) WHERE (attempted_at IS NOT NULL);

CREATE INDEX webhook_deliveries_by_state ON ONLY public.webhook_deliveries USING btree (state, id DESC);

CREATE INDEX webhook_deliveries_failed ON ONLY public.webhook_deliveries USING btree (endpoint_id, id) WHERE (state = 'failed'::text);

CREATE INDEX webhook_deliveries_failing ON ONLY public.webhook_deliveries USING btree (endpoint_id, attempted_at DESC) WHERE ((state <> 'delivered'::text) AND (last_error IS NOT NULL));

CREATE INDEX webhook_deliveries_in_line ON ONLY public.webhook_deliveries USING btree (endpoint_id, line, seq) WHERE (state = 'waiting'::text);

CREATE INDEX webhook_deliveries_of_endpoint ON ONLY public.webhook_deliveries USING btree (endpoint_id, id DESC);

CREATE INDEX webhook_deliveries_of_user ON ONLY public.webhook_deliveries USING btree (user_id, id DESC) WHERE (user_id IS NOT NULL);

CREATE UNIQUE INDEX webhook_endpoints_url_taken ON public.webhook_endpoints USING btree (url) WHERE (status <> 'deleted'::text);

CREATE INDEX webhook_events_uncounted ON ONLY public.webhook_events USING btree (number) WHERE (seq IS NULL);

CREATE INDEX webhook_lines_due ON public.webhook_lines USING btree (endpoint_id, next_at) WHERE (next_at IS NOT NULL);

CREATE STATISTICS public.audit_entries_reasons ON lower(reason) FROM public.audit_entries;

CREATE TRIGGER app_keys_touch BEFORE UPDATE ON public.app_keys FOR EACH ROW WHEN ((old.origins IS DISTINCT FROM new.origins)) EXECUTE FUNCTION public.touch_row();

CREATE TRIGGER approvals_touch BEFORE UPDATE ON public.approvals FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION public.touch_row();

CREATE TRIGGER apps_keep_used_code BEFORE UPDATE OF code ON public.apps FOR EACH ROW WHEN ((old.code IS DISTINCT FROM new.code)) EXECUTE FUNCTION public.keep_used_code();

CREATE TRIGGER apps_touch BEFORE UPDATE ON public.apps FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION public.touch_row();

CREATE TRIGGER audit_delete AFTER DELETE ON public.app_keys REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{secret_hash}', '{last_used_at}');

CREATE TRIGGER audit_delete AFTER DELETE ON public.approvals REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{body}', '{}');

CREATE TRIGGER audit_delete AFTER DELETE ON public.apps REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_delete AFTER DELETE ON public.attention_marks REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_delete AFTER DELETE ON public.audit_redactions REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_delete AFTER DELETE ON public.audit_removals REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_delete AFTER DELETE ON public.audit_retention REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_delete AFTER DELETE ON public.authenticators REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{secret}', '{last_step}');

CREATE TRIGGER audit_delete AFTER DELETE ON public.exports REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_delete AFTER DELETE ON public.features REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_delete AFTER DELETE ON public.identities REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_delete AFTER DELETE ON public.imports REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{stage,columns,mapping,replacements,parts,bytes,rows,rest,delimiter,position,checked,progress,emptied_at,decimal_mark,date_order,written}');

CREATE TRIGGER audit_delete AFTER DELETE ON public.package_versions REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_delete AFTER DELETE ON public.packages REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_delete AFTER DELETE ON public.passkeys REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{public_key}', '{counter,last_used_at}');

CREATE TRIGGER audit_delete AFTER DELETE ON public.passwords REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{hash}', '{}');

CREATE TRIGGER audit_delete AFTER DELETE ON public.personal_exports REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{file}', '{}');

CREATE TRIGGER audit_delete AFTER DELETE ON public.promotion_amounts REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_parts_change('promotion_id', 'currency', 'to_jsonb(part) - ''{promotion_id,currency,given}''::text[]', 'promotions');

CREATE TRIGGER audit_delete AFTER DELETE ON public.promotion_codes REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.audit_codes('before');

CREATE TRIGGER audit_delete AFTER DELETE ON public.promotion_packages REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_parts_change('promotion_id', 'package_id', 'true', 'promotions');

CREATE TRIGGER audit_delete AFTER DELETE ON public.promotion_people REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_parts_change('promotion_id', 'user_id', 'true', 'promotions');

CREATE TRIGGER audit_delete AFTER DELETE ON public.promotions REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{uses,first_used_at,version,updated_at}');

CREATE TRIGGER audit_delete AFTER DELETE ON public.rollouts REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{reached,moved,planned,kept,version,updated_at}');

CREATE TRIGGER audit_delete AFTER DELETE ON public.service_accounts REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_delete AFTER DELETE ON public.service_keys REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{secret_hash}', '{last_used_at}');

CREATE TRIGGER audit_delete AFTER DELETE ON public.settings REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_delete AFTER DELETE ON public.signing_keys REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{secret}', '{}');

CREATE TRIGGER audit_delete AFTER DELETE ON public.subscriptions REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_delete AFTER DELETE ON public.tax_rates REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_delete AFTER DELETE ON public.transactions REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{is_split,settled_by}');

CREATE TRIGGER audit_delete AFTER DELETE ON public.usage_corrections REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_delete AFTER DELETE ON public.user_notes REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_delete AFTER DELETE ON public.users REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_delete AFTER DELETE ON public.version_apps REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_parts_change('version_id', 'app_id', 'true', 'package_versions');

CREATE TRIGGER audit_delete AFTER DELETE ON public.version_prices REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_parts_change('version_id', 'currency || '' every '' || interval_count || '' '' || interval', 'case when per_unit then jsonb_build_object(''amount'', amount, ''perUnit'', true) else to_jsonb(amount) end', 'package_versions');

CREATE TRIGGER audit_delete AFTER DELETE ON public.version_values REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_parts_change('version_id', 'feature_id', 'case when per_unit then jsonb_build_object(''value'', value, ''perUnit'', true) else value end', 'package_versions');

CREATE TRIGGER audit_delete AFTER DELETE ON public.webhook_endpoints REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{secret,previous_secret}', '{failing_since}');

CREATE TRIGGER audit_entries_await_seal AFTER INSERT ON public.audit_entries REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_await_seal();

CREATE TRIGGER audit_entries_stamp BEFORE INSERT ON public.audit_entries FOR EACH ROW EXECUTE FUNCTION public.audit_stamp();

CREATE TRIGGER audit_insert AFTER INSERT ON public.app_keys REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{secret_hash}', '{last_used_at}');

CREATE TRIGGER audit_insert AFTER INSERT ON public.approvals REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{body}', '{}');

CREATE TRIGGER audit_insert AFTER INSERT ON public.apps REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_insert AFTER INSERT ON public.attention_marks REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_insert AFTER INSERT ON public.audit_redactions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_insert AFTER INSERT ON public.audit_removals REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_insert AFTER INSERT ON public.audit_retention REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_insert AFTER INSERT ON public.authenticators REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{secret}', '{last_step}');

CREATE TRIGGER audit_insert AFTER INSERT ON public.balance_entries REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change();

CREATE TRIGGER audit_insert AFTER INSERT ON public.exports REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_insert AFTER INSERT ON public.features REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_insert AFTER INSERT ON public.grants FOR EACH ROW WHEN (((new.source = 'manual'::text) OR (new.moved_from IS NOT NULL))) EXECUTE FUNCTION public.audit_grant();

CREATE TRIGGER audit_insert AFTER INSERT ON public.identities REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_insert AFTER INSERT ON public.imports REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{stage,columns,mapping,replacements,parts,bytes,rows,rest,delimiter,position,checked,progress,emptied_at,decimal_mark,date_order,written}');

CREATE TRIGGER audit_insert AFTER INSERT ON public.package_versions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_insert AFTER INSERT ON public.packages REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_insert AFTER INSERT ON public.passkeys REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{public_key}', '{counter,last_used_at}');

CREATE TRIGGER audit_insert AFTER INSERT ON public.passwords REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{hash}', '{}');

CREATE TRIGGER audit_insert AFTER INSERT ON public.personal_exports REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{file}', '{}');

CREATE TRIGGER audit_insert AFTER INSERT ON public.promotion_amounts REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_parts_change('promotion_id', 'currency', 'to_jsonb(part) - ''{promotion_id,currency,given}''::text[]', 'promotions');

CREATE TRIGGER audit_insert AFTER INSERT ON public.promotion_codes REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.audit_codes('after');

CREATE TRIGGER audit_insert AFTER INSERT ON public.promotion_packages REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_parts_change('promotion_id', 'package_id', 'true', 'promotions');

CREATE TRIGGER audit_insert AFTER INSERT ON public.promotion_people REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_parts_change('promotion_id', 'user_id', 'true', 'promotions');

CREATE TRIGGER audit_insert AFTER INSERT ON public.promotions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{uses,first_used_at,version,updated_at}');

CREATE TRIGGER audit_insert AFTER INSERT ON public.rollouts REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{reached,moved,planned,kept,version,updated_at}');

CREATE TRIGGER audit_insert AFTER INSERT ON public.service_accounts REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_insert AFTER INSERT ON public.service_keys REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{secret_hash}', '{last_used_at}');

CREATE TRIGGER audit_insert AFTER INSERT ON public.settings REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_insert AFTER INSERT ON public.signing_keys REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{secret}', '{}');

CREATE TRIGGER audit_insert AFTER INSERT ON public.subscriptions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_insert AFTER INSERT ON public.tax_rates REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_insert AFTER INSERT ON public.transactions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{is_split,settled_by}');

CREATE TRIGGER audit_insert AFTER INSERT ON public.usage_corrections REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_insert AFTER INSERT ON public.user_notes REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_insert AFTER INSERT ON public.users REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_insert AFTER INSERT ON public.version_apps REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_parts_change('version_id', 'app_id', 'true', 'package_versions');

CREATE TRIGGER audit_insert AFTER INSERT ON public.version_prices REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_parts_change('version_id', 'currency || '' every '' || interval_count || '' '' || interval', 'case when per_unit then jsonb_build_object(''amount'', amount, ''perUnit'', true) else to_jsonb(amount) end', 'package_versions');

CREATE TRIGGER audit_insert AFTER INSERT ON public.version_values REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_parts_change('version_id', 'feature_id', 'case when per_unit then jsonb_build_object(''value'', value, ''perUnit'', true) else value end', 'package_versions');

CREATE TRIGGER audit_insert AFTER INSERT ON public.webhook_endpoints REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{secret,previous_secret}', '{failing_since}');

CREATE TRIGGER audit_update AFTER UPDATE ON public.app_keys REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{secret_hash}', '{last_used_at}');

CREATE TRIGGER audit_update AFTER UPDATE ON public.approvals REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{body}', '{}');

CREATE TRIGGER audit_update AFTER UPDATE ON public.apps REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_update AFTER UPDATE ON public.attention_marks REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_update AFTER UPDATE ON public.audit_redactions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_update AFTER UPDATE ON public.audit_removals REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_update AFTER UPDATE ON public.audit_retention REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_update AFTER UPDATE ON public.authenticators REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{secret}', '{last_step}');

CREATE TRIGGER audit_update AFTER UPDATE ON public.exports REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_update AFTER UPDATE ON public.features REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_update AFTER UPDATE ON public.grants FOR EACH ROW WHEN ((new.revoked_at IS DISTINCT FROM old.revoked_at)) EXECUTE FUNCTION public.audit_grant();

CREATE TRIGGER audit_update AFTER UPDATE ON public.identities REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_update AFTER UPDATE ON public.imports REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{stage,columns,mapping,replacements,parts,bytes,rows,rest,delimiter,position,checked,progress,emptied_at,decimal_mark,date_order,written}');

CREATE TRIGGER audit_update AFTER UPDATE ON public.package_versions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_update AFTER UPDATE ON public.packages REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_update AFTER UPDATE ON public.passkeys REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{public_key}', '{counter,last_used_at}');

CREATE TRIGGER audit_update AFTER UPDATE ON public.passwords REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{hash}', '{}');

CREATE TRIGGER audit_update AFTER UPDATE ON public.personal_exports REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{file}', '{}');

CREATE TRIGGER audit_update AFTER UPDATE ON public.promotion_amounts REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_parts_change('promotion_id', 'currency', 'to_jsonb(part) - ''{promotion_id,currency,given}''::text[]', 'promotions');

CREATE TRIGGER audit_update AFTER UPDATE ON public.promotion_packages REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_parts_change('promotion_id', 'package_id', 'true', 'promotions');

CREATE TRIGGER audit_update AFTER UPDATE ON public.promotion_people REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_parts_change('promotion_id', 'user_id', 'true', 'promotions');

CREATE TRIGGER audit_update AFTER UPDATE ON public.promotions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{uses,first_used_at,version,updated_at}');

CREATE TRIGGER audit_update AFTER UPDATE ON public.rollouts REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{reached,moved,planned,kept,version,updated_at}');

CREATE TRIGGER audit_update AFTER UPDATE ON public.service_accounts REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_update AFTER UPDATE ON public.service_keys REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{secret_hash}', '{last_used_at}');

CREATE TRIGGER audit_update AFTER UPDATE ON public.settings REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_update AFTER UPDATE ON public.signing_keys REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{secret}', '{}');

CREATE TRIGGER audit_update AFTER UPDATE ON public.subscriptions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_update AFTER UPDATE ON public.tax_rates REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_update AFTER UPDATE ON public.transactions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{is_split,settled_by}');

CREATE TRIGGER audit_update AFTER UPDATE ON public.usage_corrections REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_update AFTER UPDATE ON public.user_notes REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_update AFTER UPDATE ON public.users REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_update AFTER UPDATE ON public.version_apps REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_parts_change('version_id', 'app_id', 'true', 'package_versions');

CREATE TRIGGER audit_update AFTER UPDATE ON public.version_prices REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_parts_change('version_id', 'currency || '' every '' || interval_count || '' '' || interval', 'case when per_unit then jsonb_build_object(''amount'', amount, ''perUnit'', true) else to_jsonb(amount) end', 'package_versions');

CREATE TRIGGER audit_update AFTER UPDATE ON public.version_values REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_parts_change('version_id', 'feature_id', 'case when per_unit then jsonb_build_object(''value'', value, ''perUnit'', true) else value end', 'package_versions');

CREATE TRIGGER audit_update AFTER UPDATE ON public.webhook_endpoints REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{secret,previous_secret}', '{failing_since}');

CREATE TRIGGER balance_entries_add AFTER INSERT ON public.balance_entries FOR EACH ROW EXECUTE FUNCTION public.add_to_balance();

CREATE TRIGGER documents_keep BEFORE DELETE OR UPDATE ON public.documents FOR EACH ROW EXECUTE FUNCTION public.keep_document();

CREATE TRIGGER features_keep_app BEFORE UPDATE OF app_id ON public.features FOR EACH ROW WHEN ((old.app_id IS DISTINCT FROM new.app_id)) EXECUTE FUNCTION public.keep_feature_app();

CREATE TRIGGER features_keep_given BEFORE UPDATE OF kind, options ON public.features FOR EACH ROW WHEN (((old.kind <> new.kind) OR (old.options <> new.options))) EXECUTE FUNCTION public.keep_given_feature();

CREATE TRIGGER features_keep_used BEFORE UPDATE ON public.features FOR EACH ROW EXECUTE FUNCTION public.keep_used_feature();

CREATE TRIGGER features_touch BEFORE UPDATE ON public.features FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION public.touch_row();

CREATE TRIGGER grants_check BEFORE INSERT ON public.grants FOR EACH ROW WHEN ((new.feature_id IS NOT NULL)) EXECUTE FUNCTION public.check_grant_value();

CREATE TRIGGER grants_count_new AFTER INSERT ON public.grants REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_new_grants();

CREATE TRIGGER grants_count_shortened AFTER UPDATE ON public.grants REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_shortened_grants();

CREATE TRIGGER grants_keep BEFORE UPDATE ON public.grants FOR EACH ROW EXECUTE FUNCTION public.keep_grant();

CREATE TRIGGER grants_note_change AFTER UPDATE ON public.grants REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.note_grant_change();

CREATE TRIGGER grants_tell_changed AFTER UPDATE ON public.grants REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.tell_grants();

CREATE TRIGGER grants_tell_new AFTER INSERT ON public.grants REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.tell_grants();

CREATE TRIGGER journal_entries_queue AFTER INSERT ON public.journal_entries REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.queue_entries();

CREATE CONSTRAINT TRIGGER line_credits_add_up AFTER INSERT ON public.line_credits DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.transaction_id IS NOT NULL)) EXECUTE FUNCTION public.check_transaction_sums();

CREATE TRIGGER line_credits_count AFTER INSERT OR UPDATE ON public.line_credits FOR EACH ROW EXECUTE FUNCTION public.count_credit();

CREATE TRIGGER notifications_announce AFTER INSERT ON public.notifications REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.announce_notifications();

CREATE TRIGGER package_versions_keep BEFORE DELETE OR UPDATE ON public.package_versions FOR EACH ROW EXECUTE FUNCTION public.keep_version();

CREATE TRIGGER package_versions_touch BEFORE UPDATE ON public.package_versions FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION public.touch_row();

CREATE TRIGGER packages_keep_published_code BEFORE UPDATE OF code ON public.packages FOR EACH ROW WHEN (((old.code IS DISTINCT FROM new.code) AND (old.activated_at IS NOT NULL))) EXECUTE FUNCTION public.keep_published_code();

CREATE TRIGGER packages_touch BEFORE UPDATE ON public.packages FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION public.touch_row();

CREATE CONSTRAINT TRIGGER postings_balanced AFTER INSERT ON public.postings DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.check_entry_balance();

CREATE TRIGGER promotion_amounts_keep BEFORE INSERT OR DELETE ON public.promotion_amounts FOR EACH ROW EXECUTE FUNCTION public.keep_used_parts();

CREATE TRIGGER promotion_amounts_keep_changed BEFORE UPDATE ON public.promotion_amounts FOR EACH ROW WHEN ((((((old.currency IS DISTINCT FROM new.currency) OR (old.off IS DISTINCT FROM new.off)) OR (old.minimum IS DISTINCT FROM new.minimum)) OR (old.cap IS DISTINCT FROM new.cap)) OR (new.budget < old.budget) OR ((old.budget IS NULL) AND (new.budget IS NOT NULL)))) EXECUTE FUNCTION public.keep_used_parts();

CREATE TRIGGER promotion_codes_keep BEFORE UPDATE OF promotion_id, code, shown, max_uses ON public.promotion_codes FOR EACH ROW EXECUTE FUNCTION public.keep_code();

CREATE TRIGGER promotion_packages_keep BEFORE INSERT OR DELETE OR UPDATE ON public.promotion_packages FOR EACH ROW EXECUTE FUNCTION public.keep_used_parts();

CREATE TRIGGER promotion_people_keep BEFORE DELETE OR UPDATE ON public.promotion_people FOR EACH ROW EXECUTE FUNCTION public.keep_used_parts();

CREATE TRIGGER promotions_keep_used BEFORE UPDATE ON public.promotions FOR EACH ROW WHEN ((old.first_used_at IS NOT NULL)) EXECUTE FUNCTION public.keep_used_promotion();

CREATE TRIGGER promotions_touch BEFORE UPDATE ON public.promotions FOR EACH ROW WHEN (((old.uses = new.uses) AND (old.* IS DISTINCT FROM new.*))) EXECUTE FUNCTION public.touch_row();

CREATE TRIGGER provider_events_keep BEFORE UPDATE ON public.provider_events FOR EACH ROW EXECUTE FUNCTION public.keep_provider_event();

CREATE TRIGGER redemptions_keep BEFORE UPDATE ON public.redemptions FOR EACH ROW EXECUTE FUNCTION public.keep_redemption();

CREATE TRIGGER rollouts_touch BEFORE UPDATE ON public.rollouts FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION public.touch_row();

CREATE TRIGGER service_accounts_touch BEFORE UPDATE ON public.service_accounts FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION public.touch_row();

CREATE TRIGGER sessions_refuse_service BEFORE INSERT ON public.sessions FOR EACH ROW EXECUTE FUNCTION public.refuse_service_session();

CREATE TRIGGER settings_touch BEFORE UPDATE ON public.settings FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION public.touch_row();

CREATE TRIGGER subscriptions_add_periods AFTER INSERT ON public.subscriptions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.add_first_periods();

CREATE TRIGGER subscriptions_change_periods AFTER UPDATE ON public.subscriptions FOR EACH ROW WHEN (((old.period_start IS DISTINCT FROM new.period_start) OR (old.period_end IS DISTINCT FROM new.period_end))) EXECUTE FUNCTION public.change_periods();

CREATE TRIGGER subscriptions_date BEFORE INSERT OR UPDATE ON public.subscriptions FOR EACH ROW EXECUTE FUNCTION public.date_subscription();

CREATE TRIGGER subscriptions_queue_changed AFTER UPDATE ON public.subscriptions FOR EACH ROW WHEN ((((((old.user_id IS DISTINCT FROM new.user_id) OR (old.status IS DISTINCT FROM new.status)) OR (old.period_start IS DISTINCT FROM new.period_start)) OR (old.ended_at IS DISTINCT FROM new.ended_at)) OR (old.paused_at IS DISTINCT FROM new.paused_at))) EXECUTE FUNCTION public.queue_subscriber();

CREATE TRIGGER subscriptions_queue_trial AFTER INSERT ON public.subscriptions FOR EACH ROW WHEN ((new.status = 'trialing'::text)) EXECUTE FUNCTION public.queue_subscriber();

CREATE TRIGGER subscriptions_start_counters AFTER INSERT ON public.subscriptions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.start_counters();

CREATE TRIGGER subscriptions_tell_changed AFTER UPDATE ON public.subscriptions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.tell_subscriptions();

CREATE TRIGGER subscriptions_tell_new AFTER INSERT ON public.subscriptions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.tell_subscriptions();

CREATE TRIGGER subscriptions_touch BEFORE UPDATE ON public.subscriptions FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION public.touch_row();

CREATE TRIGGER tax_rates_touch BEFORE UPDATE ON public.tax_rates FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION public.touch_row();

CREATE TRIGGER test_clock_keep BEFORE UPDATE ON public.test_clock FOR EACH ROW WHEN ((new.ahead_ms < old.ahead_ms)) EXECUTE FUNCTION public.keep_test_clock();

CREATE CONSTRAINT TRIGGER transaction_lines_add_up AFTER INSERT ON public.transaction_lines DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.check_transaction_sums();

CREATE TRIGGER transaction_lines_keep BEFORE UPDATE ON public.transaction_lines FOR EACH ROW EXECUTE FUNCTION public.keep_line();

CREATE CONSTRAINT TRIGGER transactions_add_up AFTER INSERT OR UPDATE OF subtotal, discount, tax, total ON public.transactions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.check_transaction_sums();

CREATE TRIGGER transactions_keep BEFORE DELETE OR UPDATE ON public.transactions FOR EACH ROW EXECUTE FUNCTION public.keep_transaction();

CREATE TRIGGER transactions_queue_undone AFTER UPDATE OF reference ON public.transactions FOR EACH ROW WHEN (((new.reference = ('undone '::text || new.id)) AND (old.reference IS DISTINCT FROM new.reference))) EXECUTE FUNCTION public.queue_subscriber();

CREATE TRIGGER transactions_tell_changed AFTER UPDATE ON public.transactions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.tell_transactions();

CREATE TRIGGER transactions_tell_new AFTER INSERT ON public.transactions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.tell_transactions();

CREATE TRIGGER transactions_touch BEFORE UPDATE ON public.transactions FOR EACH ROW WHEN (((old.* IS DISTINCT FROM new.*) AND ((old.is_split = new.is_split) OR ((((old.discount IS DISTINCT FROM new.discount) OR (old.total IS DISTINCT FROM new.total)) OR (old.balance_amount IS DISTINCT FROM new.balance_amount)) OR (old.changes_id IS DISTINCT FROM new.changes_id))))) EXECUTE FUNCTION public.touch_row();

CREATE TRIGGER user_notes_keep BEFORE UPDATE ON public.user_notes FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION public.keep_note();

CREATE TRIGGER users_end_sessions AFTER UPDATE OF role, status ON public.users FOR EACH ROW WHEN (((old.role IS DISTINCT FROM new.role) OR (old.status IS DISTINCT FROM new.status))) EXECUTE FUNCTION public.end_sessions();

CREATE TRIGGER users_erase_notifications BEFORE UPDATE OF status ON public.users FOR EACH ROW WHEN (((new.status = 'erased'::text) AND (old.status <> 'erased'::text))) EXECUTE FUNCTION public.erase_notifications();

CREATE TRIGGER users_erase_shared_views BEFORE UPDATE OF status ON public.users FOR EACH ROW WHEN (((new.status = 'erased'::text) AND (old.status <> 'erased'::text))) EXECUTE FUNCTION public.erase_shared_views();

CREATE TRIGGER users_insert_service BEFORE INSERT ON public.users FOR EACH ROW WHEN (new.is_service) EXECUTE FUNCTION public.keep_service_account();

CREATE TRIGGER users_keep BEFORE UPDATE OF number, external_id ON public.users FOR EACH ROW WHEN (((old.number <> new.number) OR ((new.status <> 'erased'::text) AND (old.external_id IS NOT NULL) AND (new.external_id IS DISTINCT FROM old.external_id)))) EXECUTE FUNCTION public.keep_person();

CREATE CONSTRAINT TRIGGER users_keep_an_owner AFTER DELETE OR UPDATE ON public.users DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((old.role = 'owner'::text) AND (old.status = 'active'::text))) EXECUTE FUNCTION public.keep_an_owner();

CREATE TRIGGER users_keep_merged BEFORE UPDATE OF status, merged_into ON public.users FOR EACH ROW WHEN ((old.merged_into IS NOT NULL)) EXECUTE FUNCTION public.keep_merged();

CREATE TRIGGER users_keep_service BEFORE UPDATE ON public.users FOR EACH ROW WHEN ((new.is_service OR old.is_service)) EXECUTE FUNCTION public.keep_service_account();

CREATE TRIGGER users_note_role BEFORE UPDATE ON public.users FOR EACH ROW WHEN ((old.role IS DISTINCT FROM new.role)) EXECUTE FUNCTION public.note_role();

CREATE TRIGGER users_touch BEFORE UPDATE ON public.users FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION public.touch_row();

CREATE TRIGGER version_apps_keep BEFORE INSERT OR DELETE OR UPDATE ON public.version_apps FOR EACH ROW EXECUTE FUNCTION public.keep_version_parts();

CREATE TRIGGER version_prices_keep BEFORE INSERT OR DELETE OR UPDATE ON public.version_prices FOR EACH ROW EXECUTE FUNCTION public.keep_version_parts();

CREATE TRIGGER version_values_check BEFORE INSERT OR UPDATE ON public.version_values FOR EACH ROW EXECUTE FUNCTION public.check_version_value();

CREATE TRIGGER version_values_keep BEFORE INSERT OR DELETE OR UPDATE ON public.version_values FOR EACH ROW EXECUTE FUNCTION public.keep_version_parts();

CREATE TRIGGER webhook_endpoints_touch BEFORE UPDATE ON public.webhook_endpoints FOR EACH ROW WHEN (((NOT (old.failing_since IS DISTINCT FROM new.failing_since)) AND (old.* IS DISTINCT FROM new.*))) EXECUTE FUNCTION public.touch_row();

ALTER TABLE ONLY public.app_keys
    ADD CONSTRAINT app_keys_app FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.approvals
    ADD CONSTRAINT approvals_decider FOREIGN KEY (decided_by) REFERENCES public.users(id);

ALTER TABLE ONLY public.approvals
    ADD CONSTRAINT approvals_requester FOREIGN KEY (requested_by) REFERENCES public.users(id);

ALTER TABLE ONLY public.attention_marks
    ADD CONSTRAINT attention_marks_assignee FOREIGN KEY (assignee_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.attention_marks
    ADD CONSTRAINT attention_marks_snoozed_by FOREIGN KEY (snoozed_by) REFERENCES public.users(id);

ALTER TABLE ONLY public.audit_redacted
    ADD CONSTRAINT audit_redacted_redaction FOREIGN KEY (redaction) REFERENCES public.audit_redactions(number) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.authenticators
    ADD CONSTRAINT authenticators_id_fkey FOREIGN KEY (id) REFERENCES public.users(id);

ALTER TABLE ONLY public.balance_entries
    ADD CONSTRAINT balance_entries_creator FOREIGN KEY (created_by) REFERENCES public.users(id);

ALTER TABLE ONLY public.balance_entries
    ADD CONSTRAINT balance_entries_transaction FOREIGN KEY (transaction_id) REFERENCES public.transactions(id);

ALTER TABLE ONLY public.balance_entries
    ADD CONSTRAINT balance_entries_user FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.balances
    ADD CONSTRAINT balances_user FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.challenges
    ADD CONSTRAINT challenges_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.documents
    ADD CONSTRAINT documents_corrects FOREIGN KEY (corrects_id) REFERENCES public.documents(id);

ALTER TABLE ONLY public.documents_to_issue
    ADD CONSTRAINT documents_to_issue_transaction FOREIGN KEY (transaction_id) REFERENCES public.transactions(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.documents
    ADD CONSTRAINT documents_transaction FOREIGN KEY (transaction_id) REFERENCES public.transactions(id);

ALTER TABLE ONLY public.documents
    ADD CONSTRAINT documents_user FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.drafts
    ADD CONSTRAINT drafts_user FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.feature_use
    ADD CONSTRAINT feature_use_feature FOREIGN KEY (feature_id) REFERENCES public.features(id);

ALTER TABLE ONLY public.feature_use
    ADD CONSTRAINT feature_use_user FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.features
    ADD CONSTRAINT features_app FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.grants
    ADD CONSTRAINT grants_feature FOREIGN KEY (feature_id) REFERENCES public.features(id);

ALTER TABLE ONLY public.grants
    ADD CONSTRAINT grants_line FOREIGN KEY (line_id) REFERENCES public.transaction_lines(id);

ALTER TABLE ONLY public.grants
    ADD CONSTRAINT grants_moved_from FOREIGN KEY (moved_from) REFERENCES public.grants(id);

ALTER TABLE ONLY public.grants
    ADD CONSTRAINT grants_subscription FOREIGN KEY (subscription_id) REFERENCES public.subscriptions(id);

ALTER TABLE ONLY public.grants
    ADD CONSTRAINT grants_superseded_by FOREIGN KEY (superseded_by) REFERENCES public.grants(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.grants
    ADD CONSTRAINT grants_user FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.grants
    ADD CONSTRAINT grants_version FOREIGN KEY (version_id, package_id) REFERENCES public.package_versions(id, package_id);

ALTER TABLE ONLY public.identities
    ADD CONSTRAINT identities_user FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.import_mappings
    ADD CONSTRAINT import_mappings_created_by FOREIGN KEY (created_by) REFERENCES public.users(id);

ALTER TABLE ONLY public.import_results
    ADD CONSTRAINT import_results_import FOREIGN KEY (import_id) REFERENCES public.imports(id);

ALTER TABLE ONLY public.import_rows
    ADD CONSTRAINT import_rows_import FOREIGN KEY (import_id) REFERENCES public.imports(id);

ALTER TABLE ONLY public.imported_records
    ADD CONSTRAINT imported_records_import FOREIGN KEY (import_id) REFERENCES public.imports(id);

ALTER TABLE ONLY public.imports
    ADD CONSTRAINT imports_acted_by FOREIGN KEY (acted_by) REFERENCES public.users(id);

ALTER TABLE ONLY public.imports
    ADD CONSTRAINT imports_created_by FOREIGN KEY (created_by) REFERENCES public.users(id);

ALTER TABLE ONLY public.journal_entries
    ADD CONSTRAINT journal_entries_transaction FOREIGN KEY (transaction_id) REFERENCES public.transactions(id);

ALTER TABLE ONLY public.journal_entries
    ADD CONSTRAINT journal_entries_user FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.known_devices
    ADD CONSTRAINT known_devices_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.line_credits
    ADD CONSTRAINT line_credits_line FOREIGN KEY (line_id) REFERENCES public.transaction_lines(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.line_credits
    ADD CONSTRAINT line_credits_transaction FOREIGN KEY (transaction_id) REFERENCES public.transactions(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.links
    ADD CONSTRAINT links_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.list_job_chunks
    ADD CONSTRAINT list_job_chunks_job FOREIGN KEY (job_id) REFERENCES public.list_jobs(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.list_job_rows
    ADD CONSTRAINT list_job_rows_job FOREIGN KEY (job_id) REFERENCES public.list_jobs(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.list_jobs
    ADD CONSTRAINT list_jobs_export FOREIGN KEY (export_id) REFERENCES public.exports(id);

ALTER TABLE ONLY public.list_jobs
    ADD CONSTRAINT list_jobs_undoes FOREIGN KEY (undoes) REFERENCES public.list_jobs(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.list_jobs
    ADD CONSTRAINT list_jobs_user FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.notifications
    ADD CONSTRAINT notifications_user FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.package_versions
    ADD CONSTRAINT package_versions_package FOREIGN KEY (package_id) REFERENCES public.packages(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.package_versions
    ADD CONSTRAINT package_versions_publisher FOREIGN KEY (published_by) REFERENCES public.users(id);

ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.passwords
    ADD CONSTRAINT passwords_id_fkey FOREIGN KEY (id) REFERENCES public.users(id);

ALTER TABLE ONLY public.personal_exports
    ADD CONSTRAINT personal_exports_requested_by FOREIGN KEY (requested_by) REFERENCES public.users(id);

ALTER TABLE ONLY public.personal_exports
    ADD CONSTRAINT personal_exports_user FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.postings
    ADD CONSTRAINT postings_entry FOREIGN KEY (entry_id) REFERENCES public.journal_entries(id);

ALTER TABLE ONLY public.preferences
    ADD CONSTRAINT preferences_user FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.promotion_amounts
    ADD CONSTRAINT promotion_amounts_promotion FOREIGN KEY (promotion_id) REFERENCES public.promotions(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.promotion_codes
    ADD CONSTRAINT promotion_codes_promotion FOREIGN KEY (promotion_id) REFERENCES public.promotions(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.promotion_packages
    ADD CONSTRAINT promotion_packages_package FOREIGN KEY (package_id) REFERENCES public.packages(id);

ALTER TABLE ONLY public.promotion_packages
    ADD CONSTRAINT promotion_packages_promotion FOREIGN KEY (promotion_id) REFERENCES public.promotions(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.promotion_people
    ADD CONSTRAINT promotion_people_promotion FOREIGN KEY (promotion_id) REFERENCES public.promotions(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.promotion_people
    ADD CONSTRAINT promotion_people_user FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.promotion_replays
    ADD CONSTRAINT promotion_replays_creator FOREIGN KEY (created_by) REFERENCES public.users(id);

ALTER TABLE ONLY public.promotion_replays
    ADD CONSTRAINT promotion_replays_promotion FOREIGN KEY (promotion_id) REFERENCES public.promotions(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.promotions
    ADD CONSTRAINT promotions_feature FOREIGN KEY (feature_id) REFERENCES public.features(id);

ALTER TABLE ONLY public.promotions
    ADD CONSTRAINT promotions_given_by FOREIGN KEY (given_by) REFERENCES public.users(id);

ALTER TABLE ONLY public.promotions
    ADD CONSTRAINT promotions_given_to FOREIGN KEY (given_to) REFERENCES public.users(id);

ALTER TABLE ONLY public.provider_events
    ADD CONSTRAINT provider_events_transaction FOREIGN KEY (transaction_id) REFERENCES public.transactions(id);

ALTER TABLE ONLY public.reconciliations
    ADD CONSTRAINT reconciliations_transaction FOREIGN KEY (transaction_id) REFERENCES public.transactions(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.recovery_codes
    ADD CONSTRAINT recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.redemptions
    ADD CONSTRAINT redemptions_code FOREIGN KEY (code_id) REFERENCES public.promotion_codes(id);

ALTER TABLE ONLY public.redemptions
    ADD CONSTRAINT redemptions_promotion FOREIGN KEY (promotion_id) REFERENCES public.promotions(id);

ALTER TABLE ONLY public.redemptions
    ADD CONSTRAINT redemptions_subscription FOREIGN KEY (subscription_id) REFERENCES public.subscriptions(id);

ALTER TABLE ONLY public.redemptions
    ADD CONSTRAINT redemptions_transaction FOREIGN KEY (transaction_id) REFERENCES public.transactions(id);

ALTER TABLE ONLY public.redemptions
    ADD CONSTRAINT redemptions_user FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.report_emails
    ADD CONSTRAINT report_emails_report FOREIGN KEY (report_id) REFERENCES public.saved_reports(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.report_emails
    ADD CONSTRAINT report_emails_user FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.rollout_moves
    ADD CONSTRAINT rollout_moves_grant FOREIGN KEY (grant_id) REFERENCES public.grants(id);

ALTER TABLE ONLY public.rollout_moves
    ADD CONSTRAINT rollout_moves_rollout FOREIGN KEY (rollout_id) REFERENCES public.rollouts(id);

ALTER TABLE ONLY public.rollouts
    ADD CONSTRAINT rollouts_version FOREIGN KEY (version_id, package_id) REFERENCES public.package_versions(id, package_id);

ALTER TABLE ONLY public.saved_reports
    ADD CONSTRAINT saved_reports_created_by FOREIGN KEY (created_by) REFERENCES public.users(id);

ALTER TABLE ONLY public.second_factor_duties
    ADD CONSTRAINT second_factor_duties_user FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.service_accounts
    ADD CONSTRAINT service_accounts_user FOREIGN KEY (id) REFERENCES public.users(id);

ALTER TABLE ONLY public.service_keys
    ADD CONSTRAINT service_keys_account FOREIGN KEY (account_id) REFERENCES public.service_accounts(id);

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.shared_views
    ADD CONSTRAINT shared_views_owner FOREIGN KEY (owner_id) REFERENCES public.users(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.sign_ins
    ADD CONSTRAINT sign_ins_user FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.subscription_pauses
    ADD CONSTRAINT subscription_pauses_subscription FOREIGN KEY (subscription_id) REFERENCES public.subscriptions(id);

ALTER TABLE ONLY public.subscription_periods
    ADD CONSTRAINT subscription_periods_subscription FOREIGN KEY (subscription_id) REFERENCES public.subscriptions(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.subscriptions
    ADD CONSTRAINT subscriptions_change_price FOREIGN KEY (change_price_id) REFERENCES public.version_prices(id);

ALTER TABLE ONLY public.subscriptions
    ADD CONSTRAINT subscriptions_change_version FOREIGN KEY (change_version_id) REFERENCES public.package_versions(id);

ALTER TABLE ONLY public.subscriptions
    ADD CONSTRAINT subscriptions_next_version FOREIGN KEY (next_version_id, package_id) REFERENCES public.package_versions(id, package_id);

ALTER TABLE ONLY public.subscriptions
    ADD CONSTRAINT subscriptions_package FOREIGN KEY (package_id) REFERENCES public.packages(id);

ALTER TABLE ONLY public.subscriptions
    ADD CONSTRAINT subscriptions_price FOREIGN KEY (price_id) REFERENCES public.version_prices(id);

ALTER TABLE ONLY public.subscriptions
    ADD CONSTRAINT subscriptions_user FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.subscriptions
    ADD CONSTRAINT subscriptions_version FOREIGN KEY (version_id, package_id) REFERENCES public.package_versions(id, package_id);

ALTER TABLE ONLY public.transaction_events
    ADD CONSTRAINT transaction_events_transaction FOREIGN KEY (transaction_id) REFERENCES public.transactions(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.transaction_lines
    ADD CONSTRAINT transaction_lines_package FOREIGN KEY (package_id) REFERENCES public.packages(id);

ALTER TABLE ONLY public.transaction_lines
    ADD CONSTRAINT transaction_lines_price FOREIGN KEY (price_id) REFERENCES public.version_prices(id);

ALTER TABLE ONLY public.transaction_lines
    ADD CONSTRAINT transaction_lines_subscription FOREIGN KEY (subscription_id) REFERENCES public.subscriptions(id);

ALTER TABLE ONLY public.transaction_lines
    ADD CONSTRAINT transaction_lines_transaction FOREIGN KEY (transaction_id) REFERENCES public.transactions(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.transaction_lines
    ADD CONSTRAINT transaction_lines_version FOREIGN KEY (version_id) REFERENCES public.package_versions(id);

ALTER TABLE ONLY public.transaction_references
    ADD CONSTRAINT transaction_references_transaction FOREIGN KEY (transaction_id) REFERENCES public.transactions(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.transactions
    ADD CONSTRAINT transactions_changes FOREIGN KEY (changes_id) REFERENCES public.subscriptions(id);

ALTER TABLE ONLY public.transactions
    ADD CONSTRAINT transactions_creator FOREIGN KEY (created_by) REFERENCES public.users(id);

ALTER TABLE ONLY public.transactions
    ADD CONSTRAINT transactions_parent FOREIGN KEY (parent_id) REFERENCES public.transactions(id);

ALTER TABLE ONLY public.transactions
    ADD CONSTRAINT transactions_price FOREIGN KEY (price_id) REFERENCES public.version_prices(id);

ALTER TABLE ONLY public.transactions
    ADD CONSTRAINT transactions_subscription FOREIGN KEY (subscription_id) REFERENCES public.subscriptions(id);

ALTER TABLE ONLY public.transactions
    ADD CONSTRAINT transactions_user FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.transactions
    ADD CONSTRAINT transactions_version FOREIGN KEY (version_id, package_id) REFERENCES public.package_versions(id, package_id);

ALTER TABLE ONLY public.usage_corrections
    ADD CONSTRAINT usage_corrections_feature FOREIGN KEY (feature_id) REFERENCES public.features(id);

ALTER TABLE ONLY public.usage_corrections
    ADD CONSTRAINT usage_corrections_user FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.usage_reservations
    ADD CONSTRAINT usage_reservations_feature FOREIGN KEY (feature_id) REFERENCES public.features(id);

ALTER TABLE ONLY public.usage_reservations
    ADD CONSTRAINT usage_reservations_user FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.user_notes
    ADD CONSTRAINT user_notes_author FOREIGN KEY (author_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.user_notes
    ADD CONSTRAINT user_notes_user FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_merged_into FOREIGN KEY (merged_into) REFERENCES public.users(id);

ALTER TABLE ONLY public.version_apps
    ADD CONSTRAINT version_apps_app FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.version_apps
    ADD CONSTRAINT version_apps_version FOREIGN KEY (version_id) REFERENCES public.package_versions(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.version_prices
    ADD CONSTRAINT version_prices_version FOREIGN KEY (version_id) REFERENCES public.package_versions(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.version_values
    ADD CONSTRAINT version_values_app FOREIGN KEY (version_id, app_id) REFERENCES public.version_apps(version_id, app_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.version_values
    ADD CONSTRAINT version_values_feature FOREIGN KEY (feature_id, app_id) REFERENCES public.features(id, app_id);

ALTER TABLE public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_endpoint FOREIGN KEY (endpoint_id) REFERENCES public.webhook_endpoints(id);

GRANT USAGE ON SCHEMA public TO purser_app;

GRANT ALL ON FUNCTION public.add_counts(one bigint[], other bigint[]) TO purser_app;

REVOKE ALL ON FUNCTION public.add_months(parent regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.add_numbers(parent regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.add_subscriber_changes(ids uuid[], were timestamp with time zone[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.attach_first(parent text) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.attach_partition(parent regclass, part text, lower text, upper text) FROM PUBLIC;

GRANT SELECT ON TABLE public.audit_entries TO purser_app;

GRANT SELECT ON TABLE public.audit_removals TO purser_app;

REVOKE ALL ON FUNCTION public.audit_parts(audited regclass, record_column text, key text, value text, announced_as text) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.audit_redact(entity text, record uuid, columns text[], with_reason boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION public.audit_redact(entity text, record uuid, columns text[], with_reason boolean) TO purser_app;

REVOKE ALL ON FUNCTION public.audit_redact_actor(actor uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.audit_redact_actor(actor uuid) TO purser_app;

GRANT SELECT ON TABLE public.audit_redactions TO purser_app;

REVOKE ALL ON FUNCTION public.audit_redact_entries(ids bigint[], what public.audit_redactions, with_reason boolean, with_actor boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.audit_remove_months() FROM PUBLIC;
GRANT ALL ON FUNCTION public.audit_remove_months() TO purser_app;

REVOKE ALL ON FUNCTION public.audit_remove_seals(at_once integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.audit_remove_seals(at_once integer) TO purser_app;

REVOKE ALL ON FUNCTION public.audit_table(audited regclass, secrets text[], traces text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.bound_table(parent text, bound text) FROM PUBLIC;

GRANT ALL ON FUNCTION public.correct_usage(counted_feature uuid, counted_user uuid, anchored boolean, since timestamp with time zone, until timestamp with time zone, correction bigint, why text, on_day date, moment timestamp with time zone) TO purser_app;

GRANT ALL ON FUNCTION public.count_usage(entries jsonb, moment timestamp with time zone) TO purser_app;

GRANT SELECT,INSERT,UPDATE ON TABLE public.feature_use TO purser_app;

GRANT ALL ON FUNCTION public.counters_in(counted_feature uuid, counted_user uuid, since timestamp with time zone, until timestamp with time zone, moment timestamp with time zone) TO purser_app;

REVOKE ALL ON FUNCTION public.create_partitions() FROM PUBLIC;
GRANT ALL ON FUNCTION public.create_partitions() TO purser_app;

REVOKE ALL ON FUNCTION public.drop_partitions(parent regclass, old regclass[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.drop_usage_events(before timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.drop_usage_events(before timestamp with time zone) TO purser_app;

REVOKE ALL ON FUNCTION public.drop_webhook_deliveries(before timestamp with time zone, at_once integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.drop_webhook_deliveries(before timestamp with time zone, at_once integer) TO purser_app;

REVOKE ALL ON FUNCTION public.drop_webhook_events(before timestamp with time zone, at_once integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.drop_webhook_events(before timestamp with time zone, at_once integer) TO purser_app;

REVOKE ALL ON FUNCTION public.erase_person(people uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.erase_person(people uuid[]) TO purser_app;

GRANT ALL ON FUNCTION public.expire_reservations(counter public.feature_use, moment timestamp with time zone) TO purser_app;

GRANT SELECT,INSERT,UPDATE ON TABLE public.subscriptions TO purser_app;

GRANT ALL ON FUNCTION public.features_started(s public.subscriptions) TO purser_app;

GRANT ALL ON FUNCTION public.first_periods(s public.subscriptions, since timestamp with time zone) TO purser_app;

REVOKE ALL ON FUNCTION public.forget_sign_ins() FROM PUBLIC;
GRANT ALL ON FUNCTION public.forget_sign_ins() TO purser_app;

REVOKE ALL ON FUNCTION public.insert_partitions(parent regclass, names text[], bounds text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.link_grants(sales uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.link_grants(sales uuid[]) TO purser_app;

GRANT ALL ON FUNCTION public.lock_counter(counted_feature uuid, counted_user uuid, anchored boolean, since timestamp with time zone, until timestamp with time zone, moment timestamp with time zone) TO purser_app;

GRANT ALL ON FUNCTION public.lock_use(counted_feature uuid, counted_user uuid, since timestamp with time zone) TO purser_app;

GRANT ALL ON FUNCTION public.lock_window(counted_feature uuid, counted_user uuid, since timestamp with time zone, until timestamp with time zone, moment timestamp with time zone) TO purser_app;

REVOKE ALL ON FUNCTION public.mark_split(marks jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.mark_split(marks jsonb) TO purser_app;

REVOKE ALL ON FUNCTION public.may_remove(parent regclass, lower text, upper text) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.refresh_statistics(tables text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.refresh_statistics(tables text[]) TO purser_app;

REVOKE ALL ON FUNCTION public.remove_provider_events(at_once integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.remove_provider_events(at_once integer) TO purser_app;

REVOKE ALL ON FUNCTION public.remove_sign_ins(at_once integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.remove_sign_ins(at_once integer) TO purser_app;

GRANT ALL ON FUNCTION public.settle_reservation(asked uuid, of_app uuid, confirms bigint, bound bigint, on_day date, moment timestamp with time zone) TO purser_app;

GRANT ALL ON FUNCTION public.settle_reservation(asked uuid, of_app uuid, confirms bigint, bound bigint, on_day date, moment timestamp with time zone, anchored boolean, since timestamp with time zone, until timestamp with time zone) TO purser_app;

REVOKE ALL ON FUNCTION public.start_audit_month() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.start_partitions(parent text) FROM PUBLIC;

GRANT ALL ON FUNCTION public.sum_others(counter public.feature_use, since timestamp with time zone, until timestamp with time zone, at timestamp with time zone, moment timestamp with time zone, OUT used bigint, OUT reserved bigint) TO purser_app;

GRANT ALL ON FUNCTION public.survivor_of(customer uuid) TO purser_app;

REVOKE ALL ON FUNCTION public.undo_imported_customers(import uuid, after integer, until integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.undo_imported_customers(import uuid, after integer, until integer) TO purser_app;

GRANT SELECT,INSERT ON TABLE public.grants TO purser_app;

GRANT UPDATE(ends_at) ON TABLE public.grants TO purser_app;

GRANT UPDATE(revoked_at) ON TABLE public.grants TO purser_app;

GRANT UPDATE(superseded_by) ON TABLE public.grants TO purser_app;

GRANT USAGE ON SEQUENCE public.transaction_numbers TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.transactions TO purser_app;

GRANT SELECT,INSERT ON TABLE public.usage_events TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.webhook_deliveries TO purser_app;

GRANT SELECT,INSERT,DELETE ON TABLE public.webhook_events TO purser_app;

GRANT UPDATE(seq) ON TABLE public.webhook_events TO purser_app;

GRANT SELECT,INSERT ON TABLE public.app_keys TO purser_app;

GRANT UPDATE(revoked_at) ON TABLE public.app_keys TO purser_app;

GRANT UPDATE(last_used_at) ON TABLE public.app_keys TO purser_app;

GRANT UPDATE(origins) ON TABLE public.app_keys TO purser_app;

GRANT SELECT,INSERT ON TABLE public.app_webhooks TO purser_app;

GRANT SELECT,INSERT ON TABLE public.approvals TO purser_app;

GRANT UPDATE(status) ON TABLE public.approvals TO purser_app;

GRANT UPDATE(decided_by) ON TABLE public.approvals TO purser_app;

GRANT UPDATE(decided_at) ON TABLE public.approvals TO purser_app;

GRANT UPDATE(answer) ON TABLE public.approvals TO purser_app;

GRANT UPDATE(version) ON TABLE public.approvals TO purser_app;

GRANT UPDATE(updated_at) ON TABLE public.approvals TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.apps TO purser_app;

GRANT SELECT,INSERT,DELETE ON TABLE public.attention_marks TO purser_app;

GRANT UPDATE(record_id) ON TABLE public.attention_marks TO purser_app;

GRANT UPDATE(assignee_id) ON TABLE public.attention_marks TO purser_app;

GRANT UPDATE(snoozed_until) ON TABLE public.attention_marks TO purser_app;

GRANT UPDATE(snoozed_count) ON TABLE public.attention_marks TO purser_app;

GRANT UPDATE(snoozed_amounts) ON TABLE public.attention_marks TO purser_app;

GRANT UPDATE(snoozed_by) ON TABLE public.attention_marks TO purser_app;

GRANT UPDATE(updated_at) ON TABLE public.attention_marks TO purser_app;

GRANT SELECT ON TABLE public.audit_months TO purser_app;

GRANT SELECT ON TABLE public.audit_redacted TO purser_app;

GRANT SELECT ON TABLE public.audit_removed TO purser_app;

GRANT SELECT ON TABLE public.audit_retention TO purser_app;

GRANT SELECT ON TABLE public.audit_seals TO purser_app;

GRANT SELECT ON TABLE public.audit_unsealed TO purser_app;

GRANT SELECT,INSERT ON TABLE public.audit_verifications TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.authenticators TO purser_app;

GRANT SELECT ON TABLE public.backfills TO purser_app;

GRANT UPDATE(last_key) ON TABLE public.backfills TO purser_app;

GRANT UPDATE(rows_done) ON TABLE public.backfills TO purser_app;

GRANT UPDATE(started_at) ON TABLE public.backfills TO purser_app;

GRANT UPDATE(updated_at) ON TABLE public.backfills TO purser_app;

GRANT UPDATE(finished_at) ON TABLE public.backfills TO purser_app;

GRANT SELECT,INSERT ON TABLE public.balance_entries TO purser_app;

GRANT SELECT ON TABLE public.balances TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.challenges TO purser_app;

GRANT SELECT,INSERT,UPDATE ON TABLE public.check_apps TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.check_counts TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.check_denials TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.check_rates TO purser_app;

GRANT SELECT,INSERT,UPDATE ON TABLE public.document_numbers TO purser_app;

GRANT SELECT,INSERT ON TABLE public.documents TO purser_app;

GRANT UPDATE(content) ON TABLE public.documents TO purser_app;

GRANT UPDATE(sent_at) ON TABLE public.documents TO purser_app;

GRANT UPDATE(buyer_removed_at) ON TABLE public.documents TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.documents_to_issue TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.drafts TO purser_app;

GRANT SELECT,INSERT ON TABLE public.exports TO purser_app;

GRANT UPDATE(rows) ON TABLE public.exports TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.features TO purser_app;

GRANT SELECT ON TABLE public.grant_changes TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.idempotency_keys TO purser_app;

GRANT SELECT,INSERT,DELETE ON TABLE public.identities TO purser_app;

GRANT SELECT,INSERT,DELETE ON TABLE public.import_mappings TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.import_results TO purser_app;

GRANT SELECT,INSERT,DELETE ON TABLE public.import_rows TO purser_app;

GRANT SELECT,INSERT,UPDATE ON TABLE public.imported_records TO purser_app;

GRANT SELECT,INSERT,UPDATE ON TABLE public.imports TO purser_app;

GRANT SELECT ON TABLE public.installation TO purser_app;

GRANT SELECT,INSERT ON TABLE public.journal_entries TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.known_devices TO purser_app;

GRANT SELECT ON TABLE public.kysely_migration TO purser_app;

GRANT SELECT,INSERT ON TABLE public.line_credits TO purser_app;

GRANT UPDATE(state) ON TABLE public.line_credits TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.links TO purser_app;

GRANT SELECT,INSERT,DELETE ON TABLE public.list_job_chunks TO purser_app;

GRANT SELECT,INSERT,DELETE ON TABLE public.list_job_rows TO purser_app;

GRANT UPDATE(outcome) ON TABLE public.list_job_rows TO purser_app;

GRANT UPDATE(detail) ON TABLE public.list_job_rows TO purser_app;

GRANT UPDATE(version_after) ON TABLE public.list_job_rows TO purser_app;

GRANT UPDATE(before) ON TABLE public.list_job_rows TO purser_app;

GRANT SELECT,INSERT,DELETE ON TABLE public.list_jobs TO purser_app;

GRANT UPDATE(status) ON TABLE public.list_jobs TO purser_app;

GRANT UPDATE(error) ON TABLE public.list_jobs TO purser_app;

GRANT UPDATE(total) ON TABLE public.list_jobs TO purser_app;

GRANT UPDATE(done) ON TABLE public.list_jobs TO purser_app;

GRANT UPDATE(unchanged) ON TABLE public.list_jobs TO purser_app;

GRANT UPDATE(failed) ON TABLE public.list_jobs TO purser_app;

GRANT UPDATE(bytes) ON TABLE public.list_jobs TO purser_app;

GRANT UPDATE("position") ON TABLE public.list_jobs TO purser_app;

GRANT UPDATE(last_id) ON TABLE public.list_jobs TO purser_app;

GRANT UPDATE(finished_at) ON TABLE public.list_jobs TO purser_app;

GRANT UPDATE(dismissed_at) ON TABLE public.list_jobs TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.mrr_days TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.mrr_movements TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.mrr_package_days TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.mrr_package_movements TO purser_app;

GRANT SELECT,INSERT,DELETE ON TABLE public.mrr_queue TO purser_app;

GRANT SELECT,INSERT,DELETE ON TABLE public.notifications TO purser_app;

GRANT UPDATE(read_at) ON TABLE public.notifications TO purser_app;

GRANT UPDATE(emailed_at) ON TABLE public.notifications TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.package_versions TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.packages TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.passkeys TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.passwords TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.personal_exports TO purser_app;

GRANT SELECT,INSERT ON TABLE public.postings TO purser_app;

GRANT SELECT,INSERT,UPDATE ON TABLE public.preferences TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.promotion_amounts TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.promotion_codes TO purser_app;

GRANT SELECT,INSERT,DELETE ON TABLE public.promotion_packages TO purser_app;

GRANT SELECT,INSERT,DELETE ON TABLE public.promotion_people TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.promotion_replays TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.promotions TO purser_app;

GRANT SELECT,INSERT,UPDATE ON TABLE public.provider_events TO purser_app;

GRANT SELECT,INSERT,UPDATE ON TABLE public.reconciliations TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.recovery_codes TO purser_app;

GRANT SELECT,INSERT,UPDATE ON TABLE public.redemptions TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.report_emails TO purser_app;

GRANT SELECT,UPDATE ON TABLE public.report_state TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.retention_months TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.revenue_days TO purser_app;

GRANT SELECT,INSERT,DELETE ON TABLE public.revenue_queue TO purser_app;

GRANT SELECT,INSERT ON TABLE public.rollout_moves TO purser_app;

GRANT SELECT,INSERT,UPDATE ON TABLE public.rollouts TO purser_app;

GRANT SELECT,INSERT,DELETE ON TABLE public.saved_reports TO purser_app;

GRANT UPDATE(deleted_at) ON TABLE public.saved_reports TO purser_app;

GRANT SELECT,INSERT,DELETE ON TABLE public.second_factor_duties TO purser_app;

GRANT SELECT,INSERT ON TABLE public.service_accounts TO purser_app;

GRANT UPDATE(permissions) ON TABLE public.service_accounts TO purser_app;

GRANT SELECT,INSERT ON TABLE public.service_keys TO purser_app;

GRANT UPDATE(expires_at) ON TABLE public.service_keys TO purser_app;

GRANT UPDATE(revoked_at) ON TABLE public.service_keys TO purser_app;

GRANT UPDATE(last_used_at) ON TABLE public.service_keys TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sessions TO purser_app;

GRANT SELECT,UPDATE ON TABLE public.settings TO purser_app;

GRANT SELECT,INSERT,DELETE ON TABLE public.shared_views TO purser_app;

GRANT UPDATE(name) ON TABLE public.shared_views TO purser_app;

GRANT UPDATE(q) ON TABLE public.shared_views TO purser_app;

GRANT UPDATE(f) ON TABLE public.shared_views TO purser_app;

GRANT UPDATE(sort) ON TABLE public.shared_views TO purser_app;

GRANT UPDATE(cols) ON TABLE public.shared_views TO purser_app;

GRANT UPDATE(is_default) ON TABLE public.shared_views TO purser_app;

GRANT SELECT,INSERT ON TABLE public.sign_ins TO purser_app;

GRANT SELECT,INSERT ON TABLE public.signing_keys TO purser_app;

GRANT UPDATE(secret) ON TABLE public.signing_keys TO purser_app;

GRANT UPDATE(listed_until) ON TABLE public.signing_keys TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.storage_sizes TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.subscriber_changes TO purser_app;

GRANT SELECT,INSERT ON TABLE public.subscription_pauses TO purser_app;

GRANT UPDATE(resumed_at) ON TABLE public.subscription_pauses TO purser_app;

GRANT SELECT,INSERT,UPDATE ON TABLE public.subscription_periods TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.tax_rates TO purser_app;

GRANT SELECT,UPDATE ON TABLE public.test_clock TO purser_app;

GRANT SELECT,INSERT,DELETE ON TABLE public.test_team TO purser_app;

GRANT SELECT,INSERT ON TABLE public.transaction_events TO purser_app;

GRANT SELECT,INSERT ON TABLE public.transaction_lines TO purser_app;

GRANT UPDATE(subscription_id) ON TABLE public.transaction_lines TO purser_app;

GRANT UPDATE(period_start) ON TABLE public.transaction_lines TO purser_app;

GRANT UPDATE(period_end) ON TABLE public.transaction_lines TO purser_app;

GRANT UPDATE(credited) ON TABLE public.transaction_lines TO purser_app;

GRANT UPDATE(credited_tax) ON TABLE public.transaction_lines TO purser_app;

GRANT SELECT,INSERT ON TABLE public.transaction_references TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.tries TO purser_app;

GRANT SELECT,INSERT ON TABLE public.usage_corrections TO purser_app;

GRANT SELECT,INSERT,UPDATE ON TABLE public.usage_days TO purser_app;

GRANT SELECT,INSERT,DELETE ON TABLE public.usage_event_ids TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.usage_reservations TO purser_app;

GRANT SELECT,INSERT ON TABLE public.user_notes TO purser_app;

GRANT UPDATE(struck_at) ON TABLE public.user_notes TO purser_app;

GRANT USAGE ON SEQUENCE public.user_numbers TO purser_app;

GRANT SELECT,INSERT,UPDATE ON TABLE public.users TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.version_apps TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.version_prices TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.version_values TO purser_app;

GRANT SELECT,INSERT,UPDATE ON TABLE public.webhook_counters TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.webhook_endpoints TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.webhook_lines TO purser_app;

