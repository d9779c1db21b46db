-- A session's id may be shown, so that its person can end it from elsewhere. Its token never is.
alter table sessions
  add column id uuid not null default uuid_v7(),
  -- Whether signing in took more than a password: a code, a passkey, or the company's word for it.
  add column second_factor boolean not null default false;
create unique index sessions_id on sessions (id);

-- Every try to sign in. An address that nobody of the staff has is kept as a keyed hash only, so that
-- the log tells nobody whom strangers looked for.
create table sign_ins (
  id uuid constraint sign_ins_pkey primary key default uuid_v7(),
  user_id uuid constraint sign_ins_user references users (id),
  email_hash bytea,
  how text not null constraint sign_ins_how
    check (how in ('password', 'code', 'recovery code', 'passkey', 'company')),
  outcome text not null constraint sign_ins_outcome
    check (outcome in ('ok', 'wrong credentials', 'wrong code', 'refused by policy', 'blocked')),
  address text not null,
  device text not null,
  new_device boolean not null,
  at timestamptz not null
);
create index sign_ins_person on sign_ins (user_id, id);
create index sign_ins_stranger on sign_ins (email_hash, id) where email_hash is not null;
create index sign_ins_at on sign_ins (at);
grant select, insert on sign_ins to purser_app;

-- The one way to forget a line, and only an old one: the application cannot cover its traces. By the
-- database's own clock, which the application does not set.
create function forget_sign_ins() returns void language sql
security definer set search_path = public, pg_temp as $$
  delete from sign_ins where at < now() - interval '400 days';
  delete from sign_ins where user_id in (select id from users where status = 'erased');
$$;
revoke execute on function forget_sign_ins() from public;
grant execute on function forget_sign_ins() to purser_app;

-- When the policy of second factors first met somebody who has none: their days of grace count from then.
create table second_factor_duties (
  user_id uuid constraint second_factor_duties_pkey primary key
    constraint second_factor_duties_user references users (id) on delete cascade,
  met_at timestamptz not null
);
grant select, insert, delete on second_factor_duties to purser_app;

-- Who a person is at the company's own sign-in, once their verified mail address was matched.
create table identities (
  id uuid constraint identities_pkey primary key default uuid_v7(),
  user_id uuid not null constraint identities_user references users (id),
  issuer text not null,
  subject text not null,
  created_at timestamptz not null
);
create unique index identities_subject_taken on identities (issuer, subject);
create unique index identities_person_taken on identities (user_id, issuer);
select audit_table('identities');
grant select, insert, delete on identities to purser_app;

-- A sign-in at the company that is under way: what its answer must match, sealed.
alter table challenges add column sealed bytea;
alter table challenges drop constraint challenges_purpose;
alter table challenges add constraint challenges_purpose
  check (purpose in ('code', 'passkey sign-in', 'passkey adding', 'company sign-in'));

-- The operator's own link, which also works where passwords are forbidden, and the password that it set.
alter table links drop constraint links_purpose;
alter table links add constraint links_purpose
  check (purpose in ('invitation', 'reset', 'operator'));
alter table passwords add column by_operator boolean not null default false;

-- As before; and whoever leaves the staff keeps nothing to sign in with.
create or replace function end_sessions() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  delete from sessions where user_id = new.id;
  delete from challenges where user_id = new.id;
  if old.status is distinct from new.status then
    delete from links where user_id = new.id;
  end if;
  if new.role is null then
    delete from links where user_id = new.id;
    delete from known_devices where user_id = new.id;
    delete from second_factor_duties where user_id = new.id;
    delete from recovery_codes where user_id = new.id;
    delete from passwords where id = new.id;
    delete from authenticators where id = new.id;
    delete from passkeys where user_id = new.id;
    delete from identities where user_id = new.id;
  end if;
  return null;
end
$$;
