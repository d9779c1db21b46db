-- One table for everyone: customers of the sold apps, and staff, who are users with a role.
create table users (
  id uuid constraint users_pkey primary key default uuid_v7(),
  -- Lower case, and of an erased person a value that no one can have, so that one plain index serves.
  email text not null constraint users_email check (email = lower(email)),
  name text not null,
  role text constraint users_role
    check (role in ('owner', 'admin', 'catalogue', 'finance', 'support', 'viewer')),
  status text not null default 'invited'
    constraint users_status check (status in ('invited', 'active', 'suspended', 'erased')),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create unique index users_email_taken on users (email);
-- The list of staff, a handful among millions.
create index users_staff on users (id) where role is not null;

create trigger users_touch before update on users for each row
  when (old.* is distinct from new.*) execute function touch_row();
select audit_table('users');
grant select, insert, update on users to purser_app;

-- Sign-in --------------------------------------------------------------------------------------

-- Keyed by the user's own id, so that the audit names the person.
create table passwords (
  id uuid constraint passwords_pkey primary key references users (id),
  hash text not null,
  changed_at timestamptz not null
);
select audit_table('passwords', '{hash}');
grant select, insert, update, delete on passwords to purser_app;

create table authenticators (
  id uuid constraint authenticators_pkey primary key references users (id),
  secret bytea not null,
  confirmed_at timestamptz,
  -- The newest time step that was accepted: no code is good twice.
  last_step bigint not null default 0
);
select audit_table('authenticators', '{secret}', '{last_step}');
grant select, insert, update, delete on authenticators to purser_app;

create table recovery_codes (
  user_id uuid not null references users (id),
  code_hash bytea not null,
  used_at timestamptz,
  constraint recovery_codes_pkey primary key (user_id, code_hash)
);
grant select, insert, update, delete on recovery_codes to purser_app;

create table passkeys (
  id uuid constraint passkeys_pkey primary key default uuid_v7(),
  user_id uuid not null references users (id),
  name text not null,
  credential_id text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create unique index passkeys_credential_id_taken on passkeys (credential_id);
create index passkeys_user on passkeys (user_id);
select audit_table('passkeys', '{public_key}', '{counter,last_used_at}');
grant select, insert, update, delete on passkeys to purser_app;

create table sessions (
  token_hash bytea constraint sessions_pkey primary key,
  user_id uuid not null references users (id),
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  address text not null,
  device text not null
);
create index sessions_user on sessions (user_id);
grant select, insert, update, delete on sessions to purser_app;

-- Browsers that a person has signed in with: somebody else's guessing does not lock these out.
create table known_devices (
  token_hash bytea constraint known_devices_pkey primary key,
  user_id uuid not null references users (id),
  seen_at timestamptz not null
);
create index known_devices_seen on known_devices (seen_at);
grant select, insert, update, delete on known_devices to purser_app;

-- A sign-in that waits for its second step, or a passkey ceremony under way.
create table challenges (
  token_hash bytea constraint challenges_pkey primary key,
  purpose text not null
    constraint challenges_purpose check (purpose in ('code', 'passkey sign-in', 'passkey adding')),
  user_id uuid references users (id),
  webauthn text,
  tries integer not null default 0,
  expires_at timestamptz not null
);
create index challenges_expiry on challenges (expires_at);
grant select, insert, update, delete on challenges to purser_app;

-- Links sent by mail.
create table links (
  token_hash bytea constraint links_pkey primary key,
  purpose text not null constraint links_purpose check (purpose in ('invitation', 'reset')),
  user_id uuid not null references users (id),
  expires_at timestamptz not null
);
create index links_user on links (user_id);
grant select, insert, update, delete on links to purser_app;

-- Wrong tries by account, by address and by authenticator. The subject is a hash, so that an unknown
-- mail address is counted exactly like a known one.
create table tries (
  subject bytea constraint tries_pkey primary key,
  failures integer not null,
  blocked_until timestamptz,
  last_at timestamptz not null
);
create index tries_last on tries (last_at);
grant select, insert, update, delete on tries to purser_app;

-- A change of role or status ends the person's sessions whichever statement makes it.
create function end_sessions() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  delete from sessions where user_id = new.id;
  delete from challenges where user_id = new.id;
  if old.status is distinct from new.status then
    delete from links where user_id = new.id;
  end if;
  return null;
end
$$;

create trigger users_end_sessions after update of role, status on users for each row
  when (old.role is distinct from new.role or old.status is distinct from new.status)
  execute function end_sessions();

-- At commit, and one at a time: two owners demoting each other would each see the other still there.
create function keep_an_owner() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtext('owners'));
  if not exists (select from users where role = 'owner' and status = 'active') then
    raise exception 'Make somebody else an active owner first.'
      using errcode = 'check_violation', constraint = 'problem_last_owner';
  end if;
  return null;
end
$$;

create constraint trigger users_keep_an_owner after update or delete on users
  deferrable initially deferred for each row
  when (old.role = 'owner' and old.status = 'active')
  execute function keep_an_owner();
