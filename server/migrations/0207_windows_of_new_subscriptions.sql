-- What is used from the start of a subscription on has a counter of its own, so that the windows of the subscription
-- don't contain those before it. That includes usage that was counted in the meantime, because the sale was recorded
-- later or at the same moment.

-- The features with such a counter. An add-on resets nothing while something else includes the feature.
create function features_started(s subscriptions) returns setof uuid
language sql stable set search_path = public, pg_temp as $$
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

create function start_counters() returns trigger language plpgsql
set search_path = public, pg_temp as $$
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
grant execute on function features_started(subscriptions) to purser_app;
create trigger subscriptions_start_counters after insert on subscriptions
  referencing new table as new_rows for each statement execute function start_counters();
