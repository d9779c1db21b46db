-- Views of lists that the whole team uses. Not audited, like the preferences: they only say how screens look.
create table shared_views (
  id uuid constraint shared_views_pkey primary key default uuid_v7(),
  list text not null constraint shared_views_list check (list ~ '^[a-z]{1,40}$'),
  name text not null constraint shared_views_name check (length(name) between 1 and 40),
  q text constraint shared_views_q check (length(q) <= 200),
  f text[] not null constraint shared_views_f check (cardinality(f) <= 20),
  sort text constraint shared_views_sort check (length(sort) <= 200),
  -- Null for the columns that each reader has chosen.
  cols text[] constraint shared_views_cols check (cardinality(cols) between 1 and 40),
  -- The view that opens first for those who chose none.
  is_default boolean not null default false,
  -- Null after the account was deleted.
  owner_id uuid constraint shared_views_owner references users (id) on delete set null,
  created_at timestamptz not null default now()
);
create unique index shared_views_name_taken on shared_views (list, lower(name));
create unique index shared_views_default on shared_views (list) where is_default;
create index shared_views_of_owner on shared_views (owner_id);
grant select, insert, delete on shared_views to purser_app;
grant update (name, q, f, sort, cols, is_default) on shared_views to purser_app;

-- Erasing a customer removes the views that search for them.
create function erase_shared_views() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from shared_views v
  where points_at(concat_ws(' ', v.name, v.q, array_to_string(v.f, ' ')), words_of(array[old.id], true));
  return new;
end
$$;
create trigger users_erase_shared_views before update of status on users for each row
  when (new.status = 'erased' and old.status <> 'erased') execute function erase_shared_views();
