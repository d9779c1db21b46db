-- The customer whom a customer was merged into, or the customer itself.
create function survivor_of(customer uuid) returns uuid language sql stable set search_path = public, pg_temp as $$
  with recursive chain as (
    select u.id, u.merged_into from users u where u.id = customer
    union all
    select u.id, u.merged_into from chain c join users u on u.id = c.merged_into
  ) select c.id from chain c where c.merged_into is null
$$;
grant execute on function survivor_of(uuid) to purser_app;

-- Counts events and reservations, each only if it fits the limit. Counters are locked in the order of their keys, so
-- that two of these calls never wait for each other in a circle. Each entry has the limit that its caller found, or
-- null if there is none or exceeding it is only reported.
create or replace function count_usage(entries jsonb, moment timestamptz)
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
    -- The customer may have been merged since the limit was found. Their counters are locked while they are added up.
    if exists (select from users u where u.id = entry.customer and u.merged_into is not null) then
      entry.customer := survivor_of(entry.customer);
      counter := lock_use(entry.feature, entry.customer, entry.since);
    end if;
    place := entry.place;
    reservation := null;
    select i.user_id, i.feature_id, i.amount into earlier from usage_event_ids i
    where i.app_id = entry.app and i.event_id = entry.event;
    if found then
      outcome := case when (earlier.feature_id, earlier.amount) = (entry.feature, entry.amount)
        and (earlier.user_id = entry.customer or survivor_of(earlier.user_id) = entry.customer)
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
