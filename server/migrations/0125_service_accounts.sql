-- Service accounts call the API with a key instead of a session. Each is a row of users, so that it can be the author of
-- changes like a team member. It never signs in.
alter table users add column is_service boolean not null default false;

create table service_accounts (
  id uuid constraint service_accounts_pkey primary key constraint service_accounts_user references users (id),
  -- Only these permissions of the role. Null for all of them.
  permissions text[] constraint service_accounts_permissions check (cardinality(permissions) > 0),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create trigger service_accounts_touch before update on service_accounts for each row
  when (old.* is distinct from new.*) execute function touch_row();
select audit_table('service_accounts');
grant select, insert on service_accounts to purser_app;
grant update (permissions) on service_accounts to purser_app;

create table service_keys (
  id uuid constraint service_keys_pkey primary key default uuid_v7(),
  account_id uuid not null constraint service_keys_account references service_accounts (id),
  name text not null constraint service_keys_name check (length(name) between 1 and 120),
  -- The start of the secret, to recognize the key.
  prefix text not null,
  secret_hash bytea not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null default now()
);
create unique index service_keys_secret on service_keys (secret_hash);
create index service_keys_of_account on service_keys (account_id, id);
select audit_table('service_keys', '{secret_hash}', '{last_used_at}');
grant select, insert on service_keys to purser_app;
grant update (expires_at, revoked_at, last_used_at) on service_keys to purser_app;

-- A service account stays one, is never an owner, and has no address that an email or an identity provider could have.
create function keep_service_account() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if tg_op = 'UPDATE' and old.is_service is distinct from new.is_service then
    raise exception 'A service account can''t become a person, and a person no service account.'
      using errcode = 'check_violation', constraint = 'users_is_service';
  end if;
  if new.is_service and (coalesce(new.role, 'owner') = 'owner' or new.email <> 'service:' || new.id
    or new.status not in ('active', 'suspended') or new.merged_into is not null or new.external_id is not null) then
    raise exception 'A service account has a role other than owner, and nothing of a customer.'
      using errcode = 'check_violation', constraint = 'users_service';
  end if;
  return new;
end
$$;
create trigger users_insert_service before insert on users for each row
  when (new.is_service) execute function keep_service_account();
create trigger users_keep_service before update on users for each row
  when (new.is_service or old.is_service) execute function keep_service_account();
