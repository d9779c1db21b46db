-- Entries of the audit log are divided by month, too.
-- The ids of entries are numbers, so a partition of a month is a range of numbers that is larger than needed. With a new
-- month the numbers continue with the next partition.

-- Twice the entries of a month at the rate of this table, and at least 100,000.
create function audit_month_size(part regclass) returns bigint
language plpgsql stable set search_path = pg_catalog, public, pg_temp as $$
declare
  days numeric;
begin
  execute format('select extract(epoch from max(at) - min(at)) / 86400 from %s', part) into days;
  return greatest(1, ceil((select greatest(reltuples, 0) from pg_class where oid = part)::numeric * 62
    / greatest(days, 1) / 100000)) * 100000;
end
$$;

select bound_table('audit_entries',
  ((select last_value from audit_entries_id_seq) + audit_month_size('audit_entries'))::text);
