-- The values that 0.5.0 renames in the API. The audit log keeps the old ones, except in the entries of this update.
select set_config('purser.actor_kind', 'system', true), set_config('purser.actor_name', 'update to 0.5.0', true);

-- The catalogue role is now catalog. A trigger ends the sessions of users whose role changes, but this is only
-- another name for the same role.
alter table users drop constraint users_role;
alter table users disable trigger users_end_sessions;
update users set role = 'catalog' where role = 'catalogue';
alter table users enable trigger users_end_sessions;
alter table users add constraint users_role
  check (role in ('owner', 'admin', 'catalog', 'finance', 'support', 'viewer'));

alter table settings drop constraint settings_second_factor_roles;
update settings set
  second_factor_roles = array_replace(second_factor_roles, 'catalogue', 'catalog'),
  sign_in_groups = (
    select coalesce(jsonb_agg(
      case when mapped ->> 'role' = 'catalogue' then mapped || '{"role": "catalog"}' else mapped end order by place
    ), '[]')
    from jsonb_array_elements(sign_in_groups) with ordinality as groups (mapped, place)
  )
where 'catalogue' = any (second_factor_roles) or sign_in_groups @> '[{"role": "catalogue"}]';
alter table settings add constraint settings_second_factor_roles
  check (second_factor_roles <@ '{owner,admin,catalog,finance,support,viewer}');

-- Filters of saved views, such as role:any:catalogue,finance.
update preferences set value =
  regexp_replace(value::text, '("role:[a-z]+:[a-z,]*)\mcatalogue\M', '\1catalog', 'g')::jsonb
where value::text ~ '"role:[a-z]+:[a-z,]*\mcatalogue\M';

-- Unsaved changes in forms.
create function pg_temp.renamed(form text, typed jsonb) returns jsonb language sql as $$
  select case when form = 'settings-edit' then
    regexp_replace(regexp_replace(typed::text, '"secondFactor(Roles|GraceDays)":', '"twoFactor\1":', 'g'),
      -- Roles in lists and in the mapping of groups, but no group of this name.
      '((\[|, )|"role": )"catalogue"(?!:)', '\1"catalog"', 'g')::jsonb
  else
    typed || case when typed ->> 'kind' = 'staff' then '{"kind": "team"}' else '{}'::jsonb end
      || case when typed ->> 'role' = 'catalogue' then '{"role": "catalog"}' else '{}'::jsonb end
  end
$$;
update drafts set base = pg_temp.renamed(form, base), value = pg_temp.renamed(form, value)
where form = 'settings-edit' or form ~ '^users-';
drop function pg_temp.renamed(text, jsonb);

-- Approval requests store a call. What the approver saw is hashed with its path, so requests that still wait are
-- refused as outdated and have to be made again.
update approvals set operation = regexp_replace(operation, ' /staff\M', ' /team'),
  permission = regexp_replace(permission, '^staff:', 'team:'),
  body = body || case when body ->> 'role' = 'catalogue' then '{"role": "catalog"}' else '{}'::jsonb end
where permission like 'staff:%';

alter table sign_ins drop constraint sign_ins_how;
update sign_ins set how = 'sso' where how = 'company';
alter table sign_ins add constraint sign_ins_how
  check (how in ('password', 'code', 'recovery code', 'passkey', 'sso'));

-- Started sign-ins are valid for ten minutes. Those of before the update have to be started again.
delete from challenges where purpose = 'company sign-in';
alter table challenges drop constraint challenges_purpose;
alter table challenges add constraint challenges_purpose
  check (purpose in ('code', 'passkey sign-in', 'passkey adding', 'sso'));

alter table transaction_events drop constraint transaction_events_source;
update transaction_events set source = 'team' where source = 'staff';
alter table transaction_events add constraint transaction_events_source
  check (source in ('team', 'provider', 'system'));

select set_config('purser.actor_kind', '', true), set_config('purser.actor_name', '', true);
