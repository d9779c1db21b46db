-- What sold apps report. A request is answered after its events are stored here, and no row is ever changed.
create table usage_events (
  id uuid constraint usage_events_pkey primary key default uuid_v7(),
  app_id uuid not null,
  -- The API key that reported it. Corrections of team members have none.
  key_id uuid,
  event_id text not null,
  user_id uuid not null,
  feature_id uuid not null,
  window_start timestamptz not null,
  amount bigint not null constraint usage_events_amount check (amount <> 0),
  occurred_at timestamptz not null,
  recorded_at timestamptz not null default now()
) partition by range (id);
create index usage_events_of_user on usage_events (user_id, feature_id, id);
grant select, insert on usage_events to purser_app;

create table partitions.usage_events_first (like usage_events including all);
create table partitions.usage_events_later (like usage_events including all);
-- Before and after the start of November 2026.
alter table usage_events attach partition partitions.usage_events_first
  for values from (minvalue) to ('01a19467-e800-0000-0000-000000000000');
alter table usage_events attach partition partitions.usage_events_later
  for values from ('01a19467-e800-0000-0000-000000000000') to (maxvalue);
select create_partitions();

-- An event is counted once. Kept longer than an event may be late, and then deleted.
create table usage_event_ids (
  app_id uuid not null,
  event_id text not null constraint usage_event_ids_event check (length(event_id) between 1 and 200),
  user_id uuid not null,
  feature_id uuid not null,
  amount bigint not null,
  recorded_at timestamptz not null default now(),
  constraint usage_event_ids_pkey primary key (app_id, event_id)
);
create index usage_event_ids_by_time on usage_event_ids (recorded_at);
grant select, insert, delete on usage_event_ids to purser_app;

-- Reserved amounts count against the limit like used ones, until they are confirmed, released or expired.
alter table feature_use add column reserved bigint not null default 0;
alter table feature_use add constraint feature_use_reserved check (reserved >= 0) not valid;

create table usage_reservations (
  id uuid constraint usage_reservations_pkey primary key default uuid_v7(),
  app_id uuid not null,
  key_id uuid not null,
  event_id text not null,
  user_id uuid not null constraint usage_reservations_user references users (id),
  feature_id uuid not null constraint usage_reservations_feature references features (id),
  window_start timestamptz not null,
  amount bigint not null constraint usage_reservations_amount check (amount > 0),
  status text not null default 'open' constraint usage_reservations_status
    check (status in ('open', 'confirmed', 'released', 'expired')),
  -- What was used of it.
  confirmed bigint constraint usage_reservations_confirmed
    check ((status = 'confirmed') = (confirmed is not null) and confirmed between 0 and amount),
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  settled_at timestamptz constraint usage_reservations_settled check ((status = 'open') = (settled_at is null)),
  constraint usage_reservations_event unique (app_id, event_id)
);
create index usage_reservations_open on usage_reservations (feature_id, user_id, window_start, expires_at)
  where status = 'open';
create index usage_reservations_to_expire on usage_reservations (expires_at) where status = 'open';
create index usage_reservations_settled_at on usage_reservations (settled_at) where status <> 'open';
create index usage_reservations_of_user on usage_reservations (user_id);
grant select, insert, update, delete on usage_reservations to purser_app;

-- For screens and exports, by day in the company's time zone.
create table usage_days (
  user_id uuid not null,
  feature_id uuid not null,
  day date not null,
  used bigint not null,
  constraint usage_days_pkey primary key (user_id, feature_id, day)
);
create index usage_days_of_feature on usage_days (feature_id, day);
grant select, insert, update on usage_days to purser_app;

-- A team member's correction of what a customer used.
create table usage_corrections (
  id uuid constraint usage_corrections_pkey primary key default uuid_v7(),
  user_id uuid not null constraint usage_corrections_user references users (id),
  feature_id uuid not null constraint usage_corrections_feature references features (id),
  window_start timestamptz not null,
  amount bigint not null constraint usage_corrections_amount check (amount <> 0),
  reason text not null constraint usage_corrections_reason check (length(reason) between 1 and 500),
  created_at timestamptz not null default now()
);
create index usage_corrections_of_user on usage_corrections (user_id, feature_id);
select audit_table('usage_corrections');
grant select, insert on usage_corrections to purser_app;

