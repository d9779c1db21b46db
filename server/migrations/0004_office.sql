-- How a person's screens look. Neither audited nor announced, on purpose: it is nobody else's business.
create table preferences (
  user_id uuid constraint preferences_pkey primary key
    constraint preferences_user references users (id) on delete cascade,
  value jsonb not null constraint preferences_value check (jsonb_typeof(value) = 'object')
);
grant select, insert, update on preferences to purser_app;

-- What happened lately to one kind of record, newest first, however much happened to the others.
create index audit_entries_entity on audit_entries (entity, id);

-- As before, but what is announced says what was done, as `table:id:action`, and a change of more rows
-- than are named is told once, as `table:*:update`.
create or replace function audit_change() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  traces text[] := coalesce(tg_argv[1], '{}')::text[];
  hidden text[] := coalesce(tg_argv[0], '{}')::text[] || traces;
  announced text := coalesce(current_setting('purser.changed', true), '');
  many text := tg_table_name || ':*:update';
  touched uuid[];
begin
  if tg_op = 'INSERT' then
    insert into audit_entries (entity, record_id, action, after)
    select tg_table_name, n.id, 'insert', to_jsonb(n) - hidden from new_rows n;
    touched := array(select id from new_rows limit 21);
  elsif tg_op = 'UPDATE' then
    insert into audit_entries (entity, record_id, action, before, after)
    select tg_table_name, n.id, 'update', to_jsonb(o) - hidden, to_jsonb(n) - hidden
    from new_rows n join old_rows o using (id)
    where to_jsonb(o) - traces is distinct from to_jsonb(n) - traces;
    if exists (select from new_rows n where not exists (select from old_rows o where o.id = n.id)) then
      raise exception 'an id never changes';
    end if;
    touched := array(select id from new_rows limit 21);
  else
    insert into audit_entries (entity, record_id, action, before)
    select tg_table_name, o.id, 'delete', to_jsonb(o) - hidden from old_rows o;
    touched := array(select id from old_rows limit 21);
  end if;

  if cardinality(touched) > 0 and not many = any (string_to_array(announced, ' ')) then
    if cardinality(touched) > 20 or length(announced) > 2000 then
      announced := announced || ' ' || many;
    else
      announced := announced || (
        select string_agg(format(' %s:%s:%s', tg_table_name, id, lower(tg_op)), '')
        from unnest(touched) as id
      );
    end if;
    perform set_config('purser.changed', ltrim(announced), true);
  end if;
  return null;
end
$$;
