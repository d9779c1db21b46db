-- Archiving an app stops new sales, while customers keep their access. Suspending it denies all access until it is
-- resumed. An app can be both. The audit log has the periods of suspension, which past entitlements are read from.
alter table apps add column suspended_at timestamptz;
-- No stored row can violate it, because the column is new.
alter table apps add constraint apps_suspended check (suspended_at is null or status <> 'draft') not valid;
