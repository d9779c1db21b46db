-- The existing rows become the first partition.
select start_partitions('webhook_events');

create table webhook_events (
  id uuid constraint webhook_events_pkey primary key default uuid_v7(),
  number bigint generated always as identity,
  type text not null constraint webhook_events_type
    check (type in ('entitlements.changed', 'subscription.changed', 'transaction.changed', 'test')),
  user_id uuid,
  seq bigint,
  data jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint webhook_events_of_user check ((user_id is null) = (type = 'test'))
) partition by range (id);
create index webhook_events_uncounted on webhook_events (number) where seq is null;
grant select, insert, delete on webhook_events to purser_app;
grant update (seq) on webhook_events to purser_app;

-- Each partition has a unique index on the customer and the sequence number, which comes from webhook_counters.
select attach_first('webhook_events');
select create_partitions();

-- Drops the months before a moment. If a delivery or a queue still needs an event, its month stays, and the others in it
-- are deleted, at most so many at once. Returns how many.
create function drop_webhook_events(before timestamptz, at_once integer) returns integer
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '1s' as $$
declare
  old record;
  unneeded regclass[] := '{}';
  is_needed boolean;
  batch integer;
  deleted integer := 0;
begin
  for old in select part, lower::uuid as lower, upper::uuid as upper from partitions_of('webhook_events')
    where upper::uuid <= uuid_v7_from(before) loop
    execute format('select exists (select from %s where seq is null)', old.part) into is_needed;
    if is_needed or exists (
      select from webhook_deliveries d where d.event_id < old.upper and (old.lower is null or d.event_id >= old.lower)
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
revoke execute on function drop_webhook_events(timestamptz, integer) from public;
grant execute on function drop_webhook_events(timestamptz, integer) to purser_app;
