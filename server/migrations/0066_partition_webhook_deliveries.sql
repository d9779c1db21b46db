-- Events are divided next, and a month of events couldn't be dropped while deliveries refer to it: PostgreSQL would
-- compare all deliveries with all events of the month, and every sale would wait for that. A delivery is created with
-- its event, and events are only dropped after their deliveries.
alter table webhook_deliveries drop constraint webhook_deliveries_event;

select start_partitions('webhook_deliveries');

create table webhook_deliveries (
  id uuid constraint webhook_deliveries_pkey primary key default uuid_v7(),
  endpoint_id uuid not null constraint webhook_deliveries_endpoint references webhook_endpoints (id),
  event_id uuid not null,
  line uuid not null,
  seq bigint not null,
  type text not null,
  user_id uuid,
  state text not null default 'waiting'
    constraint webhook_deliveries_state check (state in ('waiting', 'delivered', 'failed')),
  attempts integer not null default 0,
  tries jsonb not null default '[]',
  last_status integer,
  last_error text,
  answer text,
  created_at timestamptz not null default clock_timestamp(),
  attempted_at timestamptz,
  delivered_at timestamptz,
  constraint webhook_deliveries_delivered check ((state = 'delivered') = (delivered_at is not null))
) partition by range (id);
create index webhook_deliveries_in_line on webhook_deliveries (endpoint_id, line, seq) where state = 'waiting';
create index webhook_deliveries_by_state on webhook_deliveries (state, id desc);
create index webhook_deliveries_of_endpoint on webhook_deliveries (endpoint_id, id desc);
create index webhook_deliveries_of_user on webhook_deliveries (user_id, id desc) where user_id is not null;
create index webhook_deliveries_failed on webhook_deliveries (endpoint_id, id) where state = 'failed';
create index webhook_deliveries_failing on webhook_deliveries (endpoint_id, attempted_at desc)
  where state <> 'delivered' and last_error is not null;
create index webhook_deliveries_attempted on webhook_deliveries (endpoint_id, attempted_at desc) include (state)
  where attempted_at is not null;
grant select, insert, update, delete on webhook_deliveries to purser_app;

-- Each partition has a unique index on the event and the endpoint. A unique index of all partitions would need the id,
-- too. Events are put into queues once, by one worker at a time, so they can't be delivered twice in different months.
select attach_first('webhook_deliveries');
select create_partitions();

-- Drops the months before a moment. If a delivery still waits, for example because its endpoint is disabled, its month
-- stays, and the others in it are deleted, at most so many at once. Returns how many.
create function drop_webhook_deliveries(before timestamptz, at_once integer) returns integer
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '1s' as $$
declare
  old regclass;
  unneeded regclass[] := '{}';
  is_needed boolean;
  batch integer;
  deleted integer := 0;
begin
  for old in select part from partitions_of('webhook_deliveries') where upper::uuid <= uuid_v7_from(before) loop
    execute format('select exists (select from %s where state = ''waiting'')', old) into is_needed;
    if is_needed then
      execute format('delete from %1$s where id in (select id from %1$s where state <> ''waiting'' limit $1)', old)
        using at_once - deleted;
      get diagnostics batch = row_count;
      deleted := deleted + batch;
    else
      unneeded := unneeded || old;
    end if;
  end loop;
  perform drop_partitions('webhook_deliveries', unneeded);
  return deleted;
end
$$;
revoke execute on function drop_webhook_deliveries(timestamptz, integer) from public;
grant execute on function drop_webhook_deliveries(timestamptz, integer) to purser_app;
