create table apps (
  id uuid constraint apps_pkey primary key default uuid_v7(),
  code text not null constraint apps_code check (code ~ '^[a-z0-9][a-z0-9_-]{0,62}[a-z0-9]$'),
  name text not null constraint apps_name check (length(name) between 1 and 120),
  description text not null default '' constraint apps_description check (length(description) <= 2000),
  platforms text[] not null default '{}'
    constraint apps_platforms check (platforms <@ array['web', 'ios', 'android', 'desktop', 'api']),
  icon text not null default 'apps',
  support_email text,
  status text not null default 'draft'
    constraint apps_status check (status in ('draft', 'active', 'archived')),
  -- When it first became active: from then on its code is named in other people's programs.
  activated_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint apps_activated check ((status = 'draft') = (activated_at is null))
);

create unique index apps_code_taken on apps (code);
-- Lists sorted or filtered by these; the primary key serves the order of creation.
create index apps_by_name on apps (lower(name), id);
create index apps_by_status on apps (status, id);
create index apps_by_update on apps (updated_at, id);
-- Search by any part of name or code.
create index apps_search on apps using gin (lower(name) gin_trgm_ops, code gin_trgm_ops);

create trigger apps_touch before update on apps for each row
  when (old.* is distinct from new.*) execute function touch_row();
select audit_table('apps');
grant select, insert, update, delete on apps to purser_app;

create table app_keys (
  id uuid constraint app_keys_pkey primary key default uuid_v7(),
  app_id uuid not null constraint app_keys_app references apps (id),
  name text not null,
  kind text not null constraint app_keys_kind check (kind in ('server', 'publishable')),
  scopes text[] not null
    constraint app_keys_scopes check (scopes <@ array['entitlements:read', 'usage:write']),
  prefix text not null,
  secret_hash bytea not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null,
  constraint app_keys_publishable_reads check (kind = 'server' or not 'usage:write' = any (scopes))
);

create unique index app_keys_secret on app_keys (secret_hash);
create index app_keys_by_app on app_keys (app_id, id);
select audit_table('app_keys', '{secret_hash}', '{last_used_at}');
grant select, insert on app_keys to purser_app;
grant update (revoked_at, last_used_at) on app_keys to purser_app;

create function keep_used_code() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  if old.activated_at is not null or exists (select from app_keys where app_id = old.id) then
    raise exception 'Other programs already use the code. Create another app to use another code.'
      using errcode = 'check_violation', constraint = 'problem_code_frozen';
  end if;
  return new;
end
$$;

create trigger apps_keep_used_code before update of code on apps for each row
  when (old.code is distinct from new.code) execute function keep_used_code();
