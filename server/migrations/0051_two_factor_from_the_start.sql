-- New installations require two-factor authentication of all roles from the first sign-in. Others keep their setting.
-- There, users with a passkey can sign in with the password alone for another 14 days, in case they lost the passkey.

alter table settings add column passkeys_required_from timestamptz;

update settings set
  second_factor_roles = case when exists (select from users where role is not null) then second_factor_roles
    else '{owner,admin,catalog,finance,support,viewer}' end,
  second_factor_grace_days = case when exists (select from users where role is not null)
    then second_factor_grace_days else 0 end,
  passkeys_required_from = case when exists (select from users where role is not null)
    then now() + interval '14 days' end
where id = '00000000-0000-7000-8000-000000000001';
