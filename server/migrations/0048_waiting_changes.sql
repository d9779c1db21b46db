-- Constraints stay NOT VALID: they only allow more than before, so every stored row satisfies them.
alter table approvals
  -- When it is carried out without an approver, unless an owner stops it. Null if only an approver can do that.
  add column takes_effect_at timestamptz,
  -- Of a refund: what was approved, so that it doesn't count toward the limit of the approver.
  add column currency text,
  add column amount bigint,
  drop constraint approvals_rule,
  add constraint approvals_rule
    check (rule in ('refund', 'price', 'erase', 'owner', 'grant', 'safeguard')) not valid,
  drop constraint approvals_status,
  add constraint approvals_status check (status in
    ('waiting', 'approved', 'applied', 'rejected', 'withdrawn', 'expired', 'stale')) not valid,
  add constraint approvals_applied
    check (status <> 'applied' or (takes_effect_at is not null and decided_by is null)) not valid;
