-- Tables that only grow are divided into one partition per month, so that an old month is dropped instead of deleted row
-- by row. Partitions are in a schema of their own, because the application only uses their tables.
create schema partitions;

-- No UUID v7 of this moment or later is less than this one.
create function uuid_v7_from(at timestamptz) returns uuid
language sql stable parallel safe as $$
  select encode(
    substring(int8send((extract(epoch from at) * 1000)::bigint) from 3) || decode(repeat('00', 10), 'hex'), 'hex')::uuid
$$;

create function uuid_v7_time(id uuid) returns timestamptz
language sql stable parallel safe as $$
  select to_timestamp(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 1000.0)
$$;

-- In the order of their bounds. Null is no bound.
create function partitions_of(parent regclass) returns table (part regclass, lower text, upper text)
language sql stable set search_path = pg_catalog, pg_temp as $$
  select part, substring(bounds from 'FROM \(''([^'']+)''\)'), substring(bounds from 'TO \(''([^'']+)''\)')
  from (
    select c.oid::regclass as part, pg_get_expr(c.relpartbound, c.oid) as bounds
    from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = parent
  ) parts
$$;

-- Dividing a table that is in use -----------------------------------------------------------------

-- The table becomes the first partition, so no row is copied. Its bound is checked in three migrations, because
-- PostgreSQL would otherwise read all rows while the table is locked.

-- Until the table is divided, ids beyond the bound are refused, so it is at least a week away.
create function month_bound() returns timestamptz
language sql stable as $$
  select (date_trunc('month', now() at time zone 'UTC' + interval '7 days') + interval '1 month') at time zone 'UTC'
$$;

create function bound_table(parent text, bound text) returns void
language plpgsql as $$
begin
  execute format('alter table public.%I add constraint %I check (id < %L) not valid', parent, parent || '_bound', bound);
end
$$;

-- Makes room for a partitioned table of the same name. Functions that take its rows are created again with it.
create function start_partitions(parent text) returns void
language plpgsql as $$
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

create function attach_first(parent text) returns void
language plpgsql as $$
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

-- Months in advance -------------------------------------------------------------------------------

create function attach_partition(parent regclass, part text, lower text, upper text) returns void
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  execute format('alter table %s attach partition partitions.%I for values from (%L) to (%s)',
    parent, part, lower, coalesce(quote_literal(upper), 'maxvalue'));
end
$$;

-- Puts partitions with these names and upper bounds before the last one, which has no upper bound. It is usually empty.
-- If not, it becomes the first of them.
create function insert_partitions(parent regclass, names text[], bounds text[]) returns void
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
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

-- By month of ids that begin with their time: this month and the next three.
create function add_months(parent regclass) returns integer
language plpgsql set search_path = pg_catalog, public, pg_temp set timezone = 'UTC' as $$
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

-- Old months ---------------------------------------------------------------------------------------

-- There is always a partition without a lower bound, so that a wrong clock never fails a request. It is created again,
-- empty and up to the oldest partition that is left.
create function drop_partitions(parent regclass, old regclass[]) returns void
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  first text := (select relname from pg_class where oid = parent) || '_first';
  has_rows boolean;
  bound text;
begin
  if cardinality(old) = 0 then return; end if;
  if old = array[to_regclass(format('partitions.%I', first))] then
    execute format('select exists (select from partitions.%I)', first) into has_rows;
    if not has_rows then return; end if;
  end if;
  execute format('drop table %s', array_to_string(old, ', '));
  if not exists (select from partitions_of(parent) p where p.lower is null) then
    -- The bounds have the same length, or are numbers.
    select p.lower into bound from partitions_of(parent) p order by length(p.lower), p.lower limit 1;
    execute format('create table partitions.%I (like partitions.%I including all)', first,
      (select relname from pg_class where oid = parent) || '_later');
    execute format('alter table %s attach partition partitions.%I for values from (minvalue) to (%L)',
      parent, first, bound);
  end if;
end
$$;

-- For the application ------------------------------------------------------------------------------

-- The application can't create tables, but it can ask for the partitions of the next months, table by table, until it
-- returns 0. If a lock isn't free within
-- a second, it fails, so that no one waits longer. The job repeats it.
create function create_partitions() returns integer
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '1s' as $$
declare
  parent regclass;
  added integer := 0;
begin
  perform pg_advisory_xact_lock(hashtext('create_partitions'));
  for parent in
    select c.oid from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'id'
    where c.relkind = 'p' and c.relnamespace = 'public'::regnamespace and a.atttypid = 'uuid'::regtype order by c.relname
  loop
    added := add_months(parent);
    -- The others in another transaction, because a request could use both tables in another order.
    exit when added > 0;
  end loop;
  return added;
end
$$;

revoke execute on function bound_table(text, text), start_partitions(text), attach_first(text),
  attach_partition(regclass, text, text, text), insert_partitions(regclass, text[], text[]), add_months(regclass),
  drop_partitions(regclass, regclass[]), create_partitions() from public;
grant execute on function create_partitions() to purser_app;
