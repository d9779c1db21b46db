-- What the company decides for its whole office: one row, changed like any record.
create table settings (
  id uuid constraint settings_pkey primary key default '00000000-0000-7000-8000-000000000001'
    constraint settings_only_one check (id = '00000000-0000-7000-8000-000000000001'),
  -- Null is what the environment says.
  company_name text constraint settings_company_name check (length(company_name) between 1 and 60),
  time_zone text,
  -- Empty is every currency there is.
  currencies text[] not null default '{}',
  second_factor_roles text[] not null default '{}' constraint settings_second_factor_roles
    check (second_factor_roles <@ '{owner,admin,catalogue,finance,support,viewer}'),
  second_factor_grace_days integer not null default 7 constraint settings_second_factor_grace_days
    check (second_factor_grace_days between 0 and 90),
  passwords_allowed boolean not null default true,
  -- Groups of the company's identity provider and the roles that they give, in order.
  sign_in_groups jsonb not null default '[]' constraint settings_sign_in_groups
    check (jsonb_typeof(sign_in_groups) = 'array'),
  grace_days integer not null default 7 constraint settings_grace_days check (grace_days between 0 and 90),
  -- By currency, in minor units: a refund above it needs a second person.
  refund_limits jsonb not null default '{}' constraint settings_refund_limits
    check (jsonb_typeof(refund_limits) = 'object'),
  approval_rules text[] not null default '{}' constraint settings_approval_rules
    check (approval_rules <@ '{refund,price,erase,owner}'),
  approval_days integer not null default 7 constraint settings_approval_days check (approval_days between 1 and 90),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create trigger settings_touch before update on settings for each row
  when (old.* is distinct from new.*) execute function touch_row();
insert into settings default values;
select audit_table('settings');
grant select, update on settings to purser_app;
