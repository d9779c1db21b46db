-- Constraints stay NOT VALID: they only allow more than before, so every stored row satisfies them.
alter table settings
  -- By currency, in minor units: sums per team member in 24 hours and per customer in 30 days above which refunds
  -- require approval. Without one, the limit of a refund applies to the sum.
  add column refund_daily_limits jsonb not null default '{}',
  add column refund_customer_limits jsonb not null default '{}',
  -- By role: the days and packages that it grants without approval. A role without limits always needs approval.
  add column grant_limits jsonb not null default
    '{"owner": {"days": null, "packages": []}, "admin": {"days": null, "packages": []}, "support": {"days": 90, "packages": []}}',
  -- How long a change that loosens a safeguard waits if no second owner approves it.
  add column waiting_hours integer not null default 48,
  add constraint settings_approval_limits check (jsonb_typeof(refund_daily_limits) = 'object'
    and jsonb_typeof(refund_customer_limits) = 'object' and jsonb_typeof(grant_limits) = 'object'
    and waiting_hours between 24 and 72) not valid,
  drop constraint settings_approval_rules,
  add constraint settings_approval_rules
    check (approval_rules <@ '{refund,price,erase,owner,grant}') not valid;

-- Team members of the role support could grant any package without an end.
update settings set approval_rules = approval_rules || '{grant}'
where id = '00000000-0000-7000-8000-000000000001';
