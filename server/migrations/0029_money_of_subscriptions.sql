-- Quantities, and the provider that bills the renewals.
alter table subscriptions
  add column quantity integer not null default 1,
  add column change_quantity integer,
  -- The provider that bills the renewals by itself, and its name for the subscription.
  add column billed_by text,
  add column billing_reference text,
  add constraint subscriptions_quantity check (quantity between 1 and 1000000) not valid,
  add constraint subscriptions_change_quantity check (change_quantity between 1 and 1000000) not valid,
  add constraint subscriptions_billed_by check ((billed_by is null) = (billing_reference is null)
    and billed_by ~ '^[a-z][a-z0-9-]{1,39}$' and length(billing_reference) between 1 and 200) not valid;