-- Locks a counter, and first creates it if it's missing.
create function lock_use(counted_feature uuid, counted_user uuid, since timestamptz) returns feature_use
language plpgsql set search_path = public, pg_temp as $$
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

-- Gives back what expired reservations of a locked counter still hold.
create function expire_reservations(counter feature_use, moment timestamptz) returns feature_use
language plpgsql set search_path = public, pg_temp as $$
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

-- Counts events and reservations, each only if it fits the limit. Counters are locked in the order of their keys, so
-- that two of these calls never wait for each other in a circle. Each entry has the limit that its caller found, or
-- null if there is none or exceeding it is only reported.
create function count_usage(entries jsonb, moment timestamptz)
returns table (place integer, outcome text, used bigint, reserved bigint, reservation uuid)
language plpgsql set search_path = public, pg_temp as $$
declare
  entry record;
  counter feature_use;
  earlier record;
begin
  for entry in
    select e.* from jsonb_to_recordset(entries) as e (
      place integer, app uuid, key uuid, event text, customer uuid, feature uuid, since timestamptz, amount bigint,
      bound bigint, at timestamptz, day date, expires timestamptz)
    order by e.feature, e.customer, e.since, e.place
  loop
    counter := lock_use(entry.feature, entry.customer, entry.since);
    place := entry.place;
    reservation := null;
    select i.user_id, i.feature_id, i.amount into earlier from usage_event_ids i
    where i.app_id = entry.app and i.event_id = entry.event;
    if found then
      outcome := case when (earlier.user_id, earlier.feature_id, earlier.amount)
        = (entry.customer, entry.feature, entry.amount) then 'duplicate' else 'id reused' end;
      if entry.expires is not null then
        select r.id into reservation from usage_reservations r
        where r.app_id = entry.app and r.event_id = entry.event;
        if not found then outcome := 'id reused'; end if;
      end if;
    elsif counter.used + entry.amount < 0 then
      outcome := 'below zero';
    else
      if counter.reserved > 0 then counter := expire_reservations(counter, moment); end if;
      if entry.amount > 0 and counter.used + counter.reserved + entry.amount > entry.bound then
        outcome := 'limit reached';
      else
        -- Another request with the same id may be counting on another counter. It is waited for, and one of them fails.
        insert into usage_event_ids (app_id, event_id, user_id, feature_id, amount, recorded_at)
        values (entry.app, entry.event, entry.customer, entry.feature, entry.amount, moment);
        if entry.expires is null then
          insert into usage_events
            (app_id, key_id, event_id, user_id, feature_id, window_start, amount, occurred_at, recorded_at)
          values (entry.app, entry.key, entry.event, entry.customer, entry.feature, entry.since, entry.amount,
            entry.at, moment);
          update feature_use u set used = u.used + entry.amount
          where u.feature_id = entry.feature and u.user_id = entry.customer and u.window_start = entry.since
          returning * into counter;
          insert into usage_days as d (user_id, feature_id, day, used)
          values (entry.customer, entry.feature, entry.day, entry.amount)
          on conflict (user_id, feature_id, day) do update set used = d.used + excluded.used;
          outcome := 'recorded';
        else
          insert into usage_reservations
            (app_id, key_id, event_id, user_id, feature_id, window_start, amount, expires_at, created_at)
          values (entry.app, entry.key, entry.event, entry.customer, entry.feature, entry.since, entry.amount,
            entry.expires, moment)
          returning id into reservation;
          update feature_use u set reserved = u.reserved + entry.amount
          where u.feature_id = entry.feature and u.user_id = entry.customer and u.window_start = entry.since
          returning * into counter;
          outcome := 'reserved';
        end if;
      end if;
    end if;
    used := counter.used;
    reserved := counter.reserved;
    return next;
  end loop;
end
$$;

-- Ends a reservation of an app: counts a part of it as used and gives the rest back. With null all is given back. Returns
-- nothing if it doesn't exist. An expired one is confirmed only if the amount still fits the limit.
create function settle_reservation(asked uuid, of_app uuid, confirms bigint, bound bigint, on_day date, moment timestamptz)
returns table (outcome text, status text, amount bigint, confirmed bigint, expires timestamptz)
language plpgsql set search_path = public, pg_temp as $$
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

grant execute on function lock_use(uuid, uuid, timestamptz), expire_reservations(feature_use, timestamptz),
  count_usage(jsonb, timestamptz), settle_reservation(uuid, uuid, bigint, bigint, date, timestamptz) to purser_app;
