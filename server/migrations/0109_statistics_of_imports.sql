-- An import grows tables faster than autovacuum looks at them, so that queries would be planned for the sizes before.
-- The application doesn't own the tables and can't analyze them itself.
create function refresh_statistics(tables text[]) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  grown text;
  analyzed integer := 0;
begin
  for grown in
    select c.relname from pg_class c join pg_stat_user_tables s on s.relid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relname = any (tables)
      and c.relname in ('users', 'import_rows', 'import_results', 'subscriptions', 'grants', 'transactions',
        'transaction_lines', 'journal_entries', 'postings', 'promotion_codes')
      -- Since it was last analyzed, more than a quarter of it has changed.
      and s.n_mod_since_analyze > greatest(5000, c.reltuples / 4)
    order by 1
  loop
    execute format('analyze %I', grown);
    analyzed := analyzed + 1;
  end loop;
  return analyzed;
end
$$;
revoke execute on function refresh_statistics(text[]) from public;
grant execute on function refresh_statistics(text[]) to purser_app;
