-- What is used from the start of a subscription on has a counter of its own, so that the windows of the subscription are
-- told apart from those before it. That includes usage that was counted in the meantime, because the sale was recorded
-- later or at the same moment.
create function start_counters() returns trigger language plpgsql
set search_path = public, pg_temp as $$
declare
  counter record;
  since_then record;
begin
  for counter in
    select u.*, n.period_start as at
    from new_rows n
    join version_values h on h.version_id = n.version_id
    join features f on f.id = h.feature_id and f.anchor = 'subscription'
    join feature_use u on u.feature_id = f.id and u.user_id = n.user_id and u.window_start < n.period_start
      and (u.window_end > n.period_start or u.last_used_at >= n.period_start)
    order by u.feature_id, u.user_id, u.window_start
    for update of u
  loop
    insert into feature_use (feature_id, user_id, window_start, used)
    values (counter.feature_id, counter.user_id, counter.at, 0) on conflict (feature_id, user_id, window_start) do nothing;
    -- No event is stored a day before it happened.
    select coalesce(sum(e.amount), 0) as used, max(e.occurred_at) as last_at into since_then from usage_events e
    where e.user_id = counter.user_id and e.feature_id = counter.feature_id and e.window_start = counter.window_start
      and e.occurred_at >= counter.at and e.id >= uuid_v7_from(least(counter.at, now()) - interval '1 day');
    update feature_use u set window_end = counter.at, last_used_at = least(u.last_used_at, counter.at - interval '1 microsecond'),
      used = greatest(u.used - since_then.used, 0)
    where u.feature_id = counter.feature_id and u.user_id = counter.user_id and u.window_start = counter.window_start;
    update feature_use u set used = u.used + least(since_then.used, counter.used),
      last_used_at = greatest(u.last_used_at, since_then.last_at)
    where u.feature_id = counter.feature_id and u.user_id = counter.user_id and u.window_start = counter.at;
  end loop;
  return null;
end
$$;
create trigger subscriptions_start_counters after insert on subscriptions
  referencing new table as new_rows for each statement execute function start_counters();
