-- What was known of a grant until it was shortened, revoked or superseded, so that the answer of any past moment can
-- be given again. Written by a trigger alone, and only for the few grants that change: most never do. The moment is
-- the transaction's, as a grant's own `created_at` is, so that one that takes another's place does so at once. No
-- foreign key: grants are never deleted, and a rollout writes many of these at a time.
create table grant_changes (
  id bigint generated always as identity constraint grant_changes_pkey primary key,
  grant_id uuid not null,
  recorded_at timestamptz not null default now(),
  was_ends_at timestamptz not null,
  was_revoked_at timestamptz,
  was_superseded_by uuid,
  actor_id uuid default nullif(current_setting('purser.actor_id', true), '')::uuid,
  actor_name text not null default coalesce(nullif(current_setting('purser.actor_name', true), ''), session_user),
  reason text default nullif(current_setting('purser.reason', true), '')
);
create index grant_changes_of on grant_changes (grant_id, id);
grant select on grant_changes to purser_app;

create function note_grant_change() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into grant_changes (grant_id, was_ends_at, was_revoked_at, was_superseded_by)
  select o.id, o.ends_at, o.revoked_at, o.superseded_by from old_rows o join new_rows n using (id)
  where (o.ends_at, o.revoked_at, o.superseded_by) is distinct from (n.ends_at, n.revoked_at, n.superseded_by);
  return null;
end
$$;
create trigger grants_note_change after update on grants
  referencing old table as old_rows new table as new_rows for each statement execute function note_grant_change();

-- What the audit log knows of earlier revocations. What ran out early without one was not kept before.
insert into grant_changes (grant_id, recorded_at, was_ends_at, was_revoked_at, was_superseded_by, actor_id, actor_name, reason)
select record_id, at, (before ->> 'ends_at')::timestamptz, (before ->> 'revoked_at')::timestamptz,
  (before ->> 'superseded_by')::uuid, actor_id, coalesce(actor_name, actor_kind), reason
from audit_entries where entity = 'grants' and action = 'update' order by id;

-- A right that another person had: the same promise, from the same source.
alter table grants add column moved_from uuid constraint grants_moved_from references grants (id);
create unique index grants_moved_once on grants (moved_from) where moved_from is not null;

-- Why it was given stays as it was written, unless it is erased.
create or replace function keep_grant() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  if new.reason = 'erased' then old.reason := 'erased'; end if;
  if (old.user_id, old.package_id, old.version_id, old.feature_id, old.value, old.subscription_id, old.source,
      old.source_id, old.reason, old.starts_at, old.promised_until, old.created_at, old.moved_from)
    is distinct from
    (new.user_id, new.package_id, new.version_id, new.feature_id, new.value, new.subscription_id, new.source,
      new.source_id, new.reason, new.starts_at, new.promised_until, new.created_at, new.moved_from)
    or new.id <> old.id or new.ends_at > old.ends_at
    or (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at)
    or (old.superseded_by is not null and new.superseded_by is distinct from old.superseded_by)
  then
    raise exception 'A grant is never edited, only revoked, shortened or superseded.'
      using errcode = 'check_violation', constraint = 'problem_frozen';
  end if;
  return new;
end
$$;

-- What staff move by hand is in the audit log as what they give. Whoever looks at the person is told too.
create or replace function audit_staff_grant() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  announced text := coalesce(current_setting('purser.changed', true), '');
  touched text;
begin
  insert into audit_entries (entity, record_id, action, before, after)
  values ('grants', new.id, lower(tg_op), case tg_op when 'UPDATE' then to_jsonb(old) end, to_jsonb(new));
  foreach touched in array array['packages:' || new.package_id || ':update', 'rights:' || new.user_id || ':update'] loop
    if touched is not null and length(announced) < 3000 and position(touched in announced) = 0 then
      announced := ltrim(announced || ' ' || touched);
      perform set_config('purser.changed', announced, true);
    end if;
  end loop;
  return null;
end
$$;
drop trigger audit_insert on grants;
create trigger audit_insert after insert on grants for each row
  when (new.source = 'staff' or new.moved_from is not null) execute function audit_staff_grant();

-- Two records of one person: what the one had went over to the other, and it stays away, because its transactions
-- name it for ever. It still says who the person is.
alter table users add column merged_into uuid constraint users_merged_into references users (id);
alter table users add constraint users_merged
  check (merged_into is null or (merged_into <> id and status in ('suspended', 'erased')));
create index users_merged_into_idx on users (merged_into) where merged_into is not null;

create function keep_merged() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if new.merged_into is distinct from old.merged_into or new.status not in ('suspended', 'erased') then
    raise exception 'This record was merged into another one and stays closed. Work with that one.'
      using errcode = 'check_violation', constraint = 'problem_wrong_state';
  end if;
  return new;
end
$$;
create trigger users_keep_merged before update of status, merged_into on users for each row
  when (old.merged_into is not null) execute function keep_merged();

-- How many payments a subscription had when a discount was promised to it: that many more come before its own.
alter table redemptions add column since integer not null default 0
  constraint redemptions_since check (since >= 0);
