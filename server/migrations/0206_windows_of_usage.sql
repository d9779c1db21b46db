-- Only for features that follow the subscription: the end of the window that a counter was started for, and when it was
-- used last. The windows of these features change when another subscription decides, and nothing is forgotten then. Both
-- are null for others.
alter table feature_use add column window_end timestamptz, add column last_used_at timestamptz;

-- The counters that count in a window at a moment of it: those that start in it, those that were used in it, and those
-- whose own window lasts.
create function counters_in(
  counted_feature uuid, counted_user uuid, since timestamptz, until timestamptz, moment timestamptz
) returns setof feature_use language sql stable set search_path = public, pg_temp as $$
  select u.* from feature_use u
  where u.feature_id = counted_feature and u.user_id = counted_user and u.window_start < until
    and (u.window_start >= since or u.last_used_at >= since or u.window_end > moment)
$$;

-- Locks what counts in a window of a feature that follows the subscription, and returns the counter that a moment is added
-- to: the newest one that starts in the window, but not after the moment.
create function lock_window(
  counted_feature uuid, counted_user uuid, since timestamptz, until timestamptz, moment timestamptz
) returns feature_use language plpgsql set search_path = public, pg_temp as $$
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

-- As lock_window for features that follow the subscription, and as lock_use for others.
create function lock_counter(
  counted_feature uuid, counted_user uuid, anchored boolean, since timestamptz, until timestamptz, moment timestamptz
) returns feature_use language plpgsql set search_path = public, pg_temp as $$
begin
  if anchored then return lock_window(counted_feature, counted_user, since, until, moment); end if;
  return lock_use(counted_feature, counted_user, since);
end
$$;

-- What the other counters of a locked window have, without expired reservations.
create function sum_others(
  counter feature_use, since timestamptz, until timestamptz, at timestamptz, moment timestamptz,
  out used bigint, out reserved bigint
) language plpgsql set search_path = public, pg_temp as $$
begin
  perform expire_reservations(u, moment) from counters_in(counter.feature_id, counter.user_id, since, until, at) u
  where u.window_start <> counter.window_start and u.reserved > 0;
  select coalesce(sum(u.used), 0), coalesce(sum(u.reserved), 0) into used, reserved
  from counters_in(counter.feature_id, counter.user_id, since, until, at) u where u.window_start <> counter.window_start;
end
$$;

-- Counts events and reservations, each only if its window still has so much left. Counters are locked in the order of
-- their keys, so that two of these calls never wait for each other in a circle. Each entry has the limit that its caller
-- found, or null if there is none or exceeding it is only reported. Returns what was used and reserved in its window.
create or replace function count_usage(entries jsonb, moment timestamptz)
returns table (place integer, outcome text, used bigint, reserved bigint, reservation uuid)
language plpgsql set search_path = public, pg_temp as $$
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

-- As settle_reservation of the previous release, but compares an expired reservation with everything in its window.
create function settle_reservation(
  asked uuid, of_app uuid, confirms bigint, bound bigint, on_day date, moment timestamptz, anchored boolean,
  since timestamptz, until timestamptz
) returns table (outcome text, status text, amount bigint, confirmed bigint, expires timestamptz)
language plpgsql set search_path = public, pg_temp as $$
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

-- Adds a team member's correction to a window and returns what is used then. A negative one is taken from the newest
-- counter first. Null if less than nothing would be used.
create function correct_usage(
  counted_feature uuid, counted_user uuid, anchored boolean, since timestamptz, until timestamptz, correction bigint,
  why text, on_day date, moment timestamptz
) returns bigint language plpgsql set search_path = public, pg_temp as $$
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

grant execute on function counters_in(uuid, uuid, timestamptz, timestamptz, timestamptz),
  lock_window(uuid, uuid, timestamptz, timestamptz, timestamptz),
  lock_counter(uuid, uuid, boolean, timestamptz, timestamptz, timestamptz),
  sum_others(feature_use, timestamptz, timestamptz, timestamptz, timestamptz),
  settle_reservation(uuid, uuid, bigint, bigint, date, timestamptz, boolean, timestamptz, timestamptz),
  correct_usage(uuid, uuid, boolean, timestamptz, timestamptz, bigint, text, date, timestamptz) to purser_app;
