-- Raw usage events are kept forever, unless the settings say how many days. Usage by day and counters stay.
-- Drops whole months before this moment. If months are archived first, only those that were. Returns how many had events.
create function drop_usage_events(before timestamptz) returns integer
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '1s' as $$
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
revoke execute on function drop_usage_events(timestamptz) from public;
grant execute on function drop_usage_events(timestamptz) to purser_app;
