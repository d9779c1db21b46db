-- Origins of publishable keys, and the ID of this installation.

-- Web pages of these origins may use the key. They can be edited, so a key has a version.
alter table app_keys
  add column origins text[] not null default '{}',
  add column version integer not null default 1,
  add column updated_at timestamptz not null default now(),
  add constraint app_keys_origins check (kind = 'publishable' or origins = '{}') not valid;
-- Use of a key isn't an edit.
create trigger app_keys_touch before update on app_keys for each row
  when (old.origins is distinct from new.origins) execute function touch_row();
grant update (origins) on app_keys to purser_app;

-- Part of every Redis key and channel, so that installations that share a Redis stay separate.
create table installation (
  id uuid not null default gen_random_uuid(),
  is_only boolean constraint installation_pkey primary key default true
    constraint installation_is_only check (is_only)
);
insert into installation default values;
grant select on installation to purser_app;
