-- What the bell shows to one team member. Not audited: it repeats what other records say and is deleted after 90 days.
create table notifications (
  id uuid constraint notifications_pkey primary key default uuid_v7(),
  user_id uuid not null constraint notifications_user references users (id),
  kind text not null constraint notifications_kind check (kind in ('mention', 'approval', 'file', 'job')),
  -- A message with a code and parameters, so that it is shown in the reader's language. It names no customer.
  message jsonb not null,
  path text not null constraint notifications_path check (path ~ '^/' and length(path) <= 500),
  created_at timestamptz not null default now(),
  read_at timestamptz,
  -- When it was part of a daily email.
  emailed_at timestamptz
);
create index notifications_of_user on notifications (user_id, id desc);
create index notifications_unread on notifications (user_id, id) where read_at is null;
grant select, insert, delete on notifications to purser_app;
grant update (read_at, emailed_at) on notifications to purser_app;

-- Announced with the id of the reader, and sent only to them.
create function announce_notifications() returns trigger
language plpgsql set search_path = public, pg_temp as $$
declare
  announced text := coalesce(current_setting('purser.changed', true), '');
  touched text := (
    select string_agg('notifications:' || user_id || ':insert', ' ') from (select distinct user_id from new_rows limit 20) few);
begin
  if touched is not null and length(announced) < 4000 then
    perform set_config('purser.changed', ltrim(announced || ' ' || touched), true);
  end if;
  return null;
end
$$;
create trigger notifications_announce after insert on notifications
  referencing new table as new_rows for each statement execute function announce_notifications();

-- Notes about any record. Those about a customer's transaction name the customer, too, so that they are erased,
-- exported and counted like notes about the customer.
alter table user_notes
  add column entity text not null default 'users',
  add column record_id uuid,
  add column mentions uuid[] not null default '{}',
  alter column user_id drop not null;
alter table user_notes
  add constraint user_notes_entity
    check (entity in ('users', 'apps', 'features', 'packages', 'promotions', 'transactions')) not valid,
  add constraint user_notes_record check ((record_id is null) = (entity = 'users')) not valid,
  add constraint user_notes_customer check (user_id is not null or entity not in ('users', 'transactions')) not valid;

create or replace function keep_note() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  if new.text = 'erased' then
    old.text := 'erased';
    old.struck_at := null;
  end if;
  if (old.user_id, old.entity, old.record_id, old.author_id, old.text, old.mentions, old.created_at)
      is distinct from (new.user_id, new.entity, new.record_id, new.author_id, new.text, new.mentions, new.created_at)
    or old.struck_at is not null then
    raise exception 'Notes can''t be edited, only crossed out.'
      using errcode = 'check_violation', constraint = 'problem_frozen__note_immutable';
  end if;
  return new;
end
$$;
