-- People as an office knows them: a number to read out, the sold apps' own id for them, where they are, and notes.

create sequence user_numbers;
grant usage on user_numbers to purser_app;

-- Spread like the numbers of transactions, and told apart from them by how they begin.
create function user_number(counted bigint) returns text
language sql immutable parallel safe as $$
  select 'US' || substr(transaction_number(counted), 3)
$$;

alter table users
  add column number text not null default user_number(nextval('user_numbers')),
  -- What the sold apps call this person. Their code names it, so it stays.
  add column external_id text constraint users_external_id check (length(external_id) between 1 and 200),
  add column country text constraint users_country check (country ~ '^[A-Z]{2}$'),
  add column locale text constraint users_locale check (locale ~ '^[a-z]{2}(-[A-Z]{2})?$'),
  add column time_zone text constraint users_time_zone check (length(time_zone) between 1 and 100);

-- Ordered by bytes, so that the beginning of a number or an address is found in them too.
create unique index users_number_taken on users (number text_pattern_ops);
create unique index users_external_id_taken on users (external_id) where external_id is not null;
create index users_external_id_begins on users (lower(external_id) text_pattern_ops) where external_id is not null;
create index users_email_begins on users (email text_pattern_ops);
-- How the list is sorted and filtered. Those who are neither active nor without a country are few.
create index users_by_name on users (lower(name), id);
create index users_by_role on users (coalesce(role, 'customer'), id);
create index users_by_status on users (status, id) where status <> 'active';
create index users_by_country on users (country, id) where country is not null;

create function keep_person() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  raise exception 'What the sold apps call this person was set once, and stays. Leave it as it is.'
    using errcode = 'check_violation', constraint = 'problem_frozen';
end
$$;
-- Only whoever is erased loses it, with all else that tells who they were.
create trigger users_keep before update of number, external_id on users for each row
  when (old.number <> new.number or (new.status <> 'erased' and old.external_id is not null
    and new.external_id is distinct from old.external_id))
  execute function keep_person();

-- What staff write down of a person. A note is never rewritten: whoever wrote it may strike it.
create table user_notes (
  id uuid constraint user_notes_pkey primary key default uuid_v7(),
  user_id uuid not null constraint user_notes_user references users (id),
  author_id uuid not null constraint user_notes_author references users (id),
  text text not null constraint user_notes_text check (length(text) between 1 and 4000),
  created_at timestamptz not null default now(),
  struck_at timestamptz
);
create index user_notes_of_user on user_notes (user_id, id desc);

-- A note stays as it was written, unless it is erased.
create function keep_note() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  if new.text = 'erased' then
    old.text := 'erased';
    old.struck_at := null;
  end if;
  if (old.user_id, old.author_id, old.text, old.created_at)
      is distinct from (new.user_id, new.author_id, new.text, new.created_at)
    or old.struck_at is not null then
    raise exception 'A note stays as it was written. Strike it, and write another.'
      using errcode = 'check_violation', constraint = 'problem_frozen';
  end if;
  return new;
end
$$;
create trigger user_notes_keep before update on user_notes for each row
  when (old.* is distinct from new.*) execute function keep_note();
select audit_table('user_notes');
grant select, insert on user_notes to purser_app;
grant update (struck_at) on user_notes to purser_app;
