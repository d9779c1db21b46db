-- without transaction

-- One change of a subscription at a time.
create unique index concurrently if not exists transactions_one_change on transactions (changes_id)
  where changes_id is not null and state in ('pending', 'unknown');
-- Transactions of earlier versions that have no lines yet.
create index concurrently if not exists transactions_not_split on transactions (user_id, id) where not is_split;
create index concurrently if not exists grants_of_line on grants (line_id) where line_id is not null;
create unique index concurrently if not exists subscriptions_billing_reference on subscriptions (billed_by, billing_reference)
  where billing_reference is not null and status <> 'ended';
alter table transactions validate constraint transactions_balance_amount;
alter table transactions validate constraint transactions_amounts;
alter table transactions validate constraint transactions_changes;
alter table transactions validate constraint transactions_changes_version;
alter table subscriptions validate constraint subscriptions_quantity;
alter table subscriptions validate constraint subscriptions_change_quantity;
alter table subscriptions validate constraint subscriptions_billed_by;
alter table grants validate constraint grants_line;
alter table grants validate constraint grants_quantity;
alter table redemptions validate constraint redemptions_since;
alter table packages validate constraint packages_tax_category;
alter table users validate constraint users_company;
alter table users validate constraint users_address;
alter table users validate constraint users_region;
alter table users validate constraint users_vat_number;
alter table settings validate constraint settings_documents;
